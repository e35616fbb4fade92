"""Paths as users give them."""

from __future__ import annotations

import os

StrPath = str | os.PathLike[str]


def expanded(path: StrPath) -> str:
    """Return a path as text; a leading ``~`` or ``~user`` becomes the home folder.

    A ``~`` before no user's name stays, for a file may be called so.
    """
    return os.path.expanduser(os.fsdecode(path))  # noqa: PTH111  # Path's raises for no user
