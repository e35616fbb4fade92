"""Table 2.2: SGBRT by the share of the documents that each tree is trained on."""

from bench.papers.declare import Axis, Table
from bench.papers.mohan2010 import PAPER, gbrt, published

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
ALGORITHMS = {**{f"s={share}": gbrt(subsample=share) for share in SHARES}, "s=1.0": gbrt()}

_OF_TEST = {  # RMSE, ERR, NDCG@10 on the test set
    "s=0.1": (0.64067, 0.45856, 0.76602),
    "s=0.2": (0.64085, 0.45908, 0.76525),
    "s=0.3": (0.63998, 0.45800, 0.76562),
    "s=0.4": (0.64035, 0.45791, 0.76640),
    "s=0.5": (0.63971, 0.45732, 0.76660),
    "s=0.6": (0.64490, 0.45742, 0.76223),
    "s=0.7": (0.64506, 0.45639, 0.76153),
    "s=0.8": (0.64408, 0.45681, 0.76230),
    "s=0.9": (0.64370, 0.45717, 0.76355),
    "s=1.0": (0.64068, 0.45670, 0.76495),
}

TABLE = Table(
    title="Mohan 2010, table 2.2: SGBRT by the share of the documents",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {"yahoo2": _OF_TEST}),
    axis=Axis("share of the documents", {name: name[2:] for name in ALGORITHMS}),
    notes=(
        "1,000 trees of 8 leaves at most, learning rate 0.1, each on a share of the documents, drawn "
        "without replacement. The thesis's finding: s = 0.5 is best on the test set, s = 0.2 is still "
        "better than all documents."
    ),
)
