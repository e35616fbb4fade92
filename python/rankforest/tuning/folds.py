"""What a search trains and measures on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from rankforest._support.wording import described
from rankforest.data import Dataset
from rankforest.estimators.data import as_dataset

_EXPECTED = (
    "data must be a Dataset, a tuple (X, y, qid), a tuple of data sets (train, valid) or (train, "
    "valid, test), or a list of such tuples, one for each fold"
)
#: Rows that are hashed at a time.
_BLOCK = 65_536


@dataclass(frozen=True)
class Fold:
    """The data sets of one fold."""

    train: Dataset
    valid: Dataset
    test: Dataset | None = None


@dataclass(frozen=True)
class Material:
    """The folds, and what they were made of."""

    folds: tuple[Fold, ...]
    whole: Dataset | None  #: None where the folds were given

    @classmethod
    def of(cls, data: object, n_folds: int, random_state: int, n_jobs: int) -> Material:
        """Return what `tune` got as folds.

        Raises
        ------
        ValueError
            If it is of no form that `tune` takes.
        """
        if isinstance(data, (list, tuple)) and not data:
            raise ValueError(f"{_EXPECTED}; got an empty {type(data).__name__}")
        if _is_fold(data):
            return cls((_fold(data, ""),), None)
        if isinstance(data, (list, tuple)) and any(map(_is_fold, data)):
            folds = tuple(_fold(each, f" {i}") for i, each in enumerate(data, 1))
            _check_same_parts(folds)
            return cls(folds, None)
        if not isinstance(data, (Dataset, tuple)):
            raise TypeError(f"{_EXPECTED}; got {described(data)}")
        whole = _graded("data", as_dataset("tune", data, n_jobs))
        splits = whole.folds(n_folds, random_state=random_state)
        return cls(tuple(Fold(train, valid) for train, valid in splits), whole)

    def fingerprint(self) -> list[list[Any]]:
        """Return what tells this data from other data: that of each data set of each fold."""
        if self.whole is not None:
            return [[fingerprint(self.whole)]]
        return [
            [fingerprint(each) for each in (fold.train, fold.valid, fold.test) if each is not None]
            for fold in self.folds
        ]


def fingerprint(data: Dataset) -> list[Any]:
    """Return the numbers of documents, queries and features, and a hash of everything trained on.

    Neither the order of the rows nor the names of the queries matter, as they do not for a model.
    """
    core = data._core
    content = blake2b(digest_size=16)
    for values in (core.grades, core.offsets, core.weights):
        content.update(b"" if values is None else values.tobytes())
    for start in range(0, data.n_documents, _BLOCK):
        content.update((data.X[core.order[start : start + _BLOCK]] + 0.0).tobytes())  # no -0.0
    if data._levels:
        content.update(repr(sorted(data._levels.items())).encode())
    return [data.n_documents, data.n_queries, data.n_features, content.hexdigest()]


def graded_set(name: str, data: object, n_jobs: int) -> Dataset:
    """Return one data set that `tune` got beside its data."""
    return _graded(name, as_dataset("tune", data, n_jobs))


def _is_fold(data: object) -> bool:
    return isinstance(data, (list, tuple)) and len(data) > 0 and isinstance(data[0], Dataset)


def _fold(data: Any, number: str) -> Fold:
    where = f"fold{number} of data" if number else "data"
    if not _is_fold(data) or not 2 <= len(data) <= 3:
        what = f"{len(data)} parts" if isinstance(data, (list, tuple)) else described(data)
        raise ValueError(f"{where} must be (train, valid) or (train, valid, test), got {what}")
    for part, each in zip(("train", "valid", "test"), data, strict=False):
        if not isinstance(each, Dataset):
            raise TypeError(f"the {part} part of {where} must be a Dataset, got {described(each)}")
        _graded(f"the {part} part of {where}", each)
    return Fold(*data)


def _graded(what: str, data: Dataset) -> Dataset:
    if data.y is None:
        raise ValueError(f"{what} must have grades")
    return data


def _check_same_parts(folds: Sequence[Fold]) -> None:
    """Raise a ValueError if some folds have a test part and others none."""
    with_test = [i for i, fold in enumerate(folds, 1) if fold.test is not None]
    if 0 < len(with_test) < len(folds):
        raise ValueError(
            f"every fold of data must have a test part, or none; fold {with_test[0]} has one, and "
            f"{len(folds) - len(with_test)} of {len(folds)} have none"
        )
