"""C. Lucchese, F. M. Nardini, R. Perego, S. Orlando, S. Trani, "Selective gradient boosting for
effective learning to rank", SIGIR 2018.

A module `table_N` or `figure_N` has what belongs to one table or figure in `TABLE`; this one has
what they share. `python -m bench.papers.selgb2018.make_data` makes the long lists.
"""  # noqa: D205  # a reference, not a sentence

from collections.abc import Mapping
from typing import Any

from bench.papers.declare import Algorithm, DataSet, Paper, Values

#: After so many trees the curves of figures 1 to 5 are looked at; a model that stopped early stays
#: as it was.
TREES = (10, 25, 50, 100, 150, 200, 300, 400, 600, 800)
FULL = "ndcg@10"
AT_150 = "ndcg@10 150 trees"

# The paper's NDCG@10 without a formula. 2^grade - 1 over log2 is QuickRank's, which it uses; a query
# without positives counts 0, of which neither data set has any.
_METRIC = "ndcg@10(empty=0)"
#: Of figure 8.
RANKS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)

_MEASURES = {
    FULL: _METRIC,
    **{f"ndcg@10 {trees} trees": f"{trees} trees: {_METRIC}" for trees in TREES},
    "cpu seconds": "cpu seconds",
    "cpu seconds a round": "cpu seconds a round",
    "rounds": "rounds",
    "documents": "documents",
}

DATA = ("istella-x", "long")

PAPER = Paper(
    title="SelGB 2018",
    data={
        "istella-x": DataSet("Istella-X", _MEASURES, folders=("istella_x", "istella-x-5k")),
        "long": DataSet("long lists", _MEASURES, folders=("long_lists",)),
    },
    notes=(
        "Trees as the paper tunes them for LambdaMART: at most 1,000 of 64 leaves, learning rate 0.05, "
        "ended by 100 rounds without a better NDCG@10 on the validation set; everything else is our "
        "default. `long lists` is made by `bench.papers.selgb2018.make_data`, in which feature 1 "
        "ranks as a first stage does. Lists are cut by feature 1 of Istella-X, too: the paper does not "
        "say which of its 220 features is BM25F. Seconds are processor time of one thread, the "
        "validation set included."
    ),
)

#: Section 5.2.
BOOSTING: dict[str, Any] = {
    "n_estimators": 1000,
    "learning_rate": 0.05,
    "max_leaf_nodes": 64,
    "early_stopping_rounds": 100,
}


def lambdamart(**parameters: Any) -> Algorithm:
    """Return LambdaMART on all documents; without sampling it draws nothing."""
    return Algorithm("LambdaMART", {**BOOSTING, **parameters}, random=bool(parameters))


def cut(documents: int) -> Algorithm:
    """Return LambdaMART on lists that are cut at a rank (section 5.1)."""
    return Algorithm("CutLambdaMART", {**BOOSTING, "cut": documents}, random=False)


def sgb(percent: float) -> Algorithm:
    """Return stochastic gradient boosting: documents at random, whatever their query."""
    return lambdamart(subsample=percent / 100, subsample_unit="document")


def selgb(percent: float, *, random: bool = False, **parameters: Any) -> Algorithm:
    """Return SelGB or one of its kin, on a percentage of the negatives."""
    chosen = {"negative_fraction": percent / 100, **parameters}
    return Algorithm("SelGB", {**BOOSTING, **chosen}, random=random)


def negsgb(percent: float) -> Algorithm:
    """Return NegSGB: negatives at random, of each query as many."""
    return selgb(percent, random=True, selection="random")


def values(full: float | None = None, at_150: float | None = None) -> Values:
    """Return what the paper gives of the measures."""
    given = {FULL: full, AT_150: at_150}
    return [given.get(measure) for measure in _MEASURES]


def published(
    algorithms: Mapping[str, Algorithm], of_paper: Mapping[str, Values] | None = None
) -> dict[str, dict[str, Values]]:
    """Return the values for both data sets: the paper has some on its own alone."""
    nothing = {name: values() for name in algorithms}
    return {"istella-x": {**nothing, **(of_paper or {})}, "long": nothing}
