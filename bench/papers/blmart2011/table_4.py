"""Table 4: LambdaMART and BL-MART."""

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
from bench.papers.declare import Algorithm, Table, Values

_LAMBDAMART = {**COMMON, "n_estimators": MOST_ROUNDS}
_BAGS = {data: {**TUNED[data], "n_bags": MEMBERS[data]} for data in TUNED}


def _values(
    at_1: float, at_3: float, mean: float | None, average: float, at_5: float | None = None
) -> Values:
    """Order the paper's values as the measures are: NDCG@1, 3, 5, 10, Mean NDCG, MAP."""
    return (at_1, at_3, at_5, None, mean, average)


ALGORITHMS = {
    "lambdamart": Algorithm(
        "LambdaMART",
        _LAMBDAMART,
        random=False,
        by_data={data: {**tuned, **DRAWS_NOTHING} for data, tuned in TUNED.items()},
    ),
    "lambdamart-randomised": Algorithm("LambdaMART", _LAMBDAMART, by_data=TUNED),
    "bl-mart": Algorithm("BaggedLambdaMART", _LAMBDAMART, by_data=_BAGS),
    "bl-mart-overfitting": Algorithm(
        "BaggedLambdaMART", {**_LAMBDAMART, **OVERFITTING}, by_data=_BAGS
    ),
}

_NOT_IN_PAPER = dict.fromkeys(ALGORITHMS, NONE)

TABLE = Table(
    title="BL-MART 2011, table 4: bags of LambdaMARTs and single ones",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published={
        "td2004": {
            "lambdamart": _values(0.4267, 0.3584, None, 0.2378, 0.3266),
            "lambdamart-randomised": _values(0.4560, 0.4033, None, 0.2513, 0.3722),
            "bl-mart": _values(0.4947, 0.4217, None, 0.2649, 0.3886),
            "bl-mart-overfitting": _values(0.4947, 0.4270, None, 0.2684, 0.3948),
        },
        "mq2007": {
            "lambdamart": _values(0.4147, 0.4119, 0.5011, 0.4660),
            "lambdamart-randomised": _values(0.4137, 0.4157, 0.5035, 0.4684),
            "bl-mart": _values(0.4197, 0.4217, 0.5079, 0.4726),
            "bl-mart-overfitting": _values(0.4200, 0.4224, 0.5093, 0.4731),
        },
        "mslr": {
            "lambdamart": _values(0.4580, 0.4467, 0.5693, 0.3670),
            "lambdamart-randomised": _values(0.4628, 0.4487, 0.5706, 0.3684),
            "bl-mart": _values(0.4640, 0.4514, 0.5720, 0.3696),
            "bl-mart-overfitting": _values(0.4642, 0.4516, 0.5729, 0.3705),
        },
        "mq2008": _NOT_IN_PAPER,
        "ohsumed": _NOT_IN_PAPER,
    },
    notes=(
        f"{NOTES} Bags have 45 members, on MSLR 20. The paper averages 20 seeds, of bags 20 draws from "
        "one pool for each fold; here each seed trains a bag of its own."
    ),
)
