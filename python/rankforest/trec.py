"""TREC runs and qrels: reading them, writing them, and evaluating runs by qrels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from rankforest import metrics as _metrics
from rankforest._files import lines_of, whole_file
from rankforest._frames import FrameLibrary
from rankforest._metric_arguments import MetricLike
from rankforest._paths import StrPath, expanded
from rankforest.data import Dataset
from rankforest.letor import docid

__all__ = [
    "Qrels",
    "Run",
    "document_names",
    "evaluate",
    "read_qrels",
    "read_run",
    "write_qrels",
    "write_run",
]

Objects = npt.NDArray[np.object_]

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_WORD = re.compile(r"[^ \t\r\n\f\v]+")  # other kinds of blanks belong to ids


@dataclass(frozen=True, eq=False)
class Run:
    """Ranked documents of some queries. Only the scores rank them, not their order here.

    Attributes
    ----------
    qid : ndarray of object, shape (n_documents,)
        The query of each document, one word.
    document_ids : ndarray of object, shape (n_documents,)
        The id of each document, one word; no two documents of a query have the same.
    scores : ndarray of float64, shape (n_documents,)
        The document with the highest score ranks first.
    name : str
        The name of the system, one word.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.Dataset([[1], [2]], [0, 1], qid=[7, 7], document_ids=["docid = GX-1", "GX-2"])
    >>> run = rf.trec.Run.of(data, [0.25, 0.5], name="mine")
    >>> run.document_ids.tolist()
    ['GX-1', 'GX-2']
    >>> rf.trec.evaluate(run, rf.trec.Qrels.of(data), "mrr")
    {'mrr': 1.0}
    """

    qid: Objects
    document_ids: Objects
    scores: npt.NDArray[np.float64]
    name: str = "rankforest"

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {len(self.qid):,} documents of {len(set(self.qid)):,} queries)"

    @classmethod
    def of(cls, data: Dataset, scores: npt.ArrayLike, *, name: str = "rankforest") -> Run:
        """Make a run of the scores of a data set, which are in the order of its rows.

        Documents are called as `document_names` calls them.

        Raises
        ------
        ValueError
            If there is not one score for each document, if a score is NaN, or if two documents of
            a query have the same name.
        """
        values = np.asarray(scores, dtype=np.float64)
        if values.shape != (data.n_documents,):
            raise ValueError(
                f"scores must have one value for each of the {data.n_documents} documents; "
                f"their shape is {values.shape}"
            )
        if np.isnan(values).any():
            raise ValueError(f"the score of row {int(np.isnan(values).argmax())} is NaN")
        return cls(*_named(data), values, name)

    def by_rank(self) -> Run:
        """Return the same ranking with whole numbers as scores; the last document of a query has 1.

        Equal scores become different ones: the earlier row gets the higher score. This makes
        trec_eval rank as rankforest does. trec_eval rounds scores to float32, which makes some of
        them equal, and it orders equal scores by document id.
        """
        queries = _codes(self.qid)
        order = np.lexsort((-self.scores, queries))[::-1]
        starts = np.flatnonzero(np.diff(queries[order], prepend=-1))
        sizes = np.diff(starts, append=len(order))
        scores = np.empty(len(order))
        scores[order] = np.arange(len(order)) - np.repeat(starts, sizes) + 1
        return replace(self, scores=scores)

    @property
    def n_float32_ties(self) -> int:
        """Number of documents whose score equals another of its query only in float32."""
        with np.errstate(over="ignore"):
            single = self.scores.astype(np.float32)
        return _n_tied(self.qid, single) - _n_tied(self.qid, self.scores)


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judged documents of some queries, in any order.

    Attributes
    ----------
    qid : ndarray of object, shape (n_judgements,)
        The query of each judgement, one word.
    document_ids : ndarray of object, shape (n_judgements,)
        The id of each document, one word; no two documents of a query have the same.
    grades : ndarray of int64, shape (n_judgements,)
        The grade of each document; higher is better. Negative grades count as 0, as do documents
        that are not judged.
    """

    qid: Objects
    document_ids: Objects
    grades: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return f"Qrels({len(self.qid):,} judgements of {len(set(self.qid)):,} queries)"

    @classmethod
    def of(cls, data: Dataset) -> Qrels:
        """Make qrels of the grades of a data set.

        Documents are called as `document_names` calls them.

        Raises
        ------
        ValueError
            If there are no grades, if one is not a whole number, or if two documents of a query
            have the same name.
        """
        if data.y is None:
            raise ValueError("y is missing: qrels are grades")
        whole = data.y.astype(np.int64)
        if (whole != data.y).any():
            row = int((whole != data.y).argmax())
            raise ValueError(
                f"the grades of qrels must be whole numbers; that of row {row} (counted from 0) "
                f"is {data.y[row]}"
            )
        return cls(*_named(data), whole)


def document_names(data: Dataset) -> list[str]:
    """Return a name of one word for each document of a data set.

    This is the name in the comment of the document's line, as `rankforest.letor.docid` finds it. If
    that is not one word, it is the number of the row, counted from 1.
    """
    comments = [""] * data.n_documents if data.document_ids is None else data.document_ids
    names = [docid(str(comment)) for comment in comments]
    return [name if _WORD.fullmatch(name) else str(row) for row, name in enumerate(names, start=1)]


def read_run(path: StrPath) -> Run:
    """Read a run. Each line has a query, Q0, a document, its rank, its score and the system's name.

    The second word and the rank are ignored. The system's name is that of the first line. Blank
    lines are skipped; ``.gz``, ``.bz2`` and ``.xz`` files are decompressed.

    Raises
    ------
    ValueError
        For the first line that has another form, or repeats a document of its query; the message
        starts with ``FILE:LINE:``. Also for a file without lines.
    OSError
        If the file cannot be read.
    """
    rows = _rows(path, ("query", "Q0", "document", "rank", "score", "name"), "score", _score)
    qid, document_ids, scores, name = rows
    return Run(qid, document_ids, np.array(scores, dtype=np.float64), name)


def read_qrels(path: StrPath) -> Qrels:
    """Read qrels. Each line has a query, an iteration, a document and its grade, a whole number.

    The iteration is ignored. Blank lines are skipped; ``.gz``, ``.bz2`` and ``.xz`` files are
    decompressed.

    Raises
    ------
    ValueError
        For the first line that has another form, or repeats a document of its query; the message
        starts with ``FILE:LINE:``. Also for a file without lines.
    OSError
        If the file cannot be read.
    """
    rows = _rows(path, ("query", "iteration", "document", "grade"), "grade", _grade)
    qid, document_ids, grades, _ = rows
    return Qrels(qid, document_ids, np.array(grades, dtype=np.int64))


def write_run(path: StrPath, run: Run) -> None:
    """Write a run; `read_run` reads exactly the same scores back.

    Queries are in the order of their first documents. The documents of a query are in descending
    order of score, those of equal scores in the order of the rows. An existing file is replaced,
    once the new one is complete.

    Raises
    ------
    ValueError
        If an id or the name is not one word, or a score is NaN.
    OSError
        If the file cannot be written.
    """
    lines = run_lines(run)
    with whole_file(expanded(path)) as file:
        file.writelines(f"{line}\n" for line in lines)


def write_qrels(path: StrPath, qrels: Qrels) -> None:
    """Write qrels, in the order that they have; `read_qrels` reads them back. Files are replaced.

    Raises
    ------
    ValueError
        If an id is not one word.
    OSError
        If the file cannot be written.
    """
    lines = qrels_lines(qrels)
    with whole_file(expanded(path)) as file:
        file.writelines(f"{line}\n" for line in lines)


def run_lines(run: Run) -> Iterator[str]:
    """Make the lines of a run: query, Q0, document, rank from 1 on, score, name."""
    _require_words(run.qid, run.document_ids, [run.name])
    if np.isnan(run.scores).any():
        raise ValueError(f"the score of row {int(np.isnan(run.scores).argmax())} is NaN")
    return _ranked_lines(run)


def qrels_lines(qrels: Qrels) -> Iterator[str]:
    """Make the lines of qrels: query, 0, document, grade."""
    _require_words(qrels.qid, qrels.document_ids)
    rows = zip(qrels.qid, qrels.document_ids, qrels.grades.tolist(), strict=True)
    return (f"{query} 0 {document} {grade}" for query, document, grade in rows)


def _ranked_lines(run: Run) -> Iterator[str]:
    queries = _codes(run.qid)
    rank, last = 0, -1
    for row in np.lexsort((-run.scores, queries)).tolist():
        rank = rank + 1 if queries[row] == last else 1
        last = queries[row]
        score = run.scores[row].item()
        yield f"{run.qid[row]} Q0 {run.document_ids[row]} {rank} {score!r} {run.name}"


@overload
def evaluate(
    run: Run,
    qrels: Qrels,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    complete: bool = ...,
    per_query: Literal[False] = ...,
    n_jobs: int | None = ...,
) -> _metrics.Evaluation: ...
@overload
def evaluate(
    run: Run,
    qrels: Qrels,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    complete: bool = ...,
    per_query: Literal[True],
    n_jobs: int | None = ...,
) -> dict[str, npt.NDArray[Any]]: ...
@overload
def evaluate(
    run: Run,
    qrels: Qrels,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    complete: bool = ...,
    per_query: FrameLibrary,
    n_jobs: int | None = ...,
) -> Any: ...
def evaluate(
    run: Run,
    qrels: Qrels,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    complete: bool = False,
    per_query: bool | FrameLibrary = False,
    n_jobs: int | None = None,
) -> Any:
    """Measure a run by qrels.

    Ideal rankings and numbers of relevant documents come from all judged documents, also those that
    the run lacks, unless a metric has ``ideal=list``. Documents that are not judged have grade 0.
    Metrics with ``preset=trec_eval`` have the values of trec_eval.

    Parameters
    ----------
    run : Run
        The run to measure. Queries that the qrels lack are left out.
    qrels : Qrels
        The judgements to measure it by.
    metrics : str, Metric, CustomMetric, measure of ir_measures, or sequence of these
        What to measure, as for `rankforest.evaluate`.
    complete : bool, default=False
        Whether queries of the qrels that the run lacks count, as if it had found nothing relevant
        (trec_eval's option ``-c``, and what ir_measures does). Otherwise they are left out.
    per_query : bool or {"pandas", "polars", "pyarrow", "arrow"}, default=False
        Whether to return the value of each query instead of the mean: in arrays, or in a data
        frame of that library.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    Evaluation, dict of str to ndarray, or data frame
        As for `rankforest.evaluate`. Queries are in the order of the run; those that it lacks come
        last.

    Raises
    ------
    ValueError
        If no query of the run is judged, or for what `rankforest.evaluate` refuses.
    """
    grade_of = _grades_by_document(qrels)
    judged = set(qrels.qid)
    rows = [row for row, query in enumerate(run.qid) if query in judged]
    if not rows and not complete:
        raise ValueError(
            f"no query of the run is in the qrels: the run has {run.qid[0]!r}, the qrels have "
            f"{qrels.qid[0]!r}"
        )
    qid, documents = run.qid[rows].tolist(), run.document_ids[rows].tolist()
    y = [grade_of.get(key, 0) for key in zip(qid, documents, strict=True)]
    scores = run.scores[rows].tolist()
    if complete:
        present = set(qid)
        lacking = [query for query in dict.fromkeys(qrels.qid) if query not in present]
        qid += lacking
        documents += [""] * len(lacking)
        y += [0] * len(lacking)
        scores += [0.0] * len(lacking)
    of_queries: Any = per_query
    return _metrics.evaluate(
        (y, _objects(qid)),
        scores,
        metrics,
        judgements=(np.maximum(qrels.grades, 0), qrels.qid),
        document_ids=documents,
        per_query=of_queries,
        n_jobs=n_jobs,
    )


def _grades_by_document(qrels: Qrels) -> dict[tuple[str, str], int]:
    keys = zip(qrels.qid, qrels.document_ids, strict=True)
    return dict(zip(keys, np.maximum(qrels.grades, 0).tolist(), strict=True))


def _named(data: Dataset) -> tuple[Objects, Objects]:
    """Return queries and documents by name, the documents of a query by different ones."""
    queries = np.array([str(each) for each in data.query_ids], dtype=object)[data.query_codes]
    names = _objects(document_names(data))
    first_row: dict[tuple[str, str], int] = {}
    for row, key in enumerate(zip(queries, names, strict=True)):
        earlier = first_row.setdefault(key, row)
        if earlier != row:
            raise ValueError(
                f"documents of a query must have different names; rows {earlier} and {row} "
                f"(counted from 0) of query {key[0]} are both called {key[1]!r}"
            )
    return queries, names


def _rows(
    path: StrPath, fields: Sequence[str], value: str, parse: Callable[[str], float | int]
) -> tuple[Objects, Objects, list[float | int], str]:
    """Read queries, documents, values, and the last word of the first line."""
    place = fields.index(value)
    qid: list[str] = []
    documents: list[str] = []
    values: list[float | int] = []
    line_of: dict[tuple[str, str], int] = {}
    last_word = ""
    path = expanded(path)
    for number, line in lines_of(path):
        words = _WORD.findall(line)
        if not words:
            continue
        where = f"{path}:{number}"
        if len(words) != len(fields):
            raise ValueError(
                f"{where}: must be {len(fields)} words, {' '.join(fields)}; got {len(words)}: "
                f"{line.strip()!r}"
            )
        try:
            values.append(parse(words[place]))
        except ValueError as error:
            raise ValueError(f"{where}: {value} {error}, got {words[place]!r}") from None
        key = (words[0], words[2])
        earlier = line_of.setdefault(key, number)
        if earlier != number:
            raise ValueError(
                f"{where}: document {key[1]!r} of query {key[0]!r} is in line {earlier} already"
            )
        qid.append(key[0])
        documents.append(key[1])
        last_word = last_word or words[-1]
    if not values:
        raise ValueError(f"{path}: must have at least one line, has none")
    return _objects(qid), _objects(documents), values, last_word


def _score(word: str) -> float:
    try:
        # float() takes 1_0 and the digits of other scripts, too.
        score = float(word) if word.isascii() and "_" not in word else np.nan
    except ValueError:
        score = np.nan
    if np.isnan(score):
        raise ValueError("must be a number")
    return score


def _grade(word: str) -> int:
    if not _WHOLE.fullmatch(word):
        raise ValueError("must be a whole number")
    return int(word)


def _require_words(*columns: Sequence[Any] | Objects) -> None:
    for column in columns:
        for each in column:
            if not _WORD.fullmatch(str(each)):
                raise ValueError(f"ids and names must be single words, got {str(each)!r}")


def _codes(qid: Objects) -> npt.NDArray[np.int64]:
    """Give numbers to queries in the order of their first document."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(each, len(numbers)) for each in qid], dtype=np.int64)


def _n_tied(qid: Objects, scores: npt.NDArray[Any]) -> int:
    """Count the documents whose score another document of the query has too."""
    queries = _codes(qid)
    order = np.lexsort((scores, queries))
    same = (np.diff(queries[order]) == 0) & (scores[order][1:] == scores[order][:-1])
    return int((np.append(same, False) | np.insert(same, 0, False)).sum())


def _objects(values: Sequence[Any]) -> Objects:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects
