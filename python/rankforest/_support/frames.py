"""Results as data frames of the libraries that users have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from uuid import UUID

import numpy as np
import numpy.typing as npt

#: The libraries, by the names that users give.
FrameLibrary = Literal["pandas", "polars", "pyarrow", "arrow"]
LIBRARIES: tuple[FrameLibrary, ...] = ("pandas", "polars", "pyarrow", "arrow")


def to_frame(columns: Mapping[str, npt.NDArray[Any]], library: FrameLibrary) -> Any:
    """Return columns of one length as a data frame.

    Parameters
    ----------
    columns : mapping of str to ndarray
        By name, in order. NaN stays NaN.
    library : {"pandas", "polars", "pyarrow", "arrow"}
        Whose data frame to make; the last two are one.

    Raises
    ------
    ValueError
        If the library is none of these.
    ImportError
        If it is missing.
    """
    import narwhals as nw  # noqa: PLC0415  # slow to import where nobody wants a frame

    if library not in LIBRARIES:
        raise ValueError(f"library must be one of {', '.join(LIBRARIES)}, got {library!r}")
    backend = "pyarrow" if library == "arrow" else library
    # Lists of Python's objects: libraries have types of their own for strings, and none for NumPy's.
    data = {
        name: np.ascontiguousarray(values) if values.dtype.kind in "iuf" else _plain(values)
        for name, values in columns.items()
    }
    try:
        return nw.from_dict(data, backend=backend).to_native()
    except ImportError:
        raise ImportError(
            f"data frames of {backend} need it: pip install {backend}, or all of them with "
            "'rankforest[dataframes]'"
        ) from None


def _plain(values: npt.NDArray[Any]) -> list[Any]:
    """Return objects as values that every library has a type for."""
    return [str(each) if isinstance(each, UUID) else each for each in values.tolist()]
