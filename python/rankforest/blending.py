"""One model of several, by weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._evaluation.metric_arguments import MetricLike
from rankforest._model.notes import replaced
from rankforest._model_tools.blended_features import on_common_features
from rankforest._settings.parameters import thread_count
from rankforest.data import Dataset
from rankforest.line_search import LineSearch, ranking_metric, require_dataset
from rankforest.model import Model, model_of
from rankforest.model_json import canonical_json

#: How scores are brought to a common scale.
Combination = Literal["minmax", "borda", "zscore", "sum"]

#: A few weights can be searched finely: passes cost next to nothing.
_FINE = LineSearch(max_iterations=20, n_points=41, tolerance=0.0)


def blend(
    models: Sequence[Any],
    data: Dataset | None = None,
    *,
    weights: npt.ArrayLike | None = None,
    combine: Combination = "minmax",
    metric: MetricLike = "ndcg@10",
    line_search: LineSearch | None = None,
    n_jobs: int | None = None,
) -> Model:
    """Make one model of several, by weights that are given or found on validation data.

    Within each query, every model's scores are brought to a common scale and added up by weights.
    The result is a model like any other: it scores, is cut to its first rounds and is saved, and
    models of blends can be blended again.

    Parameters
    ----------
    models : sequence of Model, fitted estimator or path
        At least one. Where all of them name their features, features are matched by name, and the
        blend has those of any. Otherwise all must have been trained on the same columns.
    data : Dataset, optional
        Validation data: a line search finds the weights that make `metric` largest on it. Without
        it, the models have the weights given, or equal ones.
    weights : array_like of float, shape (n_models,), optional
        >= 0, in any scale. Where `data` is given, the search starts from them. A model of weight 0
        is left out.
    combine : {"minmax", "borda", "zscore", "sum"}, default="minmax"
        The common scale of a query's scores:

        ========  ============================================================================
        minmax    from 0, the lowest score, to 1, the highest; 1/2 where all are equal [1]_
        borda     the number of documents that score lower, ties counted half [1]_
        zscore    mean 0 and standard deviation 1; 0 where all are equal
        sum       as they are
        ========  ============================================================================

        "minmax" and "zscore" divide by the sum of the weights. With "sum", models that look at no
        queries make a blend that looks at none.
    metric : str, Metric or measure of ir_measures, default="ndcg@10"
        What the search maximises. Any metric of rankings.
    line_search : LineSearch, optional
        The settings of the search; by default 20 passes of 41 points.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    Model
        Its `algorithm` is "blend"; its `parameters` have the combination, the weights, what each
        model was and, after a search, the metric and its value before the search and after each
        pass ("history").

    Raises
    ------
    ValueError
        If weights are unusable, or the models do not fit each other.

    Notes
    -----
    A weight that was found is as good as the validation data is large: with many models and few
    queries, equal weights may do better on new data.

    References
    ----------
    .. [1] Y. Ganjisaffar, R. Caruana and C. Lopes, "Bagging gradient-boosted trees for high
       precision, low variance ranking models", SIGIR 2011, section 3.5.1.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=120, random_state=0)
    >>> train, rest = data.train_test_split(0.5)
    >>> forest = rf.RandomForest(n_estimators=30, random_state=0).fit(train)
    >>> boosted = rf.LambdaMART(n_estimators=30, random_state=0).fit(train)
    >>> rf.blend([forest, boosted], weights=[1, 2], combine="zscore")
    Model(blend, 30 rounds, 60 trees, 20 features)
    >>> found = rf.blend([forest, boosted], rest, metric="map")
    >>> found.parameters["weights"] # doctest: +SKIP
    [1.0, 1.35]
    """
    if combine not in get_args(Combination):
        raise ValueError(
            f"combine must be one of {', '.join(get_args(Combination))}, got {combine!r}"
        )
    parts = [model_of("each of models", model) for model in models]
    if not parts:
        raise ValueError("models must name at least one model, got none")
    given = _checked_weights(weights, len(parts))
    ensembles, info = on_common_features(parts)
    parameters: dict[str, Any] = {
        "combine": combine,
        "models": [{"algorithm": part.algorithm, "parameters": part.parameters} for part in parts],
    }
    if kinds := _shared_query_features(parts, info):
        parameters["query_features"] = list(kinds)
        info = replaced(info, parameters_json=canonical_json({"query_features": list(kinds)}))
    if data is not None:
        core_metric = ranking_metric(metric)
        search = _checked_search(line_search or _FINE)
        columns = [
            _scaled_scores(ensemble, info, combine, require_dataset(data), n_jobs)
            for ensemble in ensembles
        ]
        given, history = _core.search_weights(
            search, core_metric, data._core, columns, given, thread_count(n_jobs)
        )
        parameters |= {"metric": str(core_metric), "history": history}
    parameters["weights"] = given.tolist()
    ensemble = _core.Ensemble.blend(ensembles, given.tolist(), combine)
    return Model(
        ensemble,
        replaced(info, algorithm="blend", parameters_json=canonical_json(parameters)),
    )


def _shared_query_features(parts: Sequence[Model], info: _core.ModelInfo) -> tuple[str, ...]:
    """Return the query features of the blend, which must follow from the features of its data."""
    kinds = {part.query_features for part in parts}
    if len(kinds) == 1:
        return kinds.pop()
    widest = max(parts, key=lambda part: part.n_features)
    names = widest.feature_names
    if kinds != {(), widest.query_features} or list(info.feature_names) != list(names or ()):
        raise ValueError(
            "models must be trained with the same query features, or with these and with the "
            f"features that these are made of; got {', '.join(map(str, sorted(kinds)))}"
        )
    return widest.query_features


def _checked_weights(weights: npt.ArrayLike | None, n_models: int) -> npt.NDArray[np.float64]:
    if weights is None:
        return np.ones(n_models)
    values = np.asarray(weights).tolist()
    if not isinstance(values, list) or len(values) != n_models:
        raise ValueError(f"weights must have one for each of the {n_models} models, got {weights}")
    for weight in values:
        is_number = isinstance(weight, Real) and not isinstance(weight, bool)
        if not is_number or not math.isfinite(weight) or weight < 0:
            raise ValueError(f"weights must be finite numbers >= 0, got {weight!r}")
    if not any(values):
        raise ValueError("weights must not all be 0")
    given = np.array(values, np.float64)
    # Equal weights are as good as none, and a model without weights is the smaller one.
    return np.ones(n_models) if (given == given[0]).all() else given


def _checked_search(search: LineSearch) -> _core.LineSearch:
    checked = search._checked()
    if search.lowest < 0:
        raise ValueError(
            "line_search: a blend has no negative weights, so lowest must be >= 0, got "
            f"{search.lowest!r}"
        )
    return checked


def _scaled_scores(
    ensemble: _core.Ensemble,
    info: _core.ModelInfo,
    combine: Combination,
    data: Dataset,
    n_jobs: int | None,
) -> npt.NDArray[np.float64]:
    """Return what a model adds to the blend's scores where its weight is 1."""
    alone = Model(_core.Ensemble.blend([ensemble], [1.0], combine), info)
    return alone.predict(data, n_jobs=n_jobs)
