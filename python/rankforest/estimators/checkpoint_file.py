"""The file of a checkpoint: its bytes, written whole or not at all, and checked when read.

Four parts: a line with the format's name and version; a line with the digest of all that follows; a
line of JSON with the purpose of the training, its state and the sizes of the models; the models, as
model files. A file that is damaged anywhere is refused.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rankforest import _core

_MAGIC = b"rankforest checkpoint "
_VERSION = b"1"

#: Models of a state, in the order of the file.
_MODELS = ("model", "kept")


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds."""

    purpose: dict[str, Any]  #: what the training is for
    state: dict[str, Any]  #: as the core gives and takes it


def write_checkpoint(path: str, saved: Saved) -> None:
    """Write a checkpoint; what had the name stays until it is whole.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    state = dict(saved.state)
    models = [
        b"" if state[name] is None else state[name].to_bytes(_core.ModelInfo()) for name in _MODELS
    ]
    ordinal = state["ordinal"]
    plain = {name: value for name, value in state.items() if name not in _MODELS}
    plain["ordinal"] = None if ordinal is None else [ordinal.grades, ordinal.parts]
    head = {"purpose": saved.purpose, "state": plain, "sizes": [len(model) for model in models]}
    content = b"".join([json.dumps(head).encode(), b"\n", *models])
    start = b"".join([_MAGIC, _VERSION, b"\n", _digest(content), b"\n"])
    _core.write_file(os.fsencode(path), start + content)


def read_checkpoint(path: str) -> Saved:
    """Read a checkpoint.

    Raises
    ------
    ValueError
        If the file is no checkpoint, of another version, or not whole; the message starts with
        the path.
    OSError
        If it cannot be read.
    """
    try:
        return _parse(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _parse(content: bytes) -> Saved:
    if not content.startswith(_MAGIC):
        raise ValueError("the file is no checkpoint; it is left as it is")
    version, _, rest = content[len(_MAGIC) :].partition(b"\n")
    if version != _VERSION:
        raise ValueError(
            f"the checkpoint is of version {version[:20].decode(errors='replace')!r}, and this "
            f"rankforest reads version {_VERSION.decode()}"
        )
    digest, _, body = rest.partition(b"\n")
    if digest != _digest(body):
        raise ValueError("the checkpoint is damaged: its content and its digest differ")
    line, _, models = body.partition(b"\n")
    try:
        head = json.loads(line)
        return Saved(head["purpose"], _state(head, models))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the checkpoint lacks a part: {error}") from error


def _state(head: dict[str, Any], models: bytes) -> dict[str, Any]:
    state = dict(head["state"])
    for name, size in zip(_MODELS, head["sizes"], strict=True):
        model, models = models[:size], models[size:]
        state[name] = _core.Ensemble.from_bytes(model, 1)[0] if size else None
    ordinal = state["ordinal"]
    state["ordinal"] = None if ordinal is None else _core.Ordinal(ordinal[0], ordinal[1])
    return state


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).hexdigest().encode()
