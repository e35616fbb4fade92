"""Learning to rank with ensembles of regression trees."""

from rankforest import datasets, letor, metrics
from rankforest._core import __version__
from rankforest.data import Dataset
from rankforest.letor import read_letor, write_letor
from rankforest.metrics import Metric, evaluate

__all__ = [
    "Dataset",
    "Metric",
    "__version__",
    "datasets",
    "evaluate",
    "letor",
    "metrics",
    "read_letor",
    "write_letor",
]
