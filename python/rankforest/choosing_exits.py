"""Exits that are chosen: the cheapest whose loss on validation data stays under a bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real
from typing import Any, Literal, get_args

import numpy as np

from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import MetricLike
from rankforest._model.notes import replaced
from rankforest._model_tools.exit_search import PLACES, ExitSearch, ExitTrial, front_of, grids_of
from rankforest._model_tools.priced_models import PricedModel
from rankforest._model_tools.tree_order import reordered
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.tables import Cell, Table, html_of
from rankforest._support.wording import names_of
from rankforest.data import Dataset
from rankforest.line_search import ranking_metric, require_dataset
from rankforest.model import Model, model_of
from rankforest.model_json import canonical_json

__all__ = ["ExitChoice", "ExitTrial", "choose_exits"]

#: By what documents exit.
ExitRule = Literal["fraction", "margin", "keep"]

#: Trials of the front that are shown.
_SHOWN = 20


@dataclass(frozen=True)
class ExitChoice:
    """What `choose_exits` found. Prints as a table, and shows as such in notebooks.

    Attributes
    ----------
    model : Model
        The model with the exits that were chosen; without any, if none pays within the bound.
    metric : str
        What was watched.
    whole, whole_cost : float
        The metric and the mean cost of a document with all trees for all documents.
    chosen : ExitTrial
        What was chosen, with the metric and the cost that are to be expected.
    trials : tuple of ExitTrial
        All schedules that were tried, in this order; the first has no exits.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=60, random_state=0)
    >>> model = rf.MART(n_estimators=50).fit(data)
    >>> found = rf.choose_exits(model, data, max_loss=0.01, rules="keep", rounds=[10, 25])
    >>> found.chosen.loss <= 0.01
    True
    >>> found.chosen.cost < found.whole_cost
    True
    """

    model: Model
    metric: str
    whole: float
    whole_cost: float
    chosen: ExitTrial
    trials: tuple[ExitTrial, ...]

    def front(self) -> tuple[ExitTrial, ...]:
        """Return the trials than which none costs less and loses no more, the cheapest first."""
        return tuple(front_of(self.trials))

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the trials as a data frame.

        Its columns are schedule, reordered, cost, the metric's value, loss, front (whether no other
        trial costs less and loses no more) and chosen.

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
        front = set(map(id, self.front()))
        columns = {
            "schedule": np.array([repr(each.schedule) for each in self.trials], dtype=object),
            "reordered": np.array([each.reordered for each in self.trials]),
            "cost": np.array([each.cost for each in self.trials]),
            "value": np.array([each.value for each in self.trials]),
            "loss": np.array([each.loss for each in self.trials]),
            "front": np.array([id(each) in front for each in self.trials]),
            "chosen": np.array([each is self.chosen for each in self.trials]),
        }
        return to_frame(columns, library)

    def _table(self) -> Table:
        shown = self.front()[-_SHOWN:]
        rows = (
            (
                Cell(_described(each), bold=each is self.chosen),
                Cell(f"{each.cost:,.6g}"),
                Cell(f"{each.value:.4f}"),
                Cell(f"{-each.loss:+.4f}"),
            )
            for each in shown
        )
        return Table(("exits", "cost", self.metric, "difference"), tuple(rows))

    def _note(self) -> str:
        share = self.chosen.cost / self.whole_cost if self.whole_cost > 0 else 1.0
        return (
            f"chose {_described(self.chosen)}: {self.chosen.cost:,.6g} per document instead of "
            f"{self.whole_cost:,.6g} ({share:.0%}), {self.metric} {-self.chosen.loss:+.4f}"
        )

    def __str__(self) -> str:
        return f"{self._table().to_text()}\n\n{self._note()}"

    def __repr__(self) -> str:
        return f"ExitChoice({self._note()}; print it for the front)"

    def _repr_html_(self) -> str:
        return html_of([self._table()], [self._note()])


def choose_exits(
    model: Any,
    data: Dataset,
    metric: MetricLike = "ndcg@10",
    *,
    max_loss: float = 0.001,
    costs: object = None,
    rules: ExitRule | Sequence[ExitRule] = ("fraction", "margin", "keep"),
    rounds: Sequence[int] | None = None,
    k: int | None = None,
    reorder: bool = False,
    lazy: bool = False,
    max_trials: int = 300,
    n_jobs: int | None = None,
) -> ExitChoice:
    """Find when documents should stop being scored, so that scoring costs least.

    Schedules of exits are tried on validation data [1]_. Of those whose metric is lower by no more
    than `max_loss` than that of all trees for all documents, the cheapest is chosen.

    Parameters
    ----------
    model : Model, fitted estimator or path
        One that sums its trees. Exits that it has are left out.
    data : Dataset
        Validation data with grades: not the training data.
    metric : str, Metric or measure of ir_measures, default="ndcg@10"
        Any metric of rankings.
    max_loss : float, default=0.001
        By how much the metric may fall on the validation data, >= 0.
    costs : FeatureCosts, mapping or array_like of shape (n_features,), optional
        As for `scoring_cost`.
    rules : {"fraction", "margin", "keep"} or sequence of these
        By what documents exit: a share of them, what is so far below the k-th best, or all but the
        best. By default all three are tried, each by itself.
    rounds : sequence of int, optional
        The rounds after which documents may exit. By default six, from 2 to 70 % of all.
    k : int, optional
        As for `ExitSchedule`, and what `keep` is a multiple of, >= 1. By default the cutoff of the
        metric, else 10.
    reorder : bool, default=False
        Whether to try also another order of trees: those first whose contributions vary most for
        what they and their features cost. It changes the last digits of scores.
    lazy : bool, default=False
        As for `scoring_cost`.
    max_trials : int, default=300
        The most schedules to try for each rule, >= 1. All combinations are tried if they are no
        more; otherwise exits are made harsher, one by one, and then exchanged.
    n_jobs : int, optional
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    ExitChoice
        With the `model` that has the exits, which `Model.save` saves. Its `parameters` have what was
        done as "exits".

    Raises
    ------
    ValueError
        If an argument is out of range, or the model does not fit the data.

    Notes
    -----
    The schedule is chosen on the data that its loss is measured on, so the loss on new data is likely
    to be higher. `scoring_cost` measures it.

    References
    ----------
    .. [1] B. B. Cambazoglu et al., "Early exit optimizations for additive machine learned ranking
       systems", WSDM 2010.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=60, random_state=0)
    >>> train, valid = data.train_test_split(0.5)
    >>> model = rf.MART(n_estimators=50).fit(train)
    >>> found = rf.choose_exits(model, valid, max_loss=0.01, rules="fraction", max_trials=60)
    >>> found.model.exits == found.chosen.schedule
    True
    """
    ranked = ranking_metric(metric)
    by = _checked_rules(rules)
    _check_numbers(max_loss, max_trials)
    whole = model_of("model", model).with_exits(None)
    priced = PricedModel(whole, require_dataset(data), costs, lazy=lazy, n_jobs=n_jobs)
    places = _places(whole.n_rounds, rounds)
    k = _checked_k(k, str(ranked))
    value = priced.metrics(Judged.of(data), priced.scored(None)[0], {"": ranked})[""]
    trials: list[ExitTrial] = []
    models = {False: whole}
    for is_reordered in (False, True)[: 1 + bool(reorder)]:
        if is_reordered:
            models[True] = reordered(priced)
            priced = PricedModel(models[True], data, priced.costs, lazy=lazy, n_jobs=n_jobs)
        search = ExitSearch(priced, ranked, value, max_loss, reordered=is_reordered)
        if places:
            for grid in grids_of(priced, places, by, k).values():
                search.run(grid, k, max_trials)
        trials += search.trials
    allowed = [each for each in trials if each.loss <= max_loss] or trials[:1]
    chosen = min(allowed, key=lambda each: (each.cost, each.loss))
    final = _with_note(models[chosen.reordered], chosen, str(ranked), max_loss)
    return ExitChoice(final, str(ranked), value, trials[0].cost, chosen, tuple(trials))


def _with_note(model: Model, chosen: ExitTrial, metric: str, max_loss: float) -> Model:
    note = {
        "metric": metric,
        "max_loss": float(max_loss),
        "loss": chosen.loss,
        "cost": chosen.cost,
        "reordered": chosen.reordered,
    }
    parameters = canonical_json({**model.parameters, "exits": note})
    info = replaced(model._info, parameters_json=parameters)
    return Model(model._ensemble, info).with_exits(chosen.schedule)


def _described(trial: ExitTrial) -> str:
    """Return a schedule in a line."""
    words = []
    for each in trial.schedule.exits:
        rule = f"{each.fraction:.0%}"
        if each.margin is not None:
            rule = f"more than {each.margin:.3g} below rank {trial.schedule.k}"
        if each.keep is not None:
            rule = f"all but {each.keep}"
        words.append(f"{rule} after {each.round}")
    text = ", ".join(words) or "no exits"
    return f"{text}, trees reordered" if trial.reordered else text


def _checked_rules(rules: object) -> tuple[str, ...]:
    given = tuple(names_of(rules))  # type: ignore[arg-type]
    known = get_args(ExitRule)
    wrong = [rule for rule in given if rule not in known]
    if wrong or not given:
        raise ValueError(
            f"rules must be out of {', '.join(known)}, got {wrong[0]!r}"
            if wrong
            else f"rules must be out of {', '.join(known)}, got none"
        )
    return tuple(dict.fromkeys(given))


def _check_numbers(max_loss: object, max_trials: object) -> None:
    if not isinstance(max_loss, Real) or not (isfinite(max_loss) and float(max_loss) >= 0):
        raise ValueError(f"max_loss must be finite and >= 0, got {max_loss!r}")
    if not _is_count(max_trials):
        raise ValueError(f"max_trials must be an integer >= 1, got {max_trials!r}")


def _places(n_rounds: int, rounds: Sequence[int] | None) -> list[int]:
    """Return the rounds after which documents may exit, ascending."""
    if rounds is None:
        rounds = [max(1, round(share * n_rounds)) for share in PLACES]
        return sorted({place for place in rounds if place < n_rounds})
    for each in rounds:
        if not _is_count(each) or each >= n_rounds:
            raise ValueError(
                f"rounds must be integers from 1 to {n_rounds - 1}, before the model's last round; "
                f"got {each!r}"
            )
    return sorted(set(map(int, rounds)))


def _checked_k(k: int | None, metric: str) -> int:
    if k is None:
        cutoff = metric.partition("@")[2].partition("(")[0]
        return int(cutoff) if cutoff.isdigit() else 10
    if not _is_count(k):
        raise ValueError(f"k must be an integer >= 1 or None, got {k!r}")
    return int(k)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1
