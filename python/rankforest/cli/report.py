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
from rich.table import Table

from rankforest.cli.consoles import data_console
from rankforest.metrics import Evaluation

FORMATS = ("text", "json", "csv", "tsv")


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
    """

    n_queries: int
    n_empty: int
    means: Mapping[str, Evaluation]
    query_ids: npt.NDArray[np.object_]
    per_query: Mapping[str, Mapping[str, npt.NDArray[np.float64]]] | None = None

    def print(self, form: str) -> None:
        """Write the report to stdout in one of `FORMATS`."""
        if form == "json":
            json.dump(self._as_dict(), sys.stdout, indent=2, allow_nan=False)
            sys.stdout.write("\n")
        elif form == "text":
            self._print_text()
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

    def _query_rows(self) -> Iterator[list[object]]:
        yield ["system", "metric", "query", "value"]
        for system, metrics in (self.per_query or {}).items():
            for metric, values in metrics.items():
                for query, value in zip(self.query_ids, values.tolist(), strict=True):
                    yield [system, metric, query, _exact(value)]

    def _print_text(self) -> None:
        console = data_console()
        if self.per_query is not None:
            console.print(self._query_table(self.per_query))
            console.print()
        console.print(metrics_table(self.means))
        console.print(f"\n{self.n_queries:,} queries, {self.n_empty:,} without a relevant document")

    def _query_table(self, per_query: Mapping[str, Mapping[str, npt.NDArray[np.float64]]]) -> Table:
        table = _table("query")
        columns = []
        for system, metrics in per_query.items():
            for metric, values in metrics.items():
                title = metric if len(per_query) == 1 else f"{system}\n{metric}"
                table.add_column(title, justify="right", no_wrap=True)
                columns.append(map(_rounded, values.tolist()))
        for query, *cells in zip(self.query_ids, *columns, strict=True):
            table.add_row(str(query), *cells)
        return table


def metrics_table(means: Mapping[str, Mapping[str, float]]) -> Table:
    """Lay out one row for each metric and one column for each system or data set."""
    table = _table("metric")
    for name in means:
        table.add_column(name, justify="right", no_wrap=True)
    for metric in next(iter(means.values())):
        table.add_row(metric, *(_rounded(values[metric]) for values in means.values()))
    return table


def _table(first: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, no_wrap=True)
    return table


def _rounded(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4f}"


def _exact(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
