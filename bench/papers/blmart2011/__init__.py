"""Y. Ganjisaffar, R. Caruana and C. V. Lopes, "Bagging gradient-boosted trees for high precision, low
variance ranking models", SIGIR 2011.

A module `table_N` or `figure_N` has what belongs to one table or figure in `TABLE`; this one has
what they share. Table 3 and figure 1, on tuning, are `tuning`, a program of its own.
"""  # noqa: D205  # a reference, not a sentence

from typing import Any

from bench.papers.declare import DataSet, Paper, Parts, Values

# Section 3.2: the scripts that come with the data sets, whose discount is 1 at ranks 1 and 2.
_CUTOFFS = (1, 3, 5, 10)


def _measures(preset: str, mean: str = "") -> dict[str, str]:
    ndcg = {f"ndcg@{k}": f"ndcg@{k}(preset={preset})" for k in _CUTOFFS}
    return {
        **ndcg,
        "mean ndcg": mean or f"meanndcg(preset={preset})",
        "map": f"map(preset={preset})",
    }


PAPER = Paper(
    title="BL-MART 2011",
    data={
        "td2004": DataSet("TD2004", _measures("letor3"), folders=("2004_td_dataset",)),
        "mq2007": DataSet("MQ2007", _measures("letor4"), parts=Parts("S{}.txt", first_test=5)),
        "mslr": DataSet(
            "MSLR-WEB10K",
            _measures("mslr", "meanndcg(gain=0;1;3;7;15,discount=letor,empty=0,ties=input)"),
            folders=("mslr-web10k", "web10k", "mslr_sample"),
        ),
        "mq2008": DataSet("MQ2008", _measures("letor4"), parts=Parts("S{}.txt", first_test=5)),
        "ohsumed": DataSet("OHSUMED", _measures("letor3"), parts=Parts("part{}.txt", first_test=1)),
    },
    notes=(
        "Measures are those of the scripts that come with the data sets, as section 3.2 says. The "
        "paper has no MQ2008 and no OHSUMED."
    ),
)

#: No values of the paper, on a data set.
NONE: Values = (None,) * len(_measures("letor4"))

#: The best parameters of table 3 by data set; the least share of documents in a leaf is given there
#: in percent. MQ2008 and OHSUMED have those of MQ2007.
_MQ2007 = {
    "max_leaf_nodes": 7,
    "min_samples_leaf": 0.0025,
    "learning_rate": 0.05,
    "subsample": 0.3,
    "max_features": 0.3,
}
TUNED: dict[str, dict[str, Any]] = {
    "td2004": {
        "max_leaf_nodes": 20,
        "min_samples_leaf": 0.0025,
        "learning_rate": 0.1,
        "subsample": 0.5,
        "max_features": 0.1,
    },
    "mq2007": _MQ2007,
    "mslr": {
        "max_leaf_nodes": 40,
        "min_samples_leaf": 0.0025,
        "learning_rate": 0.1,
        "subsample": 1.0,
        "max_features": 0.5,
    },
    "mq2008": _MQ2007,
    "ohsumed": _MQ2007,
}

#: Rounds at most; training ends long before by patience (section 3.4).
MOST_ROUNDS = 2000
#: What all LambdaMARTs have in common.
COMMON = {"metric": "ndcg@10", "early_stopping_rounds": 250}
#: What a plain LambdaMART, which draws nothing, has in place of the sampling rates.
DRAWS_NOTHING = {"subsample": 1.0, "max_features": None}
#: Members of a bag (section 4).
MEMBERS = {"td2004": 45, "mq2007": 45, "mslr": 20, "mq2008": 45, "ohsumed": 45}
OVERFITTING = {"overfit_tolerance": 0.02, "overfit_rounds": 250}

NOTES = (
    "LambdaMART with the best parameters of the paper's table 3, on MQ2008 and OHSUMED with those of "
    "MQ2007; without randomisation the same on all queries and features. At most 2,000 trees, the "
    "first best round of 250 without a better one. The paper stops by NDCG@3 and trains for NDCG "
    "with the discount 1 / log2(1 + rank); here textbook NDCG@10 does both. Members of bags are "
    "trained on 67 % of the queries; with overfitting they keep the trees until validation NDCG "
    "has dropped by more than 2 %, and 250 at most. Scores are min-max scaled within each query."
)
