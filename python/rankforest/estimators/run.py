"""One call of the trainer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.levels import noted as categories_noted
from rankforest._evaluation.gains import warn_of_steep_gains, warn_of_steep_grades
from rankforest._evaluation.metric_arguments import refuse_ties_by_id
from rankforest._model.position_notes import REGULARIZATION
from rankforest._settings.constraints import constraints_of_columns
from rankforest._settings.constraints import noted as constraints_noted
from rankforest._settings.trainer_settings import trainer_settings
from rankforest.data import Dataset
from rankforest.estimators.broof_iteration import POINTS, functions_of
from rankforest.estimators.checkpoint import Checkpoint, Purpose, purpose_of
from rankforest.estimators.classification import scoring_that_needs_a_set
from rankforest.estimators.custom import Callback, Objective, in_pairs, in_weights
from rankforest.estimators.documents import FrameColumns
from rankforest.estimators.evaluation_sets import HELD_OUT, GivenSet
from rankforest.estimators.history import printer
from rankforest.estimators.objectives import WEIGHED_BY_METRIC
from rankforest.estimators.paying import costs_of_columns, noted
from rankforest.estimators.positions import learns_positions, positions_for_core
from rankforest.estimators.starting_point import StartingPoint
from rankforest.estimators.stopping import deciding_set, warn_if_training_data
from rankforest.estimators.watches import Metrics
from rankforest.model import Model

#: Settings of a bag, which stand beside those of its members.
OF_BAG = ("n_bags", "query_fraction", "combine")


@dataclass(frozen=True)
class Material:
    """What a run works with."""

    train: Dataset
    #: The caller's number of each row of `train`; None where they are the same.
    rows: npt.NDArray[np.uint32] | None = None
    sets: dict[str, Dataset] = field(default_factory=dict)  #: to evaluate on, by name
    deciding: str | None = None  #: the set that decides early stopping and what trees weigh
    start: StartingPoint = field(default_factory=StartingPoint)  #: with the scores of these sets

    def by_row_of_caller(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return values of the rows of `train` where the caller has them; NaN elsewhere."""
        if self.rows is None:
            return values
        held_out = self.sets[HELD_OUT].n_documents
        spread = np.full(len(values) + held_out, np.nan)
        spread[self.rows] = values
        return spread


@dataclass(frozen=True)
class Run:
    """What `fit` is asked to do, checked as far as possible without the data."""

    estimator: str  #: its name, for messages
    settings: dict[str, Any]  #: as the trainer takes them
    metrics: Metrics
    sets: dict[str, GivenSet]  #: of `eval_set`, by name
    early_stopping_set: str | None
    validation_fraction: float | None  #: of the queries; None where there are sets
    callbacks: Sequence[Callback]
    verbose: int  #: a line is printed every so many rounds; 0: never
    objective: Objective | None
    seed: int
    n_jobs: int
    checkpoint: Checkpoint | None = None
    position_bias_regularization: float | None = None  #: None: positions are not used

    @property
    def is_verbose(self) -> bool:
        """Whether anything is printed."""
        return self.verbose > 0

    @property
    def parameters(self) -> dict[str, Any]:
        """What the model depends on besides the data; without what does nothing here.

        That is `overfit_*` and `ordinal*` where they are not asked for: models that were trained
        before there were any have the same parameters.
        """
        custom = {} if self.objective is None else {"objective": "custom"}
        if callable(self.settings.get("pair_weighting")):
            custom["pair_weighting"] = "custom"
        custom |= {name: "custom" for name in POINTS if callable(self.settings.get(name))}
        settings = dict(self.settings)
        if settings.get("overfit_tolerance") is None:
            for name in ("overfit_tolerance", "overfit_rounds"):
                settings.pop(name, None)
        if not settings.get("ordinal"):
            for name in ("ordinal", "ordinal_scoring"):
                settings.pop(name, None)
        settings = categories_noted(constraints_noted(noted(settings)))
        return {**settings, "random_state": self.seed, **custom}

    def material(
        self, data: Dataset, columns: FrameColumns | None, start: StartingPoint
    ) -> Material:
        """Return what to train and to evaluate on.

        Parameters
        ----------
        data : Dataset
            What `fit` got to train on.
        columns : FrameColumns or None
            The columns of its data frame that are no features.
        start : StartingPoint
            Where training starts, with the scores of `data`.
        """
        if self.validation_fraction is not None:
            return self._held_out(data, start)
        sets = {
            name: each.to_dataset(
                train=data,
                columns=columns,
                categorical=self.settings.get("categorical_features"),
                owner=self.estimator,
                n_jobs=self.n_jobs,
            )
            for name, each in self.sets.items()
        }
        deciding = deciding_set(sets, data, self.early_stopping_set)
        what = self._what_is_decided()
        if deciding is not None and what is not None:
            warn_if_training_data(self.estimator, what, deciding, sets[deciding], data)
        return Material(data, None, sets, deciding, start)

    def _held_out(self, data: Dataset, start: StartingPoint) -> Material:
        if data.n_queries < 2:
            raise ValueError(
                f"{self.estimator}: validation_fraction holds out whole queries, and the training "
                "data is one query"
            )
        assert self.validation_fraction is not None
        in_test = data._in_test(self.validation_fraction, self.seed)
        rows = np.flatnonzero(~in_test).astype(np.uint32)
        sets = {HELD_OUT: data.take_rows(in_test)}
        divided = start.divided(HELD_OUT, in_test)
        return Material(data.take_rows(~in_test), rows, sets, HELD_OUT, divided)

    def _what_is_decided(self) -> str | None:
        if self.settings.get("early_stopping_rounds") is not None:
            return "early stopping"
        if self.settings.get("tree_weights") == "expected_ndcg":
            return "tree_weights"
        return None if scoring_that_needs_a_set(self.settings) is None else "ordinal_scoring"

    def refuse_ties_by_id(self, material: Material) -> None:
        """Raise a ValueError if a metric that is used needs the ids of documents."""
        if self._weighs_pairs or material.sets:
            what = {f"metric {name!r}": each for name, each in self.metrics.by_spelling.items()}
            try:
                refuse_ties_by_id(what, "training does not know them")
            except ValueError as error:
                raise ValueError(f"{self.estimator}: {error}") from error

    def warn_of_steep_gains(self, material: Material) -> None:
        """Warn once if a metric that is used sees only the highest grades of what it measures."""
        measured = {self.estimator: material.train} if self._weighs_pairs else {}
        measured |= {
            f"{self.estimator}: evaluation set {name!r}": data
            for name, data in material.sets.items()
        }
        for owner, data in measured.items():
            if warn_of_steep_gains(owner, self.metrics.metrics, data._core.grades):
                return
        if self.settings.get("tree_weights") == "expected_ndcg" and material.deciding is not None:
            warn_of_steep_grades(
                f"{self.estimator}: evaluation set {material.deciding!r}",
                'what tree_weights="expected_ndcg" counts',
                material.sets[material.deciding]._core.grades,
                'Use tree_weights="equal", or smaller grades, such as 0, 1, 2, 3',
            )

    @property
    def _weighs_pairs(self) -> bool:
        """Whether training weighs pairs by a metric."""
        named = self.settings.get("objective", "lambdarank")
        is_weighed = self.objective is None and named in WEIGHED_BY_METRIC
        return is_weighed and "metric" in self.settings

    def train(
        self,
        algorithm: str,
        material: Material,
        trained: _core.Ensemble | None = None,
        ordinal: _core.Ordinal | None = None,
        before: Model | None = None,
    ) -> dict[str, Any]:
        """Train, or go on from what was trained, of the model `before`; returns what the core does."""
        names = list(material.sets)
        objective = self.objective
        settings = trainer_settings(self.settings)
        bag = {name: settings.pop(name) for name in OF_BAG if name in settings}
        weigh = settings.get("pair_weighting")
        if callable(weigh):
            del settings["pair_weighting"]
        functions = functions_of(settings, material.rows)
        for name in functions:
            del settings[name]
        return _core.train(
            algorithm,
            material.train._core,
            material.start.settings(settings),
            seed=self.seed,
            n_jobs=self.n_jobs,
            watches=[
                (name, data._core, self.metrics.for_core()) for name, data in material.sets.items()
            ],
            stopping_watch=0 if material.deciding is None else names.index(material.deciding),
            observer=self.metrics.observer(
                [*self.callbacks, printer(self.verbose)] if self.is_verbose else self.callbacks
            ),
            objective=None if objective is None else in_pairs(objective, material.rows),
            **material.start.for_core(trained, ordinal),
            pair_weights=in_weights(weigh, material.rows) if callable(weigh) else None,
            bag=bag or None,
            feature_costs=self._of_features(material, costs_of_columns),
            constraints=self._of_features(material, constraints_of_columns),
            **self._saving(material, trained),
            functions=functions,
            **positions_for_core(
                self.estimator,
                material.train,
                self.position_bias_regularization,
                before=material.start.model or before,
                is_bag=bool(bag),
            ),
        )

    def parameters_on(self, data: Dataset) -> dict[str, Any]:
        """Return `parameters` with those that matter on this data alone."""
        if not learns_positions(data, self.position_bias_regularization):
            return self.parameters
        return {**self.parameters, REGULARIZATION: self.position_bias_regularization}

    def _saving(self, material: Material, trained: _core.Ensemble | None) -> dict[str, Any]:
        """Return the arguments of the trainer about checkpoints."""
        if self.checkpoint is None:
            return {}
        purpose = self._purpose(material, trained)
        return {
            "checkpoint": self.checkpoint.saver(purpose),
            "resumed": self.checkpoint.state(self.estimator, purpose),
        }

    def _purpose(self, material: Material, trained: _core.Ensemble | None) -> Purpose:
        """Return what the result of training depends on."""
        data = material.train
        return purpose_of(
            estimator=self.estimator,
            parameters={**self.parameters_on(data), **material.start.parameters(data)},
            metrics=list(self.metrics.by_spelling),
            train=data,
            sets=material.sets,
            deciding=material.deciding,
            eval_scores=material.start.eval_scores,
            goes_on_from=trained,
        )

    def _of_features(self, material: Material, resolve: Callable[..., Any]) -> Any:
        """Return what parameters say of the features of the training data."""
        data = material.train
        names = data.feature_names or material.start.feature_names or data.feature_labels
        try:
            return resolve(self.settings, data.n_features, names)
        except ValueError as error:
            raise ValueError(f"{self.estimator}: {error}") from error
