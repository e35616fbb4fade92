"""Learning to rank with ensembles of regression trees."""

from rankforest import datasets, letor
from rankforest._core import __version__
from rankforest.data import Dataset
from rankforest.letor import read_letor, write_letor

__all__ = ["Dataset", "__version__", "datasets", "letor", "read_letor", "write_letor"]
