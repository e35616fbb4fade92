"""Which packages are there, and their versions."""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version


def version_of(distribution: str, module: str) -> str:
    """Return the version of a package, installed or only on the path."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return str(importlib.import_module(module).__version__)
