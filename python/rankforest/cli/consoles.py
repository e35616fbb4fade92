"""Where tables and messages go."""

from __future__ import annotations

import sys

from rich.console import Console

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
