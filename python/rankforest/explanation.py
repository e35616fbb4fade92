"""Explanations of scores: what each feature adds, by Shapley values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._support.frames import FrameLibrary, to_frame
from rankforest.data import Dataset
from rankforest.model import model_of


class Explanation:
    """What each feature adds to the score of each document.

    ``base_values[i] + values[i].sum()`` is the score of document i, to rounding.

    Attributes
    ----------
    values : ndarray of float64, shape (n_documents, n_features)
        Shapley values, in the unit of the score. Positive: the value of the feature lifts the
        document.
    base_values : ndarray of float64, shape (n_documents,)
        The score that is expected of a document of which nothing is known: the same for all.
    feature_names : tuple of str
        Names of the features; their numbers where they have none.
    data : ndarray of float32, shape (n_documents, n_features)
        The values of the features, NaN where missing.

    See Also
    --------
    Model.explain : makes one.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> explained = rf.MART(n_estimators=10).fit(data).model_.explain(data)
    >>> explained.values.shape == data.X.shape
    True
    """

    def __init__(
        self,
        values: npt.NDArray[np.float64],
        base_values: npt.NDArray[np.float64],
        feature_names: Sequence[str],
        data: npt.NDArray[np.float32],
    ) -> None:
        self.values = values
        self.base_values = base_values
        self.feature_names = tuple(feature_names)
        self.data = data

    def __repr__(self) -> str:
        n_documents, n_features = self.values.shape
        return f"Explanation({n_documents} documents, {n_features} features)"

    def to_shap(self) -> Any:
        """Return the explanation as the `shap` package's own, for its plots.

        Returns
        -------
        shap.Explanation

        Raises
        ------
        ImportError
            If shap is missing: ``pip install 'rankforest[shap]'``.
        """
        try:
            import shap  # noqa: PLC0415  # optional, and slow to import
        except ImportError:
            raise ImportError(
                "to_shap needs the shap package: pip install 'rankforest[shap]'"
            ) from None
        return shap.Explanation(
            values=self.values,
            base_values=self.base_values,
            data=self.data,
            feature_names=list(self.feature_names),
        )

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the values as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.

        Returns
        -------
        data frame
            Columns "document" (its row, from 0), "feature", "value" and "contribution", one row for
            each document and feature, the largest contributions of a document first.
        """
        n_documents, n_features = self.values.shape
        order = np.argsort(-np.abs(self.values), axis=1, kind="stable")
        names = np.array(self.feature_names, dtype=object)
        return to_frame(
            {
                "document": np.repeat(np.arange(n_documents), n_features),
                "feature": names[order].ravel(),
                "value": np.take_along_axis(self.data, order, axis=1).ravel(),
                "contribution": np.take_along_axis(self.values, order, axis=1).ravel(),
            },
            library,
        )


def explain_order(
    model: Any,
    data: Dataset,
    query: object,
    above: object,
    below: object,
    *,
    background: object = None,
    library: FrameLibrary = "pandas",
    n_jobs: int | None = None,
) -> Any:
    """Say why one document of a query ranks above another, feature by feature.

    What a feature adds to the score of the one, less what it adds to that of the other, is what it
    contributes to their distance. These differences add up to the difference of the scores.

    Parameters
    ----------
    model : Model, fitted estimator, str or path-like
        What scores, or the path of its file.
    data : Dataset
        Documents, the two among them.
    query : object
        One of ``data.query_ids``.
    above, below : object
        Two documents of the query: their `document_ids` where the data set has them, else their
        places among the query's documents, from 0 on, in the order of the rows.
    background : Dataset, array, sparse matrix or data frame, optional
        As for `Model.explain`.
    library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
        As for `Dataset.to_frame`.
    n_jobs : int, optional
        As for `Model.explain`.

    Returns
    -------
    data frame
        Columns "feature", "above" and "below" (its values in the two documents) and
        "difference" (positive: it speaks for `above`); one row for each feature, the largest
        differences first.

    Raises
    ------
    TypeError
        If `model` or `data` is none of these.
    ValueError
        If there is no such query or document, the two are one, or as `Model.explain` says.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.LambdaMART(n_estimators=10).fit(data)
    >>> why = rf.explain_order(model, data, data.query_ids[0], 1, 0)
    >>> list(why.columns)
    ['feature', 'above', 'below', 'difference']
    >>> scores = model.predict(data)
    >>> bool(abs(why["difference"].sum() - (scores[1] - scores[0])) < 1e-6)
    True
    """
    ranker = model_of("model", model)
    if not isinstance(data, Dataset):
        raise TypeError(f"data must be a Dataset, got {type(data).__name__}")
    documents = documents_of(data, query)  # features may be of the whole query
    pair = [_row_of("above", above, documents), _row_of("below", below, documents)]
    if pair[0] == pair[1]:
        raise ValueError(f"above and below must be two documents, got {above!r} twice")
    labels = ranker._labels_for(data.feature_names)
    features = np.ascontiguousarray(ranker._rows(documents)[pair])
    explained = ranker._explained(features, labels, background, n_jobs)
    difference = explained.values[0] - explained.values[1]
    order = np.argsort(-np.abs(difference), kind="stable")
    return to_frame(
        {
            "feature": np.array(explained.feature_names, dtype=object)[order],
            "above": explained.data[0, order],
            "below": explained.data[1, order],
            "difference": difference[order],
        },
        library,
    )


def documents_of(data: Dataset, query: object) -> Dataset:
    """Return the documents of one query.

    Raises
    ------
    ValueError
        If there is no such query.
    """
    try:
        return data.take([query])
    except ValueError as error:
        raise ValueError(f"query: {error}") from None


def _row_of(name: str, document: object, documents: Dataset) -> int:
    """Return the row of a document of a query."""
    ids = documents.document_ids
    if ids is not None:
        found = [row for row, each in enumerate(ids.tolist()) if each == document]
        if len(found) == 1:
            return found[0]
        raise ValueError(
            f"{name} must be one of the query's document_ids, such as {ids[0]!r}; {document!r} is "
            f"that of {len(found)} documents"
        )
    n = documents.n_documents
    if isinstance(document, (int, np.integer)) and 0 <= document < n:
        return int(document)
    raise ValueError(
        f"{name} must be the place of a document in its query, from 0 to {n - 1}, got {document!r}"
    )
