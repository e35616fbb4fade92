"""What the features of a model's training data were like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._support.frames import FrameLibrary, to_frame

Floats = npt.NDArray[np.float64]

_N_DECILES = 9


@dataclass(frozen=True, eq=False, repr=False)
class DataProfile:
    """What the features of a model's training data were like: `Model.profile`.

    Documents count alike, whatever their weights.

    Attributes
    ----------
    n_documents : int
        Documents of the training data.
    feature_names : tuple of str
        Names of the features, or where they have none, their numbers: those of the LETOR text that
        the model was trained on, or counted from 0 for an array.
    missing : ndarray of float64, shape (n_features,)
        Share of the documents without a value.
    least, largest : ndarray of float64, shape (n_features,)
        The extreme values; NaN where every value is missing.
    deciles : ndarray of float64, shape (n_features, 9)
        The least values that 1/10, 2/10, ..., 9/10 of the values are not above; NaN where every
        value is missing. Of more than 10,000 documents a sample of so many decides.
    """

    n_documents: int
    feature_names: tuple[str, ...]
    missing: Floats
    least: Floats
    largest: Floats
    deciles: Floats
    _counted: _core.DataProfile  #: with the documents of each bin

    @classmethod
    def _of(cls, profile: _core.DataProfile, labels: Sequence[str]) -> DataProfile:
        features = profile.features
        return cls(
            n_documents=profile.n_documents,
            feature_names=tuple(labels),
            missing=np.array([f[0] for f in features]) / profile.n_documents,
            least=np.array([f[1] for f in features]),
            largest=np.array([f[2] for f in features]),
            deciles=np.array([f[3] or [np.nan] * _N_DECILES for f in features]),
            _counted=profile,
        )

    def __repr__(self) -> str:
        return f"DataProfile({self.n_documents} documents, {len(self.missing)} features)"

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return a data frame with one row for each feature.

        Its columns are feature, missing, least, p10, p20, ..., p90 and largest.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.
        """
        columns = {
            "feature": np.array(self.feature_names, dtype=object),
            "missing": self.missing,
            "least": self.least,
            **{f"p{10 * (k + 1)}": self.deciles[:, k] for k in range(_N_DECILES)},
            "largest": self.largest,
        }
        return to_frame(columns, library)
