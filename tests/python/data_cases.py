"""What the tests of data sets share."""

import numpy as np


def seen_by_training(data):
    """Return everything that a trainer can see, query by query."""
    core = data._core
    features = (core.features[core.order] + 0.0).tolist()  # -0.0 is 0.0
    weights = np.ones(len(features)) if core.weights is None else core.weights
    documents = list(zip(map(repr, features), core.grades, weights, strict=True))
    return [documents[a:b] for a, b in zip(core.offsets, core.offsets[1:], strict=False)]
