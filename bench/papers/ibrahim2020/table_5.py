"""Table 5: classification, on grades or on mapped relevance."""

from bench.papers.declare import Table
from bench.papers.ibrahim2020 import PAPER, forest

TABLE = Table(
    title="Ibrahim 2020, table 5: grades and mapped relevance, classification",
    paper=PAPER,
    algorithms={
        "rf-point-classification": forest("rf-point-classification"),
        "rf-point-classification-mapped": forest("rf-point-classification", relevance="exp2"),
    },
    published={  # NDCG@10, MAP; of the large sets NDCG@10, ERR, MAP
        "mslr": {
            "rf-point-classification": (0.4451, 0.3434, 0.3544),
            "rf-point-classification-mapped": (0.4484, 0.3522, 0.3524),
        },
        "yahoo": {
            "rf-point-classification": (0.7551, 0.4602, 0.6283),
            "rf-point-classification-mapped": (0.7536, 0.4608, 0.6246),
        },
        "mq2007": {
            "rf-point-classification": (0.4360, 0.4524),
            "rf-point-classification-mapped": (0.4346, 0.4508),
        },
        "mq2008": {
            "rf-point-classification": (0.2234, 0.4693),
            "rf-point-classification-mapped": (0.2222, 0.4693),
        },
        "ohsumed": {
            "rf-point-classification": (0.4306, 0.4213),
            "rf-point-classification-mapped": (0.4281, 0.4186),
        },
        "td2004": {
            "rf-point-classification": (0.3513, 0.2574),
            "rf-point-classification-mapped": (0.3522, 0.2578),
        },
        "hp2004": {
            "rf-point-classification": (0.8082, 0.7174),
            "rf-point-classification-mapped": (0.8057, 0.7204),
        },
        "np2004": {
            "rf-point-classification": (0.7860, 0.6647),
            "rf-point-classification-mapped": (0.7686, 0.6499),
        },
    },
    notes=(
        "500 unpruned trees, floor(log2 M) + 1 features for each split, each tree on 63.2 % of the "
        "queries, drawn without replacement; the paper does not state the share. Mapped "
        "relevance is 2^l - 1 in place of the grade l; leaves are its mean, splits do not change."
    ),
)
