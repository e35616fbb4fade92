"""How good rankings are: metrics as values, and the evaluation of scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, overload

import numpy as np
import numpy.typing as npt

from rankforest._core import Metric
from rankforest._frames import LIBRARIES, FrameLibrary, to_frame
from rankforest._judgements import Codes, Floats, Judged
from rankforest._parameters import thread_count
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


class CustomMetricLike(Protocol):
    """A metric written in Python, such as `rankforest.CustomMetric`."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    def __call__(self, grades: Floats, scores: Floats, offsets: Codes, /) -> float:
        """Evaluate queries; query i holds the documents [offsets[i], offsets[i + 1])."""


class Model(Protocol):
    """Whatever scores a data set."""

    def predict(self, X: Dataset, /) -> npt.ArrayLike:
        """Return a score for each row."""


class Evaluation(dict[str, float]):
    """The value of each metric, keyed as it was spelled.

    Attributes
    ----------
    n_queries : int
        Number of queries.
    n_empty : dict of str to int
        By metric, how many of them have no relevant document, whatever their value is taken to
        be. Metrics written in Python are not in it.
    """

    def __init__(
        self, values: Mapping[str, float], *, n_queries: int, n_empty: Mapping[str, int]
    ) -> None:
        super().__init__(values)
        self.n_queries = n_queries
        self.n_empty = dict(n_empty)


MetricLike = str | Metric | CustomMetricLike
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
    ``"map(threshold=2,empty=0)"``; capitals and blanks do not matter. Names, and the keys that
    each reads:

    ============  ================================================================================
    ndcg          DCG over that of the ideal ranking: gain, grade, discount, short, ideal, empty,
                  ties
    dcg           sum of gain times discount: gain, grade, discount, short, ideal, empty, ties
    meanndcg      mean of NDCG@1, ..., NDCG@n for n documents, no cutoff: gain, grade, discount,
                  empty, ties
    map           average precision: threshold, divisor, ideal, empty, ties
    err           expected reciprocal rank [1]_: gain, grade, gmax, ideal, empty, ties
    p             precision, always with a cutoff: threshold, divisor, ideal, empty, ties
    recall        share of the relevant documents in the first k, always with a cutoff: threshold,
                  ideal, empty, ties
    mrr           reciprocal rank of the first relevant document: threshold, ideal, empty, ties
    rbp           rank-biased precision [3]_: threshold, persistence, ideal, empty, ties
    auc           area under the ROC curve of each query, no cutoff: threshold, fpr, empty, ties
    pairaccuracy  share of the pairs of different grades in the right order, no cutoff: empty, ties
    kendalltau    rank correlation of scores and grades, no cutoff: variant, empty, ties
    rmse          root mean squared difference of score and grade over all documents, no cutoff
    ============  ================================================================================

    Keys, the default first:

    ===========  =================================================================================
    gain         ``exp2`` (2^grade - 1), ``linear`` (the grade), or gains of the grades 0, 1, ...
                 such as ``0;1;3`` (not for err)
    grade        ``real``: as it is; ``trunc``: cut to a whole number before the gain is looked up
    discount     ``log2``: 1 / log2(rank + 1); ``letor``: 1 at ranks 1 and 2, then 1 / log2(rank);
                 ``reciprocal``: 1 / rank
    threshold    ``>0``: grades above 0 are relevant; ``1``: grades from 1 on are
    divisor      of p: ``k``, or ``min``: min(k, documents); of map: ``min``: min(k, relevant
                 documents), ``relevant``: all relevant documents of the query, or ``found``: those
                 in the first k
    gmax         ``4``: the highest grade, ``query``: that of the query, ``data``: that of all
                 queries; a user stops with probability (2^grade - 1) / 2^gmax, or under
                 ``gain=linear`` grade / gmax
    persistence  ``0.8``: the probability with which a user goes on to the next document
    fpr          ``0;1``: from which to which false-positive rate the area is taken, such as
                 ``0;0.05``, whose area is at most 0.05 [4]_
    variant      ``b``: tau-b, as in SciPy, but 0 where all scores tie; ``a``: tau-a
    short        a query of fewer than k documents: ``whole`` takes what there is, ``zero`` counts 0
    ideal        ``judged``: the ideal ranking and the number of relevant documents come from all
                 judged documents, those of `judgements` where given; ``list``: from the ranked ones
    empty        a query without a relevant document (auc, pairaccuracy, kendalltau: without a pair
                 to order): ``skip``, or the value ``0``, ``0.5``, ``1``
    ties         ``average``: the expected value over all orders of equal scores [2]_;
                 ``pessimistic`` and ``optimistic``: lowest or highest grade first; ``input``: in
                 the order of the rows; ``reversed``: last row first; ``docno``: in descending order
                 of document ids; ``canonical``: in the order that training uses
    preset       the convention of another system: sets all other keys, which may be overridden
    ===========  =================================================================================

    Presets, which reproduce what these systems document, not their bugs (``metric/presets.hpp``
    lists the known ones that are left out):

    =========  ===================================================================================
    letor3     script of LETOR 3.0: gains 0, 1, 3, LETOR's discount, ties in file order, empty
               queries 0; ndcg, meanndcg, map, p
    letor4     script of LETOR 4.0: the same, and NDCG@k of a query of fewer than k documents is 0
    mslr       script of MSLR-WEB: the same for five grades, short queries as they are; grades from
               2 on are relevant to map and p; ndcg, map, p
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
        Grades, finite and >= 0, and queries. The rows of a query need not be neighbours. The
        weight of a query is the mean weight of its documents; it multiplies numerator and
        denominator of the mean over queries, for empty queries too.
    scores_or_model : array_like of shape (n_documents,), or object with ``predict``
        Scores, higher first, in the order of the rows; infinities are allowed, NaN is not. Or
        what gives them when its ``predict`` is called with the data set.
    metrics : str, Metric, CustomMetric or sequence of these
        What to measure.
    judgements : Dataset or tuple of (y, qid), optional
        Grades and queries of all judged documents, the ranked ones among them: TREC's qrels. Where
        given, the ideal ranking, the number of relevant documents and whether a query is empty
        come from them, unless a metric has ``ideal=list``; a query that they do not name is left
        out; queries that `data` does not have are ignored. Ranked documents without a judgement
        have grade 0.
    document_ids : iterable of shape (n_documents,), optional
        What ``ties=docno`` goes by: strings (other ids count as what ``str`` makes of them),
        compared byte by byte. By default those of the data set.
    per_query : bool or {"pandas", "polars", "pyarrow"}, default=False
        Whether to return the value of each query instead of the mean: in arrays, or in a data
        frame of that library, which must be installed.
    n_jobs : int, optional
        Threads. None and -1 are every core that the process may use. Changes no bit.

    Returns
    -------
    Evaluation, dict of str to ndarray, or data frame
        A dictionary of the means, keyed as the metrics were spelled; NaN where no query counts.
        Neither the order of rows nor the ids of queries change a bit of it, except under
        ``ties=input`` and ``ties=reversed``. With `per_query` the key, or the column of the data
        frame, "qid" has the id of each query, in the order of first appearance, and each metric the
        values, NaN where the query is skipped.

    Raises
    ------
    ValueError
        If a metric does not exist, a grade or weight is not finite and >= 0, a score is NaN, a
        metric has no value for a grade (of more than gmax, outside the table of gains, above 1023
        under exp2), ties need what is not there, or lengths differ.

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
    if not isinstance(per_query, bool) and per_query not in LIBRARIES:
        raise ValueError(
            f"per_query must be True, False or one of {', '.join(LIBRARIES)}, got {per_query!r}"
        )
    judged = Judged.of(data)
    scores = judged.scores(scores_or_model)
    n_threads = thread_count(n_jobs)
    spelled = {_name_of(each): _parsed(each) for each in _as_list(metrics)}
    of_core = {name: each for name, each in spelled.items() if isinstance(each, Metric)}
    found = judged.measure(
        list(of_core.values()),
        scores,
        judgements=judgements,
        document_ids=document_ids,
        n_threads=n_threads,
    )
    results = {
        name: _Result(each.mean, each.values, each.n_empty)
        for name, each in zip(of_core, found, strict=True)
    }
    for name, metric in spelled.items():
        if not isinstance(metric, Metric):
            results[name] = _call(judged, metric, scores, per_query=bool(per_query))
    results = {name: results[name] for name in spelled}
    if per_query:
        columns = {"qid": judged.query_ids, **{name: r.values for name, r in results.items()}}
        return columns if isinstance(per_query, bool) else to_frame(columns, per_query)
    return Evaluation(
        {name: r.mean for name, r in results.items()},
        n_queries=len(judged.query_ids),
        n_empty={name: r.n_empty for name, r in results.items() if r.n_empty is not None},
    )


@dataclass(frozen=True)
class _Result:
    """What one metric says."""

    mean: float
    values: Floats
    n_empty: int | None


def _call(judged: Judged, metric: CustomMetricLike, scores: Floats, *, per_query: bool) -> _Result:
    """Evaluate a metric in Python, over all queries or on each alone."""
    order, offsets, codes = judged.grouped()
    y, scores = judged.y[order], scores[order]
    if not per_query:
        return _Result(float(metric(y, scores, offsets)), np.empty(0), None)
    values = np.empty(len(codes))
    for i, code in enumerate(codes):
        query = slice(offsets[i], offsets[i + 1])
        alone = np.array([0, offsets[i + 1] - offsets[i]], dtype=np.uint32)
        values[code] = metric(y[query], scores[query], alone)
    return _Result(np.nan, values, None)


def _as_list(metrics: object) -> list[Any]:
    """Return metrics, checked to be such, in a list."""
    several = isinstance(metrics, Sequence) and not isinstance(metrics, str)
    found = list(metrics) if several else [metrics]  # type: ignore[call-overload]
    if not found:
        raise ValueError("metrics must name at least one metric, got none")
    for metric in found:
        is_custom = callable(metric) and isinstance(getattr(metric, "name", None), str)
        if not isinstance(metric, (str, Metric)) and not is_custom:
            raise ValueError(
                "metrics must be spellings such as 'ndcg@10', Metrics or CustomMetrics, got "
                f"{metric!r}"
            )
    return found


def _parsed(metric: MetricLike) -> Metric | CustomMetricLike:
    return Metric(metric) if isinstance(metric, str) else metric


def _name_of(metric: MetricLike) -> str:
    """Return the key of a metric in results: as it was spelled."""
    if isinstance(metric, str):
        return metric
    return str(metric) if isinstance(metric, Metric) else metric.name
