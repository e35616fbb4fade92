"""Training on data whose missing values something stands for.

The trainers see data without gaps. What they return is then told where missing values go: where
their features' fills do. Such a model is like any other to whatever scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankforest._settings.fills import OF_DATA, Values, is_fill, values_for
from rankforest.data import Dataset
from rankforest.estimators.run import Material
from rankforest.model import Model


@dataclass(frozen=True)
class Filling:
    """What one `fit` puts in place of missing values."""

    missing: str | float
    values: Values | None  #: of each feature; None where nothing is filled

    @classmethod
    def of(cls, missing: str | float, material: Material, n_jobs: int) -> Filling:
        """Find the values; those of `init_model` stay as they are.

        Parameters
        ----------
        missing : str or float
            The parameter, in plain form.
        material : Material
            What is trained on, and from where.
        n_jobs : int
            Threads.

        Raises
        ------
        ValueError
            If the trees of `init_model` send missing values elsewhere.
        """
        if not is_fill(missing):
            return cls(missing, None)
        earlier = material.start.model
        values = None
        if earlier is not None and earlier.parameters.get("missing") == missing:
            values = earlier.fill_values
        if values is None:
            values = values_for(missing, material.train, n_jobs)
        if earlier is not None:
            _check_start(missing, values, earlier)
        return cls(missing, values)

    @property
    def noted(self) -> Values | None:
        """What a model must remember, for its parameters do not tell."""
        return self.values if self.missing in OF_DATA else None

    def of_material(self, material: Material) -> Material:
        """Return what to train and to evaluate on, without missing values."""
        if self.values is None:
            return material
        return replace(
            material,
            train=self._filled(material.train),
            sets={name: self._filled(data) for name, data in material.sets.items()},
        )

    def of_trained(self, trained: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the core trained, with missing values sent where their fills go."""
        if self.values is None:
            return dict(trained)
        return {**trained, "ensemble": trained["ensemble"].missing_as_filled(self.values)}

    def _filled(self, data: Dataset) -> Dataset:
        assert self.values is not None
        return data._filled(self.values)


def _check_start(missing: str | float, values: Values, earlier: Model) -> None:
    """Refuse a model that was trained with missing values elsewhere."""
    if earlier._ensemble.sends_missing_as_filled(values):
        return
    trained_with = earlier.parameters.get("missing", "learn")
    raise ValueError(
        f"missing={missing!r} does not go with init_model, whose trees send missing values elsewhere "
        f"(it was trained with missing={trained_with!r}): train with that or with "
        'missing="learn", which goes on from every model'
    )
