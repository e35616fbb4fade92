"""C. de Sá, M. Gonçalves, D. Sousa and T. Salles, "Generalized BROOF-L2R: a general framework for
learning to rank based on boosting and random forests", SIGIR 2016.

A module `table_N` or `figure_N` has what belongs to one table or figure in `TABLE`; this one has
what they share.
"""  # noqa: D205  # a reference, not a sentence

from collections.abc import Mapping, Sequence
from typing import Any

from bench.papers.declare import Algorithm, DataSet, Paper, Parts, Values

# Section 4.3: the LETOR 3.0 script on its data, on all others the one that Microsoft gave out with
# MSLR. In both a query without a relevant document counts 0.
_LETOR3 = {"map": "map(preset=letor3)", "ndcg@10": "ndcg@10(preset=letor3)"}
_LARGE = {"map": "map(preset=mslr)", "ndcg@10": "ndcg@10(preset=mslr)"}
# Not in the paper; the other papers' tables have its publishers' script.
_LETOR4 = {"map": "map(preset=letor4)", "ndcg@10": "ndcg@10(preset=letor4)"}

#: The sets of the paper, and those that we have beside them.
OF_PAPER = ("td2003", "td2004", "mslr", "yahoo2", "yahoo2-folds")
OURS = ("mq2008", "ohsumed", "mslr-sample")
DATA = (*OF_PAPER, *OURS)


def data_sets(measures: Mapping[str, Mapping[str, str]]) -> dict[str, DataSet]:
    """Return the data sets; measures by "letor3", "letor4" and "large"."""
    letor3, letor4, large = (measures[name] for name in ("letor3", "letor4", "large"))
    return {
        "td2003": DataSet("TD2003", letor3, folders=("2003_td_dataset",)),
        "td2004": DataSet("TD2004", letor3, folders=("2004_td_dataset",)),
        "mslr": DataSet("MSLR-WEB10K", large, folders=("mslr-web10k", "web10k")),
        "yahoo2": DataSet("Yahoo set 2", large, folders=("set2",), prefix="set2."),
        "yahoo2-folds": DataSet("Yahoo set 2 in five folds", large),
        "mq2008": DataSet("MQ2008", letor4, parts=Parts("S{}.txt", first_test=5)),
        "ohsumed": DataSet("OHSUMED", letor3, parts=Parts("part{}.txt", first_test=1)),
        "mslr-sample": DataSet("MSLR sample", large),
    }


def paper(measures: Mapping[str, Mapping[str, str]]) -> Paper:
    """Return the paper with these measures."""
    return Paper(
        title="BROOF 2016",
        data=data_sets(measures),
        notes=(
            "Section 4.3: MAP and NDCG@10 by the LETOR 3.0 script or Microsoft's, in which a query without a "
            "relevant document counts 0; by LETOR 4.0's on MQ2008, which the paper does not have."
        ),
    )


#: Metrics by script, as `data_sets` takes them.
METRICS = {"letor3": _LETOR3, "letor4": _LETOR4, "large": _LARGE}
PAPER = paper(METRICS)

#: Section 4.3: forests of some 300 trees, of 100 leaves at most, with 30 % of the features for each
#: split.
TREES: dict[str, Any] = {"max_features": 0.3, "max_leaf_nodes": 100}
#: The iteration that is best on the validation set is kept.
STOPPING: dict[str, Any] = {"metric": "ndcg@10", "early_stopping_rounds": 10}

VARIANTS = ("absolute", "median", "height", "gradient")


def broof(variant: str, small_forest: int | None = None, **parameters: Any) -> Algorithm:
    """Return an instance of BROOF; eta is what ranks best on validation sets of MQ2008.

    On sets of tens of thousands of documents or fewer, where forests of 300 trees for up to 500
    iterations would take hours, too, forests have `small_forest` trees: by default 20 where there
    are many iterations, as with "gradient", and 50 where there are few.
    """
    eta = 0.1 if variant == "gradient" else 1.0
    given: dict[str, Any] = {
        "variant": variant,
        "n_estimators": 300,
        "learning_rate": eta,
        **TREES,
        **STOPPING,
        **parameters,
    }
    trees = small_forest or (20 if variant == "gradient" else 50)
    return Algorithm("BROOF", given, by_data={data: {"n_estimators": trees} for data in OURS})


def boosted(estimator: str, **parameters: Any) -> Algorithm:
    """Return MART or LambdaMART: up to 1,000 trees of RankLib's 10 leaves, eta 0.1."""
    given: dict[str, Any] = {
        "n_estimators": 1000,
        "learning_rate": 0.1,
        "max_leaf_nodes": 10,
        "min_samples_leaf": 1,
        "metric": "ndcg@10",
        "early_stopping_rounds": 100,
        **parameters,
    }
    return Algorithm(estimator, given, random=False)


MART = boosted("MART", max_depth=None, init="zero")
LAMBDAMART = boosted("LambdaMART", truncation=None, lambda_norm="none")
FOREST = Algorithm("RandomForest", {"n_estimators": 300, **TREES})


def _linear(estimator: str, **parameters: Any) -> Algorithm:
    return Algorithm(estimator, parameters, random=False)


#: The paper's baselines, of which RF, MART and LambdaMART are cheap enough for any set.
BASELINES = {
    "mart": MART,
    "lambdamart": LAMBDAMART,
    "rf": FOREST,
    "rankboost": Algorithm(
        "RankBoost",
        {
            "n_estimators": 500,
            "n_thresholds": 10,
            "metric": "ndcg@10",
            "early_stopping_rounds": 100,
        },
        random=False,
    ),
    "adarank-map": _linear("AdaRank", metric="map", early_stopping_rounds=100),
    "adarank-ndcg": _linear("AdaRank", metric="ndcg@5", early_stopping_rounds=100),
    "svm-rank": _linear("RankSVM", C=0.01),
}

INSTANCES = {f"broof-{variant}": broof(variant) for variant in VARIANTS}


def published(
    names: Sequence[str],
    of_paper: Mapping[str, Mapping[str, Values]] | None = None,
    n_measures: int = len(_LETOR3),
    data: Sequence[str] = DATA,
) -> dict[str, dict[str, Values]]:
    """Return the paper's values, and none of all other algorithms and data sets."""
    nothing: Values = (None,) * n_measures
    given = of_paper or {}
    return {key: {**dict.fromkeys(names, nothing), **given.get(key, {})} for key in data}
