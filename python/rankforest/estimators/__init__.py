"""The rankers, in scikit-learn's form."""

from rankforest.estimators.boosting import IGBRT, MART, LambdaMART
from rankforest.estimators.custom import CustomMetric
from rankforest.estimators.forest import ExtraTrees, RandomForest

__all__ = ["IGBRT", "MART", "CustomMetric", "ExtraTrees", "LambdaMART", "RandomForest"]
