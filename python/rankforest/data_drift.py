"""Whether new data is still like the data that a model was trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri

from rankforest._settings.parameters import thread_count
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.tables import Cell, Table, html_of
from rankforest.data import Dataset
from rankforest.model import model_of

Floats = npt.NDArray[np.float64]

#: Chance that a feature that has not moved goes beyond `Drift.noise`.
_CHANCE = 0.01
#: Added to the documents of each bin, so that an empty one has a finite logarithm.
_HALF = 0.5


@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """How far each feature has moved since a model was trained. ``print`` shows a table.

    Features stand in the order of `psi`, the largest first.

    Attributes
    ----------
    n_documents : int
        Documents of the new data.
    threshold : float
        The `psi` above which a feature counts as moved.
    feature_names : tuple of str
        Names of the features, or where they have none, their numbers, as in `Model.profile`: those
        of the LETOR text that the model was trained on, or counted from 0 for an array.
    psi : ndarray of float64, shape (n_features,)
        Population stability index, >= 0: 0 where the shares of all bins are as before.
    noise : ndarray of float64, shape (n_features,)
        What `psi` exceeds once in a hundred times where nothing has moved, because the new data
        is a sample: large for few documents. It takes documents for independent draws. Those of a
        query are not quite, and a feature that all documents of a query share is drawn once for
        each query: of few queries, such a feature may well exceed it.
    missing_before, missing_now : ndarray of float64, shape (n_features,)
        Shares of the documents without a value.
    outside : ndarray of float64, shape (n_features,)
        Share of the new documents with a value below the least or above the largest of the
        training data.
    moved : tuple of str
        Names of the features whose `psi` is above both `threshold` and `noise`.
    """

    n_documents: int
    threshold: float
    feature_names: tuple[str, ...]
    psi: Floats
    noise: Floats
    missing_before: Floats
    missing_now: Floats
    outside: Floats

    @property
    def _has_moved(self) -> npt.NDArray[np.bool_]:
        return self.psi > np.maximum(self.threshold, self.noise)

    @property
    def moved(self) -> tuple[str, ...]:
        """Names of the features that have moved, the farthest first."""
        return tuple(
            name for name, moved in zip(self.feature_names, self._has_moved, strict=True) if moved
        )

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return a data frame with one row for each feature, the largest `psi` first.

        Its columns are feature, psi, noise, missing_before, missing_now, outside and moved (0
        or 1).

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.
        """
        columns = {
            "feature": np.array(self.feature_names, dtype=object),
            **{name: getattr(self, name) for name in _COLUMNS},
            "moved": self._has_moved.astype(np.int64),
        }
        return to_frame(columns, library)

    def __repr__(self) -> str:
        return (
            f"Drift({len(self.moved)} of {len(self.psi)} features moved, "
            f"{self.n_documents} documents)"
        )

    def __str__(self) -> str:
        return self._table().to_text()

    def _repr_html_(self) -> str:
        return html_of([self._table()], [repr(self)])

    def _table(self) -> Table:
        rows = [
            (
                Cell(name),
                Cell(f"{self.psi[i]:.3f}"),
                *(Cell(f"{100 * getattr(self, column)[i]:.1f} %") for column in _COLUMNS[2:]),
                Cell("moved" if self._has_moved[i] else ""),
            )
            for i, name in enumerate(self.feature_names)
        ]
        headings = ("feature", "PSI", "missing before", "missing now", "outside", "")
        return Table(headings, tuple(rows))


_COLUMNS = ("psi", "noise", "missing_before", "missing_now", "outside")


def drift(model: Any, X: object, *, threshold: float = 0.2, n_jobs: int | None = None) -> Drift:
    """Say which features have moved since a model was trained.

    The values of each feature are counted in bins that held about a tenth of the training
    documents each; missing values are a bin of their own. The population stability index is the
    sum over the bins of (a - e) ln(a / e), where e is the bin's share of the training documents and
    a its share of the new ones [1]_. Half a document is added to each bin, so that an empty one
    counts as nearly so. By a rule of thumb, below 0.1 a feature has hardly moved, and above 0.2 it
    is worth a look.

    Parameters
    ----------
    model : Model, fitted estimator, str or path-like
        What was trained, or the path of its file; its `profile` says what the features were like.
    X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
        New documents, with the columns of the training data, as for `Model.predict`: those of a data
        frame are found by name among others. Grades are not needed.
    threshold : float, default=0.2
        The index above which a feature counts as moved, >= 0.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use.

    Returns
    -------
    Drift
        The features in the order of their index.

    Raises
    ------
    TypeError
        If `model` is none of these.
    OSError
        If its file cannot be read.
    ValueError
        If the model has no data profile, there is no document, or the features do not match those
        of the training data.

    References
    ----------
    .. [1] B. Yurdakul, "Statistical properties of population stability index", Western Michigan
       University, 2018; for `Drift.noise`, too.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=200, random_state=0)
    >>> model = rf.MART(n_estimators=10).fit(data)
    >>> X = data.X.copy()
    >>> X[:, 0] *= 3
    >>> drift = rf.drift(model, X)
    >>> drift
    Drift(1 of 20 features moved, 4790 documents)
    >>> drift.moved
    ('score_0',)
    """
    model = model_of("model", model)
    if not threshold >= 0:
        raise ValueError(f"threshold must be >= 0, got {threshold!r}")
    before = model.profile
    if before is None:
        raise ValueError(
            "the model has no data profile to compare with: it was trained by an earlier version or "
            "another system, or without_profile() took it away"
        )
    features = model._inputs(X, None)[0]
    if len(features) == 0:
        raise ValueError("X must have at least one document, got none")
    now = before._counted.bin(features, thread_count(n_jobs))
    pairs = list(zip(before._counted.features, now, strict=True))
    psi = [_stability_index([f[0], *f[4]], [missing, *counts]) for f, (missing, _, counts) in pairs]
    names = model._labels_for(X.feature_names if isinstance(X, Dataset) else None)
    order = np.argsort([-index for index, _ in psi], kind="stable")
    return Drift(
        n_documents=len(features),
        threshold=threshold,
        feature_names=tuple(names[i] for i in order),
        psi=np.array([index for index, _ in psi])[order],
        noise=np.array([noise for _, noise in psi])[order],
        missing_before=before.missing[order],
        missing_now=np.array([each[0] for each in now])[order] / len(features),
        outside=np.array([each[1] for each in now])[order] / len(features),
    )


def _stability_index(before: list[int], now: list[int]) -> tuple[float, float]:
    """Return the index of two counts in the same bins, and what noise alone makes of it."""
    counts = np.array([before, now], dtype=np.float64)
    n_before, n_now = counts.sum(axis=1)
    counts = counts[:, counts.any(axis=0)] + _HALF  # bins that nobody is in tell nothing
    e, a = counts / counts.sum(axis=1, keepdims=True)
    n_free = len(e) - 1
    noise = chdtri(n_free, _CHANCE) * (1 / n_before + 1 / n_now) if n_free else 0.0
    return float(((a - e) * np.log(a / e)).sum()), float(noise)
