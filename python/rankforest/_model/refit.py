"""New leaf values for the trees of a model: `Model.refit_leaves`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from rankforest import _core
from rankforest._data.columns import check_columns, own_columns
from rankforest._model.position_notes import EFFECTS, REGULARIZATION
from rankforest._settings.constraints import constraints_of_columns
from rankforest._settings.fills import OF_DATA
from rankforest._settings.parameters import thread_count
from rankforest._settings.trainer_settings import trainer_settings
from rankforest._support.vectors import as_numbers
from rankforest.data import Dataset

if TYPE_CHECKING:
    from rankforest.model import Model


#: Algorithms whose trees can be refitted.
_KNOWN = ("random_forest", "extra_trees", "mart", "igbrt", "lambdamart", "selgb")
_BESIDE_EFFECTS = (
    "the model was trained beside effects of positions, which refit_leaves does not learn; "
    "train anew"
)
#: Recorded parameters that are no settings of the trainer.
_NO_SETTINGS = {
    "random_state",
    "query_features",
    "init_model",
    "init_score",
    "refit_leaves",
}


class Refitting:
    """The part of a `Model` that adapts it to new data."""

    def refit_leaves(
        self,
        X: object,
        y: npt.ArrayLike | str | None = None,
        *,
        qid: npt.ArrayLike | str | None = None,
        group: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | str | None = None,
        decay: float = 0.9,
        init_score: npt.ArrayLike | None = None,
        objective: Callable[..., tuple[npt.ArrayLike, npt.ArrayLike]] | None = None,
        n_jobs: int | None = None,
    ) -> Model:
        """Adapt the model to new data: the same trees with new leaf values.

        Tree by tree, in order, each leaf gets ``decay * old + (1 - decay) * estimate``. The
        estimate is what training would give the leaf for the new documents that fall into it, at
        their scores by the trees before, which have been refitted. A leaf that the new data says
        nothing about keeps its value. It takes a fraction of the time of training, and far less
        data: only leaf values are estimated, no split is searched.

        Parameters
        ----------
        X, y, qid, group, sample_weight
            New graded documents, as for ``fit``, with the features of the training data.
        decay : float, default=0.9
            How much of the old value stays, in [0, 1]. 1 changes nothing. With 0, the training
            data itself gives the model's own leaf values, bit for bit, if every tree saw all of
            it; this is a boosted model's base, too.
        init_score : array_like of shape (n_documents,), optional
            For a model that was trained with `init_score`: the scores of the new documents.
        objective : callable, optional
            For a model that was trained with an `objective` of your own: that function.
        n_jobs : int, optional
            Number of threads. None and -1 are every core that the process may use.

        Returns
        -------
        Model
            With the size and the `profile` of the new data, and the same metadata.

        Raises
        ------
        ValueError
            If the data is unusable, or the model does not say how all of its trees were made: one
            of another system, or one that started from such a model or from another algorithm's.

        Notes
        -----
        Every tree sees all new documents, whatever `subsample`, `bootstrap` and `negative_fraction`
        were. The trees of a forest get the mean relevance of the documents in a leaf; their weights
        by ``tree_weights`` stay. `parameters` has the decay of each refit as "refit_leaves".

        Examples
        --------
        >>> import rankforest as rf
        >>> old, new = rf.datasets.make_ranking(n_queries=80, random_state=0).train_test_split(0.5)
        >>> model = rf.LambdaMART(n_estimators=20).fit(old).model_
        >>> model.refit_leaves(new, decay=0.5).parameters["refit_leaves"]
        [0.5]
        >>> model.refit_leaves(old, decay=0.0).predict(new).tolist() == model.predict(new).tolist()
        True
        """
        from rankforest.model import Model  # noqa: PLC0415  # it is made of this

        assert isinstance(self, Model)
        data = _refit_data(
            self,
            X,
            y,
            qid=qid,
            group=group,
            sample_weight=sample_weight,
            n_jobs=n_jobs,
            is_pairwise=self.algorithm in ("lambdamart", "selgb") and objective is None,
        )
        ensemble, parameters = _refitted(
            self,
            data,
            decay=decay,
            objective=objective,
            init_score=init_score,
            n_jobs=n_jobs,
        )
        return Model._trained(
            ensemble,
            self.algorithm,
            parameters,
            data,
            data.feature_names or self.feature_names,
            fill_values=self.fill_values if parameters.get("missing") in OF_DATA else None,
            metadata=self.metadata,
            categories=self._info.categories,
            n_jobs=thread_count(n_jobs),
        )


def _refit_data(
    model: Model, X: object, y: object, *, n_jobs: int | None, is_pairwise: bool, **given: object
) -> Dataset:
    """Return the documents that `Model.refit_leaves` got, as `fit` would take them.

    Parameters
    ----------
    model : Model
        What is refitted.
    X, y, n_jobs
        As it got them.
    is_pairwise : bool
        Whether leaf values come from pairs of documents.
    given
        "qid", "group" and "sample_weight".
    """
    # Estimators are scikit-learn's, which those who only score do not wait for.
    from rankforest.estimators.data import require_pairs, training_data  # noqa: PLC0415
    from rankforest.estimators.documents import Documents  # noqa: PLC0415

    documents = Documents(X, y, **given)
    documents = documents.without_columns(documents.named_columns(None))
    own = own_columns(documents.X, model.algorithm, model.feature_names)
    data = training_data(
        "Model",
        replace(documents, X=own),
        why_queries="it learns from the documents of a query together" if is_pairwise else None,
        categorical_features=[each.feature for each in model.categories] or None,
        n_jobs=thread_count(n_jobs),
    )._widened(model.n_features, model.missing, model.query_features)
    check_columns(
        "Model", data.n_features, data.feature_names, model.n_features, model.feature_names
    )
    _, data = model._of_numbers(data)
    if is_pairwise:
        require_pairs("refit_leaves", data)
    return data


def _refitted(
    model: Model,
    data: Dataset,
    *,
    decay: float,
    objective: Any,
    init_score: npt.ArrayLike | None,
    n_jobs: int | None,
) -> tuple[_core.Ensemble, dict[str, Any]]:
    """Return the ensemble with new leaf values, and the parameters that it was made with.

    Raises
    ------
    ValueError
        As `Model.refit_leaves` says.
    """
    if isinstance(decay, bool) or not isinstance(decay, Real) or not 0 <= decay <= 1:
        raise ValueError(f"decay must be a number in [0, 1], got {decay!r}")
    from rankforest.estimators.custom import SCORED, check_signature, in_pairs  # noqa: PLC0415

    if objective is not None:
        check_signature("objective", objective, SCORED)

    parameters = model.parameters
    _check_origin(model, parameters)
    is_custom = parameters.get("objective") == "custom"
    _check_given("objective", "an objective of your own", is_custom, objective)
    _check_given("init_score", "init_score", "init_score" in parameters, init_score)
    left_out = _NO_SETTINGS | ({"objective"} if is_custom else set())
    ensemble = _core.refit(
        model.algorithm,
        model._ensemble,
        _as_trained(model, data)._core,
        trainer_settings({k: v for k, v in parameters.items() if k not in left_out}),
        decay=float(decay),
        refits_base="init_model" not in parameters and "init_score" not in parameters,
        seed=parameters.get("random_state", 0),
        objective=None if objective is None else in_pairs(objective),
        initial_scores=None
        if init_score is None
        else as_numbers("init_score", init_score, check=False),
        n_jobs=thread_count(n_jobs),
        constraints=constraints_of_columns(
            parameters, data.n_features, model.feature_names or data.feature_labels
        ),
    )
    decays = [*parameters.get("refit_leaves", []), float(decay)]
    return ensemble, {**parameters, "refit_leaves": decays}


def _as_trained(model: Model, data: Dataset) -> Dataset:
    """Return the documents as training would see them: ties in a query are by all values."""
    return data if model.fill_values is None else data._filled(model.fill_values)


def _check_origin(model: Model, parameters: dict[str, Any]) -> None:
    """Refuse a model whose trees were not all made by one algorithm that is known here."""
    if model.algorithm not in _KNOWN or not parameters:
        raise ValueError(
            "refit_leaves needs to know how the trees were made, and the model says that "
            f"{model.algorithm or 'nobody'} made them; it knows {', '.join(_KNOWN)}"
        )
    if parameters.get("ordinal"):
        raise ValueError(
            "refit_leaves takes models whose trees predict grades; this one was trained with "
            "ordinal=True: train it anew"
        )
    if parameters.get("pair_weighting") == "custom":
        raise ValueError(
            "the model was trained with a function that weighs pairs (pair_weighting), which "
            "refit_leaves cannot ask about new data; train anew"
        )
    if REGULARIZATION in parameters:
        raise ValueError(_BESIDE_EFFECTS)
    part = parameters.get("init_model")
    while part is not None:
        if part["algorithm"] != model.algorithm:
            raise ValueError(
                f"refit_leaves knows one algorithm for all trees; {model.algorithm} started from "
                f"a model of {part['algorithm'] or 'another system'}"
            )
        if EFFECTS in part:
            raise ValueError(_BESIDE_EFFECTS)
        part = part.get("init_model")


def _check_given(name: str, what: str, is_needed: bool, value: object) -> None:
    if is_needed and value is None:
        raise ValueError(f"the model was trained with {what}: refit_leaves needs {name}=, too")
    if not is_needed and value is not None:
        raise ValueError(
            f"the model was trained without {what}; refit_leaves does not take {name}= then"
        )
