"""Table 12: by how many algorithms each is beaten, data set by data set."""

from collections.abc import Mapping

from bench.papers.declare import Table
from bench.papers.estimate import Estimates
from bench.papers.ibrahim2020 import PAPER, table_10, table_11

#: Ranks as the paper prints them; of MQ2007 and MQ2008 only beats that are significant count there.
PRINTED = {
    "mq2007": (9, 6, 0, 7, 0, 3, 0, 1, 1, 8, 1, 7, 0),
    "mq2008": (8, 7, 1, 7, 1, 0, 0, 0, 1, 7, 2, 3, 0),
    "ohsumed": (9, 10, 1, 12, 4, 5, 2, 7, 6, 3, 11, 8, 0),
    "td2004": (6, 4, 0, 5, 1, 4, 2, 7, 9, 11, 12, 8, 10),
    "hp2004": (3, 1, 0, 8, 4, 5, 3, 11, 9, 7, 12, 10, 6),
    "np2004": (8, 5, 3, 7, 0, 6, 1, 11, 2, 10, 12, 11, 4),
}

_MEASURE = "ndcg@10"


def _published() -> dict[str, dict[str, tuple[float | None, ...]]]:
    both = (table_10.TABLE.published, table_11.TABLE.published)
    return {
        data: {name: tuple(values) for table in both for name, values in table[data].items()}
        for data in PRINTED
    }


def ranks(values: Mapping[str, float]) -> dict[str, int]:
    """Return for each algorithm how many others have a larger value."""
    return {name: sum(other > value for other in values.values()) for name, value in values.items()}


def layout(table: Table, measured: Estimates) -> str:
    """Lay out ranks by our values and by the paper's, among the algorithms that we have."""
    lines = [
        "| data | algorithm | rank by our values | by the paper's values | as printed, of 13 |",
        "|---|---|---|---|---|",
    ]
    totals: dict[str, list[int]] = {}
    for data in dict.fromkeys(data for data, _, _ in measured):
        names = [n for n in table.published[data] if (data, n, _MEASURE) in measured]
        ours = ranks({name: measured[data, name, _MEASURE].mean for name in names})
        values = {name: table.value(data, name, _MEASURE) for name in names}
        paper = ranks({name: value for name, value in values.items() if value is not None})
        printed = dict(zip(table.published[data], PRINTED[data], strict=True))
        for name in names:
            cells = [table.data[data].title, name]
            cells += map(str, (ours[name], paper[name], printed[name]))
            lines.append(f"| {' | '.join(cells)} |")
            without_share = name.rstrip("0123456789")
            total = totals.setdefault(without_share, [0, 0, 0])
            for i, rank in enumerate((ours[name], paper[name], printed[name])):
                total[i] += rank
    for name, total in sorted(totals.items(), key=lambda item: item[1][0]):
        lines.append(f"| all of these | {name} | {' | '.join(map(str, total))} |")
    return "\n".join(lines)


TABLE = Table(
    title="Ibrahim 2020, table 12: by how many algorithms each is beaten in NDCG@10",
    paper=PAPER,
    algorithms={**table_10.TABLE.algorithms, **table_11.TABLE.algorithms},
    published=_published(),
    layout=layout,
    notes=(
        "A rank is the number of algorithms with a larger NDCG@10, among those that rankforest has; the "
        "lower the better. The paper ranks 13, and on MQ2007 and MQ2008 counts only what is "
        "significant by a pairwise test; from means alone, as here, ranks there spread further. "
        + f"{table_10.TABLE.notes} {table_11.TABLE.notes}"
    ),
)
