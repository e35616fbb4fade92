"""How the tables and figures of this paper are laid out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Table
from bench.papers.estimate import Estimates
from bench.papers.selgb2018 import AT_150, FULL, TREES
from rankforest._evaluation.significance import PairComparison


def _data(measured: Estimates) -> list[str]:
    return list(dict.fromkeys(data for data, _, _ in measured))


def _names(table: Table, measured: Estimates, data: str) -> list[str]:
    return [name for name in table.algorithms if (data, name, FULL) in measured]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def curves(table: Table, measured: Estimates) -> str:
    """Lay out NDCG@10 by the number of trees, the rounds, and the seconds of training."""
    head = ["data", "algorithm", *map(str, TREES), "all", "rounds", "cpu seconds"]
    rows = []
    for data in _data(measured):
        for name in _names(table, measured, data):
            columns = [*(f"ndcg@10 {trees} trees" for trees in TREES), FULL]
            values = [f"{measured[data, name, column].mean:.4f}" for column in columns]
            rounds, seconds = (
                measured[data, name, what].mean for what in ("rounds", "cpu seconds")
            )
            rows.append([table.data[data].title, name, *values, f"{rounds:.0f}", f"{seconds:.1f}"])
    return _table(head, rows)


def against(reference: str, slowest: str, table: Table, measured: Estimates) -> str:
    """Lay out each algorithm beside the one that it is tested against, and how fast it trains."""
    tested = {key: of for key, of in measured.items() if key[2] in (FULL, AT_150)}
    pairs = [(name, reference) for name in table.algorithms if name != reference]
    compared = claims.compare([Claim("", pairs, list(table.data))], table, tested)
    head = ["data", "algorithm"]
    for what in ("150 trees", "all trees"):
        head += [what, "difference", "p", "Holm"]
    head += ["paper, 150 / all", "rounds", "cpu seconds", "times as fast", "ms a round"]
    head += ["times as fast"]
    rows = []
    for data in _data(measured):
        for name in _names(table, measured, data):
            cells = [table.data[data].title, name]
            for measure in (AT_150, FULL):
                cells.append(str(measured[data, name, measure]))
                pair = compared.get((data, measure, (name, reference)))
                cells += ["-"] * 3 if pair is None else _tested(pair)
            cells.append(_published(table, data, name))
            cells += _speed(measured, data, name, slowest)
            rows.append(cells)
    return _table(head, rows)


def _tested(pair: PairComparison) -> list[str]:
    test = pair.randomisation
    holm = f"{test.p_holm:.4f}"
    return [
        f"{pair.difference:+.4f}",
        f"{test.p_value:.4f}",
        f"**{holm}**" if test.p_holm <= 0.05 else holm,
    ]


def _published(table: Table, data: str, name: str) -> str:
    given = [table.value(data, name, measure) for measure in (AT_150, FULL)]
    return " / ".join("-" if value is None else f"{value:.4f}" for value in given)


def _speed(measured: Estimates, data: str, name: str, slowest: str) -> list[str]:
    cells = [f"{measured[data, name, 'rounds'].mean:.0f}"]
    for what, unit in (("cpu seconds", 1.0), ("cpu seconds a round", 1e3)):
        value = measured[data, name, what].mean
        of_slowest = measured.get((data, slowest, what))
        cells += [
            f"{value * unit:.1f}",
            "-" if of_slowest is None else f"{of_slowest.mean / value:.1f}",
        ]
    return cells


def by_list_size(better: str, worse: str, table: Table, measured: Estimates) -> str:
    """Lay out the mean difference of two algorithms by the length of the list."""
    rows = []
    for data in _data(measured):
        if not all((data, name, FULL) in measured for name in (better, worse)):
            continue
        sizes = np.array(measured[data, better, "documents"].queries)
        a, b = (np.array(measured[data, name, FULL].queries) for name in (better, worse))
        for low, high in _buckets(sizes):
            inside = (sizes > low) & (sizes <= high)
            if inside.any():
                difference = float((a - b)[inside].mean())
                rows.append(
                    [
                        table.data[data].title,
                        f"{low + 1} to {high}",
                        str(int(inside.sum())),
                        f"{difference:+.4f}",
                    ]
                )
    return _table(["data", "documents", "queries", f"{better} over {worse}, NDCG@10"], rows)


def _buckets(sizes: np.ndarray) -> Iterator[tuple[int, int]]:
    width = 100 if sizes.max() > 1000 else max(1, math.ceil(sizes.max() / 10))
    yield from pairwise(range(0, int(sizes.max()) + width, width))


def claims_of(found: Sequence[Claim], table: Table, measured: Estimates) -> str:
    """Lay out the pairs of each claim, for the first 150 trees and for all."""
    tested = {key: of for key, of in measured.items() if key[2] in (FULL, AT_150)}
    return claims.layout(found, table, tested)
