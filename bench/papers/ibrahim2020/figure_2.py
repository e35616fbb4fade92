"""Figure 2: how many features a split looks at, on the smaller data sets."""

from bench.papers.declare import Axis, Table
from bench.papers.ibrahim2020 import PAPER
from bench.papers.ibrahim2020._varying_k import SETTINGS, forests

_NONE = (None, None)

TABLE = Table(
    title="Ibrahim 2020, figure 2: performance as K is increased",
    paper=PAPER,
    algorithms=forests("rf-point-classification"),
    published={
        data: {f"K={name}": _NONE for name in SETTINGS}
        for data in ("mq2007", "mq2008", "ohsumed", "td2004")
    },
    axis=Axis("K, features looked at for each split", {f"K={name}": name for name in SETTINGS}),
    notes=(
        "500 unpruned trees that split by entropy, each on 63.2 % of the queries, drawn without "
        "replacement; the paper does not state the share, nor the criterion of this figure, nor "
        "its values. Its finding: no improvement as K grows beyond log2(M) + 1, rather a slight loss."
    ),
)
