"""TREC runs and qrels: reading them, writing them, and evaluating runs by qrels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from rankforest import metrics as _metrics
from rankforest._evaluation.gains import warn_of_steep_gains
from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import CustomMetricLike, MetricLike, named_metrics
from rankforest._evaluation.trec_lines import WORD, Objects, grade_of, objects, rows_of, score_of
from rankforest._settings.parameters import thread_count
from rankforest._support.files import whole_file
from rankforest._support.frames import FrameLibrary
from rankforest._support.paths import StrPath, expanded
from rankforest._support.wording import described
from rankforest.data import Dataset
from rankforest.letor import docid
from rankforest.metrics import Metric

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
    return [name if WORD.fullmatch(name) else str(row) for row, name in enumerate(names, start=1)]


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
    rows = rows_of(path, ("query", "Q0", "document", "rank", "score", "name"), "score", score_of)
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
    rows = rows_of(path, ("query", "iteration", "document", "grade"), "grade", grade_of)
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

    Warns
    -----
    UserWarning
        If grades are so far apart that under ``gain=exp2`` only the highest ones count.
    """
    _metrics.require_per_query(per_query)
    spelled = named_metrics(metrics)
    judged, results = measured(
        run, qrels, spelled, complete=complete, per_query=bool(per_query), n_jobs=n_jobs
    )
    warn_of_steep_gains("trec.evaluate", spelled.values(), judged.y)
    return _metrics.as_asked(judged, results, per_query)


def measured(
    run: Run,
    qrels: Qrels,
    spelled: Mapping[str, Metric | CustomMetricLike],
    *,
    complete: bool,
    per_query: bool,
    n_jobs: int | None,
) -> tuple[Judged, dict[str, _metrics.Measured]]:
    """Return the run as it was judged, and what each metric says of it, without a warning."""
    _require_run_and_qrels(run, qrels)
    judged_grades = _grades_by_document(qrels)
    judged = set(qrels.qid)
    rows = [row for row, query in enumerate(run.qid) if query in judged]
    if not rows and not complete:
        raise ValueError(
            f"no query of the run is in the qrels: the run has {run.qid[0]!r}, the qrels have "
            f"{qrels.qid[0]!r}"
        )
    qid, documents = run.qid[rows].tolist(), run.document_ids[rows].tolist()
    y = [judged_grades.get(key, 0) for key in zip(qid, documents, strict=True)]
    scores = run.scores[rows]
    if complete:
        present = set(qid)
        lacking = [query for query in dict.fromkeys(qrels.qid) if query not in present]
        qid += lacking
        documents += [""] * len(lacking)
        y += [0] * len(lacking)
        scores = np.append(scores, np.zeros(len(lacking)))
    of_rows = Judged.of((y, objects(qid)))
    results = _metrics.measured(
        of_rows,
        of_rows.scores(scores),
        spelled,
        judgements=(np.maximum(qrels.grades, 0), qrels.qid),
        document_ids=documents,
        per_query=per_query,
        n_threads=thread_count(n_jobs),
    )
    return of_rows, results


def _require_run_and_qrels(run: object, qrels: object) -> None:
    """Raise a ValueError if one is no Run or the other no Qrels."""
    if isinstance(run, Qrels) and isinstance(qrels, Run):
        raise ValueError("run must come before qrels: they are in the other order")  # noqa: TRY004
    if not isinstance(run, Run):
        raise ValueError(  # noqa: TRY004
            f"run must be a Run, got {described(run)}; read_run reads one, and "
            "Run.of(data, scores) makes one"
        )
    if not isinstance(qrels, Qrels):
        raise ValueError(  # noqa: TRY004
            f"qrels must be Qrels, got {described(qrels)}; read_qrels reads them, and "
            "Qrels.of(data) makes them"
        )


def _grades_by_document(qrels: Qrels) -> dict[tuple[str, str], int]:
    keys = zip(qrels.qid, qrels.document_ids, strict=True)
    return dict(zip(keys, np.maximum(qrels.grades, 0).tolist(), strict=True))


def _named(data: Dataset) -> tuple[Objects, Objects]:
    """Return queries and documents by name, the documents of a query by different ones."""
    queries = np.array([str(each) for each in data.query_ids], dtype=object)[data.query_codes]
    names = objects(document_names(data))
    first_row: dict[tuple[str, str], int] = {}
    for row, key in enumerate(zip(queries, names, strict=True)):
        earlier = first_row.setdefault(key, row)
        if earlier != row:
            raise ValueError(
                f"documents of a query must have different names; rows {earlier} and {row} "
                f"(counted from 0) of query {key[0]} are both called {key[1]!r}"
            )
    return queries, names


def _require_words(*columns: Sequence[Any] | Objects) -> None:
    for column in columns:
        for each in column:
            if not WORD.fullmatch(str(each)):
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
