"""Which metric of ours is which metric of another system, and in which cases.

Each cell of the table, one metric in one case, has a verdict, and each verdict is a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest
from peer_cases import CASES, Floats, QuerySet, query_sets
from peer_systems import PEERS

import rankforest

FLOAT64 = 1e-12
FLOAT32 = 1e-6
FIVE_DIGITS = 0.500001e-5  # what rounding to five digits behind the point may take away

#: What a metric gets that does not take every grade. The quotients are exact.
GRADES: Mapping[str, Callable[[Floats], Floats]] = {
    "all": lambda grades: grades,
    "0 and 1": lambda grades: (grades > 0).astype(float),
    "64ths": lambda grades: grades / 64,
}


@dataclass(frozen=True)
class Row:
    """A metric of a peer and ours."""

    peer: str
    name: str  #: the peer's own
    metric: str  #: ours
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)  #: by case; else equal
    tolerance: float = FLOAT64
    grades: str = "all"  #: key of GRADES: what both get in place of the grades of the case

    def sets(self, case: str) -> tuple[QuerySet, ...]:
        return _sets(case, self.grades)

    def theirs(self, case: str) -> Floats:
        names = tuple(row.name for row in self._comparable(case) if row.peer == self.peer)
        return _theirs(self.peer, names, case, self.grades)[self.name]

    def ours(self, case: str, *ties: str) -> Floats:
        """Our value for each query set, or that under another rule for ties."""
        if ties:
            metrics = (with_key(self.metric, "ties", *ties),)
        else:
            metrics = tuple(dict.fromkeys(row.metric for row in self._comparable(case)))
        return _ours(metrics, case, self.grades)[metrics[0] if ties else self.metric]

    def verdict(self, case: str) -> Verdict:
        return self.verdicts.get(case, EQUAL)

    def _comparable(self, case: str) -> list[Row]:
        """List the rows whose values are needed for the same query sets."""
        return [
            row
            for row in ROWS
            if row.grades == self.grades and not isinstance(row.verdict(case), Refuses)
        ]


@cache
def _sets(case: str, grades: str) -> tuple[QuerySet, ...]:
    change = GRADES[grades]
    return tuple(replace(queries, grades=change(queries.grades)) for queries in query_sets(case))


@cache
def _theirs(peer: str, names: tuple[str, ...], case: str, grades: str) -> dict[str, Floats]:
    sets = _sets(case, grades)
    values = PEERS[peer].measure(sets, names)
    return {name: np.array(values[name], dtype=float) for name in names}


@cache
def _ours(metrics: tuple[str, ...], case: str, grades: str) -> dict[str, Floats]:
    sets = _sets(case, grades)
    values = [
        rankforest.evaluate(
            queries.judgements(),
            queries.scores,
            metrics,
            document_ids=queries.document_ids,
            n_jobs=1,
        )
        for queries in sets
    ]
    return {metric: np.array([each[metric] for each in values]) for metric in metrics}


def mean(queries: QuerySet, metric: str) -> float:
    values = rankforest.evaluate(queries.judgements(), queries.scores, metric, n_jobs=1)
    return values[metric]


def with_key(metric: str, key: str, value: str) -> str:
    """Override a key of a metric."""
    name, _, rest = metric.removesuffix(")").partition("(")
    kept = [pair for pair in rest.split(",") if pair and pair.partition("=")[0] != key]
    return f"{name}({','.join([*kept, f'{key}={value}'])})"


def _far_apart(a: Floats, b: Floats) -> bool:
    """Whether values differ by more than any rounding."""
    return bool((np.abs(a - b) > 1e-3).any())


@dataclass(frozen=True)
class Equal:
    """The two agree on every query set."""

    def check(self, row: Row, case: str) -> None:
        np.testing.assert_allclose(row.theirs(case), row.ours(case), rtol=0, atol=row.tolerance)


@dataclass(frozen=True)
class Differs:
    """They disagree, and what the peer does instead explains its value on every query set."""

    reason: str
    #: The peer's value, from query set and our metric; None where it depends on an unstable sort.
    model: Callable[[QuerySet, str], float] | None

    def check(self, row: Row, case: str) -> None:
        theirs = row.theirs(case)
        assert _far_apart(theirs, row.ours(case))
        if self.model is not None:
            model = [self.model(queries, row.metric) for queries in row.sets(case)]
            np.testing.assert_allclose(theirs, model, rtol=0, atol=row.tolerance)


@dataclass(frozen=True)
class Arbitrary:
    """The peer puts equal scores in an order of its own, and its value lies within the ties'."""

    reason: str

    def check(self, row: Row, case: str) -> None:
        theirs = row.theirs(case)
        low, high = row.ours(case, "pessimistic"), row.ours(case, "optimistic")
        assert (low - row.tolerance <= theirs).all()
        assert (theirs <= high + row.tolerance).all()
        assert _far_apart(theirs, row.ours(case))


@dataclass(frozen=True)
class Refuses:
    """The peer raises an error in this case."""

    reason: str
    message: str  #: a regular expression that its error matches

    def check(self, row: Row, case: str) -> None:
        with pytest.raises(Exception, match=self.message):
            _theirs(row.peer, (row.name,), case, "all")


Verdict = Equal | Differs | Arbitrary | Refuses
EQUAL = Equal()


def _of(change: Callable[[QuerySet], QuerySet]) -> Callable[[QuerySet, str], float]:
    """Model a peer by other query sets."""
    return lambda queries, metric: mean(change(queries), metric)


def _empty_counts_once(queries: QuerySet, metric: str) -> float:
    """Add 1 for an empty query and its weight to the divisor."""
    metric = with_key(metric, "empty", "skip")
    values = rankforest.evaluate(
        (queries.grades, queries.qid), queries.scores, metric, per_query=True
    )[metric]
    weighted = np.where(np.isnan(values), 1, values * queries.weights)
    return float(weighted.sum() / queries.weights.sum())


def _mean_over(value: Callable[[Floats, Floats], float]) -> Callable[[QuerySet, str], float]:
    """Model a peer by the value of each query, from grades and scores; NaN is left out."""

    def model(queries: QuerySet, _metric: str) -> float:
        values = np.array([value(*query) for query in queries.queries()])
        return float(values[~np.isnan(values)].mean()) if (~np.isnan(values)).any() else np.nan

    return model


def _auc_of_all_pairs(grades: Floats, scores: Floats) -> float:
    """XGBoost's: pairs of equal grades count too, as if the earlier document were better."""
    ranked = scores[np.argsort(-grades, kind="stable")]
    better, worse = np.triu_indices(len(ranked), 1)
    differences = ranked[better] - ranked[worse]
    return (
        float(np.mean((differences > 0) + 0.5 * (differences == 0))) if len(ranked) > 2 else np.nan
    )


def _curve(grades: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """How many documents that are relevant, and that are not, stand above each tied block."""
    blocks = -np.unique(-scores)
    above = [[0.0, 0.0]]
    above += [[(grades[scores >= s] > 0).sum(), (grades[scores >= s] == 0).sum()] for s in blocks]
    relevant, other = np.array(above).T
    return relevant, other


def _precision_by_blocks(grades: Floats, scores: Floats) -> float:
    """scikit-learn's average precision: a tied block has the precision at its end throughout."""
    relevant, other = _curve(grades, scores)
    precision = relevant[1:] / (relevant + other)[1:]
    return float((np.diff(relevant) * precision).sum() / relevant[-1])


def _area_of_lines(grades: Floats, scores: Floats) -> float:
    """scikit-learn's area up to a false-positive rate of 0.25: a tied block is a straight line."""
    relevant, other = _curve(grades, scores)
    if not relevant[-1] or not other[-1]:
        return np.nan
    hits, alarms = relevant / relevant[-1], other / other[-1]
    inside = alarms < 0.25
    x = np.append(alarms[inside], 0.25)
    # Of several points at one rate the last is where the next line begins.
    after = int(inside.sum())
    share = (0.25 - alarms[after - 1]) / (alarms[after] - alarms[after - 1])
    y = np.append(hits[inside], hits[after - 1] + share * (hits[after] - hits[after - 1]))
    return float((np.diff(x) * (y[1:] + y[:-1]) / 2).sum())


def _without_constant_scores(queries: QuerySet, metric: str) -> float:
    """Leave out queries whose scores are all equal."""
    metric_of = (
        mean(replace(queries, grades=y, scores=s, sizes=np.array([len(y)])), metric)
        for y, s in queries.queries()
        if len(set(s)) > 1
    )
    values = [value for value in metric_of if not np.isnan(value)]
    return float(np.mean(values)) if values else np.nan


_UNSTABLE = "equal scores stand in the order of an unstable sort"

_REAL = "real grades"
_LARGE = "large grades"
_ABOVE_31 = "grades above 31"
_WEIGHTED = "weighted queries"

_BINARY_ONLY = {
    case: Refuses("takes the grades 0 and 1 only", "can only be used with binary labels")
    for case in (_REAL, _LARGE, _ABOVE_31)
}
_WHOLE_ONLY = {_REAL: Refuses("takes whole grades only", "Expected relevance to be integer")}
_GDEVAL = {
    case: Refuses("takes whole grades up to 4 only", "gdeval.pl")
    for case in (_REAL, _LARGE, _ABOVE_31)
}
_WEIGHTS_IGNORED = {
    _WEIGHTED: Differs("ignores weights of groups", _of(lambda q: replace(q, weights=None)))
}
_RANX = {
    _REAL: Differs("truncates grades", _of(lambda q: replace(q, grades=np.floor(q.grades)))),
    "ties": Arbitrary(_UNSTABLE),
}

_LIGHTGBM_NDCG = {
    _REAL: Refuses("takes whole grades only", "label should be int type"),
    _ABOVE_31: Refuses("has gains for grades up to 30", "Label 40 is not less than"),
    _WEIGHTED: Differs("an empty query adds 1, and not its weight", _empty_counts_once),
}
_XGBOOST_NDCG = {
    _REAL: Refuses("takes whole grades only", "label_is_integer"),
    _ABOVE_31: Refuses("takes grades up to 31", "lesser than or equal to 31"),
}
_XGBOOST_WEIGHTED = {
    _WEIGHTED: Refuses(
        "an empty query adds 1, and not its weight; a mean above 1 is an error",
        "Invalid output score",
    )
}
_XGBOOST_AUC = {
    case: Differs(
        "counts pairs of equal grades, leaves out queries of fewer than 3 documents, ignores weights",
        _mean_over(_auc_of_all_pairs),
    )
    for case in CASES
    if case != "single documents"
}
_SKLEARN_AP = {
    "ties": Differs(
        "a tied block has the precision at its end throughout", _mean_over(_precision_by_blocks)
    )
}
_SKLEARN_PARTIAL = {
    "ties": Differs(
        "takes a tied block for a straight line, and not for the mean of the steps of all orders",
        _mean_over(_area_of_lines),
    )
}
_SCIPY_TAU = {"ties": Differs("has no value where all scores tie", _without_constant_scores)}
_CWL = {"ties": Arbitrary(_UNSTABLE)}
_RANX_TIES = {"ties": Arbitrary(_UNSTABLE)}
_SKLEARN_NDCG = {
    "single documents": Refuses(
        "takes no query of one document", "only meaningful when there is more than 1 document"
    )
}
_YDF_TIES = {"ties": Arbitrary(_UNSTABLE)}

ROWS = (
    Row("lightgbm", "ndcg@3", "ndcg@3(preset=lightgbm)", _LIGHTGBM_NDCG),
    Row("lightgbm", "ndcg@10", "ndcg@10(preset=lightgbm)", _LIGHTGBM_NDCG),
    Row("lightgbm", "map@3", "map@3(preset=lightgbm)"),
    Row("lightgbm", "map@10", "map@10(preset=lightgbm)"),
    Row("xgboost", "ndcg@10", "ndcg@10(preset=xgboost)", _XGBOOST_NDCG | _XGBOOST_WEIGHTED),
    Row("xgboost", "ndcg@10-", "ndcg@10(preset=xgboost-)", _XGBOOST_NDCG),
    Row("xgboost", "map@3", "map@3(preset=xgboost)", _BINARY_ONLY, grades="0 and 1"),
    Row("xgboost", "map@10-", "map@10(preset=xgboost-)", _BINARY_ONLY, grades="0 and 1"),
    Row("xgboost", "pre@3", "p@3(preset=xgboost)", _BINARY_ONLY, grades="0 and 1"),
    Row("xgboost", "auc", "auc", _XGBOOST_AUC, grades="0 and 1"),
    Row("catboost", "NDCG:top=10", "ndcg@10(preset=catboost)"),
    Row("catboost", "NDCG:top=3;type=Exp", "ndcg@3(preset=catboost,gain=exp2)"),
    Row("catboost", "DCG:top=10", "dcg@10(preset=catboost)"),
    Row(
        "catboost",
        "MAP:top=3",
        "map@3(preset=catboost)",
        _WEIGHTS_IGNORED,
    ),
    Row(
        "catboost",
        "PrecisionAt:top=3",
        "p@3(preset=catboost)",
        _WEIGHTS_IGNORED,
    ),
    Row("catboost", "MRR", "mrr(preset=catboost)"),
    Row("catboost", "ERR:top=10", "err@10(preset=catboost)", {}, grades="64ths"),
    Row("catboost", "RecallAt:top=3", "recall@3(preset=catboost)", _WEIGHTS_IGNORED),
    Row("sklearn", "ndcg_score, k=10", "ndcg@10(preset=sklearn)", _SKLEARN_NDCG),
    Row("sklearn", "average_precision_score", "map(empty=0)", _SKLEARN_AP, grades="0 and 1"),
    Row("sklearn", "roc_auc_score", "auc", grades="0 and 1"),
    Row(
        "sklearn",
        "roc_auc_score, max_fpr=0.25",
        "auc(fpr=0;0.25)",
        _SKLEARN_PARTIAL,
        grades="0 and 1",
    ),
    Row("scipy", "kendalltau", "kendalltau", _SCIPY_TAU),
    Row("ydf", "ndcg@5", "ndcg@5(preset=ydf)", tolerance=FLOAT32),
    Row("ydf", "mrr@10", "mrr@10(preset=ydf)", _YDF_TIES, FLOAT32),
    Row("ydf", "map@100", "map(threshold=>0.5,empty=0)", _YDF_TIES, FLOAT32),
    Row(
        "ydf",
        "map@5",
        "map@5(threshold=>0.5,divisor=found,empty=0)",
        {"ties": Differs(_UNSTABLE, None)},  # an order's value may lie outside of those of the ties
        FLOAT32,
    ),
    Row("fastrank", "ndcg@10", "ndcg@10(empty=0,ties=pessimistic)"),
    Row("fastrank", "map", "map(empty=0,ties=pessimistic)"),
    Row("fastrank", "mrr", "mrr(empty=0,ties=pessimistic)"),
    Row("pytrec_eval", "ndcg", "ndcg(preset=trec_eval)", _WHOLE_ONLY),
    Row("pytrec_eval", "ndcg_cut_10", "ndcg@10(preset=trec_eval)", _WHOLE_ONLY),
    Row("pytrec_eval", "map", "map(preset=trec_eval)", _WHOLE_ONLY),
    Row(
        "pytrec_eval",
        "map_cut_3",
        "map@3(preset=trec_eval)",
        _WHOLE_ONLY,
    ),
    Row("pytrec_eval", "P_3", "p@3(preset=trec_eval)", _WHOLE_ONLY),
    Row("pytrec_eval", "recall_3", "recall@3(preset=trec_eval)", _WHOLE_ONLY),
    Row("pytrec_eval", "recip_rank", "mrr(preset=trec_eval)", _WHOLE_ONLY),
    Row("ir_measures", "ndcg@10", "ndcg@10(preset=gdeval)", _GDEVAL, FIVE_DIGITS),
    Row("ir_measures", "err@10", "err@10(preset=gdeval)", _GDEVAL, FIVE_DIGITS),
    Row("ranx", "ndcg@10", "ndcg@10(gain=linear,empty=0,ties=input)", _RANX),
    Row("ranx", "ndcg_burges@10", "ndcg@10(empty=0,ties=input)", _RANX),
    Row("ranx", "map@3", "map@3(divisor=relevant,empty=0,ties=input)", _RANX),
    Row("ranx", "precision@3", "p@3(empty=0,ties=input)", _RANX),
    Row("cwl", "RBP(rel=1,p=0.8)", "rbp(threshold=1,empty=0,ties=docno)", _CWL),
    Row("ranx", "recall@3", "recall@3(empty=0,ties=input)", _RANX),
    Row("ranx", "rbp.80", "rbp(empty=0,ties=input)", _RANX_TIES, grades="0 and 1"),
    Row("ranx", "mrr", "mrr(empty=0,ties=input)", _RANX),
)
