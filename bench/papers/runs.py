"""The models that a table needs: what determines each, and its training and measurement."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import click
import numpy as np

import rankforest
from bench.papers.declare import Table, estimator_of
from bench.papers.estimate import Measured
from bench.papers.folds import Fold
from bench.papers.measures import measure
from bench.python import journal
from rankforest import Dataset, _core

#: Trees of a model, or of its forests and iterations, in a quick run, and members of a bag.
QUICK_TREES = 20
QUICK_MEMBERS = 3
_MEMBERS = {"n_bags", "pool_size"}
_TREES = {"n_estimators", "forest_trees", "source_trees", "max_iter"}

#: By metric, as spelled.
OfModel = Mapping[str, Measured]


@dataclass(frozen=True)
class Task:
    """One model to train and to measure: an algorithm on a fold, with a seed."""

    data: str
    fold: Fold
    algorithm: str
    seed: int
    estimator: str
    parameters: Mapping[str, Any]  #: all of them, but for the seed
    metrics: Sequence[str]
    digest: str  #: of the fold
    measured_on: str = "test"  #: or "valid" or "train"
    source: Fold | None = None  #: what `fit` gets beside the training data

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the model, and so its measures, depend on."""
        return {
            "library": library(),
            "data": self.digest,
            "estimator": self.estimator,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            **({} if self.measured_on == "test" else {"measured_on": self.measured_on}),
            **({} if self.source is None else {"source": self.source.digest()}),
        }

    @property
    def of_seed(self) -> tuple[str, str, int]:
        """What a table's value is a mean over the folds of."""
        return self.data, self.algorithm, self.seed

    def __str__(self) -> str:
        return f"{self.data}, fold {self.fold.number}, {self.algorithm}, seed {self.seed}"

    @property
    def key(self) -> str:
        """The identity as text."""
        return _key_of(self.identity)


@cache
def library() -> str:
    """Name the version, and the build: a version under development changes without a new name."""
    build = hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:12]
    return f"{rankforest.__version__} {build}"


def tasks(
    table: Table,
    folds: Mapping[str, Sequence[Fold]],
    seeds: int,
    *,
    quick: bool = False,
    trees: int | None = None,
) -> list[Task]:
    """List every model of a table; an algorithm without randomness needs one seed.

    With `trees` no model has more of them; with `quick` hardly any.
    """
    most_trees = QUICK_TREES if quick else trees
    wanted = []
    for data, of_data in folds.items():
        if data not in table.published:
            continue  # the source of another
        source = folds[table.sources[data]][0] if data in table.sources else None
        metrics = list(table.data[data].measures.values())
        for fold in of_data[:1] if quick else of_data:
            digest = fold.digest()
            for name, algorithm in table.algorithms_on(data).items():
                parameters = algorithm.resolved()
                for trees_of in _TREES & parameters.keys() if most_trees is not None else ():
                    parameters[trees_of] = min(parameters[trees_of], most_trees)
                for members in _MEMBERS & parameters.keys() if quick else ():
                    parameters[members] = min(parameters[members], QUICK_MEMBERS)
                wanted += [
                    Task(
                        data,
                        fold,
                        name,
                        seed,
                        algorithm.estimator,
                        parameters,
                        metrics,
                        digest,
                        table.measured_on,
                        source,
                    )
                    for seed in range(1, (seeds if algorithm.random and not quick else 1) + 1)
                ]
    return wanted


def execute(task: Task) -> dict[str, object]:
    """Train and measure one model, on one thread."""
    train, valid, test = _load(task.fold)
    model = estimator_of(task.estimator)(random_state=task.seed, n_jobs=1, **task.parameters)
    more = {} if task.source is None else {"source": _load(task.source)[0]}
    start, cpu_start = time.perf_counter(), time.process_time()
    model.fit(train, eval_set=valid, **more)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    data = {
        "train": train,
        "valid": valid,
        "measured": {"train": train, "valid": valid, "test": test}[task.measured_on],
    }
    measured = {each: measure(each, model, data, cpu_seconds) for each in task.metrics}
    return {
        "data": task.data,
        "fold": task.fold.number,
        "algorithm": task.algorithm,
        "rounds": int(np.sum(model.best_iteration_)),  # of a bag: of all members
        "seconds": round(seconds, 3),
        "metrics": {metric: found.mean for metric, found in measured.items()},
        "queries": {metric: list(found.queries) for metric, found in measured.items()},
        "identity": task.identity,
    }


@lru_cache(maxsize=2)  # a fold, and what is its source
def _load(fold: Fold) -> list[Dataset]:
    return [rankforest.read_letor(paths, n_jobs=1) for paths in (fold.train, fold.valid, fold.test)]


def complete(wanted: Iterable[Task], path: Path, jobs: int) -> dict[str, OfModel]:
    """Train what the file of results lacks; return the measures of every model by its key."""
    wanted = list(wanted)
    known = _known(path)
    missing = {task.key: task for task in wanted if not _has(known, task)}
    journal.complete(list(missing.values()), execute, path, jobs)
    known = _known(path)
    if any(task.key not in known for task in wanted):
        raise click.ClickException("the library was built anew meanwhile: start again")
    return {task.key: known[task.key] for task in wanted}


def trained(wanted: Sequence[Task], path: Path) -> tuple[list[Task], dict[str, OfModel]]:
    """Return the models whose algorithm has all folds of their seed in the file, and measures.

    Raises
    ------
    ValueError
        If there is none.
    """
    known = _known(path)
    lacking = {task.of_seed for task in wanted if not _has(known, task)}
    done = [task for task in wanted if task.of_seed not in lacking]
    if not done:
        raise ValueError(f"{path} has no seed of which every fold is done, by {library()}")
    return done, {task.key: known[task.key] for task in done}


def _has(known: Mapping[str, OfModel], task: Task) -> bool:
    return set(task.metrics) <= set(known.get(task.key, ()))


def _known(path: Path) -> dict[str, OfModel]:
    known: dict[str, OfModel] = {}
    for record in journal.read(path):
        key = _key_of(record["identity"])
        queries = record.get("queries", {})  # a line without them is as good as none
        found = {
            metric: Measured(mean, queries[metric])
            for metric, mean in record["metrics"].items()
            if metric in queries
        }
        known[key] = {**known.get(key, {}), **found}
    return known


def _key_of(identity: Mapping[str, Any]) -> str:
    return json.dumps(identity, sort_keys=True)
