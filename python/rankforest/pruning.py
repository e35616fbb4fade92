"""Fewer trees after training: which to drop, and new weights for the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.columns import check_columns
from rankforest._evaluation.metric_arguments import MetricLike
from rankforest._evaluation.significance import weighted_mean
from rankforest._model.notes import replaced
from rankforest._model.position_notes import without_effects
from rankforest._model_tools.pruning_choices import PruningGoal, TreeOrder
from rankforest._settings.parameters import RULES, seed_of, thread_count
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.tables import Cell, Table, html_of
from rankforest.data import Dataset
from rankforest.line_search import LineSearch, ranking_metric, require_dataset
from rankforest.model import Model, model_of
from rankforest.model_json import canonical_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: By what trees are dropped.
PruneMethod = Literal["quality_loss", "score_loss", "low_weight", "last", "skip", "random"]

Floats = npt.NDArray[np.float64]

_N_PERMUTATIONS = 10_000

#: Documents that scoring is timed on.
_TIMED = 5_000


@dataclass(frozen=True)
class PrunedSize:
    """What a model of some of the trees is worth.

    Attributes
    ----------
    n_trees : int
        Number of trees left.
    metric : float
        Of these trees with their old weights.
    metric_reweighted : float
        Of these trees with their new weights; the same as `metric` without line search.
    p_value : float
        Of the difference between `metric_reweighted` and the whole model's value: two-sided, by the
        randomisation test over queries. 1 for the whole model.
    microseconds : float
        Processor time that one thread takes to score a document; measured.
    """

    n_trees: int
    metric: float
    metric_reweighted: float
    p_value: float
    microseconds: float


@dataclass(frozen=True)
class Pruning:
    """What `rankforest.prune` found. Prints as a table, and shows as such in notebooks.

    Attributes
    ----------
    model : Model
        The pruned model.
    method, metric : str
        By what trees were dropped, and the metric that was watched.
    whole : float
        The metric of the whole model on the validation data.
    curve : tuple of PrunedSize
        From all trees down. Each query is judged by trees and weights that were chosen on the other
        half of the queries, so that the figures are those to expect on new data.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=200, random_state=0)
    >>> train, rest = data.train_test_split(0.5)
    >>> model = rf.MART(n_estimators=40).fit(train)
    >>> found = rf.prune(model, rest, method="last", sizes=[30, 20], n_trees=20)
    >>> [size.n_trees for size in found.curve]
    [40, 30, 20]
    """

    model: Model
    method: str
    metric: str
    whole: float
    curve: tuple[PrunedSize, ...]

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the curve as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            Whose frame to make.

        Raises
        ------
        ValueError
            If the library is none of these.
        ImportError
            If it is missing.
        """
        names = ("n_trees", "metric", "metric_reweighted", "p_value", "microseconds")
        return to_frame(
            {name: np.array([getattr(size, name) for size in self.curve]) for name in names},
            library,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curve: the metric against trees, with old and new weights.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If Matplotlib is missing.
        """
        try:
            from matplotlib import pyplot  # noqa: PLC0415  # only those who draw need it
        except ImportError:
            raise ImportError("plot needs Matplotlib: pip install matplotlib") from None
        if ax is None:
            ax = pyplot.subplots()[1]
        trees = [size.n_trees for size in self.curve]
        ax.plot(trees, [size.metric for size in self.curve], "o-", label="old weights")
        ax.plot(trees, [size.metric_reweighted for size in self.curve], "s-", label="new weights")
        ax.axhline(self.whole, color="grey", linestyle=":", label="all trees")
        ax.axvline(self.model.n_trees, color="grey", linewidth=0.8)
        ax.set_xlabel("trees")
        ax.set_ylabel(self.metric)
        ax.legend()
        return ax

    def _table(self) -> Table:
        headings = ("trees", self.metric, "new weights", "difference", "p", "us per document")
        texts = (
            (
                f"{size.n_trees:,}",
                f"{size.metric:.4f}",
                f"{size.metric_reweighted:.4f}",
                f"{size.metric_reweighted - self.whole:+.4f}",
                f"{size.p_value:.3f}",
                f"{size.microseconds:.2f}",
            )
            for size in self.curve
        )
        return Table(headings, tuple(tuple(map(Cell, row)) for row in texts), n_left=0)

    def _note(self) -> str:
        kept = next((s for s in self.curve if s.n_trees == self.model.n_trees), None)
        mark = "" if kept is None else f" of {self.curve[0].n_trees:,}"
        return f"kept {self.model.n_trees:,}{mark} trees by {self.method}"

    def __str__(self) -> str:
        return f"{self._table().to_text()}\n\n{self._note()}"

    def __repr__(self) -> str:
        return f"Pruning({self._note()}; print it for the curve)"

    def _repr_html_(self) -> str:
        return html_of([self._table()], [self._note()])


def prune(
    model: Any,
    data: Dataset,
    *,
    method: PruneMethod = "score_loss",
    n_trees: int | None = None,
    fraction: float | None = None,
    max_loss: float | None = None,
    metric: MetricLike = "ndcg@10",
    line_search: bool | LineSearch = True,
    sizes: Sequence[int] | None = None,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> Pruning:
    """Drop trees of a trained model, and weigh the others anew.

    Scoring takes time in proportion to the trees. After training, many of them can go: the trees
    that matter least are dropped together, and a line search over the weights of the others makes
    up for them [1]_.

    Parameters
    ----------
    model : Model, fitted estimator or path
        One that sums its trees: any but those that combine models within queries. Exits are left
        out: they were chosen for all trees.
    data : Dataset
        Validation data with grades: not the training data.
    method : str, default="score_loss"
        Which trees are dropped:

        ============  ========================================================================
        quality_loss  those whose loss, each alone, costs least of the metric
        score_loss    those that make the smallest share of the documents' scores
        low_weight    those of the smallest weights, after a line search over all of them
        last          those trained last
        skip          all but some at equal distances
        random        any
        ============  ========================================================================
    n_trees : int, optional
        Number of trees to keep.
    fraction : float, optional
        Share of the trees to drop, in (0, 1).
    max_loss : float, optional
        Keep the fewest trees with which the metric falls by no more than this. Of `n_trees`,
        `fraction` and `max_loss` one can be given. Without any, the fewest trees are kept with
        which the loss is not significant: its p-value is above 0.05.
    metric : str, Metric or measure of ir_measures, default="ndcg@10"
        Any metric of rankings.
    line_search : bool or LineSearch, default=True
        Whether the trees that are left get new weights, or how the weights are searched; True is one
        pass of ten points.
    sizes : sequence of int, optional
        Numbers of trees to try, those of the curve. By default every twentieth of all trees down
        to the first that loses too much; with `n_trees` or `fraction`, that number alone.
    random_state : int, RandomState or None, default=0
        The seed of ``method="random"`` and of the tests of significance.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        model.

    Returns
    -------
    Pruning
        With the pruned `model`, whose `parameters` have what was done as "pruning".

    Raises
    ------
    ValueError
        If an argument is out of range, or the model does not fit the data.

    Notes
    -----
    Weights that were searched on the validation data fit it better than new data. So losses are
    judged crosswise: trees and weights are chosen on one half of the queries and judged on the
    other, then the other way round. The model that is returned has trees and weights chosen on all
    queries.

    Trees of a small share of the scores are a safer choice than those of a small quality loss: many
    trees change the metric by less than what is chance on the validation data. On 1,000 trees of
    LambdaMART and MSLR-like data the first half to go by "score_loss" cost nothing on new data,
    the first half by "quality_loss" 0.007 of NDCG@10 on the other half of the validation queries.

    Takes a byte of memory for each tree and document; two where a tree has more than 256 leaves.

    References
    ----------
    .. [1] C. Lucchese, F. M. Nardini, S. Orlando, R. Perego, F. Silvestri and S. Trani,
       "Post-learning optimization of tree ensembles for efficient ranking", SIGIR 2016.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=200, random_state=0)
    >>> train, rest = data.train_test_split(0.5)
    >>> model = rf.LambdaMART(n_estimators=100, random_state=0).fit(train)
    >>> pruned = rf.prune(model, rest, fraction=0.5)
    >>> pruned.model
    Model(lambdamart, 50 rounds, 50 trees, 20 features)
    """
    whole = model_of("model", model).with_exits(None)
    goal = PruningGoal.of(whole.n_trees, n_trees, fraction, max_loss, sizes)
    work = _Work(
        whole,
        require_dataset(data),
        method=method,
        metric=metric,
        line_search=line_search,
        seed=seed_of(RULES["random_state"].check("random_state", random_state)),
        n_jobs=n_jobs,
    )
    curve: list[PrunedSize] = []
    kept = whole.n_trees
    for size in goal.sizes:
        curve.append(work.judged(size))
        if goal.n_trees is None and not goal.allows(curve[-1], work.whole_value):
            break
        kept = size
    pruned = work.final(goal.n_trees or kept)
    return Pruning(pruned, method, str(work.metric), work.whole_value, tuple(curve))


class _Work:
    """Trees of a model, on data, with weights to change."""

    def __init__(
        self,
        model: Model,
        data: Dataset,
        *,
        method: PruneMethod,
        metric: MetricLike,
        line_search: bool | LineSearch,
        seed: int,
        n_jobs: int | None,
    ) -> None:
        if method not in get_args(PruneMethod):
            raise ValueError(
                f"method must be one of {', '.join(get_args(PruneMethod))}, got {method!r}"
            )
        _, data = model._of_numbers(data)
        check_columns(
            "Model", data.n_features, data.feature_names, model.n_features, model.feature_names
        )
        self.model = model
        self.method = method
        self.metric = ranking_metric(metric)
        search = _SEARCH if line_search is True else line_search
        self._settings = search or None
        self._search = search._checked() if search else None
        self._before = (search or _SEARCH)._checked()
        self._seed = seed
        self._n_jobs = thread_count(n_jobs)
        self._data = data
        self._trees = _core.WeightedTrees(model._ensemble, data._core, self.metric, self._n_jobs)
        self._whole_values = self._trees.values
        self.whole_value = self._trees.value
        self._query_weights = self._trees.query_weights
        first = np.zeros(data.n_queries, bool)
        first[::2] = True  # canonical order is a hash: as good as a draw
        self._halves = (first, ~first)
        self._orders: dict[int, TreeOrder] = {}

    def judged(self, n_trees: int) -> PrunedSize:
        """Return what so many trees are worth, each query judged by what the others chose."""
        plain = self._whole_values.copy()
        reweighted = self._whole_values.copy()
        weights = np.ones(self.model.n_trees)
        if n_trees < self.model.n_trees:
            for half, chosen_by in enumerate(self._halves):
                weights, values = self._chosen(half, chosen_by, n_trees)
                plain[~chosen_by] = values[~chosen_by]
                reweighted[~chosen_by] = self._trees.values[~chosen_by]
        return PrunedSize(
            n_trees,
            self._mean(plain),
            self._mean(reweighted),
            self._p_value(reweighted),
            self._microseconds(weights),
        )

    def final(self, n_trees: int) -> Model:
        """Return the model of so many trees, chosen by all queries."""
        if n_trees == self.model.n_trees:
            return self.model
        weights, _ = self._chosen(2, np.ones(self._data.n_queries, bool), n_trees)
        record = {"method": self.method, "metric": str(self.metric), "n_trees": n_trees}
        known = without_effects(self.model.parameters)
        parameters = canonical_json({**known, "pruning": record})
        info = replaced(self.model._info, parameters_json=parameters, ordinal=None)
        return Model(_core.reweighted(self.model._ensemble, weights), info)

    def _chosen(
        self, half: int, used: npt.NDArray[np.bool_], n_trees: int
    ) -> tuple[Floats, Floats]:
        """Choose trees and weights by some of the queries, and leave the weights set.

        Returns the new weights, and the value of every query with the old ones.
        """
        trees = self._trees
        trees.use_queries(used.tolist())
        order = self._orders.get(half)
        if order is None:
            order = self._orders[half] = self._order()
        kept = order.kept(n_trees)
        trees.weights = kept.astype(float)
        values = trees.values
        if self._search is not None:
            trees.weights = np.where(kept, order.weights, 0.0)
            trees.search(self._search, np.flatnonzero(kept).tolist())
        return trees.weights, values

    def _order(self) -> TreeOrder:
        """Measure what there is to keep each tree for."""
        trees, n_trees = self._trees, self.model.n_trees
        trees.weights = np.ones(n_trees)
        if self.method == "skip":
            return TreeOrder(None, trees.weights)
        if self.method == "low_weight":
            trees.search(self._before, list(range(n_trees)))
        importances = trees.importances(self.method, self._seed)
        return TreeOrder(importances, trees.weights)

    def _mean(self, values: Floats) -> float:
        """Return the mean over the queries, as the metric takes it."""
        counted = ~np.isnan(values) & (self._query_weights > 0)
        if not counted.any():
            return float("nan")
        return weighted_mean(values[counted], self._query_weights[counted])

    def _p_value(self, values: Floats) -> float:
        differences = values - self._whole_values
        differences = (differences * self._query_weights)[~np.isnan(differences)]
        if not differences.any():
            return 1.0
        differences = np.ascontiguousarray(differences)
        return _core.randomisation_test(
            differences, _N_PERMUTATIONS, self._seed, self._n_jobs
        ).p_value

    def _microseconds(self, weights: Floats) -> float:
        """Measure the processor time of scoring a document on one thread: the best of three."""
        scorer = _core.CompiledScorer(_core.reweighted(self.model._ensemble, weights))
        X = self._data.X[:_TIMED]
        times = []
        for _ in range(3):
            start = process_time()
            scorer.predict(X, None, 1)
            times.append(process_time() - start)
        return 1e6 * min(times) / len(X)


#: The weights of many trees get one pass: a second one hardly changes what they do on new data.
_SEARCH = LineSearch(max_iterations=1)
