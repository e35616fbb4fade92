"""Text scored by the features that a model asks for, where the model names far more of them.

LETOR text leaves out features that are 0. To fill in all that a model names would take memory by a
number that stands in the model file, which may be small and name billions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.features import Matrix, as_features
from rankforest.data import Dataset

if TYPE_CHECKING:
    from rankforest._model.facts import Facts

#: Features from which on a model is not filled up.
WIDE = 1 << 16


def is_narrow_text(X: object, model: Facts) -> TypeGuard[Dataset]:
    """Whether X is text with fewer features than a wide model without names for them."""
    return (
        isinstance(X, Dataset)
        and model.n_features >= WIDE
        and X._text is not None
        and X.n_features < model.n_features
        and not (model.query_features or model.feature_names or X.query_features)
        and not model.categories
    )


class NarrowScorer:
    """The scorer of a model's features without those that nothing asks for.

    Parameters
    ----------
    ensemble : Ensemble
        The model.
    """

    def __init__(self, ensemble: _core.Ensemble) -> None:
        narrow, self._features = ensemble.narrowed()
        self.scorer = _core.CompiledScorer(narrow)

    def features_of(self, data: Dataset, missing: float | None) -> Matrix:
        """Return the features that the scorer takes, of text.

        Parameters
        ----------
        data : Dataset
            What was read from text.
        missing : float or None
            The number that the model takes as missing, unless the data was read with one.
        """
        assert data._text is not None
        values: npt.NDArray[np.float32] = np.full(
            (data.n_documents, len(self._features)), data._text.absent, dtype=np.float32
        )
        n_there = int(np.searchsorted(self._features, data.n_features))
        values[:, :n_there] = data.X[:, self._features[:n_there]]
        if missing is not None and data.missing is None:
            values, _ = as_features(values, missing=missing)
        return values
