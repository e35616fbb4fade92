"""Table 4: regression, on grades or on mapped relevance."""

from bench.papers.declare import Table
from bench.papers.ibrahim2020 import PAPER, forest

TABLE = Table(
    title="Ibrahim 2020, table 4: grades and mapped relevance, regression",
    paper=PAPER,
    algorithms={
        "rf-point-regression": forest("rf-point-regression"),
        "rf-point-regression-mapped": forest("rf-point-regression", relevance="exp2"),
    },
    published={  # NDCG@10, MAP; of the large sets NDCG@10, ERR, MAP
        "mslr": {
            "rf-point-regression": (0.4512, 0.3505, 0.3576),
            "rf-point-regression-mapped": (0.4495, 0.3596, 0.3508),
        },
        "yahoo": {
            "rf-point-regression": (0.7554, 0.4603, 0.6290),
            "rf-point-regression-mapped": (0.7522, 0.4608, 0.6226),
        },
        "mq2007": {
            "rf-point-regression": (0.4345, 0.4515),
            "rf-point-regression-mapped": (0.4350, 0.4514),
        },
        "mq2008": {
            "rf-point-regression": (0.2227, 0.4674),
            "rf-point-regression-mapped": (0.2221, 0.4659),
        },
        "ohsumed": {
            "rf-point-regression": (0.4168, 0.4265),
            "rf-point-regression-mapped": (0.4246, 0.4172),
        },
        "td2004": {
            "rf-point-regression": (0.3509, 0.2559),
            "rf-point-regression-mapped": (0.3418, 0.2542),
        },
        "hp2004": {
            "rf-point-regression": (0.7578, 0.6730),
            "rf-point-regression-mapped": (0.7534, 0.6676),
        },
        "np2004": {
            "rf-point-regression": (0.7624, 0.6307),
            "rf-point-regression-mapped": (0.7592, 0.6321),
        },
    },
    notes=(
        "500 unpruned trees, floor(log2 M) + 1 features for each split, each tree on 63.2 % of the "
        "queries, drawn without replacement; the paper does not state the share. Mapped "
        "relevance is 2^l - 1 in place of the grade l; splits and leaves fit it."
    ),
)
