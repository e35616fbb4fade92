"""What boosting starts from: an earlier model (`init_model`), scores (`init_score`), or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.columns import check_columns
from rankforest._model.position_notes import EFFECTS
from rankforest._support.vectors import as_numbers
from rankforest.data import Dataset
from rankforest.model import Model, model_of

Floats = npt.NDArray[np.float64]

#: Why some algorithms cannot correct the scores of an earlier model.
_OF_FORESTS = "The trees of a forest do not correct each other; warm_start=True adds more of them"
_WHY_NOT = {
    "random_forest": _OF_FORESTS,
    "extra_trees": _OF_FORESTS,
    "igbrt": "IGBRT starts from a forest of its own, its parameter forest",
    "broof": "BROOF measures errors of its own forests; warm_start=True adds more of them",
    "rankboost": "RankBoost weighs pairs by its own trees; warm_start=True adds more of them",
    **dict.fromkeys(("adarank", "coordinate_ascent", "ranksvm"), "A linear ranker has no trees"),
}
_OF_BAGS = "The members of a bag are trained afresh; warm_start=True adds more of them"


@dataclass(frozen=True)
class StartingPoint:
    """Where a fit begins; `model` and `scores` are None for one that begins afresh."""

    model: Model | None = None
    scores: Floats | None = None  #: by row of the training data
    eval_scores: Mapping[str, Floats] = field(default_factory=dict)  #: by set and row

    @classmethod
    def of(
        cls,
        algorithm: str,
        *,
        init_model: object,
        init_score: object,
        eval_init_score: object,
        sets: Sequence[str],
        warm_start: bool,
        ordinal: bool = False,
    ) -> StartingPoint:
        """Take the arguments of `fit`.

        Parameters
        ----------
        algorithm : str
            What is trained.
        init_model, init_score, eval_init_score
            As `fit` got them.
        sets : sequence of str
            Names of the sets of `eval_set`, in order.
        warm_start : bool
            Whether the estimator goes on from its own model.
        ordinal : bool
            Whether it learns by classification.

        Raises
        ------
        TypeError, ValueError
            If they are unusable or do not go together.
        """
        given = {"init_model": init_model, "init_score": init_score}
        names = [name for name, value in given.items() if value is not None]
        if eval_init_score is not None and init_score is None:
            raise ValueError("eval_init_score goes with init_score, and fit got none")
        if not names:
            return cls()
        why_not = _OF_BAGS if algorithm.startswith("bagged_") else _WHY_NOT.get(algorithm)
        if why_not is not None:
            raise ValueError(
                f"{names[0]}: only MART, LambdaMART, SelGB, DART and XDART start from earlier scores. "
                f"{why_not}"
            )
        if warm_start:
            raise ValueError(
                f"{names[0]} says where to start, and so does warm_start=True; use one of them"
            )
        if ordinal and init_score is not None:
            raise ValueError(
                "init_score: with ordinal=True trees learn probabilities of grades, which do not "
                "start from scores"
            )
        return cls(
            None if init_model is None else _model_of(init_model, ordinal=ordinal),
            None if init_score is None else as_numbers("init_score", init_score, check=False),
            {} if init_score is None else _scores_of_sets(eval_init_score, sets),
        )

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the features that the model knows."""
        return None if self.model is None else self.model.feature_names

    def widened(self, data: Dataset) -> Dataset:
        """Return data with the columns of the model, or raise a ValueError if it has others."""
        if self.model is None:
            return data
        data = data._widened(self.model.n_features, self.model.missing, self.model.query_features)
        try:
            check_columns(
                "the model",
                data.n_features,
                data.feature_names,
                self.model.n_features,
                self.model.feature_names,
            )
        except ValueError as error:
            raise ValueError(f"init_model: {error}") from error
        return data

    def divided(self, held_out: str, is_held_out: npt.NDArray[np.bool_]) -> StartingPoint:
        """Return the start where some of the documents are held out, as a set of that name.

        Raises
        ------
        ValueError
            If there are not as many scores as documents.
        """
        if self.scores is None:
            return self
        if len(self.scores) != len(is_held_out):
            raise ValueError(
                f"init_score must have one score for each of the {len(is_held_out)} documents; it "
                f"has {len(self.scores)}"
            )
        return StartingPoint(
            self.model, self.scores[~is_held_out], {held_out: self.scores[is_held_out]}
        )

    def parameters(self, data: Dataset) -> dict[str, Any]:
        """Return what a model remembers of its start: no path, but what tells starts apart."""
        noted: dict[str, Any] = {}
        if data.query_features:
            noted["query_features"] = list(data.query_features)
        if self.model is not None:
            noted["init_model"] = _note_of(self.model)
        if self.scores is not None:
            # In an order that does not depend on that of the rows; a wrong length is refused later.
            order = data._core.order
            ordered = self.scores[order] + 0.0 if len(order) == len(self.scores) else self.scores
            noted["init_score"] = _checksum(ordered.tobytes())
        return noted

    def settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the trainer's settings, which count the rounds of the model, too."""
        if self.model is None:
            return settings
        return {**settings, "n_estimators": settings["n_estimators"] + self.model.n_rounds}

    def for_core(
        self, trained: _core.Ensemble | None, ordinal: _core.Ordinal | None = None
    ) -> dict[str, Any]:
        """Return the arguments of the trainer that say where it starts.

        Parameters
        ----------
        trained, ordinal : Ensemble and Ordinal, or None
            What `warm_start` goes on from, and what it keeps of its problems.
        """
        if self.model is not None:
            trained = self.model._ensemble.with_exits(None)
            ordinal = self.model._info.ordinal
        arguments: dict[str, Any] = {} if trained is None else {"trained": trained}
        if ordinal is not None:
            arguments["trained_ordinal"] = ordinal
        if self.scores is not None:
            arguments["initial_scores"] = (self.scores, list(self.eval_scores.values()))
        return arguments


def _model_of(given: object, *, ordinal: bool) -> Model:
    """Return a model out of a model, a fitted estimator or a path."""
    model = model_of("init_model", given)
    ensemble = model._ensemble
    if ordinal or model.grades is not None:
        _check_ordinal(model, ordinal=ordinal)
        return model
    if ensemble.has_linear or not ensemble.is_sum or len(ensemble.to_arrays()["members"]) != 1:
        raise ValueError(
            f"init_model: boosting cannot go on from {model!r}: its scores are no plain sum of "
            "trees, to which another tree could be added"
        )
    return model


def _check_ordinal(model: Model, *, ordinal: bool) -> None:
    """Refuse a model that is ordinal where training is not, or the other way round."""
    if model.grades is None:
        raise ValueError(
            f"init_model: with ordinal=True training goes on from an ordinal model; {model!r} is "
            "none, or was blended or pruned"
        )
    if not ordinal:
        raise ValueError(
            f"init_model: {model!r} was trained with ordinal=True; use ordinal=True to go on from it"
        )
    if model.n_members > 1:
        raise ValueError(f"init_model: {model!r} is a bag; ordinal training goes on from one model")


def _scores_of_sets(given: object, sets: Sequence[str]) -> dict[str, Floats]:
    """Return the scores of each evaluation set, by name, in the order of the sets."""
    if isinstance(given, Mapping):
        by_name = dict(given)
    elif given is None:
        by_name = {}
    elif len(sets) == 1 and not _holds_vectors(given):
        by_name = {sets[0]: given}
    else:
        if not isinstance(given, Sequence) or len(given) != len(sets):
            raise ValueError(
                "eval_init_score must be a list with the scores of each of the "
                f"{len(sets)} sets of eval_set, or a dict of them by name"
            )
        by_name = dict(zip(sets, given, strict=True))
    unknown = [name for name in by_name if name not in sets]
    if unknown:
        raise ValueError(f"eval_init_score names {unknown[0]!r}, which is no set of eval_set")
    for name in sets:
        if by_name.get(name) is None:
            raise ValueError(
                f"eval_init_score has no scores for {name!r}: where init_score is given, what is "
                "measured on a set would mean nothing without its own (zeros will do if it starts "
                "from 0)"
            )
    return {
        name: as_numbers(f"eval_init_score of {name!r}", by_name[name], check=False)
        for name in sets
    }


def _holds_vectors(values: object) -> bool:
    return isinstance(values, Sequence) and len(values) > 0 and np.ndim(values[0]) == 1


def _note_of(model: Model) -> dict[str, Any]:
    note = {
        "algorithm": model.algorithm,
        "n_rounds": model.n_rounds,
        "checksum": _checksum(model._ensemble.to_bytes(_core.ModelInfo())),
    }
    parameters = model.parameters
    if EFFECTS in parameters:  # where positions are learned, training goes on from them
        note[EFFECTS] = _checksum(np.array(parameters[EFFECTS], dtype=np.float64).tobytes())
    earlier = parameters.get("init_model")
    return note if earlier is None else {**note, "init_model": earlier}


def _checksum(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()
