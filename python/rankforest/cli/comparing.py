"""What `ltr-eval --compare` can be told, and what it writes."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from rankforest import comparison
from rankforest._evaluation.comparison_tables import MARKS
from rankforest._evaluation.significance import TESTS
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.consoles import data_console, drawn
from rankforest.cli.values import RANDOM_STATE, Value

_SECTION = "Comparison"

#: The options that go to `rankforest.compare`, and those that choose how the result looks.
_PROCEDURE = ("baseline", *sorted(comparison.PARAMETERS.keys() - {"n_jobs"}))
_STYLE = ("marks", "test")


def comparison_options() -> list[click.Option]:
    """Make the options of a comparison; the defaults are those of `rankforest.compare`."""
    rules = comparison.PARAMETERS
    return [
        Option(
            "--compare",
            section=_SECTION,
            is_flag=True,
            help="Test whether the systems differ. Each pair is compared by each metric, with the "
            "paired t test, Wilcoxon's test and Fisher's randomisation test, and Holm's correction.",
        ),
        Option(
            "--baseline",
            section=_SECTION,
            metavar="NAME",
            help="Compare every other system with this one.  [default: compare all pairs]",
        ),
        Option(
            "--confidence-level",
            section=_SECTION,
            type=Value(rules["confidence_level"], "FLOAT"),
            help="Confidence level of the bootstrap intervals. A difference is marked if its "
            "p-value is at most 1 minus this.  [default: 0.95]",
        ),
        Option(
            "--n-permutations",
            section=_SECTION,
            type=Value(rules["n_permutations"], "INT"),
            help="Number of random permutations for the randomisation test. If there are no more "
            "than this, all are counted.  [default: 10000]",
        ),
        Option(
            "--n-resamples",
            section=_SECTION,
            type=Value(rules["n_resamples"], "INT"),
            help="Number of resamples for the bootstrap intervals.  [default: 10000]",
        ),
        Option(
            "--random-state",
            section=_SECTION,
            type=RANDOM_STATE,
            help="Seed of permutations and resamples; none draws one.  [default: 0]",
        ),
        Option(
            "--marks",
            section=_SECTION,
            type=click.Choice(MARKS),
            help="How significant differences are marked beside the means. triangles: better or "
            "worse than the baseline. star: different from it. tests: better than it by + the t "
            "test, * Wilcoxon's, † the randomisation test. letters: the systems that this one is "
            "better than.  [default: triangles with a baseline, else letters]",
        ),
        Option(
            "--test",
            section=_SECTION,
            type=click.Choice(TESTS),
            help="The test that decides which differences are marked.  [default: randomisation]",
        ),
    ]


def check_comparison(given: GivenOptions, names: Sequence[str], problems: list[str]) -> None:
    """Note what is wrong with the options of a comparison of the systems with these names."""
    if not given.get("compare"):
        problems += [
            f"--{name.replace('_', '-')} needs --compare"
            for name in (*_PROCEDURE, *_STYLE)
            if given.has(name)
        ]
        return
    if len(names) < 2 and not problems:  # an unusable name may be what is missing
        problems.append(f"--compare needs at least two systems, got {len(names)}")
    if given.get("per_query"):
        problems.append("--per-query shows single queries, --compare all together: give only one")
    baseline = given.get("baseline")
    if baseline is not None and baseline not in names and not problems:
        problems.append(f"--baseline must be one of {', '.join(names)}; got {baseline}")
    if given.get("marks") in ("triangles", "star", "tests") and baseline is None:
        problems.append(f"--marks {given['marks']} needs --baseline")


def procedure_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `rankforest.compare` among options without their wrapping."""
    return {name: given[name] for name in _PROCEDURE if name in given}


def style_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Comparison.to_text` and the like among the options."""
    return {name: given[name] for name in _STYLE if name in given}


def print_comparison(found: comparison.Comparison, form: str, style: Mapping[str, Any]) -> None:
    """Write a comparison to stdout in one of the forms of `rankforest.cli.report.FORMATS`."""
    if form == "json":
        print(found.to_json())
    elif form == "markdown":
        print(found.to_markdown(**style))
    elif form == "latex":
        print(found.to_latex(**style))
    elif form in ("csv", "tsv"):
        records = found.to_records()
        delimiter = "," if form == "csv" else "\t"
        writer = csv.DictWriter(
            sys.stdout, list(records[0]), delimiter=delimiter, lineterminator="\n"
        )
        writer.writeheader()
        writer.writerows(records)
    elif sys.stdout.isatty():
        _show(found, style)
    else:
        print(found.to_text(**style))


def _show(found: comparison.Comparison, style: Mapping[str, Any]) -> None:
    """Draw the tables on a terminal, the best means in bold."""
    console = data_console()
    for table in found.tables(**style):
        console.print(drawn(table))
        console.print()
    for note in found.notes(**style):
        console.print(note, style="dim")
