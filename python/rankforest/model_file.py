"""Model files: reading and writing an ensemble with its information.

The model file (``.rf``) is the form to keep and to load; its layout is documented in
``cpp/include/rankforest/io/model_codec.hpp``. The JSON form, documented in `rankforest.model_json`,
says the same for people and other programs and gives the same bits back. LightGBM's text is read, too
(``cpp/include/rankforest/io/lightgbm_text.hpp``), and files of other systems (`rankforest.exchange`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rankforest import _core
from rankforest._support.paths import StrPath, expanded
from rankforest.model_cpp import to_cpp
from rankforest.model_json import from_json, to_json

_MAGIC = b"\x89RFM\r\n\x1a\n"
_LIGHTGBM = (b"tree\n", b"tree\r\n")  # its first line
_BLANKS = b"\xef\xbb\xbf \t\r\n"  # a byte order mark, too
_HEAD = 4096  # bytes that tell what a file is

Parts = tuple[_core.Ensemble, _core.ModelInfo]


def is_model(path: StrPath) -> bool:
    """Say whether a file starts as a model file, its JSON form or another system's model does.

    A pipe is never taken for one: what is read to find out would be lost.
    """
    file_path = Path(expanded(path))
    if not file_path.is_file():
        return False
    with file_path.open("rb") as file:
        return _is_start(file.read(_HEAD))


def read_model(path: StrPath, n_jobs: int = 1) -> tuple[_core.Ensemble, _core.ModelInfo]:
    """Read a model file, its JSON form or another system's model, told apart by their content.

    Parameters
    ----------
    path : str or path-like
        The file.
    n_jobs : int, default=1
        Threads, >= 1.

    Returns
    -------
    ensemble, info
        What scores, and the rest.

    Raises
    ------
    ValueError
        If the file is none of them, or not all of it is valid; the message starts with the path,
        and names the system (XGBoost, CatBoost, RankLib, ...) whose model or data the file is.
    OSError
        If it cannot be read.
    """
    path = expanded(path)
    with Path(path).open("rb") as file:
        start = file.read(_HEAD)
        foreign = _foreign_reader(start)
        if not start.startswith(_MAGIC) and foreign is None:
            _refuse_foreign(path, start)
        if start.startswith(_MAGIC) and Path(path).is_file():
            return _core.Ensemble.load(os.fsencode(path), n_jobs)
        content = start + file.read()  # a pipe can be read only once
    try:
        if foreign is not None:
            return foreign(content)
        if start.startswith((_MAGIC, *_LIGHTGBM)):
            return _core.Ensemble.from_bytes(content, n_jobs)
        return from_json(content.decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _refuse_foreign(path: str, start: bytes) -> None:
    """Raise a ValueError for a file that starts as none of the forms of a model does."""
    foreign = _core.foreign_file(start) if start else "the file is empty, expected a model"
    if foreign:
        raise ValueError(f"{path}: {foreign}")
    if not _is_start(start):
        raise ValueError(
            f"{path}: neither a rankforest model file nor its JSON form nor LightGBM's text; it "
            f"starts with {start[:16]!r}"
        )


def _is_start(start: bytes) -> bool:
    ours = start.startswith((_MAGIC, *_LIGHTGBM)) or start.lstrip(_BLANKS).startswith(b"{")
    return ours or _foreign_reader(start) is not None


def _foreign_reader(start: bytes) -> Callable[[bytes], Parts] | None:
    """Return what reads a file of another system that starts like this, or None."""
    if start.startswith((_MAGIC, *_LIGHTGBM)):
        return None
    from rankforest.exchange.reading import read_foreign, reader_for  # noqa: PLC0415 - rarely used

    read = reader_for(start)
    return None if read is None else partial(read_foreign, read)


def write_model(path: StrPath, ensemble: _core.Ensemble, info: _core.ModelInfo) -> None:
    """Write a model file, under its name only once it is complete.

    Raises
    ------
    ValueError
        If `info` cannot belong to `ensemble`.
    OSError
        If the file cannot be written; what had the name stays as it was.
    """
    ensemble.save(os.fsencode(expanded(path)), info)


def write_model_json(path: StrPath, ensemble: _core.Ensemble, info: _core.ModelInfo) -> None:
    """Write the JSON form, under its name only once it is complete.

    Raises
    ------
    ValueError
        If `info` holds parameters or a summary that are not JSON.
    OSError
        If the file cannot be written; what had the name stays as it was.
    """
    _core.write_file(os.fsencode(expanded(path)), to_json(ensemble, info).encode())


def write_model_cpp(
    path: StrPath, ensemble: _core.Ensemble, info: _core.ModelInfo, namespace: str
) -> None:
    """Write the C++ header of `rankforest.model_cpp`, under its name only once it is complete.

    Raises
    ------
    ValueError
        As `rankforest.model_cpp.to_cpp` does.
    OSError
        If the file cannot be written; what had the name stays as it was.
    """
    _core.write_file(os.fsencode(expanded(path)), to_cpp(ensemble, info, namespace).encode())
