"""Which papers and tables there are: the packages of this one, and their modules."""

from __future__ import annotations

import importlib
import pkgutil
import re

from bench import papers
from bench.papers.declare import Table, unknown


def names() -> dict[str, dict[str, str]]:
    """Return paper -> "table 3" -> module."""
    return {
        module.name: _tables_of(f"{papers.__name__}.{module.name}")
        for module in pkgutil.iter_modules(papers.__path__)
        if module.ispkg
    }


def _tables_of(package: str) -> dict[str, str]:
    modules = (
        module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__)
    )
    matches = [match for name in modules if (match := re.fullmatch(r"(table|figure)_(\w+)", name))]
    matches.sort(key=lambda match: (match[1], not match[2].isdigit(), match[2].zfill(9)))
    return {f"{match[1]} {match[2]}": f"{package}.{match[0]}" for match in matches}


def load(paper: str, name: str) -> Table:
    """Return a table, such as "table 3" of "ibrahim2020".

    Raises
    ------
    ValueError
        If there is none; it names those there are.
    """
    known = names()
    if paper not in known:
        raise ValueError(unknown("paper", paper, known))
    if name not in known[paper]:
        raise ValueError(f"{paper} has no {name} here; there are {', '.join(known[paper])}")
    table = importlib.import_module(known[paper][name]).TABLE
    assert isinstance(table, Table)
    return table
