"""Files that may be compressed, as their names say."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

#: A compressed file that is read.
Compressed = gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile

#: What opens a file for reading, by the last suffix of its name.
OPENERS: dict[str, Callable[[str], Compressed]] = {
    ".gz": gzip.GzipFile,
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}


def opened(path: str) -> BinaryIO:
    """Open a file for reading its bytes, decompressed where its name says that they are compressed."""
    opener = OPENERS.get(Path(path).suffix)
    return Path(path).open("rb") if opener is None else cast("BinaryIO", opener(path))
