"""LETOR text, also called SVMlight or LIBSVM text: reading and writing."""

from __future__ import annotations

import lzma
import os
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.arguments import positions_of_rows
from rankforest._data.compression import OPENERS, Compressed
from rankforest._data.file_kinds import kind_in, start_of
from rankforest._data.merged_text import merged_in_text
from rankforest._data.queries import as_integers, resolve_queries
from rankforest._settings.parameters import NONE, integer, thread_count
from rankforest._support.paths import StrPath, expanded
from rankforest._support.warnings import warn
from rankforest.data import Dataset, TextRule

__all__ = ["docid", "read_letor", "write_letor"]


class ByteStream(Protocol):
    """An open binary file, or what reads like one."""

    def read(self) -> bytes:
        """Return everything up to the end."""


TextSource = StrPath | ByteStream

#: Name for messages, path or else text, what is wrong with the text: as the core takes a file.
_Source = tuple[str, bytes | None, bytearray | None, str]

_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError)


def read_letor(
    paths: TextSource | Sequence[TextSource],
    *,
    zero_based: bool | Literal["auto"] = False,
    absent: float | Literal["nan"] = 0,
    n_features: int | None = None,
    group: object = None,
    position: object = None,
    n_jobs: int | None = None,
) -> Dataset:
    r"""Read documents from LETOR text.

    Each line is ``GRADE qid:ID INDEX:VALUE INDEX:VALUE ... # COMMENT``. Grades are finite numbers
    >= 0. An id is any text without blanks and ``#``; the same id means the same query wherever it
    stands. Indices may come in any order. A value is a finite number, or ``nan`` or ``NULL`` where
    it is missing; unlike `Dataset`, the text has no infinities. Numbers are read as float64, then
    rounded to float32. Blank lines, lines with nothing but a comment, and a byte order mark are
    skipped; tabs and carriage returns are blanks.

    Parameters
    ----------
    paths : path, binary stream, or sequence of these
        Files that make up one data set, in this order. ``.gz``, ``.bz2`` and ``.xz`` files are
        decompressed in memory; others are read in pieces. Pipes and ``/dev/stdin`` are read to
        their end, and so is a stream, such as ``sys.stdin.buffer`` or an ``io.BytesIO``.
    zero_based : bool or "auto"
        Whether the index of the first feature is 0. "auto" says so if index 0 occurs in any of
        the files, and reports its choice as a ``UserWarning``.
    absent : 0 or nan
        The value of features that a line does not mention; "nan" also means NaN.
    n_features : int, optional
        Number of features, >= 1; a larger index is an error. By default as many as the files
        have.
    group : array_like of int, optional
        For text without ``qid``: how many consecutive documents each query has, for example
        ``np.loadtxt("train.txt.query", dtype=int)``.
    position : array_like of shape (n_documents,), or path, optional
        Where each document was shown when its clicks were seen, as for `Dataset`, in the order of
        the text; or a text file with one position on each line, for all of `paths` together.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    Dataset
        Documents in the order of the text. `query_ids` are integers if all of them are written
        as such, strings otherwise. `document_ids` are the whole comments, without the blanks
        around them and "" where there are none; None if no line has any. `docid` gets the names
        out of LETOR's comments.

    Raises
    ------
    ValueError
        For the first line that is not as described, as ``FILE:LINE:COLUMN: found ..., expected
        ...``, for positions that are not as many as documents, for a file without documents, for a
        damaged compressed file, and for a file that somebody changes while it is read.
    OSError
        If a file cannot be read.
    MemoryError
        If there is no memory for the features. Without `n_features`, an index that would make the
        matrix larger than 4 GiB and larger than 64 times the text is a ValueError.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> path = pathlib.Path(tempfile.mkdtemp(), "train.txt")
    >>> _ = path.write_text("2 qid:7 1:0.5 3:1 # first\n0 qid:7 2:4\n")
    >>> data = rf.read_letor(path)
    >>> data.X
    array([[0.5, 0. , 1. ],
           [0. , 4. , 0. ]], dtype=float32)
    >>> data.document_ids
    array(['first', ''], dtype=object)
    """
    data = _read_arrays(
        paths,
        zero_based=zero_based,
        absent=absent,
        n_features=n_features,
        require_qid=group is None,
        n_jobs=n_jobs,
    )
    if zero_based == "auto":
        found, first = ("occurs", 0) if data.zero_based else ("does not occur", 1)
        warn(
            f"zero_based='auto': index 0 {found}, so the first feature has index {first}",
        )
    merged = merged_in_text(_files(paths), data.features, 0 if data.zero_based else 1)
    rule = TextRule(data.zero_based, float(absent), data.n_mentioned)
    read = _as_dataset(data, group, rule, n_jobs)._with(_merged=merged)
    return read if position is None else read._with(position=_positions(position, read))


def _positions(position: object, data: Dataset) -> npt.NDArray[np.uint32]:
    """Return where each document was shown, out of an array or a file."""
    if not isinstance(position, (str, os.PathLike)):
        return positions_of_rows(position, data.n_documents)
    from rankforest._data.position_file import read_positions  # noqa: PLC0415  # it reads as this does

    path = expanded(position)
    return read_positions(path, path, data.n_documents)


def write_letor(
    path: StrPath,
    data: Dataset,
    *,
    zero_based: bool = False,
    document_ids: bool = True,
    n_jobs: int | None = None,
) -> None:
    """Write documents as LETOR text that `read_letor` reads back to the same bits.

    Every feature is written, zeros too, each number with the fewest digits that give it back. The
    file appears under its name when it is complete and on the disk; until then, and if anything
    goes wrong, whatever had the name stays as it was.

    Parameters
    ----------
    path : path
        Where to write; an existing file is replaced.
    data : Dataset
        Documents with grades, in the order of their rows.
    zero_based : bool
        Whether the index of the first feature is 0.
    document_ids : bool
        Whether to write `document_ids`, if there are any, as comments.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use.

    Raises
    ------
    ValueError
        For what the text cannot say: no grades, weights, positions, infinite features, query ids with
        blanks or ``#``, document ids with line breaks or with blanks around them.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> path = pathlib.Path(tempfile.mkdtemp(), "train.txt")
    >>> rf.write_letor(path, rf.Dataset([[0.5, 2], [0, 3]], [1, 0], qid=[7, 7]))
    >>> path.read_text().splitlines()
    ['1 qid:7 1:0.5 2:2', '0 qid:7 1:0 2:3']
    """
    if data.y is None:
        raise ValueError("y is missing: LETOR text has a grade on each line")
    data._refuse_levels("LETOR text holds numbers; write Parquet or CSV, data.to_frame()")
    if data.weight is not None:
        raise ValueError("weight cannot be written: LETOR text has no place for weights")
    if data.position is not None:
        raise ValueError(
            "position cannot be written: LETOR text has no place for positions; write them to a file "
            "of their own, as read_letor(position=) reads them, and the text of a Dataset without"
        )
    comments = None
    if document_ids and data.document_ids is not None:
        comments = [str(each) for each in data.document_ids]
    try:
        _core.write_letor(
            os.fsencode(expanded(path)),
            features=data.X,
            grades=np.ascontiguousarray(data.y),
            query_codes=np.ascontiguousarray(data.query_codes),
            query_ids=[str(each) for each in data.query_ids],
            comments=comments,
            zero_based=zero_based,
            n_jobs=thread_count(n_jobs),
        )
    except ValueError as error:
        hint = ""
        if "is infinite" in str(error):
            hint = "; LETOR text has no infinities: write NaN or a large number in their place"
        raise ValueError(f"{error}{hint}") from None


def docid(comment: str) -> str:
    """Return the document's name out of a comment such as LETOR's.

    Parameters
    ----------
    comment : str
        One of a data set's `document_ids`.

    Returns
    -------
    str
        X of ``docid = X`` at the start of the comment, and the whole comment if it does not start
        that way.

    Examples
    --------
    >>> import rankforest as rf
    >>> rf.letor.docid("docid = GX008-86-4444840 inc = 1 prob = 0.086622")
    'GX008-86-4444840'
    """
    match = re.match(r"docid\s*=\s*(\S+)", comment)
    return match[1] if match else comment


def _read_arrays(
    paths: TextSource | Sequence[TextSource],
    *,
    zero_based: bool | Literal["auto"] = False,
    absent: float | Literal["nan"] = 0,
    n_features: int | None = None,
    require_qid: bool = True,
    n_jobs: int | None = None,
    chunk_bytes: int = 1 << 20,
) -> _core.LetorData:
    """Read LETOR text as the compiled core gives it.

    `chunk_bytes`, how much text a thread parses at a time, never changes the result.
    """
    if not isinstance(zero_based, (bool, np.bool_)) and zero_based != "auto":
        raise ValueError(f"zero_based must be True, False or 'auto', got {zero_based!r}")
    if absent not in ("nan", 0) and not _is_nan(absent):
        raise ValueError(f"absent must be 0 or 'nan', got {absent!r}")
    width = (integer(1) | NONE).check("n_features", n_features)
    if width is not None and width >= 2**32:
        raise ValueError(f"n_features must be below 2**32, got {width}")
    sources = [_source(each) for each in _as_sources(paths)]
    try:
        return _core.read_letor(
            sources,
            zero_based=None if zero_based == "auto" else bool(zero_based),
            absent=float(absent),
            n_features=0 if width is None else width,
            require_qid=require_qid,
            keep_comments=True,
            n_jobs=thread_count(n_jobs),
            chunk_bytes=chunk_bytes,
        )
    except ValueError as error:
        raise ValueError(_explained(str(error), sources)) from None


def _explained(message: str, sources: Sequence[_Source]) -> str:
    """Return what is wrong with text, with what to do about files of other kinds and infinities."""
    for name, path, text, _ in sources:
        if not message.startswith(f"{name}:1:"):
            continue
        is_file = path is not None and Path(os.fsdecode(path)).is_file()
        start = bytes(text[:4096]) if text is not None else start_of(os.fsdecode(path or b""))
        if not start and re.search(r":1:1: found '\\x1f", message):  # what is left of a pipe
            start = b"\x1f\x8b"
        found = kind_in(start, has_name=is_file)
        if found is not None and not found.startswith("LETOR"):
            return f"{name}: expected LETOR text, found {found}"
        if is_file and Path(name.lower()).suffix in {".csv", ".tsv"}:
            return f"{message}; read_csv reads CSV"
    if re.search(r"found '[+-]?inf.*within float32", message, re.IGNORECASE):
        return f"{message}; write nan for a missing value, and a large number for an infinity"
    return message


def _is_nan(value: object) -> bool:
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _as_sources(paths: TextSource | Sequence[TextSource]) -> list[TextSource]:
    if isinstance(paths, (str, os.PathLike)) or hasattr(paths, "read"):
        return [paths]
    if len(paths) == 0:
        raise ValueError("paths must name at least one file, got none")
    return list(paths)


def _files(paths: TextSource | Sequence[TextSource]) -> list[str]:
    """Return the sources that can be read a second time: no pipes, no streams."""
    named = [expanded(each) for each in _as_sources(paths) if isinstance(each, (str, os.PathLike))]
    return [os.fspath(each) for each in named if Path(each).is_file()]


def _source(source: TextSource) -> _Source:
    """Return a file as the core takes it: its name for messages, its path or text, its damage."""
    if not isinstance(source, (str, os.PathLike)):
        return _stream_source(source)
    path = expanded(source)
    name = path.encode("utf-8", "backslashreplace").decode()
    opener = OPENERS.get(Path(path).suffix)
    if opener is None:
        return name, os.fsencode(path), None, ""
    with opener(path) as stream:
        text, damage = _decompress(stream)
    return name, None, text, damage


def _stream_source(stream: ByteStream) -> _Source:
    name = getattr(stream, "name", None)
    try:
        text = bytearray(stream.read())
    except TypeError:
        what = type(stream).__name__
        raise ValueError(f"a stream of LETOR text must be binary, got {what}") from None
    return name if isinstance(name, str) else "<stream>", None, text, ""


def _decompress(stream: Compressed) -> tuple[bytearray, str]:
    """Return all text that a compressed file gives, and what is wrong behind it, if anything."""
    text = bytearray()
    try:
        while piece := stream.read1(1 << 20):
            text += piece
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk's fault
            raise
        return text, f"the compressed file is damaged ({error})"
    except MemoryError:
        size = len(text) / 1e9
        raise MemoryError(f"there is no memory for compressed text of over {size:.1f} GB") from None
    return text, ""


def _as_dataset(
    data: _core.LetorData, group: object, text: TextRule, n_jobs: int | None
) -> Dataset:
    features, grades, comments = data.features, data.grades, data.comments
    n_documents, n_features = features.shape
    if n_features == 0:
        raise ValueError("the text has no feature on any line; n_features= gives their number")
    if group is None:
        codes, ids = data.query_codes, as_integers(data.query_ids)
    elif len(data.query_ids):
        raise ValueError("group is for text without qid, and this text has qid")
    else:
        queries = resolve_queries(None, group, n_documents)
        codes, ids = queries.codes, queries.ids
    document_ids = None
    if comments is not None:
        document_ids = np.array(comments, dtype=object)
    return Dataset._from_parts(
        X=features,
        y=grades,
        query_codes=codes,
        query_ids=ids,
        document_ids=document_ids,
        n_jobs=n_jobs,
        text=text,
    )
