"""The table of what the data sets of a run look like to a ranker."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

import rankforest

_HEADINGS = (
    "queries",
    "documents",
    "features",
    "grades",
    "queries without a relevant document",
    "with one grade",
    "of one document",
    "missing values",
)


def summary_table(sets: Mapping[str, rankforest.Dataset]) -> Table:
    """Lay out one row for each data set."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("data")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right")
    for name, data in sets.items():
        summary = data.summary()
        table.add_row(
            name,
            f"{summary.n_queries:,}",
            f"{summary.n_documents:,}",
            f"{summary.n_features:,}",
            f"{summary.lowest_grade:g} to {summary.highest_grade:g}",
            f"{summary.n_empty:,}",
            f"{summary.n_one_grade:,}",
            f"{summary.n_single:,}",
            f"{summary.n_missing:,}",
        )
    return table
