"""Warnings that point at the line of the user's own program."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

_PACKAGE = str(Path(__file__).parents[1]) + os.sep


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the nearest caller outside this package, however deep inside it is noticed.

    Parameters
    ----------
    message : str
        What the user should know.
    category : type of Warning, default=UserWarning
        Its kind.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
