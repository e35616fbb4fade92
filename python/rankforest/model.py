"""A trained model, apart from the estimator that made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._model.exchange import Exchange
from rankforest._model.exits import Exits
from rankforest._model.explaining import Explaining
from rankforest._model.members import Members
from rankforest._model.notes import Notes, replaced
from rankforest._model.ordinal import Classifying
from rankforest._model.position_notes import EFFECTS, without_effects
from rankforest._model.refit import Refitting
from rankforest._model.scoring_in_part import ScoringInPart
from rankforest._settings.parameters import thread_count
from rankforest._support.paths import StrPath
from rankforest.data import Dataset
from rankforest.model_file import read_model, write_model, write_model_cpp, write_model_json
from rankforest.model_json import canonical_json


class Model(Classifying, ScoringInPart, Explaining, Exits, Refitting, Members, Exchange, Notes):
    """A trained ensemble of trees, or a linear model: what `load` returns and an estimator's `model_` is.

    A model never changes. Two models are equal if their files are equal, byte for byte. A pickle
    holds the bytes of the file.

    Attributes
    ----------
    algorithm : str
        What trained it, such as "lambdamart".
    parameters : dict
        The parameters of its training, without those that never change a model, such as `n_jobs`.
    data_summary : dict
        The size of the training data; "from_text" is True if it was read from LETOR text.
    n_features : int
        Number of columns of the training data.
    feature_names : tuple of str or None
        Names of these columns; None if they had none.
    n_rounds : int
        Rounds of boosting, or trees of a forest: the largest k of ``model[:k]``.
    n_trees : int
        Number of trees.
    n_members : int
        Number of models whose scores are combined: 1, but for a bag.
    exits : ExitSchedule or None
        When documents stop being scored before the last tree: see `with_exits`.
    coef : ndarray of float32, shape (n_members, n_features) or None
        Weights of the features in linear parts; None if the model has none.
    metadata : dict of str to str
        Texts of the user's own: see `with_metadata`.
    grades : tuple of float or None
        The grades whose probabilities `predict_proba` gives: of models that were trained with
        ``ordinal=True``.
    profile : DataProfile or None
        What the features of the training data were like, for `rankforest.drift`.
    zero_based : bool
        Whether the model was trained on LETOR text that numbers features from 0.
    absent : float
        The value of features that LETOR text leaves out: 0 or NaN.
    missing : float or None
        The number that meant missing in the training data, and does in what is scored.
    fill_values : ndarray of float32, shape (n_features,), or None
        What stood for missing values in training, where the parameter `missing` says so.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=10).fit(data).model_
    >>> model
    Model(mart, 10 rounds, 10 trees, 20 features)
    >>> model.parameters["max_depth"]
    3
    >>> model[:3].n_rounds
    3
    """

    #: What `evaluate` and its kin call `predict` with.
    _takes_datasets: ClassVar[bool] = True

    def __init__(self, ensemble: _core.Ensemble, info: _core.ModelInfo) -> None:
        self._ensemble = ensemble
        self._info = info

    @classmethod
    def _trained(
        cls,
        ensemble: _core.Ensemble,
        algorithm: str,
        parameters: Mapping[str, object],
        data: Dataset,
        feature_names: Sequence[str] | None,
        *,
        fill_values: npt.NDArray[np.float32] | None = None,
        metadata: Mapping[str, str] | None = None,
        ordinal: _core.Ordinal | None = None,
        categories: Sequence[Any] = (),
        n_jobs: int,
    ) -> Model:
        """Make a model of trees and of how they were trained."""
        summary = _summary(data)
        if fill_values is not None:
            summary["fill_values"] = fill_values.tolist()
        return cls(
            ensemble,
            _core.ModelInfo(
                feature_names=list(feature_names or ()),
                absent_is_nan=data._text is not None and isnan(data._text.absent),
                index_base=0 if data._text is not None and data._text.zero_based else 1,
                algorithm=algorithm,
                parameters_json=canonical_json(parameters),
                summary_json=canonical_json(summary),
                metadata=dict(metadata or {}),
                profile=_core.DataProfile.of(data._core, n_jobs),
                ordinal=ordinal,
                categories=categories,
            ),
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """Read a model from the bytes of its file.

        Parameters
        ----------
        data : bytes
            What `to_bytes` returns, or LightGBM's text, ``booster.model_to_string().encode()``;
            `load` says which of LightGBM's models can be read.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If they are damaged or not a model file.
        """
        return cls(*_core.Ensemble.from_bytes(data, thread_count(None)))

    def to_bytes(self) -> bytes:
        """Return the bytes of the model's file.

        They depend on the training data, the parameters and the seed alone; `data_summary` notes
        whether the data was read from LETOR text.

        Returns
        -------
        bytes
        """
        return self._ensemble.to_bytes(self._info)

    def save(self, path: StrPath) -> None:
        """Write the model to a file; `load` reads it.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        write_model(path, self._ensemble, self._info)

    def save_json(self, path: StrPath) -> None:
        """Write the model as JSON, for people and other programs; `load` reads it, too.

        The form is documented in `rankforest.model_json`. It holds exactly the same model as the
        file that `save` writes, but is several times as large and slower to load.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        write_model_json(path, self._ensemble, self._info)

    def save_cpp(self, path: StrPath, *, namespace: str = "ranker") -> None:
        """Write the model as a C++ header that needs C++17 and nothing else.

        Its ``Score(features)`` walks through the trees and returns exactly what `predict` returns
        for one document. A missing value must be NaN there: the header does not know the number
        `missing`. Its ``SelfTest()`` checks the scores, on documents stored in the header. To score
        many documents fast, use `CompiledScorer` of the C++ library instead.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.
        namespace : str, default="ranker"
            What the header puts its names in, such as ``"my_model"`` or ``"a::b"``.

        Raises
        ------
        ValueError
            If `namespace` is not a C++ namespace, or the model's scores depend on whole queries.
        OSError
            If the file cannot be written.
        """
        write_model_cpp(path, self._ensemble, self._info, namespace)

    def feature_importances(self, kind: str = "gain") -> npt.NDArray[np.float64]:
        """Measure what each feature contributes to the trees.

        Parameters
        ----------
        kind : {"gain", "split"}, default="gain"
            "gain": the sum of the gains of the feature's splits, times the weights of trees and
            models; "split": their number. Gains of members whose scores are brought to a common
            scale (minmax, borda, zscore) are brought to one, too: each member's add up to its share
            in the weights of the blend, and all of them to 1.

        Returns
        -------
        ndarray of float64, shape (n_features,)

        Raises
        ------
        ValueError
            If a part of the model is linear: it has weights, `coef`.
        """
        if kind not in {"gain", "split"}:
            raise ValueError(f'kind must be "gain" or "split", got {kind!r}')
        return self._ensemble.importances(kind)

    def __getitem__(self, rounds: slice) -> Model:
        """Return the model of the first rounds: ``model[:k]``."""
        if not isinstance(rounds, slice):
            raise TypeError(
                f"a model can only be cut to its first k rounds, model[:k]; got model[{rounds!r}]"
            )
        first, end, step = rounds.indices(self.n_rounds)
        if first != 0 or step != 1:
            raise ValueError(
                f"a model can only be cut to its first k rounds, model[:k]; got {rounds}"
            )
        prefix = self._ensemble.prefix(end)
        info = self._info
        if end < self.n_rounds and EFFECTS in self.parameters:
            known = canonical_json(without_effects(self.parameters))
            info = replaced(info, parameters_json=known)
        if info.ordinal is None:
            return Model(prefix, info)
        left = _core.ordinal_prefix(info.ordinal, prefix)
        return Model(prefix, replaced(info, ordinal=left))

    #: Without this, iterating would go through __getitem__ and fail obscurely.
    __iter__ = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        name = self.algorithm or "unknown"
        if self.n_trees == 0 and (coef := self.coef) is not None:
            weights = np.count_nonzero(coef)
            return f"Model({name}, linear, {weights} weights, {self.n_features} features)"
        return (
            f"Model({name}, {self.n_rounds} rounds, {self.n_trees} trees, "
            f"{self.n_features} features)"
        )


def load(path: StrPath, *, n_features: int | None = None) -> Model:
    """Read a model from a file of `save`, `save_json` or another system.

    Parameters
    ----------
    path : str or path-like
        A model file (.rf), its JSON form, LightGBM's text (``save_model``, versions v2 to v4),
        XGBoost's JSON or UBJSON (gbtree and dart), CatBoost's JSON or, where the package catboost
        is installed, cbm, RankLib's text (MART, LambdaMART, Random Forests), QuickRank's XML,
        jforests' text, or the JSON of Solr's MultipleAdditiveTreesModel. The content tells which;
        the name does not matter.
    n_features : int, optional
        Columns of the data to score, for systems that do not say it: RankLib, QuickRank and
        jforests name the features of their splits alone. By default as many as the model knows of.

    Returns
    -------
    Model
        It scores like the estimator that trained it, which `Model.algorithm` and
        `Model.parameters` describe. It cannot be fitted.

    Raises
    ------
    ValueError
        If the file is damaged or none of these. Also for models with categorical splits, linear
        trees or several outputs; the message then names the place. If the model has more columns
        than `n_features`, or names for them.
    ImportError
        If a package is missing; the message names it.
    OSError
        If it cannot be read.

    Notes
    -----
    A model of LightGBM gives the scores of ``predict(raw_score=True)``, which for ranking are the
    usual ones; a random forest gives their mean. Leaf values are rounded to float32. A score
    therefore differs from LightGBM's by at most 2^-24 times the sum of the absolute leaf values
    that it adds up.

    Every float32 value, infinities included, takes the path that LightGBM's ``predict`` takes for
    dense rows. So do missing values: NaN counts as 0 at nodes of missing type None, and goes to the
    default side at nodes of type NaN. A node of type Zero (``zero_as_missing``) is read if its
    zeros go the same way as the numbers just above or just below 0, and refused otherwise. A
    threshold beyond float32, or infinite, sends everything but NaN to the left. A threshold below
    every finite float32, which sends -infinity alone to the left, is refused.

    Models of the other systems give margins, before any sigmoid or exponential. Every float32 takes
    the path that it takes there, leaf values are rounded to float32, and sums are in double where
    the system may add in float32: ``docs/exchange.md`` has the largest differences.

    LightGBM writes a blank in a feature's name as an underscore. A data frame may have the names
    of either spelling.

    LightGBM numbers features from 0. Where it read LETOR text itself, it kept the numbers of that
    text, so column 0 is unused if the text counts from 1. Read such text with ``zero_based=True``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> estimator = rf.MART(n_estimators=10).fit(data)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "model.rf")
    >>> estimator.save(path)
    >>> model = rf.load(path)
    >>> bool((model.predict(data) == estimator.predict(data)).all())
    True
    """
    model = Model(*read_model(path, thread_count(None)))
    return model if n_features is None else _widened(model, n_features)


def _widened(model: Model, n_features: int) -> Model:
    """Return the model with further columns, which its trees do not look at."""
    if n_features == model.n_features:
        return model
    if n_features < model.n_features or model.feature_names is not None:
        names = "" if model.feature_names is None else ", which have names"
        raise ValueError(
            f"n_features is {n_features}, but the model has {model.n_features} columns{names}"
        )
    columns = np.arange(model.n_features, dtype=np.uint32)
    return Model(
        model._ensemble.on_columns(columns, n_features), replaced(model._info, profile=None)
    )


def model_of(argument: str, given: object) -> Model:
    """Return a model out of a model, a fitted estimator or the path of a file.

    Raises
    ------
    TypeError
        If it is none of these; the message calls it `argument`.
    """
    if isinstance(given, (str, PathLike)):
        return load(given)
    model = getattr(given, "model_", given)
    if isinstance(model, Model):
        return model
    state = "unfitted " if hasattr(given, "fit") else ""
    raise TypeError(
        f"{argument} must be a Model, a fitted estimator or the path of a model file, got "
        f"{state}{type(given).__name__}"
    )


def _summary(data: Dataset) -> dict[str, object]:
    summary = data.summary()
    counts: dict[str, object] = {
        "n_documents": summary.n_documents,
        "n_queries": summary.n_queries,
        "lowest_grade": summary.lowest_grade,
        "highest_grade": summary.highest_grade,
    }
    if data._text is not None:  # says how the features are numbered
        counts["from_text"] = True
    return counts if data.missing is None else counts | {"missing": data.missing}
