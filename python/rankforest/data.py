"""Graded documents in queries: what estimators train on and metrics measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.arguments import (
    as_objects,
    column_names,
    per_row,
    positions_of_rows,
    weight_of_rows,
)
from rankforest._data.categorical_columns import categorized
from rankforest._data.frame_columns import as_frame, listed, names_in, refuse_unnamed, split_columns
from rankforest._data.levels import ColumnsLike, values_of
from rankforest._data.merged_values import MergedValues
from rankforest._data.narrowing import checked_missing
from rankforest._data.queries import resolve_queries
from rankforest._data.query_features import checked_kinds
from rankforest._data.selection import Selection
from rankforest._data.state import TextRule
from rankforest._settings.parameters import RULES, thread_count
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.vectors import as_numbers, column_as_vector

__all__ = ["Dataset", "TextRule"]


class Dataset(Selection):
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
        everything else is copied once. Data frames are those of pandas, polars and pyarrow, and
        whatever offers Arrow's protocol; `from_frame` also takes grades and queries out of them.
        In training, an infinity counts as the largest float32 of its sign. LETOR text cannot hold
        one: write NaN or a large number in its place.
    y : array_like of shape (n_documents,), optional
        Grades: finite, >= 0, more is better. Without them the data set can only be scored. A
        column of shape (n_documents, 1) is taken with a warning.
    qid : array_like of shape (n_documents,)
        The query of each document: integers of any width, strings or UUIDs, in any order.
    group : array_like of int
        In place of `qid`: how many consecutive documents each query has. Queries of no documents
        are dropped with a warning.
    weight : array_like of shape (n_documents,) or (n_queries,), optional
        Weights of documents or of queries: from 0 to 1e30, not all 0. Those of queries are in the
        order of `query_ids` or of `group`.
    feature_names : str or sequence of str, optional
        Distinct names of the columns; by default those of a data frame.
    document_ids : sequence of shape (n_documents,), optional
        What the caller calls the documents. Nothing computes with them.
    missing : float, optional
        A number in X that means missing, such as -1; 0 includes the gaps of a sparse matrix.
        X is copied, with NaN in its place. A model that is trained on the data set remembers the
        number (`Model.missing`) and takes it as missing in what it scores.
    position : array_like of shape (n_documents,), optional
        Where each document was shown when its clicks were seen: whole numbers from 1, the top, to
        10,000. `LambdaMART` learns what a position adds to a score and keeps it out of the trees;
        nothing else looks at positions.
    categorical_features : "from_dtype", str or array_like, optional
        Columns that hold texts, categories or ids in place of numbers: their names, numbers, or
        True or False for each. "from_dtype" is those of a data frame whose type is text or
        category. `levels` has what occurs in them, and `X` the positions in it. Estimators take
        them where their parameter `categorical_features` says so.
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
    position : ndarray of uint32, shape (n_documents,), or None
        Where each document was shown.
    missing : float or None
        The number in the caller's features that meant missing.
    levels : dict of str to tuple
        The levels of each categorical column by its label, ascending: texts, or whole numbers.

    Raises
    ------
    ValueError
        For the first value that is not as described, with its row and column.

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
        position: object = None,
        categorical_features: ColumnsLike = None,
        n_jobs: int | None = None,
    ) -> None:
        if isinstance(X, Dataset):
            raise TypeError("X is a Dataset already; use it as it is")
        thread_count(n_jobs)
        merged = None if y is None else MergedValues()
        columns = RULES["categorical_features"].check("categorical_features", categorical_features)
        features, names, levels = categorized(X, columns, missing=missing, merged=merged)
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
            y=None
            if y is None
            else per_row("y", as_numbers("y", column_as_vector(y)), n_documents),
            weight=None if weight is None else weight_of_rows(weight, queries),
            query_ids=queries.ids,
            query_codes=queries.codes,
            feature_names=column_names(
                names if feature_names is None else feature_names, n_features
            ),
            document_ids=None if document_ids is None else as_objects(document_ids, n_documents),
            missing=checked_missing(missing),
            position=None if position is None else positions_of_rows(position, n_documents),
            n_jobs=n_jobs,
            _levels=levels,
            _text=None,
            _rows=None,
            _merged=merged,
        )

    def with_query_features(self, *kinds: str) -> Dataset:
        """Add features that say where a document stands among the others of its query.

        Trees compare a value with a threshold that is the same for every query. What is much in one
        query may be little in another: these features say how much a value is for its query. Each
        kind adds one feature for each that there is.

        Parameters
        ----------
        *kinds : {"zscore", "minmax", "rank"}
            "zscore" subtracts the mean of the query and divides by its standard deviation.
            "minmax" makes the smallest value of the query 0 and the largest 1. "rank" is the share
            of the query's documents with a smaller value, plus half of those with the same one, the
            document itself included. Where all values of a query are equal, the first two are 0.

        Returns
        -------
        Dataset
            With the features that there are, then those of the first kind, and so on. They are
            called as the feature that they are made of, with a colon and the kind: "bm25:zscore".

        Raises
        ------
        ValueError
            If a kind is unknown or given twice, if there is none, or if the data has such features
            already, or categorical ones.

        Notes
        -----
        A model remembers the kinds. A `Dataset` without them gets them when the model scores it, as
        do evaluation sets and the files that the commands read. Arrays, and scorers in C++ and C,
        must have the columns. Values are those of the documents that are there: leave none out of a
        query that is scored.

        NaN stays NaN and does not count. Infinity counts as the largest number of its sign.

        Examples
        --------
        >>> import rankforest as rf
        >>> data = rf.Dataset([[2.0], [4.0], [4.0]], [0, 1, 1], qid=[1, 1, 1], feature_names=["tf"])
        >>> added = data.with_query_features("minmax", "rank")
        >>> added.feature_names
        ('tf', 'tf:minmax', 'tf:rank')
        >>> added.X[:, 1].tolist()
        [0.0, 1.0, 1.0]
        >>> [round(float(share), 3) for share in added.X[:, 2]]
        [0.167, 0.667, 0.667]
        """
        self._refuse_levels("query features are made of numbers; leave them out")
        if self.query_features:
            raise ValueError(f"the data has query features already: {listed(self.query_features)}")
        return self._with_query_features(checked_kinds(kinds))

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        label: str | None = None,
        query: str | None = None,
        group: object = None,
        weight: str | None = None,
        id: str | None = None,
        position: str | None = None,
        drop: Sequence[str] = (),
        features: Sequence[str] | None = None,
        missing: float | None = None,
        categorical_features: ColumnsLike = None,
        n_jobs: int | None = None,
    ) -> Dataset:
        """Make a data set of a data frame, by the names of its columns.

        Parameters
        ----------
        frame : data frame
            Of pandas, polars or pyarrow, or what offers Arrow's protocol.
        label : str, optional
            The column of grades. Without it the data set can only be scored.
        query : str, optional
            The column that says which query a document is of. May be left out, beside `group`,
            where there is no `label`: then all documents are of one query.
        group : array_like of int, optional
            In place of `query`: how many consecutive documents each query has.
        weight : str, optional
            The column of weights of the documents.
        id : str, optional
            The column of what the caller calls the documents.
        position : str, optional
            The column that says where each document was shown when its clicks were seen.
        drop : str or sequence of str
            Columns to leave out.
        features : str or sequence of str, optional
            The columns that are features, in this order; others are left out. By default all
            columns that have no other use, in the order of the frame. A column without a name,
            such as a file has for the index of a frame, must then be dropped.
        missing, categorical_features, n_jobs
            As for `Dataset`.

        Returns
        -------
        Dataset

        Raises
        ------
        ValueError
            For names that no column has, with those that are close, for features that are not
            numbers, all of them by name, and for what `Dataset` refuses.

        Examples
        --------
        >>> import polars as pl
        >>> import rankforest as rf
        >>> frame = pl.DataFrame(
        ...     {"query_id": ["a", "a", "b"], "bm25": [2.5, 1, 3], "url": ["x", "y", "z"], "y": [1, 0, 2]}
        ... )
        >>> data = rf.Dataset.from_frame(frame, label="y", query="query_id", drop=["url"])
        >>> data
        Dataset(3 documents in 2 queries, 1 features, grades 0 to 2)
        >>> data.feature_names
        ('bm25',)
        """
        roles = {"label": label, "query": query, "weight": weight, "id": id, "position": position}
        rest, values = split_columns(frame, roles, drop=drop, features=features)
        if features is None:
            refuse_unnamed(names_in(rest) or [])
        if query is None and group is None:
            if label is not None:
                raise ValueError(
                    "query= must name the column that says which query a document is of (or group= "
                    f"the sizes of queries); the columns left are {listed(as_frame(rest).columns)}"
                )
            values["query"] = np.zeros(as_frame(rest).shape[0], dtype=np.uint32)
        return cls(
            rest,
            values.get("label"),
            qid=values.get("query"),
            group=group,
            weight=values.get("weight"),
            document_ids=values.get("id"),
            position=values.get("position"),
            missing=missing,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
        )

    def to_frame(
        self,
        library: FrameLibrary = "pandas",
        *,
        label: str = "label",
        query: str = "query_id",
        weight: str = "weight",
        id: str = "document_id",
        position: str = "position",
    ) -> Any:
        """Return the documents as a data frame that `from_frame` reads back.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            Whose data frame to make; the last two are one.
        label, query, weight, id, position : str
            Names of the columns of grades, queries, weights, document ids and positions. Those of
            what the data set does not have are left out.

        Returns
        -------
        data frame
            The columns above, then the features under their `feature_labels`, NaN where missing; of
            categorical ones the levels, None where missing.

        Raises
        ------
        ValueError
            If a name is that of a feature, too.
        ImportError
            If the library is missing.
        """
        columns: dict[str, npt.NDArray[Any] | None] = {
            label: self.y, query: self.qid, weight: self.weight, id: self.document_ids,
            position: self.position,
        }  # fmt: skip
        found = {name: values for name, values in columns.items() if values is not None}
        if len(columns) < 5:
            raise ValueError(
                f"label, query, weight, id and position must differ; they are {list(columns)}"
            )
        twice = [name for name in self.feature_labels if name in found]
        if twice:
            raise ValueError(
                f"{twice[0]!r} is the name of a feature, too; choose another for label=, query=, "
                "weight=, id= or position="
            )
        found |= {
            name: values_of(self.X[:, j], self._levels.get(j))
            for j, name in enumerate(self.feature_labels)
        }
        return to_frame(found, library)
