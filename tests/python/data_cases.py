"""What the tests of data sets share."""

import numpy as np

#: A small table, and what each of its columns is for.
COLUMNS = {
    "query_id": ["b", "a", "b"],
    "price": [1.5, 2.0, None],
    "y": [2, 0, 1],
    "clicks": [3, 4, 5],
    "w": [1.0, 2.0, 1.0],
    "doc": ["d0", "d1", "d2"],
}
USES = {"label": "y", "query": "query_id", "weight": "w", "id": "doc"}


def assert_holds_the_columns(data):
    """Check that a data set is the small table, by its uses."""
    np.testing.assert_array_equal(data.X, [[1.5, 3], [2, 4], [np.nan, 5]])
    assert data.feature_names == ("price", "clicks")
    assert data.y.tolist() == [2, 0, 1]
    assert data.qid.tolist() == ["b", "a", "b"]
    assert data.weight.tolist() == [1, 2, 1]
    assert data.document_ids.tolist() == ["d0", "d1", "d2"]


def seen_by_training(data):
    """Return everything that a trainer can see, query by query."""
    core = data._core
    features = (core.features[core.order] + 0.0).tolist()  # -0.0 is 0.0
    weights = np.ones(len(features)) if core.weights is None else core.weights
    documents = list(zip(map(repr, features), core.grades, weights, strict=True))
    return [documents[a:b] for a, b in zip(core.offsets, core.offsets[1:], strict=False)]
