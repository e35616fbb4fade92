"""Why documents score as they do: the part of a model that explains and shows its trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.features import Matrix
from rankforest._model.scoring import Scoring
from rankforest._model.tree_columns import tree_columns
from rankforest._settings.parameters import thread_count
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest.data import Dataset

if TYPE_CHECKING:
    from rankforest.explanation import Explanation
    from rankforest.model import Model


class Explaining(Scoring):
    """The part of a `Model` that says what features and trees do."""

    def explain(
        self, X: object, *, background: object = None, n_jobs: int | None = None
    ) -> Explanation:
        """Say what each feature adds to the score of each document.

        The answers are Shapley values, found exactly: of all orders in which the features of a
        document may become known, the mean of what the score is expected to gain when this one does.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Documents, as for `predict`.
        background : Dataset, array, sparse matrix or data frame, optional
            Documents that stand for all, 100 say: an unknown feature has the value that it has in
            one of them, and the mean is taken over all of them (interventional values) [2]_. Time
            grows with their number. None: at a split on an unknown feature, a document goes to each
            side by the share of training documents that did (path-dependent values) [1]_, which the
            model file keeps.
        n_jobs : int, optional
            Number of threads; they never change a bit. None and -1 are every core that the process
            may use.

        Returns
        -------
        Explanation
            (values, base_values, feature_names, data).

        Raises
        ------
        ValueError
            If the features do not match those of the training data. If scores are no sums of what
            features add: where members are combined within queries (min-max, Borda, z-scores),
            features are normalised within queries, or documents exit early. Without a background
            also if the model does not know the counts of its leaves (see `with_node_counts`) or has
            a linear part. If a path of a tree has more than 1,000 different features.

        Notes
        -----
        A model with query features has them as features of their own here.

        References
        ----------
        .. [1] S. Lundberg, G. Erion and S.-I. Lee, "Consistent individualized feature attribution
           for tree ensembles", arXiv:1802.03888, 2018.
        .. [2] S. Lundberg et al., "From local explanations to global understanding with explainable
           AI for trees", Nature Machine Intelligence 2, 2020.

        Examples
        --------
        >>> import rankforest as rf
        >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
        >>> model = rf.LambdaMART(n_estimators=10).fit(data).model_
        >>> explained = model.explain(data)
        >>> explained
        Explanation(953 documents, 20 features)
        >>> sums = explained.base_values + explained.values.sum(axis=1)
        >>> bool(abs(sums - model.predict(data)).max() < 1e-6)
        True
        """
        names = self._labels_for(X.feature_names if isinstance(X, Dataset) else None)
        return self._explained(self._rows(X), names, background, n_jobs)

    def _explained(
        self, features: Matrix, names: tuple[str, ...], background: object, n_jobs: int | None
    ) -> Explanation:
        """Explain documents whose features are as the trees see them."""
        from rankforest.explanation import Explanation  # noqa: PLC0415  # it takes models

        others = None if background is None else self._rows(background)
        if others is not None and len(others) == 0:
            raise ValueError("background must have at least one document, got none")
        if others is None and not self._can_explain_by_counts():
            raise ValueError(
                "the model does not know how many training documents its leaves have: it was "
                "trained by an earlier version or another system. Give it counts, "
                "model.with_node_counts(X), or compare with documents, explain(X, background=...)"
            )
        values, base = _core.explain(
            self._ensemble, features, background=others, n_jobs=thread_count(n_jobs)
        )
        return Explanation(values, np.full(len(values), base), names, features)

    def _can_explain_by_counts(self) -> bool:
        """Whether counts are known; models that have other problems say these first."""
        is_plain = self._ensemble.scores_in_part and not self._ensemble.has_linear
        return not is_plain or _core.has_leaf_counts(self._ensemble)

    def with_node_counts(self, X: object, *, n_jobs: int | None = None) -> Model:
        """Return the same model with counts of these documents in the leaves of its trees.

        For models that do not know the counts of their training, because another system or an
        earlier version trained them; then `explain` needs no background. Scores stay as they are.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Documents, as for `predict`: the training data, or data like it.
        n_jobs : int, optional
            Number of threads. None and -1 are every core that the process may use.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If the features do not match those of the training data.
        """
        from rankforest.model import Model  # noqa: PLC0415  # it is made of this

        counted = _core.with_leaf_counts(self._ensemble, self._rows(X), thread_count(n_jobs))
        return Model(counted, self._info)

    def apply(self, X: object, *, n_jobs: int | None = None) -> npt.NDArray[np.int32]:
        """Find the leaf of each tree that each document falls into.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Documents, as for `predict`.
        n_jobs : int, optional
            Number of threads. None and -1 are every core that the process may use.

        Returns
        -------
        ndarray of int32, shape (n_documents, n_trees)
            Leaves of a tree are numbered from 0 on, from left to right, a third child for missing
            values last; trees are in the order of members, groups and rounds. `trees_to_frame` has
            the same numbers.

        Raises
        ------
        ValueError
            If the features do not match those of the training data.
        """
        return _core.find_leaves(self._ensemble, self._rows(X), thread_count(n_jobs))

    def trees_to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the nodes and leaves of all trees as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.

        Returns
        -------
        data frame
            A row for each node and leaf: the nodes of a tree in the order node, left, right,
            missing, then its leaves. Columns "member" and "tree" (from 0 on; trees count through
            the model); "node" ("3" is a split, "leaf 3" a leaf); "feature" and "threshold" (a value
            up to it goes left), "left", "right" and "missing" (the nodes that follow; the last for
            missing values) and "gain", of splits; "value" (what a leaf adds to the score) of leaves;
            and "documents" (how many of training came by). What a row does not have is None in
            columns of text, NaN in those of numbers.
        """
        labels = self._feature_labels
        return to_frame(tree_columns(self._ensemble.to_arrays(), labels), library)
