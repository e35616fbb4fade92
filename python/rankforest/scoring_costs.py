"""What scoring costs: documents and queries, with all trees, under exits, and as a model grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import MetricLike, named_metrics
from rankforest._model_tools.priced_models import Exits, Floats, PricedModel
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.paths import StrPath
from rankforest._support.tables import Cell, Table, html_of
from rankforest.data import Dataset
from rankforest.exits import checked_exits
from rankforest.line_search import require_dataset
from rankforest.model import model_of

__all__ = ["CostCurve", "CostPoint", "ScoringCost", "cost_curve", "scoring_cost"]

#: Points of a curve where nobody says which.
_POINTS = 50
#: Points that a curve shows as a table.
_SHOWN = 20


@dataclass(frozen=True)
class ScoringCost:
    """What `scoring_cost` found. Prints as a table, and shows as such in notebooks.

    Attributes
    ----------
    metrics : dict of str to float
        Metrics of the scores, as they were spelled.
    per_document : float
        Mean cost of a document.
    per_query : float
        Mean cost of a query.
    rounds : float
        Mean number of rounds that documents were scored with.
    query_ids : ndarray of shape (n_queries,)
        The queries in the order of the data.
    query_costs : ndarray of float64, shape (n_queries,)
        What each of them cost.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=100).fit(data)
    >>> costs = rf.FeatureCosts([10] * 5 + [200] * 15)
    >>> whole = rf.scoring_cost(model, data, costs=costs)
    >>> fast = rf.scoring_cost(model, data, costs=costs, early_exit=rf.EarlyExit(10, 0.3))
    >>> fast.per_document < whole.per_document
    True
    >>> float(fast.quantile(0.95)) >= fast.quantile(0.5)
    True
    """

    metrics: Mapping[str, float]
    per_document: float
    per_query: float
    rounds: float
    query_ids: npt.NDArray[Any]
    query_costs: Floats

    def quantile(self, share: float) -> float:
        """Return the least cost that at least this share of the queries, in [0, 1], stays within."""
        return float(np.quantile(self.query_costs, share, method="inverted_cdf"))

    def values(self) -> dict[str, float]:
        """Return what tables show: metrics, mean costs, and costs of queries at 50 and 95 %."""
        return {
            **self.metrics,
            "rounds per document": self.rounds,
            "cost per document": self.per_document,
            "cost per query": self.per_query,
            "cost per query, p50": self.quantile(0.5),
            "cost per query, p95": self.quantile(0.95),
        }

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the cost of each query as a data frame with the columns "qid" and "cost".

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
        return to_frame({"qid": self.query_ids, "cost": self.query_costs}, library)

    def _table(self) -> Table:
        rows = ((Cell(name), Cell(_shown(name, value))) for name, value in self.values().items())
        return Table(("", "value"), tuple(rows))

    def __str__(self) -> str:
        return self._table().to_text()

    def __repr__(self) -> str:
        return (
            f"ScoringCost({self.per_document:,.6g} per document, {self.per_query:,.6g} per query; "
            "print it for more)"
        )

    def _repr_html_(self) -> str:
        return html_of([self._table()], [])


def scoring_cost(
    model: Any,
    data: Dataset,
    metrics: MetricLike | Sequence[MetricLike] = "ndcg@10",
    *,
    costs: object = None,
    early_exit: Exits = None,
    lazy: bool = False,
    n_jobs: int | None = None,
) -> ScoringCost:
    """Measure what scoring costs, and how well it ranks, with all trees or with early exits [1]_.

    A document costs `tree_cost` for each tree that is evaluated for it, and for the features of
    these trees and of linear parts, each once; of features in a group, the first is paid.

    Parameters
    ----------
    model : Model, fitted estimator or path
        What scores.
    data : Dataset
        Documents with grades.
    metrics : str, Metric, or sequence of these, default="ndcg@10"
        As for `evaluate`; an empty sequence for none.
    costs : FeatureCosts, mapping or array_like of shape (n_features,), optional
        What features and trees cost. None: what the model was trained with; else 1 for a tree, and
        nothing for features.
    early_exit : EarlyExit or ExitSchedule, optional
        When documents stop being scored; metrics are then those of the scores that they have.
        None: as the model says, ``ExitSchedule([])``: never.
    lazy : bool, default=False
        Whether a feature is computed for a document once a tree asks for it on the document's path,
        as by `Model.predict_lazily`; by default, all features of a tree are computed.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    ScoringCost

    Raises
    ------
    ValueError
        If costs do not fit the model's features, or if documents are to exit from a model that
        combines its members or normalises features within queries.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", 2010, chapter 6.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=10).fit(data)
    >>> rf.scoring_cost(model, data, costs=rf.FeatureCosts({}, tree_cost=2)).per_document
    20.0
    """
    spelled = {} if isinstance(metrics, Sequence) and len(metrics) == 0 else named_metrics(metrics)
    checked_exits(early_exit)
    priced = PricedModel(
        model_of("model", model), require_dataset(data), costs, lazy=lazy, n_jobs=n_jobs
    )
    scores, rounds = priced.scored(early_exit)
    (query_costs,) = priced.query_costs(rounds, [priced.model.n_rounds])
    return ScoringCost(
        priced.metrics(Judged.of(data), scores, spelled),
        float(query_costs.sum()) / data.n_documents,
        float(query_costs.mean()),
        float(rounds.mean()),
        data.query_ids,
        query_costs,
    )


@dataclass(frozen=True)
class CostPoint:
    """The first rounds of a model.

    Attributes
    ----------
    line : str
        Which model and schedule.
    rounds : int
        Number of rounds.
    cost : float
        Mean cost of a document.
    metrics : dict of str to float
        Metrics of the scores, as they were spelled.
    """

    line: str
    rounds: int
    cost: float
    metrics: Mapping[str, float]


@dataclass(frozen=True)
class CostCurve:
    """What `cost_curve` found. Prints as a table, and shows as such in notebooks.

    Attributes
    ----------
    points : tuple of CostPoint
        One line after the other, each from few rounds to many.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=10).fit(data)
    >>> curve = rf.cost_curve(model, data, "ndcg@10", rounds=[5, 10])
    >>> [(point.rounds, point.cost) for point in curve.points]
    [(5, 5.0), (10, 10.0)]
    """

    points: tuple[CostPoint, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The names of the lines."""
        return tuple(dict.fromkeys(point.line for point in self.points))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, as they were spelled."""
        return tuple(self.points[0].metrics)

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the points as a data frame: line, rounds, cost and a column for each metric.

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
        columns: dict[str, npt.NDArray[Any]] = {
            "line": np.array([point.line for point in self.points], dtype=object),
            "rounds": np.array([point.rounds for point in self.points]),
            "cost": np.array([point.cost for point in self.points]),
        }
        for name in self.metrics:
            columns[name] = np.array([point.metrics[name] for point in self.points])
        return to_frame(columns, library)

    def plot(self, path: StrPath | None = None) -> Any:
        """Draw a panel for each metric: its value against the mean cost of a document.

        Parameters
        ----------
        path : str or path-like, optional
            A file to write; the suffix says of which kind, such as .png or .svg.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            If Matplotlib is missing.
        """
        from rankforest.tuning.picture import draw_lines  # noqa: PLC0415  # only those who draw

        panels = {
            metric: {
                line: (
                    [point.cost for point in self.points if point.line == line],
                    [point.metrics[metric] for point in self.points if point.line == line],
                )
                for line in self.lines
            }
            for metric in self.metrics
        }
        return draw_lines(panels, "cost per document", path)

    def _table(self) -> Table:
        """Lay out some points of each line, its last one among them."""
        rows = []
        for line in self.lines:
            points = [point for point in self.points if point.line == line]
            step = -(-len(points) // max(_SHOWN // len(self.lines), 2))
            for point in points[::-1][::step][::-1]:
                values = (f"{point.metrics[name]:.4f}" for name in self.metrics)
                texts = (line, f"{point.rounds:,}", f"{point.cost:,.6g}", *values)
                rows.append(tuple(map(Cell, texts)))
        return Table(("line", "rounds", "cost", *self.metrics), tuple(rows))

    def __str__(self) -> str:
        return self._table().to_text()

    def __repr__(self) -> str:
        return f"CostCurve({', '.join(self.lines)}: {len(self.points)} points; print it for more)"

    def _repr_html_(self) -> str:
        return html_of([self._table()], [])


def cost_curve(
    model: Any,
    data: Dataset,
    metrics: MetricLike | Sequence[MetricLike] = ("ndcg@10", "p@5", "auc", "auc(fpr=0;0.05)"),
    *,
    costs: object = None,
    early_exit: Exits | Mapping[str, Exits] = None,
    rounds: Sequence[int] | None = None,
    lazy: bool = False,
    n_jobs: int | None = None,
) -> CostCurve:
    """Measure cost and quality of the first rounds of models, as they grow.

    These are figures 6.1 and 6.2 of the thesis [1]_. A line takes one pass through the trees.

    Metrics are means over the queries. The thesis's AUC and partial AUC are those of all documents
    as one list, which this gives for data that has them in one query: see the examples.

    Parameters
    ----------
    model : Model, fitted estimator, path, or mapping of str to these
        What scores; a mapping gives a line for each.
    data : Dataset
        Documents with grades.
    metrics : str, Metric, or sequence of these
        As for `evaluate`. By default those of the thesis and NDCG@10.
    costs : FeatureCosts, mapping or array_like of shape (n_features,), optional
        As for `scoring_cost`.
    early_exit : EarlyExit, ExitSchedule, or mapping of str to these, optional
        As for `scoring_cost`; a mapping gives a line for each schedule of each model, and None in
        it is what the model says.
    rounds : sequence of int, optional
        Numbers of rounds to measure, >= 1. By default up to 50 at equal distances, the last
        among them. Those beyond the last round of a model are left out.
    lazy : bool, default=False
        As for `scoring_cost`.
    n_jobs : int, optional
        As for `scoring_cost`.

    Returns
    -------
    CostCurve

    Raises
    ------
    ValueError
        As for `scoring_cost`, or if `rounds` are not as they should be.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", 2010, sections 6.2 and 6.3.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=100).fit(data)
    >>> schedules = {"none": None, "20 %": rf.EarlyExit(10, 0.2)}
    >>> curve = rf.cost_curve(model, data, "ndcg@10", early_exit=schedules)
    >>> curve
    CostCurve(none, 20 %: 100 points; print it for more)

    AUC as in the thesis, of all documents with all others:

    >>> one_list = rf.Dataset(data.X, data.y, qid=[0] * data.n_documents)
    >>> print(rf.cost_curve(model, one_list, ["auc", "auc(fpr=0;0.05)"], rounds=[10, 100]))
    line   rounds  cost     auc  auc(fpr=0;0.05)
    model      10    10  0.8974           0.0258
    model     100   100  0.9692           0.0376
    """
    spelled = named_metrics(metrics)
    models = model if isinstance(model, Mapping) else {"": model}
    schedules = early_exit if isinstance(early_exit, Mapping) else {"": early_exit}
    if not models or not schedules:
        raise ValueError("model and early_exit must not be empty mappings")
    judged = Judged.of(require_dataset(data))
    points: list[CostPoint] = []
    for name, each in models.items():
        priced = PricedModel(model_of("model", each), data, costs, lazy=lazy, n_jobs=n_jobs)
        stages = _stages(priced.model.n_rounds, rounds)
        for schedule_name, schedule in schedules.items():
            line = ", ".join(filter(None, map(str, (name, schedule_name)))) or "model"
            values = []
            for scores, ends in priced.staged(stages, schedule):
                values.append(priced.metrics(judged, scores, spelled))
                last = ends
            query_costs = priced.query_costs(last, stages)
            points += (
                CostPoint(line, stage, float(of_queries.sum()) / data.n_documents, found)
                for stage, of_queries, found in zip(stages, query_costs, values, strict=True)
            )
    return CostCurve(tuple(points))


def _stages(n_rounds: int, rounds: Sequence[int] | None) -> list[int]:
    if rounds is None:
        step = -(-n_rounds // _POINTS)
        return sorted({*range(step, n_rounds, step), n_rounds})
    for each in rounds:
        if not isinstance(each, Integral) or isinstance(each, bool) or each < 1:
            raise ValueError(f"rounds must be integers >= 1, got {each!r}")
    stages = sorted({int(each) for each in rounds if each <= n_rounds})
    if not stages:
        raise ValueError(
            f"rounds must have one of those of the model, in [1, {n_rounds}]; got {list(rounds)}"
        )
    return stages


def _shown(name: str, value: float) -> str:
    return f"{value:,.6g}" if name.startswith(("cost", "rounds")) else f"{value:.4f}"
