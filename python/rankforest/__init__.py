"""Learning to rank with ensembles of regression trees."""

from importlib import import_module
from typing import TYPE_CHECKING

from rankforest import datasets, letor, metrics, trec
from rankforest._core import __version__
from rankforest.comparison import compare
from rankforest.concatenation import concat
from rankforest.data import Dataset
from rankforest.exits import EarlyExit, Exit, ExitSchedule
from rankforest.feature_costs import FeatureCosts, read_feature_costs
from rankforest.letor import read_letor, write_letor
from rankforest.metrics import Metric, evaluate
from rankforest.model import Model, load
from rankforest.tables import read_csv, read_parquet

if TYPE_CHECKING:
    from rankforest import transfer
    from rankforest.blending import blend
    from rankforest.choosing_exits import ExitChoice, choose_exits
    from rankforest.data_drift import drift
    from rankforest.estimators import (
        BROOF,
        DART,
        IGBRT,
        MART,
        XDART,
        AdaRank,
        BaggedLambdaMART,
        Bagging,
        BroofIteration,
        CoordinateAscent,
        CustomMetric,
        ExtraTrees,
        LambdaMART,
        RandomForest,
        RankBoost,
        RankSVM,
        SelGB,
        StopOnInterrupt,
    )
    from rankforest.exchange.estimators import from_estimator
    from rankforest.explanation import Explanation, explain_order
    from rankforest.importance import out_of_bag_importance, permutation_importance
    from rankforest.line_search import LineSearch
    from rankforest.missing_filler import MissingFiller
    from rankforest.pruning import Pruning, prune
    from rankforest.query_normalizer import QueryNormalizer
    from rankforest.scoring_costs import CostCurve, ScoringCost, cost_curve, scoring_cost
    from rankforest.tuning import tune

__all__ = [
    "BROOF",
    "DART",
    "IGBRT",
    "MART",
    "XDART",
    "AdaRank",
    "BaggedLambdaMART",
    "Bagging",
    "BroofIteration",
    "CoordinateAscent",
    "CostCurve",
    "CustomMetric",
    "Dataset",
    "EarlyExit",
    "Exit",
    "ExitChoice",
    "ExitSchedule",
    "Explanation",
    "ExtraTrees",
    "FeatureCosts",
    "LambdaMART",
    "LineSearch",
    "Metric",
    "MissingFiller",
    "Model",
    "Pruning",
    "QueryNormalizer",
    "RandomForest",
    "RankBoost",
    "RankSVM",
    "ScoringCost",
    "SelGB",
    "StopOnInterrupt",
    "__version__",
    "blend",
    "choose_exits",
    "compare",
    "concat",
    "cost_curve",
    "datasets",
    "drift",
    "evaluate",
    "explain_order",
    "from_estimator",
    "letor",
    "load",
    "metrics",
    "out_of_bag_importance",
    "permutation_importance",
    "prune",
    "read_csv",
    "read_feature_costs",
    "read_letor",
    "read_parquet",
    "scoring_cost",
    "transfer",
    "trec",
    "tune",
    "write_letor",
]

# Estimators are scikit-learn's, which takes many times as long to import as all of this: modules
# that need it wait for the first who asks for a name of theirs. Programs that score never do.
_MODULE_OF = {
    "BROOF": "estimators",
    "DART": "estimators",
    "IGBRT": "estimators",
    "MART": "estimators",
    "XDART": "estimators",
    "AdaRank": "estimators",
    "BaggedLambdaMART": "estimators",
    "Bagging": "estimators",
    "BroofIteration": "estimators",
    "CoordinateAscent": "estimators",
    "CostCurve": "scoring_costs",
    "CustomMetric": "estimators",
    "StopOnInterrupt": "estimators",
    "ExitChoice": "choosing_exits",
    "Explanation": "explanation",
    "ExtraTrees": "estimators",
    "LambdaMART": "estimators",
    "LineSearch": "line_search",
    "MissingFiller": "missing_filler",
    "Pruning": "pruning",
    "QueryNormalizer": "query_normalizer",
    "RandomForest": "estimators",
    "RankBoost": "estimators",
    "RankSVM": "estimators",
    "ScoringCost": "scoring_costs",
    "SelGB": "estimators",
    "blend": "blending",
    "choose_exits": "choosing_exits",
    "cost_curve": "scoring_costs",
    "drift": "data_drift",
    "explain_order": "explanation",
    "from_estimator": "exchange.estimators",
    "out_of_bag_importance": "importance",
    "permutation_importance": "importance",
    "prune": "pruning",
    "scoring_cost": "scoring_costs",
    "tune": "tuning",
}

if not TYPE_CHECKING:  # else any name would do

    def __getattr__(name: str) -> object:
        """Import what waits (PEP 562)."""
        if name == "transfer" or name in _MODULE_OF.values():
            return import_module(f"{__name__}.{name}")
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """List what waits, too."""
        return sorted({*globals(), *_MODULE_OF, *_MODULE_OF.values(), "transfer"})
