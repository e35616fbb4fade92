"""What the paper concludes of the four instances."""

from functools import partial

from bench.papers import claims
from bench.papers.broof2016 import DATA, PAPER, broof
from bench.papers.broof2016._values import ALGORITHMS, NOTES, PUBLISHED
from bench.papers.claims import Claim
from bench.papers.declare import Table

_BEST = ("rf", "mart", "lambdamart")


CLAIMS = (
    Claim(
        "BROOF-gradient ranks better than the baselines (section 4.4)",
        [("broof-gradient", name) for name in _BEST],
        DATA,
    ),
    *(
        Claim(
            f"BROOF-{variant} ranks no worse than the baselines (section 4.4)",
            [(f"broof-{variant}", name) for name in _BEST],
            DATA,
        )
        for variant in ("absolute", "median", "height")
    ),
    Claim(
        "BROOF-gradient and BROOF-absolute are the strongest instances (section 3.2)",
        [
            (strong, other)
            for strong in ("broof-gradient", "broof-absolute")
            for other in ("broof-median", "broof-height")
        ],
        DATA,
    ),
    Claim(
        "Out-of-bag predictions rank better than those of all trees (figure 3)",
        [("broof-gradient", "gradient-by-train")],
        DATA,
    ),
)

_TRAIN = {"gradient-by-train": broof("gradient", validation_set="train")}

TABLE = Table(
    title="BROOF 2016: what it concludes",
    paper=PAPER,
    algorithms={**ALGORITHMS, **_TRAIN},
    published={
        data: {**values, **dict.fromkeys(_TRAIN, (None, None))}
        for data, values in PUBLISHED.items()
    },
    layout=partial(claims.layout, CLAIMS),
    notes=f"{claims.NOTES} {NOTES}",
)
