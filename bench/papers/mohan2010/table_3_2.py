"""Table 3.2: weights of the cumulative probabilities, fitted by least squares."""

from math import isnan

from bench.papers.declare import Table
from bench.papers.estimate import Estimates
from bench.papers.mohan2010 import forest, published, with_measures

ALGORITHMS = {
    "training": forest(ordinal=True, ordinal_scoring="ols_train"),
    "validation": forest(ordinal=True, ordinal_scoring="ols_valid"),
    "training+val": forest(ordinal=True, ordinal_scoring="ols_both"),
    "expected relevance": forest(ordinal=True),
}
#: Of T_0 to T_3, and the constant.
MEASURES = {f"w{i}": f"weight {i}" for i in range(5)}

_OF_THESIS = {
    "yahoo1": {
        "training": (-1.1660, -1.2503, -1.1383, -1.0671, 4.4104),
        "validation": (-1.1701, -0.9857, -1.0417, -1.0594, 4.1269),
        "training+val": (-1.1528, -1.1804, -1.0710, -1.0577, 4.2854),
        "expected relevance": (-1.0, -1.0, -1.0, -1.0, 4.0),
    },
    "yahoo2": {
        "training": (-1.1793, -1.2658, -1.2370, -0.9097, 4.3323),
        "validation": (-1.1753, -1.2546, -1.2212, -0.9157, 4.3151),
        "training+val": (-1.1926, -1.0391, -0.9726, -1.1955, 4.2854),
        "expected relevance": (-1.0, -1.0, -1.0, -1.0, 4.0),
    },
}


def layout(table: Table, measured: Estimates) -> str:
    """Lay out a weight vector in each row."""
    head = ["data", "fitted on", *MEASURES, *(f"thesis: {name}" for name in MEASURES)]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for data, name in dict.fromkeys((data, name) for data, name, _ in measured):
        ours = [measured[data, name, measure].mean for measure in MEASURES]
        thesis = [table.value(data, name, measure) for measure in MEASURES]
        cells = [table.data[data].title, name]
        cells += ["-" if isnan(value) else f"{value:.4f}" for value in ours]  # fewer grades
        cells += ["-" if value is None else f"{value:.4f}" for value in thesis]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


TABLE = Table(
    title="Mohan 2010, table 3.2: weights of the cumulative probabilities by least squares",
    paper=with_measures(MEASURES),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), _OF_THESIS, len(MEASURES)),
    layout=layout,
    notes=(
        "Forests of 1,000 full trees for each problem, 10 % of the features for each split. Sets of three "
        "grades have three weights, the last of which is the constant. On the training data, forests "
        "know their documents, and weights fitted there are nearer to what they were trained for."
    ),
)
