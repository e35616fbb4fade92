"""What varies one thing, drawn: ours as a line with its standard errors, the paper's values dashed."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.papers.declare import Table
from bench.papers.estimate import Estimates
from bench.papers.report import heading

mpl.use("Agg")


def draw(table: Table, measured: Estimates, path: Path) -> None:
    """Draw a panel for each data set and measure that was measured.

    Parameters
    ----------
    table : Table
        With an axis.
    measured : mapping
        The estimates by data set, algorithm and measure.
    path : Path
        Of the picture; its suffix decides the format.
    """
    data_sets = list(dict.fromkeys(data for data, _, _ in measured))
    n_columns = max(len(table.data[data].measures) for data in data_sets)
    figure = Figure(figsize=(4.5 * n_columns, 3.2 * len(data_sets)), layout="constrained")
    figure.suptitle(table.title, fontsize=10)
    panels = figure.subplots(len(data_sets), n_columns, squeeze=False)
    for row, data in zip(panels, data_sets, strict=True):
        measures = list(table.data[data].measures)
        for panel in row[len(measures) :]:
            panel.set_axis_off()
        for panel, measure in zip(row, measures, strict=False):
            _panel(panel, table, measured, data, measure)
    figure.savefig(path, dpi=120)


def _panel(panel: Axes, table: Table, measured: Estimates, data: str, measure: str) -> None:
    axis = table.axis
    assert axis is not None
    names = [name for name in axis.ticks if name in table.published[data]]
    places = {n: axis.shown[n] if axis.shown else float(i) for i, n in enumerate(names)}
    curves = axis.curves or dict.fromkeys(names, "ours")
    for curve in dict.fromkeys(curves.values()):
        ours = {
            name: measured[data, name, measure]
            for name in names
            if curves[name] == curve and (data, name, measure) in measured
        }
        panel.errorbar(
            [places[name] for name in ours],
            [each.mean for each in ours.values()],
            yerr=[each.error or 0.0 for each in ours.values()],
            marker="o",
            markersize=3,
            capsize=2,
            label=curve,
        )
    paper = {
        name: value for name in names if (value := table.value(data, name, measure)) is not None
    }
    if paper:
        panel.plot(
            [places[n] for n in paper], list(paper.values()), "s--", markersize=3, label="paper"
        )
    panel.legend(fontsize=7)
    if axis.shown:
        panel.set_xscale("log")
    panel.set_xticks(list(places.values()), [axis.ticks[name] for name in names], fontsize=7)
    panel.minorticks_off()
    panel.tick_params(axis="y", labelsize=7)
    panel.grid(alpha=0.3)
    panel.set_xlabel(axis.label, fontsize=8)
    panel.set_title(f"{table.data[data].title}: {heading(measure)}", fontsize=9)
