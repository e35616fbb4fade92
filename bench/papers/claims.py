"""Whether what a paper concludes holds here: paired tests over the queries of all folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.papers.declare import Table
from bench.papers.estimate import Estimates
from bench.papers.report import heading
from rankforest._evaluation.significance import PairComparison, Procedure, compare_pair, with_holm

#: The defaults of `rankforest.compare`.
PROCEDURE = Procedure(
    n_permutations=10_000, n_resamples=10_000, confidence_level=0.95, seed=0, n_threads=1
)

NOTES = (
    "Differences are ours, and in parentheses the paper's. Each query's values are averaged over the "
    "seeds, and the queries of all folds are one sample of pairs. p is two-sided, by the randomisation test of "
    "`rankforest.compare`; Holm is p corrected by Holm's method for the number of pairs of a data "
    "set, in bold where it is at most 0.05. In brackets: the 95 % bootstrap interval, not corrected."
)


@dataclass(frozen=True)
class Claim:
    """A conclusion of a paper as pairs of algorithms."""

    statement: str
    pairs: Sequence[tuple[str, str]]  #: which should be better, and than which
    data: Sequence[str]  #: where; a pair is compared on those that have both algorithms

    def pairs_on(self, data: str, table: Table) -> list[tuple[str, str]]:
        """Return the pairs of a data set."""
        known = table.algorithms_on(data)
        return [pair for pair in self.pairs if data in self.data and known.keys() >= set(pair)]


#: By data set, measure and pair.
Compared = Mapping[tuple[str, str, tuple[str, str]], PairComparison]


def compare(claims: Sequence[Claim], table: Table, measured: Estimates) -> Compared:
    """Test all pairs of the claims that were measured."""
    found: dict[tuple[str, str, tuple[str, str]], PairComparison] = {}
    for data in dict.fromkeys(data for data, _, _ in measured):
        for measure in table.data[data].measures:
            pairs = [
                pair
                for pair in dict.fromkeys(p for each in claims for p in each.pairs_on(data, table))
                if all((data, name, measure) in measured for name in pair)
            ]
            tested = with_holm([_compared(measured, data, measure, pair) for pair in pairs])
            found |= {(data, measure, pair): of for pair, of in zip(pairs, tested, strict=True)}
    return found


def _compared(
    measured: Estimates, data: str, measure: str, pair: tuple[str, str]
) -> PairComparison:
    a, b = (np.array(measured[data, name, measure].queries) for name in pair)
    counts = ~np.isnan(a + b)  # not those that the metric leaves out
    values = (a[counts], b[counts])
    return compare_pair(*pair, values, np.ones(counts.sum()), maximize=True, procedure=PROCEDURE)


def layout(claims: Sequence[Claim], table: Table, measured: Estimates) -> str:
    """Lay out the pairs of each claim below its statement."""
    compared = compare(claims, table, measured)
    measures = list(dict.fromkeys(measure for _, measure, _ in compared))
    tested = dict.fromkeys((data, pair) for data, _, pair in compared)
    sections = []
    for claim in claims:
        rows = [
            _row(table, data, pair, measures, compared)
            for pair in claim.pairs
            for data in claim.data
            if (data, pair) in tested
        ]
        if rows:
            head = ["data", "pair"]
            head += [cell for each in measures for cell in (heading(each), "p", "Holm")]
            table_of_claim = [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *rows]
            sections.append("\n".join([f"**{claim.statement}**", "", *table_of_claim]))
    return "\n\n".join(sections) or "Of no claim both algorithms were measured."


def _row(
    table: Table, data: str, pair: tuple[str, str], measures: Sequence[str], compared: Compared
) -> str:
    cells = [table.data[data].title, " over ".join(pair)]
    for measure in measures:
        if (data, measure, pair) not in compared:
            cells += ["-", "-", "-"]
            continue
        found = compared[data, measure, pair]
        low, high = found.interval
        ours = f"{found.difference:+.4f} [{low:+.4f}, {high:+.4f}]"
        a, b = (table.value(data, name, measure) for name in pair)
        paper = "" if a is None or b is None else f" ({a - b:+.4f})"
        test = found.randomisation
        holm = f"{test.p_holm:.4f}"
        is_significant = test.p_holm <= 1 - PROCEDURE.confidence_level
        cells += [ours + paper, f"{test.p_value:.4f}", f"**{holm}**" if is_significant else holm]
    return f"| {' | '.join(cells)} |"
