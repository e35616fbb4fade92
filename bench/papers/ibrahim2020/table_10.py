"""Table 10: all forests on the smaller data sets, some on few queries for each tree (S %)."""

from bench.papers.declare import Table
from bench.papers.ibrahim2020 import PAPER, forest

#: S, in percent of the queries, for MQ2007 and MQ2008, OHSUMED, TD2004, HP2004 and NP2004.
SHARES = (10, 6, 7, 9, 4)
SUBSAMPLED = ("rf-point-classification", "rf-point-regression", "rf-list")

TABLE = Table(
    title="Ibrahim 2020, table 10: forests on small to moderate data sets",
    paper=PAPER,
    algorithms={
        **{name: forest(name) for name in ("rf-rand", *SUBSAMPLED)},
        **{
            f"{name}-s{share}": forest(name, subsample=share / 100)
            for name in SUBSAMPLED
            for share in SHARES
        },
    },
    published={  # NDCG@10, MAP
        "mq2007": {
            "rf-rand": (0.4314, 0.4493),
            "rf-point-classification": (0.4360, 0.4524),
            "rf-point-classification-s10": (0.4439, 0.4604),
            "rf-point-regression": (0.4345, 0.4515),
            "rf-point-regression-s10": (0.4423, 0.4588),
            "rf-list": (0.4433, 0.4613),
            "rf-list-s10": (0.4442, 0.4611),
        },
        "mq2008": {
            "rf-rand": (0.2228, 0.4700),
            "rf-point-classification": (0.2234, 0.4693),
            "rf-point-classification-s10": (0.2286, 0.4735),
            "rf-point-regression": (0.2227, 0.4674),
            "rf-point-regression-s10": (0.2269, 0.4719),
            "rf-list": (0.2313, 0.4774),
            "rf-list-s10": (0.2320, 0.4777),
        },
        "ohsumed": {
            "rf-rand": (0.4351, 0.4311),
            "rf-point-classification": (0.4306, 0.4213),
            "rf-point-classification-s6": (0.4499, 0.4450),
            "rf-point-regression": (0.4168, 0.4265),
            "rf-point-regression-s6": (0.4468, 0.4421),
            "rf-list": (0.4443, 0.4332),
            "rf-list-s6": (0.4490, 0.4430),
        },
        "td2004": {
            "rf-rand": (0.3299, 0.2275),
            "rf-point-classification": (0.3513, 0.2574),
            "rf-point-classification-s7": (0.3692, 0.2675),
            "rf-point-regression": (0.3509, 0.2559),
            "rf-point-regression-s7": (0.3627, 0.2629),
            "rf-list": (0.3558, 0.2586),
            "rf-list-s7": (0.3622, 0.2627),
        },
        "hp2004": {
            "rf-rand": (0.8048, 0.7040),
            "rf-point-classification": (0.8082, 0.7174),
            "rf-point-classification-s9": (0.8203, 0.7196),
            "rf-point-regression": (0.7578, 0.6730),
            "rf-point-regression-s9": (0.7957, 0.7117),
            "rf-list": (0.7935, 0.7031),
            "rf-list-s9": (0.8035, 0.7159),
        },
        "np2004": {
            "rf-rand": (0.7480, 0.6309),
            "rf-point-classification": (0.7860, 0.6647),
            "rf-point-classification-s4": (0.7963, 0.6602),
            "rf-point-regression": (0.7624, 0.6307),
            "rf-point-regression-s4": (0.7993, 0.6625),
            "rf-list": (0.7675, 0.6317),
            "rf-list-s4": (0.7991, 0.6673),
        },
    },
    notes=(
        "500 unpruned trees, floor(log2 M) + 1 features for each split, each tree on S % of the queries "
        "(63.2 % without S, which the paper does not state), drawn without replacement."
    ),
)
