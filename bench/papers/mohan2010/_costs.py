"""What chapter 6 shares: binary relevance, the measures, and the models with costs and exits."""

from dataclasses import replace
from typing import Any

from bench.papers.declare import Algorithm, Paper
from bench.papers.mohan2010 import PAPER
from bench.papers.pointwise import FOREST

#: The lowest relevant grade by data set: of five grades the upper two, as in the thesis, else all above 0.
RELEVANT = {
    "yahoo1": 3,
    "mslr": 3,
    "mslr-sample": 2,
    "mq2007": 1,
    "mq2008": 1,
    "ohsumed": 1,
}

#: Weed-out percentages and lambda.
EXITS = (0, 5, 10, 20)
WEIGHTS = (0, 1)

_FOREST = {"estimator": "RandomForest", "n_estimators": 2000, "parameters": FOREST}
_SGBRT = {
    "estimator": "MART",
    "n_estimators": 1000,
    "parameters": {"learning_rate": 0.1, "max_depth": 3, "max_features": 0.1},
}


def metrics(key: str) -> dict[str, str]:
    """Return the measures of section 6.2 on a data set, by name."""
    relevant = RELEVANT[key]
    return {
        "p@5": f"p@5(rel={relevant},empty=0)",
        "pauc": f"pooled: auc(rel={relevant},fpr=0;0.05)",
        "auc": f"pooled: auc(rel={relevant})",
    }


def paper(measures_of: Any) -> Paper:
    """Return the paper with the measures that a function gives for each data set."""
    data = {key: replace(PAPER.data[key], measures=measures_of(key)) for key in RELEVANT}
    return replace(PAPER, data=data, notes=NOTES)


def cost_aware(base: dict[str, Any], name: str) -> dict[str, Algorithm]:
    """Return a model for each lambda and share of documents that exit."""
    return {
        f"{name}, lambda={weight}, exits={percent}%": Algorithm(
            "CostAware",
            {**base, "cost_weight": float(weight), "exit_percent": percent},
            by_data={key: {"relevant_from": relevant} for key, relevant in RELEVANT.items()},
        )
        for weight in WEIGHTS
        for percent in EXITS
    }


FORESTS = cost_aware(_FOREST, "rf")
BOOSTED = cost_aware(_SGBRT, "sgbrt")

NOTES = (
    "Relevance is binary: grades 3 and 4 on sets of five grades, 2 and more on the MSLR sample, which "
    "has hardly any others, 1 and 2 on LETOR's. Precision is averaged over the queries, AUC and "
    "PAUC[0, 5 %] are those of all documents as one list, as the thesis's values look; PAUC is at most 0.05. "
    "Features cost 1, 3, 9, 27 or 81 by their number modulo 5, where the thesis does not name its five "
    "exponential groups; a tree costs 1. What is paid once is free for all later trees. Lambda is "
    'the thesis\'s, without normalisation (`cost_normalization="none"`). Every 100 trees the lowest '
    "documents of the whole set that are still scored exit. RF has 2,000 full trees, SGBRT 1,000 of 8 leaves "
    "at most, learning rate 0.1; both choose from 10 % of the features."
)
