"""The published baselines on MQ2008 that the library has."""

from bench.papers.declare import Algorithm, Table
from bench.papers.letor4 import PAPER


def _adarank(metric: str) -> Algorithm:
    """Return AdaRank on a metric; the best round on the validation set is kept."""
    parameters = {"n_estimators": 500, "metric": metric, "early_stopping_rounds": 500}
    return Algorithm("AdaRank", parameters, random=False)


TABLE = Table(
    title="LETOR 4.0: published baselines on MQ2008",
    paper=PAPER,
    algorithms={
        "adarank-map": _adarank("map"),
        "adarank-ndcg": _adarank("ndcg@10"),
        "rankboost": Algorithm(
            "RankBoost",
            {"n_estimators": 1000, "metric": "map", "early_stopping_rounds": 1000},
            random=False,
        ),
        "ranksvm": Algorithm("RankSVM", {"C": 0.01, "metric": "map"}, random=False),
    },
    published={
        "mq2008": {  # NDCG@10, MAP
            "adarank-map": (0.2288, 0.4764),
            "adarank-ndcg": (0.2307, 0.4824),
            "rankboost": (0.2255, 0.4775),
            "ranksvm": (0.2279, 0.4696),
        }
    },
    notes=(
        "The publishers chose rounds and C on the validation sets. So do AdaRank and RankBoost here; "
        "RankSVM has C = 0.01 on all folds. Theirs is RankSVM-Struct, with the hinge loss itself in "
        "place of its square."
    ),
)
