"""Checkpoints: how far a training has come, in a file from which another process goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._model.position_notes import REGULARIZATION
from rankforest._support.files import check_writable
from rankforest._support.paths import StrPath, expanded
from rankforest.data import Dataset
from rankforest.estimators.checkpoint_file import Saved, read_checkpoint, write_checkpoint
from rankforest.estimators.warm_start import Fingerprint
from rankforest.model_json import canonical_json

#: What a training is for: what its result depends on, by name.
Purpose = dict[str, Any]


@dataclass(frozen=True)
class Checkpoint:
    """Where a training saves its state, and what was there when it began.

    Parameters
    ----------
    path : str
        The file.
    every : int
        Rounds from one save to the next.
    saved : Saved or None
        What the file holds; None where there is none.
    """

    path: str
    every: int
    saved: Saved | None

    @classmethod
    def of(cls, owner: str, path: StrPath | None, every: object) -> Checkpoint | None:
        """Take the arguments of `fit`, and read the file where there is one.

        Raises
        ------
        ValueError
            For an unusable `every`, and for a file that is no whole checkpoint.
        OSError
            If the file cannot be read or written.
        """
        if isinstance(every, bool) or not isinstance(every, int) or every < 1:
            raise ValueError(
                f"{owner}: checkpoint_every must be a number of rounds, at least 1, got {every!r}"
            )
        if path is None:
            return None
        name = expanded(path)
        if Path(name).exists() and not Path(name).is_file():
            raise ValueError(f"{owner}: checkpoint must be a file that can be replaced, not {name}")
        saved = read_checkpoint(name) if Path(name).exists() else None
        check_writable(name)
        return cls(name, every, saved)

    @property
    def seed(self) -> int | None:
        """The seed of the training that the file is of."""
        return None if self.saved is None else self.saved.purpose["parameters"]["random_state"]

    def state(self, owner: str, purpose: Purpose) -> dict[str, Any] | None:
        """Return what training goes on from, as the core takes it; None where it begins.

        Raises
        ------
        ValueError
            If the file is of a training for another purpose; the message names all differences.
        """
        if self.saved is None:
            return None
        found = list(_differences(self.saved.purpose, purpose))
        if found:
            raise ValueError(
                f"{owner}: the checkpoint {self.path} is of another training: "
                f"{'; '.join(found)}. Go on with what it began with, or delete the file to begin "
                "afresh"
            )
        return self.saved.state

    def saver(self, purpose: Purpose) -> tuple[int, Callable[[dict[str, Any]], None]]:
        """Return what the core calls with each state, and how often."""

        def save(state: dict[str, Any]) -> None:
            write_checkpoint(self.path, Saved(purpose, state))

        return self.every, save


def purpose_of(
    *,
    estimator: str,
    parameters: Mapping[str, Any],
    metrics: list[str],
    train: Dataset,
    sets: Mapping[str, Dataset],
    deciding: str | None,
    eval_scores: Mapping[str, npt.NDArray[np.float64]],
    goes_on_from: _core.Ensemble | None,
) -> Purpose:
    """Return all that a training's result depends on, but for functions of the user's own."""
    before = None if goes_on_from is None else goes_on_from.to_bytes(_core.ModelInfo())
    return json.loads(  # type: ignore[no-any-return]  # a dict, as it was given
        canonical_json(
            {
                "rankforest": _core.__version__,
                "estimator": estimator,
                "parameters": dict(parameters),
                "metric": metrics if sets else None,
                "training data": _described(train, with_positions=REGULARIZATION in parameters),
                "evaluation sets": {name: _described(data) for name, data in sets.items()},
                "order of the sets": list(sets),
                "early_stopping_set": deciding,
                "eval_init_score": _digest(b"".join(s.tobytes() for s in eval_scores.values())),
                "the model it goes on from": None if before is None else _digest(before),
            }
        )
    )


def _described(data: Dataset, *, with_positions: bool = False) -> dict[str, Any]:
    described = asdict(Fingerprint.of(data, with_positions=with_positions))
    described["features' values"] = _digest(data._core.feature_hashes().tobytes())
    described["grades, queries and weights"] = described.pop("content")
    if not described["positions"]:
        del described["positions"]
    return described


def _digest(content: bytes) -> str:
    """Return what tells contents apart."""
    return blake2b(content, digest_size=16).hexdigest()


#: What tells contents apart, and nothing to people.
_DIGESTS = (
    "features' values",
    "grades, queries and weights",
    "positions",
    "the model it goes on from",
    "init_score",
    "eval_init_score",
)


def _differences(before: Purpose, now: Purpose, of: str = "") -> Iterator[str]:
    """Say in words what differs between two purposes."""
    for name in dict.fromkeys([*before, *now]):
        old, new = before.get(name), now.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            inner = "" if name == "parameters" else f"{of}{name}: "
            yield from _differences(old, new, inner)
        elif name in _DIGESTS:
            yield f"{of}{name} changed"
        else:
            yield f"{of}{name} was {_shown(old)} and is {_shown(new)}"


def _shown(value: object) -> str:
    return "a set that is gone" if isinstance(value, dict) else repr(value)
