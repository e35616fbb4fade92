"""Metrics of one or several systems, as a table for people and in forms for programs."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankforest._support.tables import Cell, Table
from rankforest.cli.consoles import data_console, drawn
from rankforest.metrics import Evaluation, Metric

FORMATS = ("text", "markdown", "latex", "json", "csv", "tsv")


@dataclass(frozen=True)
class Report:
    """What `ltr-eval` found out.

    Attributes
    ----------
    n_queries, n_empty : int
        All queries, and those without a relevant document: no grade above 0.
    means : mapping of str to Evaluation
        System -> metric -> mean over queries; NaN where no query counts.
    query_ids : ndarray of shape (n_queries,)
        The queries in the order of the data.
    per_query : mapping of str to mapping of str to ndarray, or None
        System -> metric -> value of each query, NaN where it does not count; None where nobody
        asked.
    costs : mapping of str to mapping of str to float, or None
        System -> what is measured -> cost; None where nobody asked.
    """

    n_queries: int
    n_empty: int
    means: Mapping[str, Evaluation]
    query_ids: npt.NDArray[np.object_]
    per_query: Mapping[str, Mapping[str, npt.NDArray[np.float64]]] | None = None
    costs: Mapping[str, Mapping[str, float]] | None = None

    def print(self, form: str) -> None:
        """Write the report to stdout in one of `FORMATS`."""
        if form == "json":
            json.dump(self._as_dict(), sys.stdout, indent=2, allow_nan=False)
            sys.stdout.write("\n")
        elif form == "text":
            self._print_text()
        elif form in ("markdown", "latex"):
            markdown = form == "markdown"
            texts = (t.to_markdown() if markdown else t.to_latex() for t in self._tables())
            print("\n\n".join(texts))
        else:
            delimiter = "," if form == "csv" else "\t"
            writer = csv.writer(sys.stdout, delimiter=delimiter, lineterminator="\n")
            writer.writerows(self._query_rows() if self.per_query else self._mean_rows())

    def _as_dict(self) -> dict[str, object]:
        """Return what JSON can hold: null where a value is NaN."""
        record: dict[str, object] = {
            "queries": self.n_queries,
            "queries_without_relevant_document": self.n_empty,
            "metrics": {
                system: {metric: _or_none(value) for metric, value in values.items()}
                for system, values in self.means.items()
            },
        }
        if self.costs is not None:
            record["costs"] = {system: dict(costs) for system, costs in self.costs.items()}
        if self.per_query is not None:
            ids = [str(each) for each in self.query_ids]
            record["per_query"] = {
                system: {
                    metric: dict(zip(ids, map(_or_none, values.tolist()), strict=True))
                    for metric, values in metrics.items()
                }
                for system, metrics in self.per_query.items()
            }
        return record

    def _mean_rows(self) -> Iterator[list[object]]:
        yield ["system", "metric", "value", "queries", "queries_without_relevant_document"]
        for system, values in self.means.items():
            for metric, value in values.items():
                yield [system, metric, _exact(value), values.n_queries, values.n_empty[metric]]
            for what, cost in (self.costs or {}).get(system, {}).items():
                yield [system, what, _exact(cost), values.n_queries, ""]

    def _query_rows(self) -> Iterator[list[object]]:
        yield ["system", "metric", "query", "value"]
        for system, metrics in (self.per_query or {}).items():
            for metric, values in metrics.items():
                for query, value in zip(self.query_ids, values.tolist(), strict=True):
                    yield [system, metric, query, _exact(value)]

    def _tables(self) -> Iterator[Table]:
        if self.per_query is not None:
            yield self._query_table(self.per_query)
        yield metrics_table(self.means, mark_best=len(self.means) > 1)
        if self.costs:
            yield _costs_table(self.costs)

    def _print_text(self) -> None:
        console = data_console()
        for table in self._tables():
            console.print(drawn(table))
            console.print()
        console.print(f"{self.n_queries:,} queries, {self.n_empty:,} without a relevant document")

    def _query_table(self, per_query: Mapping[str, Mapping[str, npt.NDArray[np.float64]]]) -> Table:
        headings = []
        columns = []
        for system, metrics in per_query.items():
            for metric, values in metrics.items():
                headings.append(metric if len(per_query) == 1 else f"{system} {metric}")
                columns.append(map(_rounded, values.tolist()))
        rows = zip(map(str, self.query_ids), *columns, strict=True)
        return Table(("query", *headings), tuple(tuple(map(Cell, row)) for row in rows))


def metrics_table(means: Mapping[str, Mapping[str, float]], *, mark_best: bool = False) -> Table:
    """Lay out one row for each metric and one column for each system or data set.

    The best system of each metric stands out where `mark_best` says so.
    """
    rows = []
    for metric in next(iter(means.values())):
        values = [of_system[metric] for of_system in means.values()]
        valued = [value for value in values if not math.isnan(value)]
        best = None
        if mark_best and valued:
            best = max(valued) if Metric(metric).maximize else min(valued)
        cells = (Cell(_rounded(value), bold=value == best) for value in values)
        rows.append((Cell(metric), *cells))
    return Table(("metric", *means), tuple(rows))


def _costs_table(costs: Mapping[str, Mapping[str, float]]) -> Table:
    """Lay out one row for each kind of cost and one column for each model."""
    rows = [
        (Cell(what), *(Cell(f"{of_system[what]:,.6g}") for of_system in costs.values()))
        for what in next(iter(costs.values()))
    ]
    return Table(("", *costs), tuple(rows))


def _rounded(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4f}"


def _exact(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
