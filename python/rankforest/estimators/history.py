"""What was measured during training, round by round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any

import numpy as np
import numpy.typing as npt

#: Set -> metric -> value.
Values = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class History:
    """Rounds that were measured, and the values of each metric on each set after them."""

    rounds: list[int] = field(default_factory=list)
    #: Set -> metric -> one value for each of the rounds; NaN where it was not measured.
    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    @classmethod
    def of_reports(cls, by_round: Mapping[int, Values]) -> History:
        """Return the history of values by round; rounds without any are left out."""
        measured = {number: values for number, values in sorted(by_round.items()) if values}
        columns: dict[str, dict[str, list[float]]] = {}
        for values in measured.values():
            for name, of_set in values.items():
                for metric in of_set:
                    columns.setdefault(name, {}).setdefault(metric, [])
        for name, metrics in columns.items():
            for metric, column in metrics.items():
                column += [v.get(name, {}).get(metric, nan) for v in measured.values()]
        return cls(list(measured), columns)

    def followed_by(self, later: History) -> History:
        """Return both; what the later one measured counts where both have a round."""
        by_round: dict[int, dict[str, dict[str, float]]] = {}
        for history in (self, later):
            for i, number in enumerate(history.rounds):
                values = by_round.setdefault(number, {})
                for name, metrics in history.values.items():
                    for metric, column in metrics.items():
                        if not isnan(column[i]) or metric not in values.get(name, {}):
                            values.setdefault(name, {})[metric] = column[i]
        return History.of_reports(by_round)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return one row for each value: its round, set and metric."""
        rows = [
            (number, name, metric, value)
            for name, metrics in self.values.items()
            for metric, column in metrics.items()
            for number, value in zip(self.rounds, column, strict=True)
        ]
        return {
            "round": np.array([row[0] for row in rows], dtype=np.int64),
            "set": np.array([row[1] for row in rows], dtype=object),
            "metric": np.array([row[2] for row in rows], dtype=object),
            "value": np.array([row[3] for row in rows], dtype=np.float64),
        }


def printer(every: int) -> Callable[[Mapping[str, Any]], None]:
    """Return a callback that prints a line each time that `every` more rounds are trained."""
    printed = 0

    def show(report: Mapping[str, Any]) -> None:
        nonlocal printed
        now, total = report["round"], report["n_rounds"]
        if now // every > printed // every or now == total:
            printed = now
            print(f"round {now} of {total}{described(report['values'])}")

    return show


def described(values: Values) -> str:
    """Return values for a line that begins with their round; nothing where there are none."""
    each = [f"{s} {m} {value:.6g}" for s, of_set in values.items() for m, value in of_set.items()]
    return ": " + ", ".join(each) if each else ""
