"""Where tables and messages go."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rankforest._support.tables import Table

# Wide enough that no table is cut where there is no terminal to fit into.
_PIPE_WIDTH = 1000


def message_console(quiet: bool = False) -> Console:
    """Make a console on stderr, for everything that is not data."""
    width = None if sys.stderr.isatty() else _PIPE_WIDTH
    return Console(stderr=True, quiet=quiet, width=width, highlight=False, markup=False)


def data_console() -> Console:
    """Make a console on stdout, for data."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False)


def printable(text: str) -> str:
    """Spell out the characters that a terminal would obey instead of show.

    Names and ids come out of files. Bytes that are no UTF-8 stay as they are.
    """
    return "".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode()


def drawn(table: Table) -> RichTable:
    """Lay out a table for a console, which shows in bold what is best."""
    layout = RichTable(box=None, pad_edge=False, header_style="bold")
    for i, heading in enumerate(table.headings):
        is_name = i < table.n_left
        layout.add_column(
            Text(heading), justify="left" if is_name else "right", no_wrap=not is_name
        )
    for row in table.rows:
        layout.add_row(
            *(
                Text(printable(cell.text) + cell.mark, style="bold" if cell.bold else "")
                for cell in row
            )
        )
    return layout
