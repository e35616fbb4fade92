"""The tables and notes of a comparison."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rankforest._evaluation.significance import PairComparison
from rankforest._support.tables import Cell, Table

if TYPE_CHECKING:
    from rankforest.comparison import Comparison, MetricComparison

#: How significant differences are marked; `Comparison.to_text` describes them.
MARKS = ("auto", "triangles", "star", "tests", "letters", "none")
AGAINST_BASELINE = ("triangles", "star", "tests")

_NAMES = {"t": "paired t test", "wilcoxon": "Wilcoxon", "randomisation": "randomisation test"}
_SIGNS = {"t": "+", "wilcoxon": "*", "randomisation": "†"}
_LOWEST_SHOWN = 1e-4


def tables_of(comparison: Comparison, marks: str, test: str) -> list[Table]:
    """Return the table of means and that of pairs."""
    return [_means(comparison, marks, test), _pairs(comparison)]


def notes_of(comparison: Comparison, marks: str, test: str) -> list[str]:
    """Return what the columns and marks mean."""
    percent = f"{comparison.confidence_level:.6%}".rstrip("0%").rstrip(".")
    n_pairs = len(comparison.metrics[0].pairs)
    corrected = f", corrected by Holm's method for {n_pairs} pairs" if n_pairs > 1 else ""
    is_exact = all(pair.exact for found in comparison.metrics for pair in found.pairs)
    drawn = f"{comparison.n_permutations:,} permutations, seed {comparison.random_state}"
    notes = [
        f"t, Wilcoxon, randomisation ({'all permutations' if is_exact else drawn}): two-sided "
        + f"p-values of paired tests over queries{corrected}.",
        f"interval: {percent}% BCa bootstrap of the difference ({comparison.n_resamples:,} "
        + "resamples). d: Cohen's d_z. W/T/L: queries on which the first is better, equal, worse.",
    ]
    if marks != "none":
        notes.append(_note_of_marks(comparison, marks, test))
    return [*notes, *_counts(comparison)]


def in_markdown(note: str) -> str:
    """Escape what Markdown would take for markup, and end the line."""
    return re.sub(r"([\\|*_`<])", r"\\\1", note) + "  "


def _note_of_marks(comparison: Comparison, marks: str, test: str) -> str:
    level = f"(p <= {comparison.alpha:g}"
    by = f"{level}, {_NAMES[test]})"
    against = comparison.baseline
    return {
        "triangles": f"▲ ▼: significantly better, worse than {against} {by}.",
        "star": f"*: significantly different from {against} {by}.",
        "tests": f"Significantly better than {against} {level}) by + t, * Wilcoxon, "
        "† randomisation.",
        "letters": f"Letters: the systems that this one is significantly better than {by}.",
    }[marks]


def _counts(comparison: Comparison) -> list[str]:
    """Return how many queries count, once for all metrics with the same counts."""
    by_count: dict[tuple[int, int], list[str]] = {}
    for found in comparison.metrics:
        by_count.setdefault((found.n_queries, found.n_skipped), []).append(found.metric)
    return [
        f"{n_queries:,} queries count"
        + (f", {n_skipped:,} do not" if n_skipped else "")
        + (f": {', '.join(metrics)}" if len(by_count) > 1 else "")
        + "."
        for (n_queries, n_skipped), metrics in by_count.items()
    ]


def _means(comparison: Comparison, marks: str, test: str) -> Table:
    letters = dict(
        zip(comparison.systems, map(_letter, range(len(comparison.systems))), strict=True)
    )
    mark_of = _marker(comparison, marks, test, letters)
    rows = []
    for system in comparison.systems:
        cells = [
            Cell(
                f"{found.means[system]:.4f}",
                mark_of(found, system),
                found.means[system] == found.best,
            )
            for found in comparison.metrics
        ]
        label = f"{letters[system]} {system}" if marks == "letters" else system
        rows.append((Cell(label), *cells))
    return Table(("system", *(found.metric for found in comparison.metrics)), tuple(rows))


def _marker(
    comparison: Comparison, marks: str, test: str, letters: dict[str, str]
) -> Callable[[MetricComparison, str], str]:
    """Return what marks the mean of a system by a metric."""
    alpha = comparison.alpha

    def mark(found: MetricComparison, system: str) -> str:
        about = [pair for pair in found.pairs if system in (pair.a, pair.b)]
        if marks == "letters":
            beaten = [
                letters[pair.b if pair.a == system else pair.a]
                for pair in about
                if pair.test(test).p_holm <= alpha and _winner(pair, found.maximize) == system
            ]
            return ("," if len(letters) > _ALPHABET else "").join(beaten)
        if marks == "none" or system == comparison.baseline:
            return ""
        (pair,) = about
        is_better = _winner(pair, found.maximize) == system
        if marks == "tests":
            return "".join(
                sign
                for name, sign in _SIGNS.items()
                if is_better and pair.test(name).p_holm <= alpha
            )
        if pair.test(test).p_holm > alpha:
            return ""
        return "*" if marks == "star" else "▲" if is_better else "▼"

    return mark


_ALPHABET = 26


def _letter(i: int) -> str:
    """Return a, b, ..., z, aa, ab, ..."""
    prefix, last = divmod(i, _ALPHABET)
    return (_letter(prefix - 1) if prefix else "") + chr(ord("a") + last)


def _winner(pair: PairComparison, maximize: bool) -> str:
    return pair.a if (pair.difference > 0) == maximize else pair.b


def _pairs(comparison: Comparison) -> Table:
    headings = (
        "metric", "pair", "difference", "interval", "t", "Wilcoxon", "randomisation", "d", "W/T/L",
    )  # fmt: skip
    rows = [
        tuple(map(Cell, (found.metric, *_cells(pair, found.means[pair.b]))))
        for found in comparison.metrics
        for pair in found.pairs
    ]
    return Table(headings, tuple(rows), n_left=2)


def _cells(pair: PairComparison, mean_b: float) -> tuple[str, ...]:
    share = f" ({pair.difference / abs(mean_b):+.1%})" if mean_b else ""
    return (
        f"{pair.a} - {pair.b}",
        f"{pair.difference:+.4f}{share}",
        f"{pair.interval[0]:+.4f} to {pair.interval[1]:+.4f}",
        *(_p_value(pair.test(name).p_holm) for name in _NAMES),
        f"{pair.effect_size:+.3f}",
        f"{pair.wins}/{pair.ties}/{pair.losses}",
    )


def _p_value(p_value: float) -> str:
    return f"{p_value:.4f}" if p_value >= _LOWEST_SHOWN else f"<{_LOWEST_SHOWN:.4f}"
