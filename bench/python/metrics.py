"""Time metrics of single queries here and in other libraries.

    python bench/python/metrics.py [--queries 6000] [--documents 700000] [--repeats 5]

Every library gets what it works on, already built: arrays here and in scikit-learn (there one pair
for each query), dictionaries with the evaluator made in pytrec_eval and ir-measures, its own
compiled structures in ranx. All are asked for NDCG@10 with linear gains, average precision and ERR
of each query, or those of the three that they have, and take turns, so that a busy moment hits all
of them. Those that need a minute, scikit-learn and ir-measures' ERR, have one turn only. Those that
are not installed are left out.

The table has the median and the best time, the ratio of medians to rankforest's, and the largest
difference of a query's value from rankforest's, in any metric. ir-measures takes ERR from a script
that prints five digits.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from packages import version_of

Floats = npt.NDArray[np.float64]
Values = dict[str, Floats]  # by metric, one of each query

NDCG, AP, ERR = "NDCG@10", "AP", "ERR"
OURS = {NDCG: "ndcg@10(gain=linear,empty=0)", AP: "map(empty=0)", ERR: "err(empty=0)"}


@dataclass(frozen=True)
class Judged:
    """Scores and grades of queries, whose documents stand together."""

    grades: Floats
    scores: Floats
    qid: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]  #: of each query, without that of the first

    @classmethod
    def draw(cls, n_queries: int, n_documents: int) -> Judged:
        """Draw lists as uneven as those of web search, scores that say something about grades."""
        rng = np.random.default_rng(1)
        share = rng.gamma(2.5, size=n_queries)
        sizes = 1 + rng.multinomial(n_documents - n_queries, share / share.sum())
        grades = rng.choice(5, p=[0.52, 0.32, 0.13, 0.02, 0.01], size=n_documents).astype(float)
        scores = grades + rng.normal(scale=2, size=n_documents)
        qid = np.repeat(np.arange(n_queries), sizes)
        return cls(grades, scores, qid, np.cumsum(sizes)[:-1])

    def as_dictionaries(self) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
        """Return qrels and run as the TREC libraries take them."""
        qrels: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        columns = (self.qid.tolist(), self.grades.astype(int).tolist(), self.scores.tolist())
        for row, (query, grade, score) in enumerate(zip(*columns, strict=True)):
            qrels.setdefault(str(query), {})[f"d{row}"] = grade
            run.setdefault(str(query), {})[f"d{row}"] = score
        return qrels, run


Prepare = Callable[[Judged], Callable[[], Values]]


def rankforest_on(threads: int) -> Prepare:
    def prepare(judged: Judged) -> Callable[[], Values]:
        import rankforest

        def measure() -> Values:
            found = rankforest.evaluate(
                (judged.grades, judged.qid),
                judged.scores,
                list(OURS.values()),
                per_query=True,
                n_jobs=threads,
            )
            return {name: found[metric] for name, metric in OURS.items()}

        return measure

    return prepare


def pytrec_eval(judged: Judged) -> Callable[[], Values]:
    import pytrec_eval

    qrels, run = judged.as_dictionaries()
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"})

    def measure() -> Values:
        found = evaluator.evaluate(run)
        return {
            name: np.array([found[query][key] for query in qrels])
            for name, key in ((NDCG, "ndcg_cut_10"), (AP, "map"))
        }

    return measure


def ir_measures_of(*names: str) -> Prepare:
    def prepare(judged: Judged) -> Callable[[], Values]:
        import ir_measures

        measures = {NDCG: "nDCG@10", AP: "AP", ERR: "ERR@1000000"}
        asked = {name: ir_measures.parse_measure(measures[name]) for name in names}
        qrels, run = judged.as_dictionaries()
        evaluator = ir_measures.evaluator(list(asked.values()), qrels)
        place = {query: i for i, query in enumerate(qrels)}

        def measure() -> Values:
            values = {measure: np.zeros(len(qrels)) for measure in asked.values()}
            for each in evaluator.iter_calc(run):
                values[each.measure][place[each.query_id]] = each.value
            return {name: values[measure] for name, measure in asked.items()}

        return measure

    return prepare


def ranx(judged: Judged) -> Callable[[], Values]:
    import ranx

    of_dictionaries = judged.as_dictionaries()
    qrels, run = ranx.Qrels(of_dictionaries[0]), ranx.Run(of_dictionaries[1])
    place = {query: i for i, query in enumerate(of_dictionaries[0])}
    order = np.array([place[query] for query in qrels.keys()])  # noqa: SIM118  # no mapping

    def measure() -> Values:
        found = ranx.evaluate(qrels, run, ["ndcg@10", "map"], return_mean=False)
        values = {NDCG: np.empty(len(order)), AP: np.empty(len(order))}
        values[NDCG][order], values[AP][order] = found["ndcg@10"], found["map"]
        return values

    return measure


def scikit_learn(judged: Judged) -> Callable[[], Values]:
    from sklearn.metrics import average_precision_score, ndcg_score

    queries = list(
        zip(*(np.split(of, judged.starts) for of in (judged.grades, judged.scores)), strict=True)
    )
    # It refuses lists of one document, and warns where none is relevant.
    usable = [len(grades) > 1 and bool(grades.any()) for grades, _ in queries]

    def measure() -> Values:
        values = {name: np.full(len(queries), np.nan) for name in (NDCG, AP)}
        for i, (grades, scores) in enumerate(queries):
            if usable[i]:
                values[NDCG][i] = ndcg_score([grades], [scores], k=10)
                values[AP][i] = average_precision_score(grades > 0, scores)
        return values

    return measure


@dataclass(frozen=True)
class Library:
    """A way to compute the values."""

    package: str  #: on PyPI
    module: str
    label: str
    prepare: Prepare
    is_slow: bool = False  #: measured once


LIBRARIES = (
    Library("rankforest", "rankforest", "rankforest, 1 thread", rankforest_on(1)),
    Library("rankforest", "rankforest", "rankforest, all threads", rankforest_on(-1)),
    Library("pytrec_eval-terrier", "pytrec_eval", "pytrec_eval", pytrec_eval),
    Library("ir-measures", "ir_measures", "ir-measures, no ERR", ir_measures_of(NDCG, AP)),
    Library(
        "ir-measures", "ir_measures", "ir-measures", ir_measures_of(NDCG, AP, ERR), is_slow=True
    ),
    Library("ranx", "ranx", "ranx", ranx),
    Library("scikit-learn", "sklearn", "scikit-learn", scikit_learn, is_slow=True),
)


def table(
    libraries: tuple[Library, ...],
    seconds: Mapping[str, list[float]],
    values: Mapping[str, Values],
) -> str:
    """Return the results as a table in Markdown."""
    medians = {label: statistics.median(times) for label, times in seconds.items()}
    ours = libraries[0].label
    lines = [
        "| library | version | metrics | median ms | best ms | ratio | largest difference |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for library in libraries:
        label = library.label
        difference = max(
            float(np.nanmax(np.abs(found - values[ours][name])))
            for name, found in values[label].items()
        )
        lines.append(
            f"| {label} | {version_of(library.package, library.module)} | {', '.join(values[label])} "
            f"| {1e3 * medians[label]:.1f} | {1e3 * min(seconds[label]):.1f} "
            f"| {medians[label] / medians[ours]:.1f} | {difference:.1e} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=6000)
    parser.add_argument("--documents", type=int, default=700_000)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    judged = Judged.draw(arguments.queries, arguments.documents)
    libraries = tuple(each for each in LIBRARIES if importlib.util.find_spec(each.module))
    measures = {library.label: library.prepare(judged) for library in libraries}
    slow = {library.label for library in libraries if library.is_slow}
    values: dict[str, Values] = {}
    seconds: dict[str, list[float]] = {label: [] for label in measures}
    for turn in range(arguments.repeats + 1):
        for label, measure in measures.items():
            if turn > 0 and label in slow:
                continue
            start = time.perf_counter()
            values[label] = measure()
            if turn > 0 or label in slow:  # the first call of others compiles and warms up
                seconds[label].append(time.perf_counter() - start)
    print(table(libraries, seconds, values))


if __name__ == "__main__":
    main()
