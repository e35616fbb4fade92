"""Figure 4: the size of bags, with and without overfitting."""

from bench.papers.blmart2011 import (
    COMMON,
    MOST_ROUNDS,
    NONE,
    NOTES,
    OVERFITTING,
    PAPER,
    TUNED,
)
from bench.papers.declare import Algorithm, Axis, Table

#: Members of the pool of a fold, and of the bags that are drawn from it.
POOL_SIZE = 50
SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 45)
_CURVES = {"without overfitting": {}, "with overfitting": OVERFITTING}

_NAMES = {f"{size} {curve}": (size, curve) for curve in _CURVES for size in SIZES}

TABLE = Table(
    title="BL-MART 2011, figure 4: members of bags, and overfitting",
    paper=PAPER,
    algorithms={
        name: Algorithm(
            "PooledBag",
            {"n_estimators": MOST_ROUNDS, "pool_size": POOL_SIZE, "n_bags": size},
            by_data={
                data: {"parameters": {**COMMON, **_CURVES[curve], **tuned}}
                for data, tuned in TUNED.items()
            },
        )
        for name, (size, curve) in _NAMES.items()
    },
    published={data: dict.fromkeys(_NAMES, NONE) for data in TUNED},
    measured_on="valid",
    axis=Axis(
        "members",
        {name: str(size) for name, (size, _) in _NAMES.items()},
        {name: float(size) for name, (size, _) in _NAMES.items()},
        {name: curve for name, (_, curve) in _NAMES.items()},
    ),
    notes=(
        f"{NOTES} For each fold one pool of 50 members is trained and kept in `papers.pools`, or where "
        "RANKFOREST_POOLS says; each seed draws the members of every bag from it (the paper: 100 draws, "
        "from pools of 1,000, on MSLR of 50). The errors over seeds are those of the draws alone. The "
        "paper's finding, in validation MAP: overfitting makes bags better, on MSLR large ones only, "
        "and gains flatten at 45 members, on MSLR at 20."
    ),
)
