"""What a paper and one of its tables say, in the words of this library."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rankforest
from bench.papers.cost_aware import CostAware
from bench.papers.cut_lists import CutLambdaMART
from bench.papers.estimate import Estimates
from bench.papers.measures import metric_of
from bench.papers.pointwise import PointWise
from bench.papers.sampled import FirstRounds, OnSample, PooledBag
from bench.papers.single_feature import SingleFeature
from bench.papers.transferred import Transferred

#: A value for each measure of a data set, in their order; None where the paper gives none.
Values = Sequence[float | None]


@dataclass(frozen=True)
class Parts:
    """How five equal parts of a data set make up its folds.

    Fold 1 tests part `first_test`, the next fold the next part, and so on in a circle. The part
    before it is for validation, the three before that are for training.
    """

    pattern: str  #: file of part 1, 2, ...: "S{}.txt"
    first_test: int

    def of_fold(self, fold: int) -> tuple[list[str], str, str]:
        """Name the files for training, validation and test."""
        test = self.first_test + fold - 1
        valid, *train = ((test - back - 1) % 5 + 1 for back in (1, 4, 3, 2))
        names = [self.pattern.format(part) for part in train]
        return names, self.pattern.format(valid), self.pattern.format((test - 1) % 5 + 1)


@dataclass(frozen=True)
class DataSet:
    """A data set, and how the paper measures on it."""

    title: str
    measures: Mapping[
        str, str
    ]  #: the paper's name of each measure -> its spelling: see measures.py
    folders: tuple[str, ...] = ()  #: names, beside its key, of folders that hold its folds
    parts: Parts | None = None  #: the folds can also be made from these
    prefix: str = ""  #: what the names of its files begin with, beside those without: "set2."


@dataclass(frozen=True)
class Paper:
    """What the tables of a paper share."""

    title: str
    data: Mapping[str, DataSet]  #: by the key that `--data KEY=PATH` takes
    notes: str  #: in Markdown: which conventions hold, and why we think so


@dataclass(frozen=True)
class Algorithm:
    """An estimator and the parameters that the paper gives it."""

    estimator: str  #: name of a class of rankforest, or of one of this package: see `estimator_of`
    parameters: Mapping[str, Any]
    random: bool = True  #: whether the seed changes the model
    #: Data set -> parameters that it has there besides, or in place of those.
    by_data: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def on(self, data: str) -> Algorithm:
        """Return the algorithm as it is on a data set."""
        parameters = {**self.parameters, **self.by_data.get(data, {})}
        return replace(self, parameters=parameters, by_data={})

    def resolved(self) -> dict[str, Any]:
        """Return every parameter that the model depends on besides the seed, defaults included."""
        parameters = dict(estimator_of(self.estimator)(**self.parameters).get_params(deep=False))
        for of_the_run in ("callbacks", "n_jobs", "random_state", "warm_start"):
            parameters.pop(of_the_run, None)
        return parameters


@dataclass(frozen=True)
class Axis:
    """What varies from algorithm to algorithm."""

    label: str
    ticks: Mapping[str, str]  #: algorithm -> where it stands, in order
    shown: Mapping[str, float] | None = None  #: algorithm -> the same as a number, on a log scale
    curves: Mapping[str, str] | None = (
        None  #: algorithm -> the curve that it is on; None: all on one
    )


@dataclass(frozen=True)
class Table:
    """One table, or one figure, of a paper."""

    title: str
    paper: Paper
    algorithms: Mapping[str, Algorithm]  #: those that the library has
    #: Data set -> algorithm -> its values. An algorithm runs on the data sets that name it here.
    published: Mapping[str, Mapping[str, Values]]
    notes: str = ""  #: in Markdown: what the paper leaves open, and what we do
    #: Which of a fold's files are measured, "test", "valid" or "train".
    measured_on: str = "test"
    #: Of a figure, or a table that varies one thing.
    axis: Axis | None = None
    #: In place of ours beside the paper's: lays out the estimates of all, by data set, algorithm and
    #: measure.
    layout: Callable[[Table, Estimates], str] | None = None
    #: Draws what has no axis.
    drawing: Callable[[Table, Estimates, Path], None] | None = None
    #: Data set -> another, the training data of which `fit` gets as `source`.
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, DataSet]:
        """The data sets of the table, by key, those of sources among them."""
        keys = dict.fromkeys([*self.published, *self.sources.values()])
        return {key: self.paper.data[key] for key in keys}

    def algorithms_on(self, data: str) -> dict[str, Algorithm]:
        """Return what runs on a data set, in the order of its published values."""
        names = self.published[data]
        return {name: self.algorithms[name].on(data) for name in names if name in self.algorithms}

    def value(self, data: str, algorithm: str, measure: str) -> float | None:
        """Return the paper's value, if it gives one."""
        return self.published[data][algorithm][list(self.paper.data[data].measures).index(measure)]


def check(table: Table) -> None:
    """Raise a ValueError that lists everything in a table that does not exist or fit."""
    problems = [*_problems_of_data(table), *_problems_of_algorithms(table)]
    if problems:
        raise ValueError(f"{table.title}: " + "; ".join(problems))


def _problems_of_data(table: Table) -> Iterator[str]:
    for key, of_data in table.published.items():
        if key not in table.paper.data:
            yield unknown("data set", key, table.paper.data)
            continue
        measures = table.paper.data[key].measures
        yield from (f"{key}: {why}" for m in measures.values() if (why := _problem_of_metric(m)))
        for algorithm, values in of_data.items():
            if len(values) != len(measures):
                yield (
                    f"{key}: {algorithm} needs a value or None for each of {', '.join(measures)}, "
                    f"got {len(values)}"
                )


def _problem_of_metric(spelling: str) -> str | None:
    metric = metric_of(spelling)
    try:
        if metric is not None:
            rankforest.Metric(metric)
    except ValueError as error:
        return str(error)
    return None


def _problems_of_algorithms(table: Table) -> Iterator[str]:
    for name, algorithm in table.algorithms.items():
        if not any(name in of_data for of_data in table.published.values()):
            yield f"{name} runs on no data set: none has published values, or None, for it"
        try:
            known = estimator_of(algorithm.estimator)().get_params(deep=False)
        except ValueError as error:
            yield f"{name}: {error}"
            continue
        of_data = (parameter for each in algorithm.by_data.values() for parameter in each)
        for parameter in dict.fromkeys([*algorithm.parameters, *of_data]):
            if parameter not in known:
                yield f"{name}: " + unknown("parameter", parameter, known)


def estimator_of(name: str) -> Any:
    """Return the class of a name, or raise a ValueError that names those there are."""
    classes = {each: getattr(rankforest, each) for each in rankforest.__all__}
    estimators = {each: found for each, found in classes.items() if hasattr(found, "fit")}
    own = (
        SingleFeature,
        OnSample,
        PooledBag,
        FirstRounds,
        CutLambdaMART,
        PointWise,
        Transferred,
        CostAware,
    )
    estimators |= {each.__name__: each for each in own}
    if name not in estimators:
        raise ValueError(unknown("estimator", name, estimators))
    return estimators[name]


def unknown(what: str, name: str, known: Mapping[str, object]) -> str:
    """Say that there is no such name, which ones there are, and which may have been meant."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"unknown {what} {name!r}; there are {', '.join(known)}{hint}"
