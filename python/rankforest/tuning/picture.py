"""Curves, drawn: the overfitting curve of a search, and lines in panels."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from rankforest import _core
from rankforest._support.paths import StrPath, expanded

_LABELS = {"value": "validation", "test": "test", "holdout": "held-out set"}


def draw(curve: Mapping[str, npt.NDArray[Any]], metric: str, path: StrPath | None) -> Any:
    """Draw one line for each measure over the number of trials.

    Parameters
    ----------
    curve : mapping of str to ndarray
        What `TuningResult.overfitting_curve` returns.
    metric : str
        What the values are of.
    path : str, path-like or None
        Where to write it.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    """
    figure_class = require_matplotlib()
    measures = [name for name in _LABELS if name in curve]
    figure = figure_class(figsize=(4.2 * len(measures), 3.4), layout="constrained")
    # Each has an axis of its own: the validation value of a choice is far above the others.
    panels = figure.subplots(1, len(measures), squeeze=False)[0]
    for panel, name in zip(panels, measures, strict=True):
        values = curve[name]
        panel.plot(curve["n_trials"], values, color="C0")
        panel.set_title(f"{metric}, {_LABELS[name]}", fontsize=9)
        panel.set_xlabel("trials", fontsize=8)
        panel.tick_params(labelsize=7)
        panel.grid(alpha=0.3)
    if path is not None:
        _write(figure, expanded(path))
    return figure


def draw_lines(
    panels: Mapping[str, Mapping[str, tuple[Sequence[float], Sequence[float]]]],
    label: str,
    path: StrPath | None,
) -> Any:
    """Draw a panel for each mapping of lines, with x and y for each line.

    Parameters
    ----------
    panels : mapping of str to mapping of str to (sequence, sequence)
        Panels by their titles, lines by their names.
    label : str
        What x is.
    path : str, path-like or None
        Where to write it.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    """
    figure = require_matplotlib()(figsize=(4.2 * len(panels), 3.4), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for panel, (title, lines) in zip(axes, panels.items(), strict=True):
        for name, (x, y) in lines.items():
            panel.plot(x, y, label=name, linewidth=1)
        panel.set_title(title, fontsize=9)
        panel.set_xlabel(label, fontsize=8)
        panel.tick_params(labelsize=7)
        panel.grid(alpha=0.3)
    if any(len(lines) > 1 for lines in panels.values()):
        axes[0].legend(fontsize=7)
    if path is not None:
        _write(figure, expanded(path))
    return figure


def _write(figure: Any, path: str) -> None:
    """Write a picture, whole or not at all."""
    picture = io.BytesIO()
    suffix = Path(path).suffix.removeprefix(".")
    figure.savefig(picture, format=suffix or None, dpi=120)
    file = _core.AtomicFile(os.fsencode(path))
    file.write(picture.getvalue())
    file.commit()


def require_matplotlib() -> Any:
    """Return matplotlib's class of figures.

    Raises
    ------
    ImportError
        With how to install it, if it is missing.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("a plot needs matplotlib: pip install 'rankforest[tune]'") from error
    return Figure
