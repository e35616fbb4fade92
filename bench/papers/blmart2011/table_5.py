"""Table 5: how much a model varies with the queries that it is trained on."""

from collections.abc import Mapping
from typing import Any

from bench.papers.blmart2011 import (
    COMMON,
    DRAWS_NOTHING,
    MEMBERS,
    MOST_ROUNDS,
    NONE,
    NOTES,
    OVERFITTING,
    PAPER,
    TUNED,
)
from bench.papers.declare import Algorithm, Table
from bench.papers.estimate import Estimates
from bench.papers.report import heading


def _on_samples(
    estimator: str, parameters: Mapping[str, Any], by_data: Mapping[str, Mapping[str, Any]]
) -> Algorithm:
    """Return an estimator on 67 % of the queries, which the seed draws."""
    return Algorithm(
        "OnSample",
        {"estimator": estimator, "n_estimators": MOST_ROUNDS, "fraction": 0.67},
        by_data={
            data: {"parameters": {**COMMON, **parameters, **each}} for data, each in by_data.items()
        },
    )


_BAGS = {data: {**TUNED[data], "n_bags": MEMBERS[data]} for data in TUNED}

ALGORITHMS = {
    "lambdamart": _on_samples(
        "LambdaMART", {}, {data: {**tuned, **DRAWS_NOTHING} for data, tuned in TUNED.items()}
    ),
    "lambdamart-randomised": _on_samples("LambdaMART", {}, TUNED),
    "bl-mart": _on_samples("BaggedLambdaMART", {}, _BAGS),
    "bl-mart-overfitting": _on_samples("BaggedLambdaMART", OVERFITTING, _BAGS),
}

#: Mean and variance times 10^6, in the order of the measures; of the first fold of MSLR.
PUBLISHED = {
    "lambdamart": {
        "ndcg@1": (0.4484, 18.0),
        "ndcg@3": (0.4395, 9.1),
        "mean ndcg": (0.5640, 1.2),
        "map": (0.3657, 0.9),
    },
    "lambdamart-randomised": {
        "ndcg@1": (0.4492, 22.0),
        "ndcg@3": (0.4421, 5.4),
        "mean ndcg": (0.5647, 1.4),
        "map": (0.3665, 1.3),
    },
    "bl-mart": {
        "ndcg@1": (0.4516, 10.0),
        "ndcg@3": (0.4468, 7.8),
        "mean ndcg": (0.5675, 1.5),
        "map": (0.3690, 0.9),
    },
    "bl-mart-overfitting": {
        "ndcg@1": (0.4528, 7.0),
        "ndcg@3": (0.4471, 4.4),
        "mean ndcg": (0.5686, 0.8),
        "map": (0.3703, 0.5),
    },
}

#: What variances are compared with.
_REFERENCE = "lambdamart-randomised"


def layout(table: Table, measured: Estimates) -> str:
    """Lay out means and variances, and how much smaller these are than without bags."""
    lines = [
        (
            "| data | measure | algorithm | mean | variance x 10^6 | against lambdamart-randomised | "
            "paper's mean | paper's variance x 10^6 |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for (data, name, measure), ours in sorted(
        measured.items(), key=lambda item: _place(table, item[0])
    ):
        reference = measured.get((data, _REFERENCE, measure))
        paper = PUBLISHED[name].get(measure) if data == "mslr" else None
        cells = [
            table.data[data].title,
            heading(measure),
            name,
            f"{ours.mean:.4f}",
            _millionths(ours.variance),
            _change(ours.variance, None if reference is None else reference.variance),
            "-" if paper is None else f"{paper[0]:.4f}",
            "-" if paper is None else f"{paper[1]:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _place(table: Table, what: tuple[str, str, str]) -> tuple[int, int, int]:
    data, name, measure = what
    return (
        list(table.data).index(data),
        list(table.data[data].measures).index(measure),
        list(table.algorithms).index(name),
    )


def _millionths(variance: float | None) -> str:
    return "-" if variance is None else f"{variance * 1e6:.1f}"


def _change(variance: float | None, reference: float | None) -> str:
    if variance is None or not reference:
        return "-"
    return f"{variance / reference - 1:+.0%}"


TABLE = Table(
    title="BL-MART 2011, table 5: variance over samples of the training queries",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published={data: dict.fromkeys(ALGORITHMS, NONE) for data in TUNED},
    layout=layout,
    notes=(
        f"{NOTES} Each seed draws 67 % of the training queries and trains on them; a bag's members draw "
        "67 % of these again. The variance is that of a fold's value over the seeds, averaged over the "
        "folds; the paper has ten seeds (`--seeds 10`) on fold 1 of MSLR-WEB10K "
        "(`--data mslr=MSLR-WEB10K/Fold1`)."
    ),
)
