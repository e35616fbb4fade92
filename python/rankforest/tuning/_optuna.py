"""Optuna, which is optional."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def require_optuna() -> None:
    """Raise an ImportError that says how to install Optuna, if it is missing."""
    try:
        import optuna  # noqa: F401, PLC0415
    except ImportError as error:
        raise ImportError(
            "tuning needs Optuna 5 or later: pip install 'rankforest[tune]'"
        ) from error


@contextmanager
def quiet_optuna() -> Iterator[None]:
    """Let Optuna log no more than warnings in the block."""
    from optuna import logging  # noqa: PLC0415

    before = logging.get_verbosity()
    logging.set_verbosity(max(before, logging.WARNING))
    try:
        yield
    finally:
        logging.set_verbosity(before)
