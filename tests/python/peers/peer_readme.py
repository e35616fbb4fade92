"""The table of peer_table.py for people: python tests/python/peers/peer_readme.py > README.md."""

from __future__ import annotations

from peer_cases import CASES, N_SETS
from peer_hand import HAND
from peer_systems import PEERS
from peer_table import ROWS, Arbitrary, Differs, Equal, Refuses, Row

_HEAD = f"""# Metrics of other systems, and ours

Each row says which metric here is which metric of another system, each column names a case in which
conventions part ways. Every cell is a test: {N_SETS:,} random ragged query sets, compared to 1e-12
(YDF computes in float32: 1e-6; gdeval.pl prints five digits). A system that is not installed is
skipped, with its name; the group `peers` of `pyproject.toml` has them all.

- **=** equal
- **≠** differs: where the note says what the other system does, the test checks that this explains
  its value on every query set, and that the value is not ours
- **~** equal scores stand in an arbitrary order: the value lies between that of the pessimistic and
  that of the optimistic order, and is not ours
- **error** the other system refuses the query sets

This page is written by `peer_readme.py` from what the tests run; a test compares the two.
"""


def _kind(row: Row, case: str) -> str:
    kinds = {Equal: "=", Differs: "≠", Arbitrary: "~", Refuses: "error"}
    return kinds[type(row.verdict(case))]


def _hand() -> list[str]:
    """Return the table of what is worked out by hand."""
    cases = [case for case in CASES if any(each.case == case for each in HAND)]
    lines = [
        "## Systems that do not install from PyPI\n",
        "Each cell names metrics that are tested on queries whose values `peer_hand.py` works out\n"
        + "by hand; in brackets those that refuse the grades.\n",
        "| preset | " + " | ".join(cases) + " |",
        "|---|" + "---|" * len(cases),
    ]
    for preset in dict.fromkeys(each.preset for each in HAND):
        cells = []
        for case in cases:
            of_cell = [each for each in HAND if (each.preset, each.case) == (preset, case)]
            names = dict.fromkeys(
                f"({name})" if isinstance(each.expected, str) else name
                for each in of_cell
                for name in [each.metric.partition("(")[0]]
            )
            cells.append(", ".join(names))
        lines.append(f"| {preset} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def page() -> str:
    """Return the page in Markdown."""
    notes: dict[str, int] = {}
    lines = [_HEAD]
    for module, peer in PEERS.items():
        rows = [row for row in ROWS if row.peer == module]
        lines += [
            f"## {peer.title}\n",
            "| theirs | ours | " + " | ".join(CASES) + " |",
            "|---|---|" + "---|" * len(CASES),
        ]
        for row in rows:
            cells = []
            for case in CASES:
                reason = getattr(row.verdict(case), "reason", "")
                number = notes.setdefault(reason, len(notes) + 1) if reason else 0
                cells.append(_kind(row, case) + (f" [{number}]" if reason else ""))
            theirs = row.name + ("" if row.grades == "all" else f", grades: {row.grades}")
            lines.append(f"| {theirs} | `{row.metric}` | " + " | ".join(cells) + " |")
        lines.append("")
    lines += _hand()
    lines.append("## Notes\n")
    lines += [f"{number}. {reason}" for reason, number in notes.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
