"""Parts of a data set: by query, by row, at random."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankforest._data.arguments import fold_bounds, n_test_queries, selected_rows
from rankforest._data.queries import query_codes
from rankforest._data.state import DatasetState
from rankforest._support.vectors import as_vector

if TYPE_CHECKING:
    from typing_extensions import Self


class Selection(DatasetState):
    """Methods of `Dataset` that return some of its documents."""

    def take(self, queries: object) -> Self:
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

    def take_rows(self, rows: object) -> Self:
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
        selected = selected_rows(rows, self.n_documents)
        codes, kept = query_codes(self.query_codes[selected])
        return type(self)._from_parts(
            X=self.X[selected],
            y=None if self.y is None else self.y[selected],
            weight=None if self.weight is None else self.weight[selected],
            query_codes=codes,
            query_ids=self.query_ids[kept],
            feature_names=self.feature_names,
            document_ids=None if self.document_ids is None else self.document_ids[selected],
            missing=self.missing,
            n_jobs=self._n_jobs,
            text=self._text,
            rows=self.rows[selected],
            merged=self._merged,
            query_features=self.query_features,
            position=None if self.position is None else self.position[selected],
            levels=self._levels,
        )

    def train_test_split(
        self, test_size: float = 0.25, *, random_state: int | None = 0
    ) -> tuple[Self, Self]:
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
        n_test = n_test_queries(test_size, self.n_queries)
        return self._rows_of(self._drawn_queries(random_state)[:n_test])

    def folds(self, k: int = 5, *, random_state: int | None = 0) -> Iterator[tuple[Self, Self]]:
        """Split at random into k parts of whole queries, each of which is the test set once.

        Like `train_test_split`, it depends on the documents and the seed alone.

        Parameters
        ----------
        k : int, default=5
            How many folds, from 2 to the number of queries. Their sizes differ by one query at
            most.
        random_state : int or None
            The seed, >= 0. None draws one.

        Yields
        ------
        train, test : Dataset
            Documents keep their order.

        Raises
        ------
        ValueError
            If there are fewer queries than folds.

        Examples
        --------
        >>> import rankforest as rf
        >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
        >>> [test.n_queries for _, test in data.folds(3)]
        [13, 13, 14]
        """
        splits = self.fold_rows(k, random_state=random_state)
        return ((self.take_rows(train), self.take_rows(test)) for train, test in splits)

    def fold_rows(
        self, k: int = 5, *, random_state: int | None = 0
    ) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
        """Return the row numbers of `folds`, such as scikit-learn takes them for ``cv=``.

        Parameters
        ----------
        k, random_state
            As for `folds`.

        Returns
        -------
        list of (train, test)
            Row numbers in this data set, ascending, for each fold.
        """
        bounds = fold_bounds(k, self.n_queries)
        drawn = self._drawn_queries(random_state)
        masks = [self._rows_of(drawn[a:b]) for a, b in pairwise(bounds.tolist())]
        return [(np.flatnonzero(~in_test), np.flatnonzero(in_test)) for in_test in masks]

    def _drawn_queries(self, random_state: int | None) -> npt.NDArray[np.uint32]:
        """Return the codes of all queries in an order that the seed and the documents decide."""
        core = self._core_of(np.zeros(self.n_documents)) if self.y is None else self._core
        # PCG64's raw bits are the part of NumPy's generators that no version changes.
        lots = np.random.PCG64(random_state).random_raw(self.n_queries)
        return core.query_codes[np.argsort(lots, kind="stable")]

    def _rows_of(self, codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
        """Return a mask of the documents of some queries."""
        is_wanted = np.zeros(self.n_queries, dtype=bool)
        is_wanted[codes] = True
        return is_wanted[self.query_codes]
