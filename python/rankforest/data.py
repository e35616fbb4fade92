"""Graded documents in queries: what estimators train on and metrics measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rankforest._core import Dataset as CoreDataset
from rankforest._features import as_features
from rankforest._lazy import lazy
from rankforest._parameters import thread_count
from rankforest._queries import Queries, query_codes, resolve_queries
from rankforest._summary import DatasetSummary, summarise
from rankforest._vectors import as_numbers, as_vector

_Sized = TypeVar("_Sized", bound=Sized)


@dataclass(frozen=True)
class TextRule:
    """How LETOR text was read, for a model to remember."""

    zero_based: bool  #: whether the index of the first feature is 0
    absent: float  #: the value of a feature that a line does not mention: 0 or NaN


class Dataset:
    """Documents with features, grades and queries.

    Everything is in the order of the caller's rows, and scores come back in it. Training looks at
    the documents in an order of its own, which depends on their content alone: neither the order
    of the rows nor the ids of the queries change a model.

    A data set does not change. It may share the memory of X, which must not change either.

    Parameters
    ----------
    X : array_like, sparse matrix or data frame of shape (n_documents, n_features)
        Features: numbers of any kind. NaN, None or a data frame's null is a missing value; the
        gaps of a sparse matrix are zeros. float32 with contiguous rows is used in place,
        everything else is copied once. Data frames are those of pandas, polars and arrow; they
        need narwhals (``pip install 'rankforest[dataframes]'``). In training, an infinity
        counts as the largest float32 of its sign.
    y : array_like of shape (n_documents,), optional
        Grades: finite, >= 0, more is better. Without them the data set can only be scored.
    qid : array_like of shape (n_documents,)
        The query of each document: integers of any width or strings, in any order.
    group : array_like of int
        In place of `qid`: how many consecutive documents each query has. Queries of no documents
        are dropped with a warning.
    weight : array_like of shape (n_documents,) or (n_queries,), optional
        Weights of documents or of queries: finite, >= 0, not all 0. Those of queries are in the
        order of `query_ids` or of `group`.
    feature_names : sequence of str, optional
        Distinct names of the columns; by default those of a data frame.
    document_ids : sequence of shape (n_documents,), optional
        What the caller calls the documents. Nothing computes with them.
    missing : float, optional
        A number in X that means missing, such as -1; 0 includes the gaps of a sparse matrix.
        X is copied, with NaN in its place. Data for the model to score needs the same.
    n_jobs : int, optional
        Threads that prepare the data for training. None and -1 are every core that the process
        may use; -2 is one fewer, and so on.

    Attributes
    ----------
    X : ndarray of float32, shape (n_documents, n_features)
        Features, NaN where missing.
    y : ndarray of float64, shape (n_documents,), or None
        Grades.
    weight : ndarray of float64, shape (n_documents,), or None
        The weight of each document; None where all are 1.
    query_ids : ndarray of shape (n_queries,)
        The different values of `qid` in the order of their first appearance; for `group` the
        positions of the sizes.
    query_codes : ndarray of uint32, shape (n_documents,)
        The position in `query_ids` of each document's query.
    feature_names : tuple of str or None
        Names of the columns.
    document_ids : ndarray of object, shape (n_documents,), or None
        What the caller calls the documents.

    Raises
    ------
    ValueError
        For the first value that is not as described, with its row and column.
    ImportError
        If X is a data frame and narwhals is missing.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.Dataset([[0.5, 1], [2, 3], [4, 0]], [1, 0, 2], qid=["b", "a", "b"])
    >>> data
    Dataset(3 documents in 2 queries, 2 features, grades 0 to 2)
    >>> data.query_ids.tolist()
    ['b', 'a']
    >>> data.take(["b"]).y
    array([1., 2.])
    """

    X: npt.NDArray[np.float32]
    y: npt.NDArray[np.float64] | None
    weight: npt.NDArray[np.float64] | None
    query_ids: npt.NDArray[Any]
    query_codes: npt.NDArray[np.uint32]
    feature_names: tuple[str, ...] | None
    document_ids: npt.NDArray[np.object_] | None
    _n_jobs: int | None
    _text: TextRule | None  # None unless it was read from text

    def __init__(
        self,
        X: object,
        y: object = None,
        *,
        qid: object = None,
        group: object = None,
        weight: object = None,
        feature_names: Sequence[str] | None = None,
        document_ids: Iterable[object] | None = None,
        missing: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        if isinstance(X, Dataset):
            raise TypeError("X is a Dataset already; use it as it is")
        thread_count(n_jobs)
        features, names = as_features(X, missing=missing)
        n_documents, n_features = features.shape
        if 0 in features.shape:
            what = "sample" if n_documents == 0 else "feature"  # in the words of scikit-learn
            raise ValueError(
                f"X must have at least one row and one column: 0 {what}(s) "
                f"(shape={features.shape}) while a minimum of 1 is required."
            )
        queries = resolve_queries(qid, group, n_documents)
        self._set(
            X=features,
            y=None if y is None else _per_row("y", as_numbers("y", y), n_documents),
            weight=None if weight is None else _weight_of_rows(weight, queries),
            query_ids=queries.ids,
            query_codes=queries.codes,
            feature_names=_names(names if feature_names is None else feature_names, n_features),
            document_ids=None if document_ids is None else _objects(document_ids, n_documents),
            n_jobs=n_jobs,
            _text=None,
        )

    @classmethod
    def _from_parts(
        cls,
        *,
        X: npt.NDArray[np.float32],
        y: npt.NDArray[np.float64] | None,
        query_codes: npt.NDArray[np.uint32],
        query_ids: npt.NDArray[Any],
        weight: npt.NDArray[np.float64] | None = None,
        feature_names: tuple[str, ...] | None = None,
        document_ids: npt.NDArray[np.object_] | None = None,
        n_jobs: int | None = None,
        text: TextRule | None = None,
    ) -> Dataset:
        """Make a data set of attributes that are known to be good."""
        data = cls.__new__(cls)
        data._set(
            X=X,
            y=y,
            weight=weight,
            query_ids=query_ids,
            query_codes=query_codes,
            feature_names=feature_names,
            document_ids=document_ids,
            n_jobs=n_jobs,
            _text=text,
        )
        return data

    def _set(self, *, n_jobs: int | None, **attributes: object) -> None:
        self.__dict__.update(attributes, _n_jobs=n_jobs)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Dataset does not change; make a new one")

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what is computed on demand."""
        return {k: v for k, v in self.__dict__.items() if k not in {"_core", "qid"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def n_documents(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def n_queries(self) -> int:
        """Number of queries, each with at least one document."""
        return len(self.query_ids)

    @lazy
    def qid(self) -> npt.NDArray[Any]:
        """The id of each document's query, shape (n_documents,)."""
        ids: npt.NDArray[Any] = self.query_ids[self.query_codes]
        return ids

    def __repr__(self) -> str:
        grades = "no grades"
        if self.y is not None:
            grades = f"grades {self.y.min():g} to {self.y.max():g}"
        weights = "" if self.weight is None else ", weighted"
        return (
            f"Dataset({self.n_documents} documents in {self.n_queries} queries, "
            f"{self.n_features} features, {grades}{weights})"
        )

    def summary(self) -> DatasetSummary:
        """Count what matters to ranking, such as queries without a relevant document.

        Returns
        -------
        DatasetSummary
            Readable with ``print``.

        Raises
        ------
        ValueError
            If there are no grades.
        """
        return summarise(self.X, self._required_grades(), self.query_codes)

    def take(self, queries: object) -> Dataset:
        """Return the documents of some queries, in the order of the rows.

        Parameters
        ----------
        queries : array_like
            Ids out of `query_ids`, in any order, each once. For positions or a mask, write
            ``data.take(data.query_ids[positions])``.

        Returns
        -------
        Dataset

        Raises
        ------
        ValueError
            If an id is unknown or given twice, or if there is none.
        """
        _, wanted = query_codes(queries, "queries")
        n_wanted = len(as_vector("queries", queries))
        if len(wanted) < n_wanted:
            raise ValueError(
                f"queries must be different; there are {n_wanted}, of which {len(wanted)} differ"
            )
        code_of = {each: code for code, each in enumerate(self.query_ids.tolist())}
        is_wanted = np.zeros(self.n_queries, dtype=bool)
        for each in wanted.tolist():
            if each not in code_of:
                raise ValueError(
                    f"queries must be ids out of query_ids, such as {next(iter(code_of))!r}; "
                    f"{each!r} is none of them"
                )
            is_wanted[code_of[each]] = True
        return self.take_rows(is_wanted[self.query_codes])

    def take_rows(self, rows: object) -> Dataset:
        """Return some documents, in the order given.

        Cross-validation by query, such as scikit-learn's GroupKFold with ``groups=data.qid``,
        gives such rows.

        Parameters
        ----------
        rows : array_like of int or of bool
            Row numbers, counted from 0, or a mask of shape (n_documents,).

        Returns
        -------
        Dataset
            Of the queries that have documents left.

        Raises
        ------
        ValueError
            If a row number is out of range, or if there is none.
        """
        selected = _row_selection(rows, self.n_documents)
        codes, kept = query_codes(self.query_codes[selected])
        return Dataset._from_parts(
            X=self.X[selected],
            y=None if self.y is None else self.y[selected],
            weight=None if self.weight is None else self.weight[selected],
            query_codes=codes,
            query_ids=self.query_ids[kept],
            feature_names=self.feature_names,
            document_ids=None if self.document_ids is None else self.document_ids[selected],
            n_jobs=self._n_jobs,
            text=self._text,
        )

    def _widened(self, n_features: int) -> Dataset:
        """Return text with the features that it did not mention, up to `n_features` of them."""
        if self._text is None or self.n_features >= n_features:
            return self
        features = np.full((self.n_documents, n_features), self._text.absent, dtype=np.float32)
        features[:, : self.n_features] = self.X
        return Dataset._from_parts(
            X=features,
            y=self.y,
            weight=self.weight,
            query_codes=self.query_codes,
            query_ids=self.query_ids,
            document_ids=self.document_ids,
            n_jobs=self._n_jobs,
            text=self._text,
        )

    def train_test_split(
        self, test_size: float = 0.25, *, random_state: int | None = 0
    ) -> tuple[Dataset, Dataset]:
        """Split at random into two sets of whole queries.

        The split depends on the documents and the seed alone: the same ones fall on the same
        side whatever the order of the rows and the ids of the queries, with any version of NumPy.

        Parameters
        ----------
        test_size : float or int
            The share of the queries in (0, 1) that the second set gets, rounded, or their number.
        random_state : int or None
            The seed, >= 0. None draws one.

        Returns
        -------
        train, test : Dataset
            Both have at least one query; rows keep their order.

        Raises
        ------
        ValueError
            If there are fewer than two queries, or `test_size` leaves no query on one side.
        """
        in_test = self._in_test(test_size, random_state)
        return self.take_rows(~in_test), self.take_rows(in_test)

    def _in_test(self, test_size: float, random_state: int | None) -> npt.NDArray[np.bool_]:
        """Return whether `train_test_split` puts each row into the second set."""
        n_test = _test_count(test_size, self.n_queries)
        canonical = self._core_of(np.zeros(self.n_documents) if self.y is None else self.y)
        # PCG64's raw bits are the part of NumPy's generators that no version changes.
        lots = np.random.PCG64(random_state).random_raw(self.n_queries)
        is_test = np.zeros(self.n_queries, dtype=bool)
        is_test[canonical.query_codes[np.argsort(lots, kind="stable")[:n_test]]] = True
        in_test: npt.NDArray[np.bool_] = is_test[self.query_codes]
        return in_test

    @lazy
    def _core(self) -> CoreDataset:
        """What the trainers of the compiled core take: checked, in canonical order."""
        return self._core_of(self._required_grades())

    def _core_of(self, grades: npt.NDArray[np.float64]) -> CoreDataset:
        return CoreDataset(
            self.X,
            np.ascontiguousarray(grades),
            np.ascontiguousarray(self.query_codes),
            self.n_queries,
            self.weight,
            thread_count(self._n_jobs),
        )

    def _required_grades(self) -> npt.NDArray[np.float64]:
        if self.y is None:
            raise ValueError("y is missing: without grades a data set can only be scored")
        return self.y


def _per_row(name: str, values: _Sized, n_documents: int) -> _Sized:
    """Return values, checked to be as many as there are documents."""
    if len(values) != n_documents:
        raise ValueError(
            f"{name} must have one value for each of the {n_documents} rows of X; it has "
            f"{len(values)}"
        )
    return values


def _weight_of_rows(weight: object, queries: Queries) -> npt.NDArray[np.float64]:
    """Return the weight of each document, out of those of documents or queries."""
    weights = as_numbers("weight", weight)
    n_documents, n_queries = len(queries.codes), len(queries.ids)
    if not weights.any():
        raise ValueError("weight must not be zero everywhere")
    if len(weights) == n_documents:
        return weights
    if len(weights) == n_queries:
        return weights.take(queries.codes)
    if len(weights) == queries.n_groups:  # group sizes of 0 have a weight too
        return weights.take(queries.ids.take(queries.codes))
    raise ValueError(
        f"weight must have one value for each of the {n_documents} documents or {n_queries} "
        f"queries; it has {len(weights)}"
    )


def _names(names: Sequence[str] | None, n_features: int) -> tuple[str, ...] | None:
    if names is None:
        return None
    names = tuple(names)
    if not all(isinstance(name, str) for name in names):
        odd = next(name for name in names if not isinstance(name, str))
        raise ValueError(f"feature_names must be strings, got {odd!r}")
    if len(names) != n_features:
        raise ValueError(
            f"feature_names must name each of the {n_features} columns of X; there are {len(names)}"
        )
    if len(set(names)) < n_features:
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"feature_names must be different; {twice!r} occurs twice")
    return tuple(str(name) for name in names)


def _objects(values: Iterable[object], n: int) -> npt.NDArray[np.object_]:
    objects = np.empty(n, dtype=object)
    objects[:] = _per_row("document_ids", list(values), n)
    return objects


def _row_selection(rows: object, n_documents: int) -> slice | npt.NDArray[np.intp]:
    """Return what selects the rows: a slice, which copies nothing, where they are consecutive."""
    vector = as_vector("rows", rows)
    if vector.dtype == bool:
        selected = np.flatnonzero(_per_row("rows", vector, n_documents))
    elif vector.dtype.kind in "iu" or len(vector) == 0:
        bad = (vector < 0) | (vector >= n_documents)
        if bad.any():
            raise ValueError(f"rows must be in [0, {n_documents}); {vector[bad.argmax()]} is not")
        selected = vector.astype(np.intp)
    else:
        raise ValueError(f"rows must be row numbers or a mask; the dtype is {vector.dtype}")
    if len(selected) == 0:
        raise ValueError("a data set must have at least one document; none is selected")
    if (np.diff(selected) == 1).all():
        return slice(int(selected[0]), int(selected[-1]) + 1)
    return selected


def _test_count(test_size: float, n_queries: int) -> int:
    is_count = isinstance(test_size, Integral) and not isinstance(test_size, bool)
    if not is_count and not (isinstance(test_size, Real) and 0 < test_size < 1):
        raise ValueError(f"test_size must be a share in (0, 1) or a count, got {test_size!r}")
    count = int(test_size)
    if not is_count:
        count = min(max(round(test_size * n_queries), 1), n_queries - 1)
    if not 0 < count < n_queries:
        raise ValueError(
            f"test_size={test_size!r} leaves no query on one side: the data set has {n_queries}"
        )
    return count
