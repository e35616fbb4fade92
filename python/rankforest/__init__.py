"""Learning to rank with ensembles of regression trees."""

from rankforest import datasets, letor, metrics, trec
from rankforest._core import __version__
from rankforest.comparison import compare
from rankforest.data import Dataset
from rankforest.estimators import (
    IGBRT,
    MART,
    CustomMetric,
    ExtraTrees,
    LambdaMART,
    RandomForest,
)
from rankforest.importance import out_of_bag_importance, permutation_importance
from rankforest.letor import read_letor, write_letor
from rankforest.limits import EarlyExit
from rankforest.metrics import Metric, evaluate
from rankforest.model import Model, load

__all__ = [
    "IGBRT",
    "MART",
    "CustomMetric",
    "Dataset",
    "EarlyExit",
    "ExtraTrees",
    "LambdaMART",
    "Metric",
    "Model",
    "RandomForest",
    "__version__",
    "compare",
    "datasets",
    "evaluate",
    "letor",
    "load",
    "metrics",
    "out_of_bag_importance",
    "permutation_importance",
    "read_letor",
    "trec",
    "write_letor",
]
