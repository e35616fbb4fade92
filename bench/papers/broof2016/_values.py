"""The values of tables 2 (MAP) and 3 (NDCG@10), and how both are laid out."""

from __future__ import annotations

import numpy as np

from bench.papers import claims
from bench.papers.broof2016 import BASELINES, INSTANCES, PAPER, published
from bench.papers.declare import Table, Values
from bench.papers.estimate import Estimates
from bench.papers.report import heading
from rankforest._evaluation.significance import PairComparison, compare_pair

ALGORITHMS = {**BASELINES, **INSTANCES}

_DATA = ("td2003", "td2004", "mslr", "yahoo2", "yahoo2-folds")
_MAP = {
    "mart": (0.192633, 0.193744, 0.352491, 0.559721, 0.568821),
    "lambdamart": (0.165181, 0.169605, 0.350263, 0.5545, 0.563694),
    "rf": (0.278644, 0.2522, 0.337702, 0.563355, 0.559019),
    "rankboost": (0.235189, 0.255467, 0.316201, 0.544887, 0.547524),
    "adarank-map": (0.2003, 0.196801, 0.294792, 0.413846, 0.480190),
    "adarank-ndcg": (0.121672, 0.132435, 0.304359, 0.540243, 0.538514),
    "svm-rank": (0.257490, 0.220392, 0.324552, 0.544887, 0.551333),
    "broof-absolute": (0.288039, 0.263288, 0.342437, 0.565486, 0.563729),
    "broof-median": (0.282427, 0.259941, 0.347665, 0.567696, 0.567284),
    "broof-height": (0.285937, 0.259058, 0.340340, 0.564774, 0.557727),
    "broof-gradient": (0.280634, 0.252342, 0.36251, 0.572918, 0.57656),
}
_NDCG = {
    "mart": (0.271274, 0.263926, 0.4404, 0.703757, 0.714763),
    "lambdamart": (0.224536, 0.237338, 0.445437, 0.69619, 0.706287),
    "rf": (0.36346, 0.350582, 0.424498, 0.703139, 0.702384),
    "rankboost": (0.31613, 0.33399, 0.397071, 0.682478, 0.681796),
    "adarank-map": (0.271921, 0.281035, 0.35732, 0.51767, 0.607867),
    "adarank-ndcg": (0.166241, 0.182031, 0.385761, 0.66309, 0.664115),
    "svm-rank": (0.344177, 0.303471, 0.399902, 0.682478, 0.691064),
    "broof-absolute": (0.360802, 0.358146, 0.434964, 0.70633, 0.706954),
    "broof-median": (0.36798, 0.350466, 0.436284, 0.708538, 0.709148),
    "broof-height": (0.368195, 0.355356, 0.42882, 0.70383, 0.701985),
    "broof-gradient": (0.368695, 0.348532, 0.456081, 0.717271, 0.725129),
}

#: MAP and NDCG@10 of each algorithm on the paper's data sets.
PUBLISHED: dict[str, dict[str, Values]] = published(
    list(ALGORITHMS),
    {
        data: {name: (_MAP[name][i], _NDCG[name][i]) for name in ALGORITHMS}
        for i, data in enumerate(_DATA)
    },
)

NOTES = (
    "Beside each value are the p of Student's paired t-test and of Wilcoxon's signed-rank test against the "
    "strongest baseline that was measured on the data set, two-sided, over the queries of all folds, "
    "whose values are averaged over the seeds; + and * say that the instance is better and which of "
    "the two p, in this order, is at most 0.05, as in the paper. "
    "Forests of 300 trees of 100 leaves, 30 % of the features for each split; on MQ2008, OHSUMED and the "
    "MSLR sample the forests of BROOF-gradient have 20 trees, of its other instances 50. Eta is 0.1 in "
    "BROOF-gradient and 1 in the others. BROOF, MART "
    "and LambdaMART (up to 1,000 trees of 10 leaves, eta 0.1) keep the iteration that has the best "
    "NDCG@10 on the validation set; the paper does not say how it chose BROOF's. The paper's means are "
    "over 30 runs of five folds of TD2003 and TD2004, 10 of Yahoo's and 5 of MSLR's."
)


def table(number: int, measure: str) -> Table:
    """Return table 2 or 3, which shows one measure of what both measure."""
    return Table(
        title=f"BROOF 2016, table {number}: {heading(measure)}",
        paper=PAPER,
        algorithms=ALGORITHMS,
        published=PUBLISHED,
        layout=lambda of, measured: against_strongest(of, measured, measure),
        notes=NOTES,
    )


def against_strongest(of: Table, measured: Estimates, measure: str) -> str:
    """Lay out one measure, with both tests of all that is no baseline against the best one."""
    head = ["data", "algorithm", f"{heading(measure)}, ours", "paper", "t-test", "Wilcoxon", ""]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for data in dict.fromkeys(data for data, _, _ in measured):
        names = [name for name in of.published[data] if (data, name, measure) in measured]
        means = {name: measured[data, name, measure].mean for name in names}
        strongest = max(set(names) & set(BASELINES), key=means.__getitem__, default=None)
        for name in names:
            paper = of.value(data, name, measure)
            cells = [of.data[data].title, name, str(measured[data, name, measure])]
            cells += ["-" if paper is None else f"{paper:.4f}"]
            if name == strongest:
                cells += ["", "", "the strongest baseline"]
            elif name in BASELINES or strongest is None:
                cells += ["", "", ""]
            else:
                found = _compared(measured, data, measure, name, strongest)
                cells += [f"{found.t.p_value:.4f}", f"{found.wilcoxon.p_value:.4f}", _marks(found)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _compared(
    measured: Estimates, data: str, measure: str, name: str, other: str
) -> PairComparison:
    a, b = (np.array(measured[data, each, measure].queries) for each in (name, other))
    counts = ~np.isnan(a + b)  # not those that the metric leaves out
    return compare_pair(
        name,
        other,
        (a[counts], b[counts]),
        np.ones(counts.sum()),
        maximize=True,
        procedure=claims.PROCEDURE,
    )


def _marks(found: PairComparison) -> str:
    """Return the paper's signs: + by the t-test, * by Wilcoxon's, for what is better."""
    most = 1 - claims.PROCEDURE.confidence_level
    by_test = {"+": found.t, "*": found.wilcoxon}
    signs = [sign for sign, test in by_test.items() if test.p_value <= most]
    return " ".join(signs) if found.difference > 0 else "worse" if signs else ""
