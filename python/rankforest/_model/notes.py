"""What a model keeps beside its trees: texts of the user's own, and a profile of its data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankforest import _core
from rankforest._model.facts import Facts
from rankforest.data_profile import DataProfile

if TYPE_CHECKING:
    from rankforest.model import Model


class Notes(Facts):
    """The part of a `Model` that keeps notes, none of which a score depends on."""

    @property
    def metadata(self) -> dict[str, str]:
        """Texts of your own, kept in the file: see `with_metadata`."""
        return self._info.metadata

    def with_metadata(self, metadata: Mapping[str, str]) -> Model:
        """Return the same model with texts of your own, such as the date of its training data.

        Scores do not depend on them. Files, their JSON form and pickles keep them, and so do
        ``model[:k]`` and `refit_leaves`. They take part in the comparison of models, which is one
        of their files.

        Parameters
        ----------
        metadata : mapping of str to str
            In place of all that the model has; an empty one takes them away. Keys have 1 to 255
            bytes of UTF-8, keys and values together at most 1 MiB.

        Returns
        -------
        Model

        Raises
        ------
        TypeError, ValueError
            If a key or value is not a string or too long; the message names the key.

        Examples
        --------
        >>> import rankforest as rf
        >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
        >>> model = rf.MART(n_estimators=10).fit(data).model_
        >>> model = model.with_metadata({"clicks until": "2024-05-31"})
        >>> rf.Model.from_bytes(model.to_bytes()).metadata
        {'clicks until': '2024-05-31'}
        """
        if not isinstance(metadata, Mapping):
            raise TypeError(f"metadata must be a mapping of strings, got {metadata!r}")
        for key, value in metadata.items():
            if not isinstance(key, str):
                raise TypeError(f"keys of the metadata must be strings, got {key!r}")
            if not isinstance(value, str):
                raise TypeError(f"metadata {key!r} must be a string, got {value!r}")
            _require_utf8(key, value)
        return _model(self._ensemble, replaced(self._info, metadata=dict(metadata)))

    @property
    def profile(self) -> DataProfile | None:
        """What the features of the training data were like, or None if the model does not know.

        `rankforest.drift` compares other data with it.
        """
        profile = self._info.profile
        if profile is None:
            return None
        return DataProfile._of(profile, self._feature_labels)

    def without_profile(self) -> Model:
        """Return the same model without its data profile.

        For models that leave the house: a profile tells the least and the largest value of each
        feature, and nine values between them.

        Returns
        -------
        Model
        """
        return _model(self._ensemble, replaced(self._info, profile=None))


def _model(ensemble: _core.Ensemble, info: _core.ModelInfo) -> Model:
    from rankforest.model import Model  # noqa: PLC0415  # it is made of this

    return Model(ensemble, info)


def replaced(info: _core.ModelInfo, **changes: Any) -> _core.ModelInfo:
    """Return information with some parts changed."""
    parts: dict[str, Any] = {
        "feature_names": info.feature_names,
        "absent_is_nan": info.absent_is_nan,
        "index_base": info.index_base,
        "algorithm": info.algorithm,
        "parameters_json": info.parameters_json,
        "summary_json": info.summary_json,
        "metadata": info.metadata,
        "profile": info.profile,
        "ordinal": info.ordinal,
        "categories": info.categories,
        "unknown": info.unknown,
    }
    return _core.ModelInfo(**(parts | changes))


def _require_utf8(key: str, value: str) -> None:
    try:
        (key + value).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"metadata {key!r} cannot be written as UTF-8: {error}") from None
