"""Whether what was written scores as the model does, and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest.exchange.check_rows import rows_at_thresholds
from rankforest.exchange.forest import Forest
from rankforest.exchange.formats import Format
from rankforest.exchange.to_model import model_parts

Floats = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Parity:
    """How the scores of a written file compare with the model's.

    Attributes
    ----------
    judge : str
        What scored the file.
    n_documents : int
        Documents of the data.
    n_at_thresholds : int
        Documents made to stand on thresholds and one ulp beside them.
    largest_difference : float
        Of the scores of the data.
    largest_at_thresholds : float
        Of the scores of the others.
    largest_allowed : float
        The most that sums in the width of the target may differ by, over all documents.
    first_reordered : int or None
        The first row of the data whose rank within its query differs, or None.
    """

    judge: str
    n_documents: int
    n_at_thresholds: int
    largest_difference: float
    largest_at_thresholds: float
    largest_allowed: float
    first_reordered: int | None

    def __str__(self) -> str:
        order = (
            "every query is ranked alike"
            if self.first_reordered is None
            else f"row {self.first_reordered} is the first with another rank"
        )
        return (
            f"{self.judge}: scores of {self.n_documents} documents differ by at most "
            f"{self.largest_difference:.3g}, of {self.n_at_thresholds} at thresholds by at most "
            f"{self.largest_at_thresholds:.3g}; {order}"
        )


@dataclass(frozen=True, eq=False)
class Written:
    """A file that is not yet one, and what it must score as.

    Attributes
    ----------
    format : Format
        Its format.
    content : bytes
        What it will hold.
    ensemble : Ensemble
        The model itself.
    shift : float
        What was added to its scores.
    forest : Forest
        Its trees as they were written, where the format can say all of them.
    said : Forest
        The nearest ones that the format can say, whose thresholds the file must keep.
    names : tuple of str
        Of the columns, or none.
    as_zero : ndarray of bool, shape (n_features,), or None
        Whether missing values may become 0, where the format has none.
    """

    format: Format
    content: bytes
    ensemble: _core.Ensemble
    shift: float
    forest: Forest
    said: Forest
    names: tuple[str, ...]
    as_zero: npt.NDArray[np.bool_] | None


def compare_scores(written: Written, codes: npt.NDArray[np.uint32], X: Floats) -> Parity:
    """Score documents, and others at every threshold, by the file and by the model.

    Parameters
    ----------
    written : Written
        What to check.
    codes : ndarray of uint32, shape (n_documents,)
        The query of each document.
    X : ndarray of float32, shape (n_documents, n_features)
        Features of the documents.

    Raises
    ------
    ValueError
        If a score differs by more than sums in the width of the target may; the message names the
        document.
    """
    rows = np.concatenate([X, rows_at_thresholds(written.said, X)])
    ours, theirs = _documents(written, rows)
    expected = written.ensemble.predict(ours, None, 1) + written.shift
    if written.said is not written.forest:  # then a document at a threshold may have another side
        expected[len(X) :] = _scores(written.said, ours[len(X) :])
    got = written.format.score(written.content, theirs, written.names)
    return compared(written.format.judge(), codes, expected, got, _allowed(written, ours))


def compared(
    judge: str, codes: npt.NDArray[np.uint32], expected: Scores, got: Scores, allowed: Scores
) -> Parity:
    """Compare scores of documents, and behind them of documents at thresholds.

    Parameters
    ----------
    judge : str
        What scored the file.
    codes : ndarray of uint32, shape (n_documents,)
        The query of each document.
    expected, got, allowed : ndarray of float64, shape (n_documents + n_at_thresholds,)
        Scores of the model and of the file, and by how much they may differ.

    Raises
    ------
    ValueError
        If a score differs by more.
    """
    difference = np.abs(expected - got)
    n = len(codes)
    report = Parity(
        judge=judge,
        n_documents=n,
        n_at_thresholds=len(expected) - n,
        largest_difference=float(difference[:n].max(initial=0.0)),
        largest_at_thresholds=float(difference[n:].max(initial=0.0)),
        largest_allowed=float(allowed.max(initial=0.0)),
        first_reordered=_first_reordered(codes, expected[:n], got[:n]),
    )
    wrong = np.flatnonzero(~(difference <= allowed))
    if wrong.size:
        _refuse(wrong, n, expected, got, report)
    return report


def _scores(forest: Forest, X: Floats) -> Scores:
    ensemble, _ = model_parts(replace(forest, feature_names=()))
    return ensemble.predict(X, None, 1)


def _documents(written: Written, rows: Floats) -> tuple[Floats, Floats]:
    """Return the documents that our scorer and the target get."""
    admitted = written.format.admit(rows)
    if written.as_zero is None:
        return admitted, admitted
    zeros = np.where(np.isnan(admitted), np.float32(0), admitted)
    return np.where(written.as_zero, admitted, zeros), zeros


def _allowed(written: Written, X: Floats) -> Scores:
    """Bound how far a sum in another width and order may be off, of each document."""
    sizes = replace(
        written.forest,
        base=abs(written.forest.base),
        trees=tuple(replace(tree, value=np.abs(tree.value)) for tree in written.forest.trees),
    )
    unit = float(np.finfo(written.format.total).eps)
    return _scores(sizes, X) * ((len(sizes.trees) + 4) * unit) + 1e-44


def _first_reordered(codes: npt.NDArray[np.uint32], expected: Scores, got: Scores) -> int | None:
    """Return the first row that has another rank within its query."""
    moved = _ranked(codes, expected) != _ranked(codes, got)
    rows = np.flatnonzero(moved)
    return int(rows[0]) if rows.size else None


def _ranked(codes: npt.NDArray[np.uint32], scores: Scores) -> npt.NDArray[np.int64]:
    order = np.lexsort((np.arange(len(scores)), -scores, codes))
    places = np.empty(len(scores), dtype=np.int64)
    places[order] = np.arange(len(scores))
    return places


def _refuse(
    wrong: npt.NDArray[np.int64], n: int, expected: Scores, got: Scores, report: Parity
) -> None:
    row = int(wrong[0])
    name = f"document {row}" if row < n else f"a document at a threshold (number {row - n})"
    raise ValueError(
        f"the written model does not score as this one: {name} gets {got[row]!r}, expected "
        f"{expected[row]!r}; {wrong.size} of {len(expected)} differ. {report}"
    )
