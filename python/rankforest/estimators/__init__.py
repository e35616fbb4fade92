"""The rankers, in scikit-learn's form."""

from rankforest.estimators.bagged_lambdamart import BaggedLambdaMART
from rankforest.estimators.bagging import Bagging, BagMember
from rankforest.estimators.boosting import MART
from rankforest.estimators.custom import CustomMetric
from rankforest.estimators.dart import DART
from rankforest.estimators.extra_trees import ExtraTrees
from rankforest.estimators.forest import RandomForest
from rankforest.estimators.igbrt import IGBRT
from rankforest.estimators.lambdamart import LambdaMART
from rankforest.estimators.selgb import SelGB
from rankforest.estimators.xdart import XDART

__all__ = [
    "DART",
    "IGBRT",
    "MART",
    "XDART",
    "BagMember",
    "BaggedLambdaMART",
    "Bagging",
    "CustomMetric",
    "ExtraTrees",
    "LambdaMART",
    "RandomForest",
    "SelGB",
]
