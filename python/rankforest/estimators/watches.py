"""What `fit` measures while it trains: the forms of `metric`, and the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankforest import _core
from rankforest._evaluation.metric_arguments import IrMeasure, as_core_metric
from rankforest._settings.parameters import Problems
from rankforest.estimators.custom import Callback, CustomMetric
from rankforest.estimators.history import History, Values

#: What `metric=` takes: a spelling, a parsed metric, a measure of ir_measures or one of the user's.
MetricLike = str | _core.Metric | CustomMetric | IrMeasure


class Metrics:
    """The metrics of a run, and the user's spellings of them.

    Parameters
    ----------
    metric : MetricLike or sequence of MetricLike
        As an estimator stores it, unchecked.
    problems : Problems
        Takes what is wrong with it.
    """

    def __init__(self, metric: object, problems: Problems) -> None:
        is_one = isinstance(metric, str) or not isinstance(metric, Sequence)
        given: Sequence[object] = [metric] if is_one else metric  # type: ignore[assignment]
        #: In order; the first decides early stopping.
        self.metrics: list[_core.Metric | CustomMetric] = []
        self._spelling: dict[str, str] = {}  # of the core's name of each
        for each in given:
            with problems.collected():
                self._add(each)
        if not given:
            problems.add("metric must name at least one metric, got an empty sequence")

    def _add(self, metric: object) -> None:
        parsed = metric if isinstance(metric, CustomMetric) else as_core_metric(metric)
        if parsed is None:
            raise TypeError(
                "metric must be a spelling such as 'ndcg@10', a Metric, a CustomMetric, a measure "
                f"of ir_measures or a sequence of these, got {metric!r}"
            )
        if str(parsed) in self._spelling:
            raise ValueError(f"metric must name each measure once, got {str(metric)!r} twice")
        self.metrics.append(parsed)
        self._spelling[str(parsed)] = str(metric)

    @property
    def by_spelling(self) -> dict[str, _core.Metric | CustomMetric]:
        """What each of them is called in results."""
        return {self._spelling[str(metric)]: metric for metric in self.metrics}

    @property
    def first(self) -> _core.Metric | CustomMetric:
        """The one that decides early stopping, and what `score` measures."""
        return self.metrics[0]

    def for_core(self) -> list[_core.Metric | tuple[str, Callable[..., float], bool]]:
        """Return them as the trainer takes them."""
        return [(m.name, m, m.maximize) if isinstance(m, CustomMetric) else m for m in self.metrics]

    def as_spelled(self, values: Values) -> dict[str, dict[str, float]]:
        """Return values by set and core's name as values by set and spelling."""
        return {
            name: {self._spelling[metric]: value for metric, value in of_set.items()}
            for name, of_set in values.items()
        }

    def history(self, reports: Sequence[Mapping[str, Any]]) -> History:
        """Return what was measured."""
        return History.of_reports({r["round"]: self.as_spelled(r["values"]) for r in reports})

    def observer(self, callbacks: Sequence[Callback]) -> Callable[[dict[str, Any]], bool] | None:
        """Return one function that calls all callbacks; True where any of them asks to stop."""
        if not callbacks:
            return None

        def observe(report: dict[str, Any]) -> bool:
            report = {**report, "values": self.as_spelled(report["values"])}
            answers = [callback(report) for callback in callbacks]
            return any(bool(answer) for answer in answers)

        return observe
