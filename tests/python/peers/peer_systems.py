"""How to ask other systems for the value of their metrics on scores made elsewhere.

Each function takes query sets and the peer's own names of metrics, and returns for each name the
mean over the queries of each set. Where a system has values of single queries only, or no weights,
the mean is ours. A system's error is the caller's.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from peer_cases import Floats, QuerySet

Values = dict[str, list[float]]
Measure = Callable[[Sequence[QuerySet], Sequence[str]], Values]


def _mean(values: Sequence[float], queries: QuerySet) -> float:
    """Take the mean over queries; NaN is a query that the system leaves out."""
    counts = ~np.isnan(values)
    if not counts.any():
        return np.nan
    weights = np.ones(len(counts)) if queries.weights is None else queries.weights
    return float(np.average(np.array(values)[counts], weights=weights[counts]))


def _of_rows(queries: QuerySet) -> Floats | None:
    return None if queries.weights is None else np.repeat(queries.weights, queries.sizes)


def lightgbm(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    """Evaluate a model without trees, to which the scores are the initial ones."""
    import lightgbm

    lightgbm.register_logger(_Silent())
    kinds, cutoffs = zip(*(name.split("@") for name in names), strict=True)
    parameters = {
        "objective": "none",
        "metric": sorted(set(kinds)),
        "eval_at": sorted(map(int, set(cutoffs))),
        "num_threads": 1,
        "verbosity": -1,
    }

    def dataset(queries: QuerySet, reference: object = None) -> lightgbm.Dataset:
        return lightgbm.Dataset(
            np.zeros((len(queries.grades), 1)),
            label=queries.grades,
            group=queries.sizes,
            weight=_of_rows(queries),
            init_score=queries.scores,
            reference=reference,
            params=parameters,
        )

    train = dataset(sets[0])
    model = lightgbm.Booster(parameters, train)
    for number, queries in enumerate(sets):
        model.add_valid(dataset(queries, train), str(number))
    values: Values = {name: [] for name in names}
    for result in model.eval_valid():
        _, name, value, *_ = result if isinstance(result, tuple) else vars(result).values()
        if name in values:
            values[name].append(float(value))
    return values


class _Silent:
    """A logger for LightGBM, which prints even the errors that it raises."""

    def info(self, _message: str) -> None: ...

    def warning(self, _message: str) -> None: ...


def xgboost(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    """Evaluate a model of no rounds, to which the scores are base margins."""
    import xgboost

    parameters = {"objective": "rank:ndcg", "eval_metric": list(names), "nthread": 1}
    values: Values = {name: [] for name in names}
    model = None
    for queries in sets:
        data = xgboost.DMatrix(
            np.zeros((len(queries.grades), 1)),
            label=queries.grades,
            base_margin=queries.scores,
            nthread=1,
        )
        data.set_group(queries.sizes)
        if queries.weights is not None:
            data.set_weight(queries.weights)
        model = model or xgboost.train(parameters, data, num_boost_round=0)
        _, *results = model.eval(data).split("\t")
        for name, result in zip(names, results, strict=True):
            values[name].append(float(result.rpartition(":")[2]))
    return values


def catboost(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    from catboost.utils import eval_metric

    return {
        name: [
            eval_metric(
                queries.grades,
                queries.scores,
                name,
                group_id=queries.qid,
                group_weight=_of_rows(queries),
                thread_count=1,
            )[0]
            for queries in sets
        ]
        for name in names
    }


def scikit_learn(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    """Ask for all queries of a length at once where a metric takes them as labels: half the time."""
    from sklearn.metrics import average_precision_score, ndcg_score, roc_auc_score

    of_labels: dict[str, Callable[[Floats, Floats], Floats]] = {
        "average_precision_score": lambda y, s: average_precision_score(y, s, average=None),
        "roc_auc_score": lambda y, s: roc_auc_score(y, s, average=None),
        f"roc_auc_score, max_fpr={_MAX_FPR}": lambda y, s: _area(
            roc_auc_score(y, s, average=None, max_fpr=_MAX_FPR)
        ),
    }
    queries = [query for of_set in sets for query in of_set.queries()]
    lengths = np.array([len(grades) for grades, _ in queries])
    ends = np.cumsum([len(of_set.sizes) for of_set in sets])[:-1]
    values: Values = {}
    for name in names:
        found = np.empty(len(queries))
        if name == "ndcg_score, k=10":
            found[:] = [ndcg_score([grades], [scores], k=10) for grades, scores in queries]
        else:
            for length in np.unique(lengths):
                same = np.flatnonzero(lengths == length)
                grades, scores = np.array([queries[i] for i in same]).transpose(1, 2, 0)
                found[same] = of_labels[name](grades, scores)
        values[name] = [_mean(*of_set) for of_set in zip(np.split(found, ends), sets, strict=True)]
    return values


_MAX_FPR = 0.25


def _area(standardised: Floats) -> Floats:
    """Undo McClish's scaling of a partial area, to 0.5 for random and to 1 for perfect scores."""
    low, high = _MAX_FPR**2 / 2, _MAX_FPR
    return low + (2 * standardised - 1) * (high - low)


def scipy(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    import scipy.stats

    return {
        name: [
            _mean(
                [getattr(scipy.stats, name)(*query).statistic for query in queries.queries()],
                queries,
            )
            for queries in sets
        ]
        for name in names
    }


def ydf(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    import ydf

    values: Values = {name: [] for name in names}
    for queries in sets:
        weights = _of_rows(queries)
        for name in names:
            kind, cutoff = name.split("@")
            result = ydf.evaluate_predictions(
                queries.scores.astype(np.float32),
                queries.grades.astype(np.float32),
                ydf.Task.RANKING,
                ranking_groups=queries.qid,
                weights=None if weights is None else weights.astype(np.float32),
                num_threads=1,
                **{f"{kind}_truncation": int(cutoff)},
            )
            values[name].append(getattr(result, kind))
    return values


def fastrank(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    """Evaluate the linear model whose one feature is the score."""
    import fastrank

    model = fastrank.CModel.from_dict({"Linear": {"weights": [1.0]}})
    scores, grades, qid = (
        np.concatenate(parts)
        for parts in zip(
            *(
                (queries.scores, queries.grades, queries.qid + _STRIDE * number)
                for number, queries in enumerate(sets)
            ),
            strict=True,
        )
    )
    data = fastrank.CDataset.from_numpy(scores.astype(np.float32).reshape(-1, 1), grades, qid)
    found = {name: data.evaluate(model, name) for name in names}
    return _means(found, sets)


def pytrec_eval(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    import pytrec_eval

    qrels, run = _as_trec(sets)
    # Names are as in its results, with the last _ of ndcg_cut_10 where it asks for a dot.
    asked = {
        f"{stem}.{tail}" if tail.isdigit() else name
        for name in names
        for stem, _, tail in [name.rpartition("_")]
    }
    found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    return _means({name: {q: v[name] for q, v in found.items()} for name in names}, sets)


def gdeval(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    """Run the script itself, which ir-measures brings: ir-measures adds topics that it leaves out."""
    qrels, run = _as_trec(sets)
    script = resources.files("ir_measures").joinpath("bin/gdeval.pl").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("gdeval.pl", "qrels", "run")]
        paths[0].write_bytes(script)
        with paths[1].open("w") as file:
            file.writelines(f"{q} 0 {d} {g}\n" for q, of in qrels.items() for d, g in of.items())
        with paths[2].open("w") as file:
            file.writelines(
                f"{q} Q0 {d} 1 {s!r} x\n" for q, of in run.items() for d, s in of.items()
            )
        (cutoff,) = {name.partition("@")[2] for name in names}
        ended = subprocess.run(
            ["perl", *map(str, paths), cutoff], capture_output=True, text=True, check=False
        )
    if ended.returncode:
        raise RuntimeError(ended.stderr)
    rows = list(csv.DictReader(ended.stdout.splitlines()))
    return _means({name: {r["topic"]: float(r[name]) for r in rows} for name in names}, sets)


def cwl_eval(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    import ir_measures

    qrels, run = _as_trec(sets)
    found = {}
    for name in names:
        results = ir_measures.cwl_eval.iter_calc([ir_measures.parse_measure(name)], qrels, run)
        found[name] = {each.query_id: each.value for each in results}
    return _means(found, sets)


def ranx(sets: Sequence[QuerySet], names: Sequence[str]) -> Values:
    import ranx

    qrels, run = map(lambda make, queries: make(queries), (ranx.Qrels, ranx.Run), _as_trec(sets))
    results = ranx.evaluate(qrels, run, list(names), return_mean=False)
    by_name = results if isinstance(results, dict) else {names[0]: results}
    keys = list(qrels.keys())
    found = {name: dict(zip(keys, by_name[name], strict=True)) for name in names}
    return _means(found, sets)


_STRIDE = 10  # more than a set has queries


def _ids(sets: Sequence[QuerySet]) -> Iterator[list[str]]:
    """Number the queries of all sets."""
    for number, queries in enumerate(sets):
        yield [str(_STRIDE * number + i) for i in range(len(queries.sizes))]


def _as_trec(
    sets: Sequence[QuerySet],
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return qrels and run."""
    qrels, run = {}, {}
    for ids, queries in zip(_ids(sets), sets, strict=True):
        columns = zip(ids, queries.ids, queries.queries(), strict=True)
        for query, names, (grades, scores) in columns:
            qrels[query] = {
                name: int(grade) if grade == int(grade) else grade
                for name, grade in zip(names, grades.tolist(), strict=True)
            }
            run[query] = dict(zip(names, scores.tolist(), strict=True))
    return qrels, run


def _means(found: Mapping[str, Mapping[str, float]], sets: Sequence[QuerySet]) -> Values:
    """Return the mean of each set out of the values of single queries."""
    return {
        name: [
            _mean([by_query.get(query, np.nan) for query in ids], queries)
            for ids, queries in zip(_ids(sets), sets, strict=True)
        ]
        for name, by_query in found.items()
    }


@dataclass(frozen=True)
class Peer:
    """Another system."""

    title: str
    module: str
    measure: Measure
    program: str = sys.executable  #: what it runs

    def skip_if_absent(self) -> None:
        pytest.importorskip(self.module, reason=f"{self.title} is not installed")
        if shutil.which(self.program) is None:
            pytest.skip(f"{self.title} needs {self.program}, which is not installed")


PEERS = {
    peer.module: peer
    for peer in (
        Peer("LightGBM", "lightgbm", lightgbm),
        Peer("XGBoost", "xgboost", xgboost),
        Peer("CatBoost", "catboost", catboost),
        Peer("scikit-learn", "sklearn", scikit_learn),
        Peer("SciPy", "scipy", scipy),
        Peer("YDF", "ydf", ydf),
        Peer("fastrank", "fastrank", fastrank),
        Peer("trec_eval (pytrec_eval)", "pytrec_eval", pytrec_eval),
        Peer("gdeval.pl (ir-measures)", "ir_measures", gdeval, "perl"),
        Peer("cwl_eval (ir-measures)", "cwl", cwl_eval),
        Peer("ranx", "ranx", ranx),
    )
}
