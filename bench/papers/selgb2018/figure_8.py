"""Figure 8: how the first stage ranks the negatives that SelGB selects."""

from dataclasses import replace

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, RANKS, selgb

ALGORITHMS = {"selgb-1": selgb(1)}
_MEASURES = {f"within {rank}": f"selected within {rank}" for rank in RANKS}
#: The paper reads one value off its own figure.
_READ_OFF = [0.8 if rank == 1000 else None for rank in RANKS]

TABLE = Table(
    title="SelGB 2018, figure 8: share of the selected negatives up to a rank by feature 1",
    paper=replace(
        PAPER, data={key: replace(of, measures=_MEASURES) for key, of in PAPER.data.items()}
    ),
    algorithms=ALGORITHMS,
    published={"istella-x": {"selgb-1": _READ_OFF}, "long": {"selgb-1": [None] * len(RANKS)}},
    notes="All selections of a training count, a negative as often as it was selected.",
)
