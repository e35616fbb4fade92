"""Figures of how a measure changes as an ensemble grows: a column, or a point, for each size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.papers.declare import Table
from bench.papers.estimate import Estimates


@dataclass(frozen=True)
class Curves:
    """Which measures are those of the first trees.

    Called with a table and its estimates it lays them out; `draw` draws them.
    """

    trees: Sequence[int]
    measures: Sequence[str]  #: names of measures, without the number of trees
    #: The name of the measure that says what the first trees cost, in place of their number.
    cost: str | None = None

    def name(self, measure: str, trees: int) -> str:
        """Return what a table calls a measure of the first trees."""
        return f"{measure} {trees} trees"

    def spelled(self, metrics: Mapping[str, str]) -> dict[str, str]:
        """Return the measures of a data set by name: the metrics given, by theirs, for each size."""
        return {
            self.name(measure, trees): f"{trees} trees: {metric}"
            for measure, metric in metrics.items()
            for trees in self.trees
        }

    def __call__(self, table: Table, measured: Estimates) -> str:
        """Lay out a row for each algorithm and measure."""
        head = ["data", "measure", "algorithm", *map(str, self.trees)]
        rows = []
        for data, measure, name in self._curves(table, measured):
            values = [measured[data, name, self.name(measure, trees)].mean for trees in self.trees]
            cells = [f"{value:.4f}" for value in values]
            if self.cost is not None:
                costs = [measured[data, name, self.name(self.cost, t)].mean for t in self.trees]
                cells = [f"{cell} \\ {cost:.0f}" for cell, cost in zip(cells, costs, strict=True)]
            rows.append([table.data[data].title, measure.upper(), name, *cells])
        lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
        return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])

    def _curves(self, table: Table, measured: Estimates) -> list[tuple[str, str, str]]:
        return [
            (data, measure, name)
            for data in dict.fromkeys(data for data, _, _ in measured)
            for measure in self.measures
            for name in table.algorithms
            if (data, name, self.name(measure, self.trees[0])) in measured
        ]

    def draw(self, table: Table, measured: Estimates, path: Path) -> None:
        """Draw a panel for each data set and measure, with a line for each algorithm."""
        import matplotlib as mpl  # it is optional
        from matplotlib.figure import Figure

        mpl.use("Agg")
        curves = self._curves(table, measured)
        data_sets = list(dict.fromkeys(data for data, _, _ in curves))
        size = (4.5 * len(self.measures), 3.4 * len(data_sets))
        figure = Figure(figsize=size, layout="constrained")
        figure.suptitle(table.title, fontsize=10)
        panels = figure.subplots(len(data_sets), len(self.measures), squeeze=False)
        for data, measure, name in curves:
            panel = panels[data_sets.index(data)][list(self.measures).index(measure)]
            x: list[float] = list(self.trees)
            if self.cost is not None:
                x = [measured[data, name, self.name(self.cost, t)].mean for t in self.trees]
            of_sizes = [measured[data, name, self.name(measure, t)] for t in self.trees]
            panel.errorbar(
                x,
                [each.mean for each in of_sizes],
                yerr=[each.error or 0.0 for each in of_sizes],
                marker=".",
                capsize=2,
                label=name,
            )
            panel.set_title(f"{table.data[data].title}: {measure.upper()}", fontsize=9)
            panel.set_xlabel("trees" if self.cost is None else "cost of a document", fontsize=8)
        for panel in panels.flat:
            panel.legend(fontsize=6)
            panel.grid(alpha=0.3)
            panel.tick_params(labelsize=7)
        figure.savefig(path, dpi=120)
