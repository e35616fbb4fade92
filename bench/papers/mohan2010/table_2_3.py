"""Table 2.3: kSGBRT by the number of features that each split is chosen from."""

from bench.papers.declare import Table
from bench.papers.estimate import Estimates
from bench.papers.mohan2010 import METRICS, gbrt, published, with_measures

#: Of Yahoo's 700 features; on other sets the same share of theirs.
COUNTS = (10, 20, 40, 60, 80, 100, 120, 140, 160)
ALL = "k=700"
ALGORITHMS = {**{f"k={k}": gbrt(max_features=k / 700) for k in COUNTS}, ALL: gbrt()}

#: RMSE, ERR, NDCG@10 on the test set; minutes.
_OF_TEST = {
    "k=10": (0.64289, 0.45841, 0.76280, 65.0),
    "k=20": (0.64168, 0.45754, 0.76249, 76.0),
    "k=40": (0.64139, 0.45718, 0.76488, 97.0),
    "k=60": (0.64139, 0.45868, 0.76624, 117.0),
    "k=80": (0.64101, 0.45857, 0.76461, 131.0),
    "k=100": (0.63987, 0.45933, 0.76501, 153.0),
    "k=120": (0.64077, 0.45719, 0.76413, 173.0),
    "k=140": (0.63926, 0.45914, 0.76717, 187.0),
    "k=160": (0.64082, 0.45793, 0.76540, 206.0),
    ALL: (0.64068, 0.45670, 0.76495, 456.0),
}


def layout(table: Table, measured: Estimates) -> str:
    """Lay out the measures, and the time as a share of that with all features."""
    head = ["data", "algorithm", "RMSE", "ERR", "NDCG@10", "cpu seconds", "of all features"]
    head += ["thesis: RMSE", "ERR", "NDCG@10", "minutes", "of all features"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for data, name in dict.fromkeys((data, name) for data, name, _ in measured):
        cells = [table.data[data].title, name]
        cells += [str(measured[data, name, measure]) for measure in METRICS]
        seconds = measured[data, name, "cpu seconds"].mean
        whole = measured.get((data, ALL, "cpu seconds"))
        cells += [f"{seconds:.2f}", "-" if whole is None else f"{seconds / whole.mean:.2f}"]
        *values, minutes = table.published[data][name]
        cells += ["-" if value is None else f"{value:.4f}" for value in values]
        cells += ["-"] * 2 if minutes is None else [f"{minutes:.0f}", f"{minutes / 456:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


TABLE = Table(
    title="Mohan 2010, table 2.3: kSGBRT by the number of features that each split sees",
    paper=with_measures({**METRICS, "cpu seconds": "cpu seconds"}),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {"yahoo2": _OF_TEST}, len(METRICS) + 1),
    layout=layout,
    notes=(
        "1,000 trees of 8 leaves at most, learning rate 0.1; k of Yahoo's 700 features, or the same share "
        "of those of another set, at least one. Seconds are processor time of one thread, with the "
        "validation set. The thesis's finding: 14 % of the features are as good as all, in a third of "
        "the time."
    ),
)
