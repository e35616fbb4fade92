"""Learning to rank with ensembles of regression trees."""

from rankforest import datasets
from rankforest._core import __version__
from rankforest.data import Dataset

__all__ = ["Dataset", "__version__", "datasets"]
