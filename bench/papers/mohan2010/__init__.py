"""A. Mohan, "An empirical analysis on point-wise machine learning techniques using regression trees
for web-search ranking", Master's thesis, Washington University in St. Louis, 2010.

A module `table_N` or `figure_N` has what belongs to one table or figure in `TABLE`; this one has
what they share. `python -m bench.papers.mohan2010.make_data` makes sets of the MSLR sample, and the
part of Yahoo's set 1 that chapter 6 uses.
"""  # noqa: D205  # a reference, not a sentence

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.papers.declare import Algorithm, DataSet, Paper, Parts, Values
from bench.papers.pointwise import FOREST

# Section 1.8: a query without a relevant document has an NDCG of 1/2; R = (2^grade - 1) / 16 in ERR.
NDCG = "ndcg@10(empty=0.5)"
METRICS = {"rmse": "rmse", "err": "err(empty=0)", "ndcg@10": NDCG}

#: The sets of the thesis, and those that we have beside them.
OF_THESIS = ("yahoo1", "yahoo2", "mslr")
OURS = ("mq2007", "mq2008", "ohsumed", "mslr-sample")
DATA = (*OF_THESIS, *OURS)


def data_sets(measures: Mapping[str, str]) -> dict[str, DataSet]:
    """Return the data sets with these measures."""
    return {
        "yahoo1": DataSet("Yahoo set 1", measures, folders=("set1",), prefix="set1."),
        "yahoo2": DataSet("Yahoo set 2", measures, folders=("set2",), prefix="set2."),
        "mslr": DataSet("MSLR", measures, folders=("mslr-web10k", "web10k")),
        "mq2007": DataSet("MQ2007", measures, parts=Parts("S{}.txt", first_test=5)),
        "mq2008": DataSet("MQ2008", measures, parts=Parts("S{}.txt", first_test=5)),
        "ohsumed": DataSet("OHSUMED", measures, parts=Parts("part{}.txt", first_test=1)),
        "mslr-sample": DataSet("MSLR sample", measures),
    }


PAPER = Paper(
    title="Mohan 2010",
    data=data_sets(METRICS),
    notes=(
        "NDCG@10 counts 1/2 for a query without a relevant document, and ERR stops with probability "
        "(2^grade - 1) / 16, as section 1.8 says, whatever the highest grade of a set. RMSE is the "
        "root of the mean square, of which equation 1.5 has the root of the sum over n: its values are "
        "near 0.7. The thesis chooses the number of trees on the validation set for each measure; "
        "here boosting keeps the rounds of the best validation NDCG@10, and forests all their trees. "
        "The thesis calls five folds of 136 features MQ2007; by their sizes they are MSLR-WEB10K."
    ),
)


def with_measures(measures: Mapping[str, str], notes: str = "") -> Paper:
    """Return the paper with other measures."""
    return replace(PAPER, data=data_sets(measures), notes=f"{PAPER.notes} {notes}".strip())


#: Section 2.3: depth 4 with the root, a start of 0, and the rounds that rank best on validation data.
BOOSTED: dict[str, Any] = {
    "learning_rate": 0.1,
    "max_depth": 3,
    "metric": NDCG,
    "early_stopping_rounds": 1000,
}


def gbrt(n_estimators: int = 1000, n_bags: int = 1, **parameters: Any) -> Algorithm:
    """Return GBRT; SGBRT with `subsample`, kSGBRT with `max_features`, averaged with `n_bags`."""
    own = {**BOOSTED, "init": "zero", **parameters}
    is_random = n_bags > 1 or bool({"subsample", "max_features"} & set(parameters))
    given: dict[str, Any] = {"estimator": "MART", "n_estimators": n_estimators, "n_bags": n_bags}
    return Algorithm("PointWise", {**given, "parameters": own}, random=is_random)


def forest(n_estimators: int = 1000, **more: Any) -> Algorithm:
    """Return a forest; what `PointWise` has no parameter for goes to RandomForest."""
    given: dict[str, Any] = {"estimator": "RandomForest", "n_estimators": n_estimators}
    for own in {"zero_is_missing", "predict_missing"} & more.keys():
        given[own] = more.pop(own)
    return Algorithm("PointWise", {**given, "parameters": {**FOREST, **more}})


def igbrt(n_estimators: int = 500, forest_trees: int = 10_000, **parameters: Any) -> Algorithm:
    """Return IGBRT: rounds of boosting behind a forest."""
    given: dict[str, Any] = {
        "estimator": "IGBRT",
        "n_estimators": n_estimators,
        "forest_trees": forest_trees,
    }
    return Algorithm("PointWise", {**given, "parameters": {**BOOSTED, **parameters}})


def published(
    names: Sequence[str],
    of_thesis: Mapping[str, Mapping[str, Values]],
    n_measures: int = len(METRICS),
    data: Sequence[str] = DATA,
) -> dict[str, dict[str, Values]]:
    """Return the thesis's values, and none of all other algorithms and data sets."""
    nothing: Values = (None,) * n_measures
    return {key: {**dict.fromkeys(names, nothing), **of_thesis.get(key, {})} for key in data}
