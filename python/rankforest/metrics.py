"""Metrics of rankings, and the evaluation of scores by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from rankforest._core import Metric
from rankforest._evaluation.judgements import Floats, Judged
from rankforest._evaluation.metric_arguments import (
    CustomMetricLike,
    MetricLike,
    named_metrics,
    refuse_ties_by_id,
)
from rankforest._evaluation.scores import Model
from rankforest._settings.parameters import thread_count
from rankforest._support.frames import LIBRARIES, FrameLibrary, to_frame
from rankforest._support.tables import Cell, Table, html_of
from rankforest.data import Dataset

__all__ = [
    "AUC",
    "DCG",
    "ERR",
    "MAP",
    "MRR",
    "NDCG",
    "RBP",
    "RMSE",
    "Evaluation",
    "KendallTau",
    "MeanNDCG",
    "Metric",
    "P",
    "PairAccuracy",
    "Recall",
    "evaluate",
]

NDCG = Metric("ndcg")
DCG = Metric("dcg")
MeanNDCG = Metric("meanndcg")
MAP = Metric("map")
ERR = Metric("err")
MRR = Metric("mrr")
RBP = Metric("rbp")
AUC = Metric("auc")
PairAccuracy = Metric("pairaccuracy")
KendallTau = Metric("kendalltau")
RMSE = Metric("rmse")


class _AtCutoff:
    """A metric that exists at a cutoff only: ``P @ 10``."""

    def __init__(self, measure: str, constant: str) -> None:
        self._measure = measure
        self._constant = constant

    def __matmul__(self, cutoff: int) -> Metric:
        return Metric(f"{self._measure}@{cutoff}")

    def __repr__(self) -> str:
        return self._constant


P = _AtCutoff("p", "P")
Recall = _AtCutoff("recall", "Recall")


class Evaluation(dict[str, float]):
    """A dictionary with the value of each metric; its keys are the metrics as they were spelled.

    Attributes
    ----------
    n_queries : int
        Number of queries.
    n_empty : dict of str to int
        For each metric, the number of queries without a relevant document. The metric's key
        ``empty`` decides how they count. Metrics written in Python are not in it.
    """

    def __init__(
        self, values: Mapping[str, float], *, n_queries: int, n_empty: Mapping[str, int]
    ) -> None:
        super().__init__(values)
        self.n_queries = n_queries
        self.n_empty = dict(n_empty)

    def _repr_html_(self) -> str:
        rows = [
            (Cell(name), Cell(f"{value:.4f}"), Cell(f"{self.n_empty.get(name, '')}"))
            for name, value in self.items()
        ]
        table = Table(("metric", "value", "queries without a relevant document"), tuple(rows))
        return html_of([table], [f"{self.n_queries:,} queries"])


# (y, qid) or (y, qid, weight).
Judgements = tuple[npt.ArrayLike, npt.ArrayLike] | tuple[npt.ArrayLike, npt.ArrayLike, object]


@overload
def evaluate(
    data: Dataset | Judgements,
    scores_or_model: npt.ArrayLike | Model,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    judgements: Dataset | Judgements | None = ...,
    document_ids: Iterable[object] | None = ...,
    per_query: Literal[False] = ...,
    n_jobs: int | None = ...,
) -> Evaluation: ...
@overload
def evaluate(
    data: Dataset | Judgements,
    scores_or_model: npt.ArrayLike | Model,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    judgements: Dataset | Judgements | None = ...,
    document_ids: Iterable[object] | None = ...,
    per_query: Literal[True],
    n_jobs: int | None = ...,
) -> dict[str, npt.NDArray[Any]]: ...
@overload
def evaluate(
    data: Dataset | Judgements,
    scores_or_model: npt.ArrayLike | Model,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    judgements: Dataset | Judgements | None = ...,
    document_ids: Iterable[object] | None = ...,
    per_query: FrameLibrary,
    n_jobs: int | None = ...,
) -> Any: ...
def evaluate(
    data: Dataset | Judgements,
    scores_or_model: npt.ArrayLike | Model,
    metrics: MetricLike | Sequence[MetricLike],
    *,
    judgements: Dataset | Judgements | None = None,
    document_ids: Iterable[object] | None = None,
    per_query: bool | FrameLibrary = False,
    n_jobs: int | None = None,
) -> Any:
    """Measure how well scores rank the documents of each query.

    A metric is spelled ``name[@k][(key=value,...)]``, such as ``"ndcg@10"`` or
    ``"map(threshold=2,empty=0)"``. The cutoff may also stand at the end: ``"AP(rel=2)@10"``.
    Capitals and blanks do not matter. These are the names, with the keys that each takes:

    ============  ================================================================================
    ndcg          DCG over that of the ideal ranking: gain, grade, discount, short, ideal, empty,
                  ties
    dcg           sum of gain times discount: gain, grade, discount, short, ideal, empty, ties
    meanndcg      mean of NDCG@1, ..., NDCG@n for n documents, no cutoff: gain, grade, discount,
                  empty, ties
    map, ap       average precision: threshold, divisor, ideal, empty, ties
    err           expected reciprocal rank [1]_: gain, grade, gmax, ideal, empty, ties
    p, precision  share of relevant documents in the first k, always with a cutoff: threshold,
                  divisor, ideal, empty, ties
    recall, r     share of the relevant documents that are in the first k, always with a cutoff:
                  threshold, ideal, empty, ties
    mrr, rr       reciprocal rank of the first relevant document: threshold, ideal, empty, ties
    rbp           rank-biased precision [3]_: threshold, persistence, ideal, empty, ties
    auc           area under the ROC curve of each query, no cutoff: threshold, fpr, empty, ties
    pairaccuracy  share of the pairs of different grades in the right order, no cutoff: empty, ties
    kendalltau    rank correlation of scores and grades, no cutoff: variant, empty, ties
    rmse          root mean squared difference of score and grade over all documents, no cutoff
    ============  ================================================================================

    These are the keys, the default value first:

    ===========  =================================================================================
    gain         ``exp2`` (2^grade - 1), ``linear`` (the grade), or the gains of the grades 0, 1,
                 ..., such as ``0;1;3`` (not for err)
    grade        ``real``: used as it is; ``trunc``: first cut to a whole number
    discount     ``log2``: 1 / log2(rank + 1); ``letor``: 1 at ranks 1 and 2, then 1 / log2(rank);
                 ``reciprocal``: 1 / rank
    threshold    ``>0``: grades above 0 are relevant; ``1``: grades of at least 1 are; also
                 spelled ``rel``
    divisor      of p: ``k``, or ``min``: min(k, documents); of map: ``min``: min(k, relevant
                 documents), ``relevant``: all relevant documents of the query, or ``found``: those
                 in the first k
    gmax         ``4``: the highest grade, ``query``: that of the query, ``data``: that of all
                 queries; a user stops with probability (2^grade - 1) / 2^gmax, or under
                 ``gain=linear`` grade / gmax
    persistence  ``0.8``: the probability with which a user goes on to the next document; also
                 spelled ``p``
    fpr          ``0;1``: the range of false-positive rates whose area is taken; ``0;0.05`` gives
                 at most 0.05 [4]_
    variant      ``b``: tau-b, as in SciPy, but 0 where all scores tie; ``a``: tau-a
    short        the value of a query of fewer than k documents: ``whole``: that of its whole list;
                 ``zero``: 0
    ideal        which documents the ideal ranking and the number of relevant documents come from:
                 ``judged``: all judged ones, those of `judgements` where given; ``list``: the ranked
                 ones
    empty        a query without a relevant document (auc, pairaccuracy, kendalltau: without a pair
                 to order): ``skip`` leaves it out; ``0``, ``0.5`` and ``1`` are its value
    ties         ``average``: the expected value over all orders of equal scores [2]_;
                 ``pessimistic`` and ``optimistic``: lowest or highest grade first; ``input``: in
                 the order of the rows; ``reversed``: last row first; ``docno``: in descending order
                 of document ids; ``canonical``: in the order that training uses
    preset       another system's convention: sets all keys, of which others may be set again
    ===========  =================================================================================

    These are the presets. They reproduce what each system documents, not its bugs; the known bugs
    are listed in ``metric/presets.hpp``:

    =========  ===================================================================================
    letor3     script of LETOR 3.0: gains 0, 1, 3, LETOR's discount, ties in file order, empty
               queries 0; ndcg, meanndcg, map, p
    letor4     script of LETOR 4.0: as letor3, but NDCG@k of a query of fewer than k documents is 0
    mslr       script of MSLR-WEB: as letor3, but for five grades; for map and p, grades of at
               least 2 are relevant; ndcg, map, p
    trec_eval  linear gain, ties by document id, ideal and relevant documents of all `judgements`,
               grades from 1 on relevant, empty queries 0; ndcg, map, p, recall, mrr
    gdeval     script of the TREC Web tracks: grades 0 to 4, ties by document id, ideal of all
               `judgements`, empty queries left out; ndcg, err (there @20)
    ranklib    grades cut to whole numbers for gains, empty queries 0, ties in input order, p over
               min(k, documents); ndcg, dcg, map, err, p, mrr
    quickrank  empty queries 0, MAP@k over the relevant documents found; ndcg, dcg, map
    lightgbm   empty queries 1, ties in input order, grades above 0.5 relevant to map; ndcg, map
    xgboost    empty queries 1 (p: 0), ties in input order; ndcg, map, p (there: ``pre``)
    xgboost-   its metric names that end in ``-``: empty queries 0
    catboost   linear gain, ties in ascending order of grade, grades above 0.5 relevant, grades as
               stop probabilities of err, empty queries 0 (ndcg, recall: 1); ndcg, dcg, map, err, p,
               recall, mrr
    sklearn    ``ndcg_score`` and ``dcg_score``: linear gain, ties averaged, empty queries 0
    ydf        ties averaged, empty queries 0; ndcg (there @5), mrr (there @10)
    rankeval   ties in reversed input order, empty queries 1 for ndcg and map, else 0; ERR's gmax
               is the query's highest grade; dcg has linear gain; ndcg, dcg, map, err, p, recall,
               mrr, rbp, kendalltau
    =========  ===================================================================================

    Parameters
    ----------
    data : Dataset or tuple of (y, qid) or (y, qid, weight)
        Grades, finite and >= 0, and queries, both for each document. The documents of a query may
        be in any rows. Weights are those of documents or, in the order of their first documents,
        of queries. The weight of a query is the mean weight of its documents; results are weighted
        means over queries, empty ones included.
    scores_or_model : array_like of shape (n_documents,), or object with ``predict``
        Scores in the order of the rows; higher scores rank first. Infinities are allowed, NaN is
        not. Or a model, which needs a Dataset: of rankforest, or any other whose ``predict(X)``
        returns a score for each row of a float32 array, such as ``LGBMRanker``.
    metrics : str, Metric, CustomMetric, measure of ir_measures, or sequence of these
        What to measure. Measures such as ``ir_measures.nDCG @ 10`` follow the conventions of
        ir_measures: mostly those of trec_eval, with ties by document id, which need
        `document_ids`. Texts such as ``"nDCG@10"`` follow the conventions above.
    judgements : Dataset or tuple of (y, qid), optional
        Grades and queries of all judged documents, such as TREC's qrels; they include the ranked
        documents. Where given, the ideal ranking and the number of relevant documents come from
        them, unless a metric has ``ideal=list``. Queries that only one side has are left out.
        Ranked documents without a judgement have grade 0.
    document_ids : iterable of shape (n_documents,), optional
        Ids of the documents, by which ``ties=docno`` orders equal scores: converted by ``str`` and
        compared byte by byte. By default those of the data set.
    per_query : bool or {"pandas", "polars", "pyarrow", "arrow"}, default=False
        Whether to return the value of each query instead of the mean: True for arrays, or the name
        of an installed library for one of its data frames.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    Evaluation, dict of str to ndarray, or data frame
        A dictionary from each metric, as it was spelled, to its mean; NaN where no query counts.
        The order of the rows and the ids of queries never change a mean, except under
        ``ties=input`` and ``ties=reversed``. With `per_query`, each metric has an array, or a
        column, with the value of each query, NaN where the query is skipped. "qid" has the ids of
        the queries, in the order of first appearance.

    Raises
    ------
    ValueError
        If a metric does not exist, if a grade is not finite and >= 0, if a weight is not from 0 to
        1e30, if all weights are below 1e-30, if a score is NaN, if lengths differ, or if ties are to be broken by document ids that
        are not there. Also if a metric has no value for a grade: above gmax, outside the table of
        gains, or above 1023 under exp2.

    Warns
    -----
    UserWarning
        If grades are so far apart that under ``gain=exp2`` only the highest ones count. If the
        queries of a tuple look like weights, or each document is a query of its own.

    References
    ----------
    .. [1] O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, "Expected reciprocal rank for graded
       relevance", CIKM 2009.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures
       efficiently in the presence of tied scores", ECIR 2008.
    .. [3] A. Moffat and J. Zobel, "Rank-biased precision for measurement of retrieval
       effectiveness", TOIS 2008.
    .. [4] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", 2010, section 6.2.

    Examples
    --------
    >>> from rankforest import evaluate
    >>> y, qid = [0, 2, 1, 0, 0], ["a", "a", "a", "b", "b"]
    >>> values = evaluate((y, qid), [0.3, 0.9, 0.5, 0.1, 0.7], ["ndcg@2", "map(empty=0)"])
    >>> values
    {'ndcg@2': 1.0, 'map(empty=0)': 0.5}
    >>> values.n_empty
    {'ndcg@2': 1, 'map(empty=0)': 1}
    >>> evaluate((y, qid), [0.3, 0.9, 0.5, 0.1, 0.7], "map(empty=0)", per_query="pandas")
      qid  map(empty=0)
    0   a           1.0
    1   b           0.0
    """
    require_per_query(per_query)
    judged, spelled = Judged.of(data), named_metrics(metrics)
    results = measured(
        judged,
        judged.scores(scores_or_model),
        spelled,
        judgements=judgements,
        document_ids=document_ids,
        per_query=bool(per_query),
        n_threads=thread_count(n_jobs),
    )
    judged.warn("evaluate", spelled.values())
    return as_asked(judged, results, per_query)


@dataclass(frozen=True)
class Measured:
    """What one metric says."""

    mean: float
    values: Floats
    n_empty: int | None


def measured(
    judged: Judged,
    scores: Floats,
    spelled: Mapping[str, Metric | CustomMetricLike],
    *,
    judgements: object = None,
    document_ids: Iterable[object] | None = None,
    per_query: bool = False,
    n_threads: int,
) -> dict[str, Measured]:
    """Return what each metric says of scores, without a warning."""
    of_core = {name: each for name, each in spelled.items() if isinstance(each, Metric)}
    require_ids(judged, spelled, document_ids)
    found = judged.measure(
        list(of_core.values()),
        scores,
        judgements=judgements,
        document_ids=document_ids,
        n_threads=n_threads,
    )
    results = {
        name: Measured(each.mean, each.values, each.n_empty)
        for name, each in zip(of_core, found, strict=True)
    }
    for name, metric in spelled.items():
        if not isinstance(metric, Metric):
            results[name] = _call(judged, metric, scores, per_query=per_query)
    return {name: results[name] for name in spelled}


def require_ids(
    judged: Judged, spelled: Mapping[str, object], document_ids: Iterable[object] | None
) -> None:
    """Raise a ValueError if a metric needs the ids of documents, and there are none."""
    if document_ids is None and (judged.data is None or judged.data.document_ids is None):
        refuse_ties_by_id(spelled)


def require_per_query(per_query: object) -> None:
    """Raise a ValueError unless `per_query` is one of its values."""
    if not isinstance(per_query, bool) and per_query not in LIBRARIES:
        raise ValueError(
            f"per_query must be True, False or one of {', '.join(LIBRARIES)}, got {per_query!r}"
        )


def as_asked(
    judged: Judged, results: Mapping[str, Measured], per_query: bool | FrameLibrary
) -> Any:
    """Return results as `evaluate` does: means, or the values of each query."""
    if per_query:
        columns = {"qid": judged.query_ids, **{name: r.values for name, r in results.items()}}
        return columns if isinstance(per_query, bool) else to_frame(columns, per_query)
    return Evaluation(
        {name: r.mean for name, r in results.items()},
        n_queries=len(judged.query_ids),
        n_empty={name: r.n_empty for name, r in results.items() if r.n_empty is not None},
    )


def _call(judged: Judged, metric: CustomMetricLike, scores: Floats, *, per_query: bool) -> Measured:
    """Evaluate a metric in Python, over all queries or on each alone."""
    order, offsets, codes = judged.grouped()
    y, scores = judged.y[order], scores[order]
    if not per_query:
        return Measured(float(metric(y, scores, offsets)), np.empty(0), None)
    values = np.empty(len(codes))
    for i, code in enumerate(codes):
        query = slice(offsets[i], offsets[i + 1])
        alone = np.array([0, offsets[i + 1] - offsets[i]], dtype=np.uint32)
        values[code] = metric(y[query], scores[query], alone)
    return Measured(np.nan, values, None)
