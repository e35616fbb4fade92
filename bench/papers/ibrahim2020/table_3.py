"""Table 3: regression or classification in point-wise forests."""

from bench.papers.declare import Table
from bench.papers.ibrahim2020 import PAPER, forest

TABLE = Table(
    title="Ibrahim 2020, table 3: point-wise forests, regression and classification",
    paper=PAPER,
    algorithms={
        "rf-point-regression": forest("rf-point-regression"),
        "rf-point-classification": forest("rf-point-classification"),
    },
    published={  # NDCG@10, MAP; of the large sets NDCG@10, ERR, MAP
        "mslr": {
            "rf-point-regression": (0.4512, 0.3505, 0.3576),
            "rf-point-classification": (0.4451, 0.3434, 0.3544),
        },
        "yahoo": {
            "rf-point-regression": (0.7554, 0.4603, 0.6290),
            "rf-point-classification": (0.7538, 0.4594, 0.6278),
        },
        "mq2007": {
            "rf-point-regression": (0.4345, 0.4515),
            "rf-point-classification": (0.4360, 0.4524),
        },
        "mq2008": {
            "rf-point-regression": (0.2227, 0.4674),
            "rf-point-classification": (0.2234, 0.4693),
        },
        "ohsumed": {
            "rf-point-regression": (0.4168, 0.4265),
            "rf-point-classification": (0.4306, 0.4213),
        },
        "td2004": {
            "rf-point-regression": (0.3509, 0.2559),
            "rf-point-classification": (0.3513, 0.2574),
        },
        "np2004": {
            "rf-point-regression": (0.7624, 0.6307),
            "rf-point-classification": (0.7860, 0.6647),
        },
        "hp2004": {
            "rf-point-regression": (0.7578, 0.6730),
            "rf-point-classification": (0.8082, 0.7174),
        },
    },
    notes=(
        "500 unpruned trees, floor(log2 M) + 1 features for each split, each tree on 63.2 % of the "
        "queries, drawn without replacement; the paper does not state the share. Classification splits "
        "by the entropy of the grades, and a leaf is their mean."
    ),
)
