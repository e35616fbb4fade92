"""The rankers, in scikit-learn's form."""

from rankforest.estimators.adarank import AdaRank
from rankforest.estimators.bagged_lambdamart import BaggedLambdaMART
from rankforest.estimators.bagging import Bagging, BagMember
from rankforest.estimators.boosting import MART
from rankforest.estimators.broof import BROOF
from rankforest.estimators.broof_iteration import BroofIteration
from rankforest.estimators.coordinate_ascent import CoordinateAscent
from rankforest.estimators.custom import CustomMetric
from rankforest.estimators.dart import DART
from rankforest.estimators.extra_trees import ExtraTrees
from rankforest.estimators.forest import RandomForest
from rankforest.estimators.igbrt import IGBRT
from rankforest.estimators.interrupt import StopOnInterrupt
from rankforest.estimators.lambdamart import LambdaMART
from rankforest.estimators.rankboost import RankBoost
from rankforest.estimators.ranksvm import RankSVM
from rankforest.estimators.selgb import SelGB
from rankforest.estimators.xdart import XDART

__all__ = [
    "BROOF",
    "DART",
    "IGBRT",
    "MART",
    "XDART",
    "AdaRank",
    "BagMember",
    "BaggedLambdaMART",
    "Bagging",
    "BroofIteration",
    "CoordinateAscent",
    "CustomMetric",
    "ExtraTrees",
    "LambdaMART",
    "RandomForest",
    "RankBoost",
    "RankSVM",
    "SelGB",
    "StopOnInterrupt",
]
