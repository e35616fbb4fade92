"""Figure 4: how many trees."""

from bench.papers.declare import Axis, Table
from bench.papers.ibrahim2020 import PAPER, forest

#: Trees of each forest; a smaller one is the first part of a larger one.
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

_VARIANT = "rf-point-classification"

TABLE = Table(
    title="Ibrahim 2020, figure 4: effect of ensemble size on RF-point",
    paper=PAPER,
    algorithms={f"{size} trees": forest(_VARIANT, n_estimators=size) for size in SIZES},
    published={
        **{data: {f"{size} trees": (None,) * 3 for size in SIZES} for data in ("mslr", "yahoo")},
        **{
            data: {f"{size} trees": (None,) * 2 for size in SIZES} for data in ("mq2008", "ohsumed")
        },
    },
    axis=Axis(
        "trees",
        {f"{size} trees": str(size) for size in SIZES},
        {f"{size} trees": float(size) for size in SIZES},
    ),
    notes=(
        "Unpruned trees that split by entropy, floor(log2 M) + 1 features for each split, each tree on "
        "63.2 % of the queries, drawn without replacement. The paper draws MSLR and Yahoo alone, "
        "without figures to read off; MQ2008 and OHSUMED are ours. Its finding: more trees improve a "
        "forest or leave it as it is."
    ),
)
