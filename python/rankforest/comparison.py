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

from rankforest._evaluation.comparison_tables import (
    AGAINST_BASELINE,
    MARKS,
    in_markdown,
    notes_of,
    tables_of,
)
from rankforest._evaluation.metric_arguments import MetricLike
from rankforest._evaluation.query_values import QueryValues, query_values
from rankforest._evaluation.scores import Model
from rankforest._evaluation.significance import (
    TESTS,
    PairComparison,
    Procedure,
    Significance,
    compare_pair,
    weighted_mean,
    with_holm,
)
from rankforest._settings.parameters import (
    RULES,
    Problems,
    Rule,
    choice,
    integer,
    real,
    seed_of,
    thread_count,
)
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.tables import Table, html_of
from rankforest._support.wording import described
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
        Number of queries that count.
    n_skipped : int
        Number of queries that do not: those that the metric skips, such as queries without a
        relevant document, those of weight 0, and those that a TREC run lacks.
    means : mapping of str to float
        The weighted mean of each system over the queries that count.
    pairs : tuple of PairComparison
        All pairs in the order of the systems, or, with a baseline, each other system against it.
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
    """What `rankforest.compare` found. Prints as tables, and shows as such in notebooks.

    Attributes
    ----------
    systems : tuple of str
        The systems in their order.
    baseline : str or None
        The system that all others are compared with; None if all pairs are compared.
    metrics : tuple of MetricComparison
        The findings for each metric.
    n_permutations, n_resamples : int
        Number of draws for randomisation tests and for bootstrap intervals.
    confidence_level : float
        Confidence level of the intervals.
    random_state : int
        Seed of the draws.
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
        """The level of significance: 1 - confidence_level, computed in decimals."""
        return float(1 - Decimal(repr(self.confidence_level)))

    def __getitem__(self, metric: str) -> MetricComparison:
        """Return the findings for a metric, as it was spelled."""
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
        """Return the table of means, the table of pairs and notes about their columns, as text.

        Parameters
        ----------
        marks : str, default="auto"
            How significant differences are marked beside the means:

            ==========  ==========================================================================
            triangles   ▲ and ▼: significantly better and worse than the baseline
            star        `*`: significantly different from the baseline, as in SelGB (CIKM 2018)
            tests       significantly better than the baseline by + the t test, * Wilcoxon's,
                        † the randomisation test, the first two as in BROOF-L2R (SIGIR 2015)
            letters     the letters of the systems that this one is significantly better than
            none        no marks
            auto        triangles where there is a baseline, letters elsewhere
            ==========  ==========================================================================

            A difference is significant if its p-value, corrected by Holm's method, is at most
            1 - confidence_level.
        test : {"t", "wilcoxon", "randomisation"}, default="randomisation"
            The test that decides which differences are marked; ``marks="tests"`` shows all three.
        """
        parts = self.tables(marks, test)
        return "\n\n".join(
            [*(table.to_text() for table in parts), "\n".join(self.notes(marks, test))]
        )

    def to_markdown(self, *, marks: str = "auto", test: str = "randomisation") -> str:
        """Return the same as Markdown, the best means in bold; parameters as for `to_text`."""
        parts = self.tables(marks, test)
        notes = [in_markdown(note) for note in self.notes(marks, test)]
        return "\n\n".join([*(table.to_markdown() for table in parts), "\n".join(notes)])

    def to_latex(self, *, marks: str = "auto", test: str = "randomisation") -> str:
        """Return the same as LaTeX, the best means in bold; parameters as for `to_text`.

        The tables need the package booktabs, and triangles need amssymb. The notes are comments.
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
        """Return `to_dict` as JSON; infinite numbers become null."""
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
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.
        """
        records = self.to_records()
        return to_frame(
            {name: np.array([each[name] for each in records]) for name in records[0]}, library
        )

    def tables(self, marks: str = "auto", test: str = "randomisation") -> list[Table]:
        """Return the table of means and the table of pairs; parameters as for `to_text`."""
        return tables_of(self, *self._style(marks, test))

    def notes(self, marks: str = "auto", test: str = "randomisation") -> list[str]:
        """Return sentences that explain the columns and marks of the tables."""
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
    """Test whether some systems rank better than others on the same queries.

    Each pair of systems is compared by each metric:

    - by the paired Student t test, the Wilcoxon signed-rank test [1]_ and Fisher's randomisation
      test [2]_, all two-sided, with p-values before and after Holm's correction for the number of
      pairs;
    - by a bootstrap interval, bias-corrected and accelerated, of the difference of the means [3]_;
    - by Cohen's d, and by the number of queries on which each system is better.

    Parameters
    ----------
    data : Dataset, tuple of (y, qid) or (y, qid, weight), or Qrels
        Grades and queries, as for `evaluate`; or TREC's judgements, where the systems are runs.
    systems : mapping of str to array_like of shape (n_documents,), object with ``predict`` or Run
        At least two systems by name: scores or models, as for `evaluate`, or TREC runs.
    metrics : str, Metric, CustomMetric, measure of ir_measures, or sequence of these
        What to compare by. Each metric is taken on each query, so that the means of "rmse", "auc"
        and metrics written in Python are means over queries, not over all documents together.
    baseline : str, optional
        The system that every other is compared with. None: all pairs are compared.
    judgements, document_ids : optional
        As for `evaluate`: all judged documents, and the ids for ``ties=docno``. Qrels and runs
        bring their own.
    complete : bool, default=False
        For runs: whether a run that lacks a query counts on it as if it had found nothing relevant
        (trec_eval's option ``-c``). Otherwise only queries that all runs have count.
    n_permutations : int, default=10_000
        Number of random sign assignments for the randomisation test, >= 1. Its p-value is
        (e + 1) / (n_permutations + 1), where e assignments have a mean difference at least as
        large, of either sign. If the differences have no more assignments than this, all of them
        are counted and the p-value is exact.
    n_resamples : int, default=10_000
        Number of bootstrap resamples, >= 1.
    confidence_level : float, default=0.95
        Confidence level of the intervals, in (0, 1). A difference is marked as significant if its
        corrected p-value is at most 1 - confidence_level.
    random_state : int, RandomState or None, default=0
        Seed; None draws one. All pairs use the same seed, so that the result of a pair does not
        depend on the other pairs and metrics.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    Comparison
        Prints as tables; `Comparison.to_markdown`, `to_latex`, `to_json` and `to_frame` give other
        forms. The order of the rows and the ids of queries never change it, except under
        ``ties=input`` and ``ties=reversed``.

    Raises
    ------
    ValueError
        If there are fewer than two systems, or fewer than two queries that count; if `baseline` is
        not one of the systems; if only one of two systems has a value on a query; or for what
        `evaluate` refuses.

    Warns
    -----
    UserWarning
        For what `evaluate` warns of, once for all systems.

    Notes
    -----
    Queries that a metric skips (``empty=skip``) do not count; `n_skipped` says how many they are.
    Two values of a query are equal if they differ by at most 1e-12 of the larger, which is the
    rounding of sums. If all differences are 0, all p-values are 1. If all differences are equal,
    but not 0, then t and d are infinite and the interval is a point.

    Wilcoxon's test leaves out differences of 0. It is exact for up to 13 queries, uses the normal
    approximation for more than 50, and leaves the choice to SciPy in between. SciPy's
    ``permutation_test`` doubles the smaller of the two tails instead of counting both; the
    difference is within the error of drawing.

    With weights, each query's difference is multiplied by its weight over the mean weight. The
    tests are then about the weighted means. Wins, ties and losses remain counts of queries.

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
        n_threads=procedure.n_threads,
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
        got = f"{len(systems)}" if isinstance(systems, Mapping) else described(systems)
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
