"""Whether one system ranks better than another: paired tests over queries."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._comparison_tables import (
    AGAINST_BASELINE,
    MARKS,
    in_markdown,
    notes_of,
    tables_of,
)
from rankforest._frames import FrameLibrary, to_frame
from rankforest._metric_arguments import MetricLike
from rankforest._parameters import (
    RULES,
    Problems,
    Rule,
    choice,
    integer,
    real,
    seed_of,
    thread_count,
)
from rankforest._query_values import QueryValues, query_values
from rankforest._scoring import Model
from rankforest._significance import (
    TESTS,
    PairComparison,
    Procedure,
    Significance,
    compare_pair,
    weighted_mean,
    with_holm,
)
from rankforest._tables import Table, html_of
from rankforest.data import Dataset
from rankforest.metrics import Judgements
from rankforest.trec import Qrels, Run

__all__ = ["Comparison", "MetricComparison", "PairComparison", "Significance", "compare"]

#: What the parameters may be.
PARAMETERS: Mapping[str, Rule] = {
    "n_permutations": integer(1),
    "n_resamples": integer(1),
    "confidence_level": real("in (0, 1)", lambda x: 0.0 < x < 1.0),
    "random_state": RULES["random_state"],
    "n_jobs": RULES["n_jobs"],
}


@dataclass(frozen=True)
class MetricComparison:
    """How systems differ by one metric.

    Attributes
    ----------
    metric : str
        As it was spelled.
    maximize : bool
        Whether more is better.
    n_queries : int
        Queries that count.
    n_skipped : int
        Queries without a value, such as those without a relevant document, or of weight 0.
    means : mapping of str to float
        System -> mean over the queries that count, with the weights of queries.
    pairs : tuple of PairComparison
        All pairs in the order of the systems, or each other system against the baseline.
    """

    metric: str
    maximize: bool
    n_queries: int
    n_skipped: int
    means: Mapping[str, float]
    pairs: tuple[PairComparison, ...]

    def __repr__(self) -> str:
        means = ", ".join(f"{name!r} {mean:.4f}" for name, mean in self.means.items())
        return f"MetricComparison({self.metric}: {means}, {self.n_queries:,} queries)"

    @property
    def best(self) -> float:
        """The best of the means."""
        return max(self.means.values()) if self.maximize else min(self.means.values())


@dataclass(frozen=True)
class Comparison:
    """What `rankforest.compare` found; prints as a table.

    Attributes
    ----------
    systems : tuple of str
        The systems in their order.
    baseline : str or None
        The system that all others are compared with; None: all pairs.
    metrics : tuple of MetricComparison
        The findings by metric.
    n_permutations, n_resamples : int
        Draws of randomisation tests and of bootstrap intervals.
    confidence_level : float
        Of the intervals.
    random_state : int
        The seed.
    """

    systems: tuple[str, ...]
    baseline: str | None
    metrics: tuple[MetricComparison, ...]
    n_permutations: int
    n_resamples: int
    confidence_level: float
    random_state: int

    @property
    def alpha(self) -> float:
        """The level of significance, 1 - confidence_level as it is written."""
        return float(1 - Decimal(repr(self.confidence_level)))

    def __getitem__(self, metric: str) -> MetricComparison:
        """Return the findings of a metric by its spelling."""
        for found in self.metrics:
            if found.metric == metric:
                return found
        known = ", ".join(repr(found.metric) for found in self.metrics)
        raise KeyError(f"no metric {metric!r}; there are {known}")

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.systems))
        metrics = ", ".join(found.metric for found in self.metrics)
        against = "" if self.baseline is None else f", baseline {self.baseline!r}"
        return f"Comparison(of {names} by {metrics}{against}; print it for the tables)"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return html_of(self.tables(), self.notes())

    def to_text(self, *, marks: str = "auto", test: str = "randomisation") -> str:
        """Return the means, the pairs and what the columns mean, as aligned text.

        Parameters
        ----------
        marks : str, default="auto"
            The marks of significant differences beside the means:

            ==========  ==========================================================================
            triangles   ▲ and ▼: significantly better and worse than the baseline
            star        `*`: significantly different from the baseline, as in SelGB (CIKM 2018)
            tests       significantly better than the baseline by + the t test, * Wilcoxon's,
                        † the randomisation test, the first two as in BROOF-L2R (SIGIR 2015)
            letters     the letters of the systems that this one is significantly better than
            none        no marks
            auto        triangles where there is a baseline, letters elsewhere
            ==========  ==========================================================================

            A difference is significant where the p-value that Holm's method corrected is at most
            1 - confidence_level.
        test : str, default="randomisation"
            The test that decides: "t", "wilcoxon" or "randomisation"; "tests" marks show all.
        """
        parts = self.tables(marks, test)
        return "\n\n".join(
            [*(table.to_text() for table in parts), "\n".join(self.notes(marks, test))]
        )

    def to_markdown(self, *, marks: str = "auto", test: str = "randomisation") -> str:
        """Return the same as Markdown, the best means in bold; parameters as of `to_text`."""
        parts = self.tables(marks, test)
        notes = [in_markdown(note) for note in self.notes(marks, test)]
        return "\n\n".join([*(table.to_markdown() for table in parts), "\n".join(notes)])

    def to_latex(self, *, marks: str = "auto", test: str = "randomisation") -> str:
        """Return the same as LaTeX, the best means in bold; parameters as of `to_text`.

        The tables need the package booktabs, triangles amssymb. What the columns mean stands in
        comments.
        """
        parts = self.tables(marks, test)
        notes = [f"% {note}" for note in self.notes(marks, test)]
        return "\n\n".join([*(table.to_latex() for table in parts), "\n".join(notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dictionaries, lists, text and numbers."""
        record = asdict(self)
        record["alpha"] = self.alpha
        return record

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return `to_dict` as JSON, with null for what is infinite."""
        return json.dumps(_finite(self.to_dict()), indent=indent, allow_nan=False)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dictionary for each metric and pair."""
        return [
            {
                "metric": found.metric,
                "a": pair.a,
                "b": pair.b,
                "mean_a": found.means[pair.a],
                "mean_b": found.means[pair.b],
                "difference": pair.difference,
                "low": pair.interval[0],
                "high": pair.interval[1],
                "effect_size": pair.effect_size,
                "wins": pair.wins,
                "ties": pair.ties,
                "losses": pair.losses,
                **{
                    f"{test}_{field}": getattr(pair.test(test), field)
                    for test in TESTS
                    for field in ("statistic", "p_value", "p_holm")
                },
                "n_permutations": pair.n_permutations,
                "exact": pair.exact,
                "n_queries": found.n_queries,
                "n_skipped": found.n_skipped,
            }
            for found in self.metrics
            for pair in found.pairs
        ]

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return `to_records` as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, default="pandas"
            Whose data frame.

        Raises
        ------
        ImportError
            If the library or narwhals is missing: ``pip install 'rankforest[dataframes]'``.
        """
        records = self.to_records()
        return to_frame(
            {name: np.array([each[name] for each in records]) for name in records[0]}, library
        )

    def tables(self, marks: str = "auto", test: str = "randomisation") -> list[Table]:
        """Return the table of means and that of pairs; parameters as of `to_text`."""
        return tables_of(self, *self._style(marks, test))

    def notes(self, marks: str = "auto", test: str = "randomisation") -> list[str]:
        """Return what the columns and marks of the tables mean, in sentences."""
        return notes_of(self, *self._style(marks, test))

    def _style(self, marks: str, test: str) -> tuple[str, str]:
        """Return the marks and the test, checked."""
        choice(*TESTS).check("test", test)
        choice(*MARKS).check("marks", marks)
        if marks == "auto":
            return "letters" if self.baseline is None else "triangles", test
        if marks in AGAINST_BASELINE and self.baseline is None:
            raise ValueError(f"marks {marks!r} need a baseline to compare with; compare had none")
        return marks, test


def compare(
    data: Dataset | Judgements | Qrels,
    systems: Mapping[str, npt.ArrayLike | Model | Run],
    metrics: MetricLike | Sequence[MetricLike],
    *,
    baseline: str | None = None,
    judgements: Dataset | Judgements | None = None,
    document_ids: Iterable[object] | None = None,
    complete: bool = False,
    n_permutations: int = 10_000,
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> Comparison:
    """Test whether systems rank the same queries differently well.

    For each metric and pair of systems: the paired Student t test, the Wilcoxon signed-rank test
    [1]_ and Fisher's randomisation test [2]_, all two-sided, with p-values as they are and
    corrected by Holm's method for the number of pairs; a bias-corrected and accelerated bootstrap
    interval of the difference of the means [3]_; Cohen's d; and on how many queries which is
    better.

    Parameters
    ----------
    data : Dataset or tuple of (y, qid) or (y, qid, weight)
        Grades and queries, as for `evaluate`.
    systems : mapping of str to array_like of shape (n_documents,) or object with ``predict``
        At least two, by name: scores or models, as for `evaluate`.
    metrics : str, Metric, CustomMetric or sequence of these
        What to compare by. The value of each query alone is what counts: the mean of "rmse", of
        AUC and of metrics in Python is that over queries, not over all documents together.
    baseline : str, optional
        The system that each other is compared with. None: all pairs.
    judgements, document_ids : optional
        As for `evaluate`: all judged documents, and what ``ties=docno`` goes by.
    n_permutations : int, default=10_000
        Random assignments of signs for the randomisation test, >= 1. Its p-value is
        (extreme + 1) / (n_permutations + 1), where an assignment is extreme if its mean is at least
        as far from 0, on either side; SciPy's ``permutation_test`` doubles the smaller side
        instead, which differs within the error of drawing. Where the differences that are not 0
        have no more assignments than this, all are counted and the p-value is exact.
    n_resamples : int, default=10_000
        Bootstrap resamples, >= 1.
    confidence_level : float, default=0.95
        Of the intervals, in (0, 1). A difference is marked as significant where its corrected
        p-value is at most 1 - confidence_level.
    random_state : int, RandomState or None, default=0
        Seed; None draws one. Each pair uses the same, so that neither other pairs nor other metrics
        change its result.
    n_jobs : int, optional
        Threads. None and -1 are every core that the process may use. Changes no bit.

    Returns
    -------
    Comparison
        Prints as a table; `Comparison.to_markdown`, `to_latex`, `to_json` and `to_frame` give other
        forms. Neither the order of rows nor the ids of queries change a bit of it, except under
        ``ties=input`` and ``ties=reversed``.

    Raises
    ------
    ValueError
        If there are fewer than two systems or two queries that count, if `baseline` is no system,
        if a metric has no value of a query for one system but has one for another, or for what
        `evaluate` refuses.

    Notes
    -----
    Queries that a metric leaves out (``empty=skip``) are left out here and counted in `n_skipped`.
    Two values of a query that differ by the rounding of sums alone (1e-12 of the larger) are equal.
    Where all differences are 0, all p-values are 1. Where all are equal but not 0, t and d are
    infinite and the interval is a point. Wilcoxon's test leaves out differences of 0;
    it is exact for up to 13 queries, as SciPy decides (by its version) for up to 50, and the normal
    approximation beyond.

    With weights, a query's difference counts times its weight over the mean weight in all of this
    but wins, ties and losses, so that the tests are of the difference of the weighted means.

    References
    ----------
    .. [1] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.
    .. [2] M. D. Smucker, J. Allan and B. Carterette, "A comparison of statistical significance
       tests for information retrieval evaluation", CIKM 2007.
    .. [3] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993, section 14.3.

    Examples
    --------
    >>> import rankforest as rf
    >>> train, test = rf.datasets.make_ranking(n_queries=120, random_state=0).train_test_split(0.5)
    >>> systems = {
    ...     "mart": rf.MART(n_estimators=50).fit(train),
    ...     "one tree": rf.MART(n_estimators=1).fit(train),
    ... }
    >>> comparison = rf.compare(test, systems, "ndcg@10", baseline="one tree")
    >>> pair = comparison["ndcg@10"].pairs[0]
    >>> pair.a, pair.b, pair.randomisation.p_value <= 0.05
    ('mart', 'one tree', True)
    """
    procedure = _procedure(
        systems,
        baseline,
        {
            "n_permutations": n_permutations,
            "n_resamples": n_resamples,
            "confidence_level": confidence_level,
            "random_state": random_state,
            "n_jobs": n_jobs,
        },
    )
    names = tuple(systems)
    found = query_values(
        data,
        systems,
        metrics,
        judgements=judgements,
        document_ids=None if document_ids is None else list(document_ids),
        complete=complete,
        n_jobs=procedure.n_threads,
    )
    pairs = (
        list(combinations(names, 2))
        if baseline is None
        else [(name, baseline) for name in names if name != baseline]
    )
    return Comparison(
        systems=names,
        baseline=baseline,
        metrics=tuple(_compare_by(values, pairs, procedure) for values in found),
        n_permutations=procedure.n_permutations,
        n_resamples=procedure.n_resamples,
        confidence_level=procedure.confidence_level,
        random_state=procedure.seed,
    )


def _procedure(systems: object, baseline: object, given: Mapping[str, object]) -> Procedure:
    """Check the arguments together, and return how pairs are tested."""
    problems = Problems("compare")
    if not isinstance(systems, Mapping) or len(systems) < 2:
        got = f"{len(systems)}" if isinstance(systems, Mapping) else repr(type(systems))
        problems.add(f"systems must map at least two names to scores or models, got {got}")
    else:
        for name in systems:
            if not isinstance(name, str) or not name.strip() or not name.isprintable():
                problems.add(f"systems must have names of printable text, got {name!r}")
        if baseline is not None and baseline not in systems:
            known = ", ".join(map(repr, systems))
            problems.add(f"baseline must be one of the systems {known}, got {baseline!r}")
    plain: dict[str, Any] = {}
    for name, value in given.items():
        with problems.collected():
            plain[name] = PARAMETERS[name].check(name, value)
    problems.raise_if_any()
    return Procedure(
        n_permutations=plain["n_permutations"],
        n_resamples=plain["n_resamples"],
        confidence_level=plain["confidence_level"],
        seed=seed_of(plain["random_state"]),
        n_threads=thread_count(plain["n_jobs"]),
    )


def _compare_by(
    values: QueryValues, pairs: Sequence[tuple[str, str]], procedure: Procedure
) -> MetricComparison:
    """Compare all pairs by one metric."""
    found = [
        compare_pair(
            a,
            b,
            (values.by_system[a], values.by_system[b]),
            values.weights,
            maximize=values.maximize,
            procedure=procedure,
        )
        for a, b in pairs
    ]
    return MetricComparison(
        metric=values.metric,
        maximize=values.maximize,
        n_queries=len(values.weights),
        n_skipped=values.n_skipped,
        means={name: weighted_mean(v, values.weights) for name, v in values.by_system.items()},
        pairs=with_holm(found),
    )


def _finite(value: Any) -> Any:
    """Replace numbers that JSON does not have by None, all the way down."""
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
