"""Results as data frames of the libraries that users have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy.typing as npt

#: The libraries, by the names that users give.
FrameLibrary = Literal["pandas", "polars", "pyarrow"]
LIBRARIES: tuple[FrameLibrary, ...] = ("pandas", "polars", "pyarrow")


def to_frame(columns: Mapping[str, npt.NDArray[Any]], library: FrameLibrary) -> Any:
    """Return columns of one length as a data frame.

    Parameters
    ----------
    columns : mapping of str to ndarray
        By name, in order. NaN stays NaN.
    library : {"pandas", "polars", "pyarrow"}
        Whose data frame to make.

    Raises
    ------
    ValueError
        If the library is another.
    ImportError
        If the library or narwhals is missing.
    """
    if library not in LIBRARIES:
        raise ValueError(f"library must be one of {', '.join(LIBRARIES)}, got {library!r}")
    try:
        import narwhals as nw  # noqa: PLC0415  # optional

        # Lists of strings: the libraries have types of their own for them, and none for NumPy's.
        data = {
            name: values if values.dtype.kind in "iuf" else values.tolist()
            for name, values in columns.items()
        }
        return nw.from_dict(data, backend=library).to_native()
    except ImportError:
        raise ImportError(
            f"data frames of {library} need it and narwhals: pip install 'rankforest[dataframes]'"
        ) from None
