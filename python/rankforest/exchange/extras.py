"""Packages that only some formats need."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def installed(module: str) -> bool:
    """Say whether a package is there, without importing it."""
    return find_spec(module) is not None


def required(module: str) -> Any:
    """Import a package, or say how to install it.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(
            f"this needs the package {package}, which is not installed: pip install {package}"
        ) from error
