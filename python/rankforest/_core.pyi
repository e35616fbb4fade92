"""Compiled core of rankforest. Use the rankforest package; this module is private."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__version__: str

# --- data set: bindings/bind_dataset.cpp ---

class Dataset:
    def __init__(
        self,
        features: npt.NDArray[np.float32],
        grades: npt.NDArray[np.float64],
        query_codes: npt.NDArray[np.uint32],
        n_queries: int,
        weights: npt.NDArray[np.float64] | None,
        n_jobs: int,
    ) -> None: ...
    @property
    def n_documents(self) -> int: ...
    @property
    def n_queries(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def features(self) -> npt.NDArray[np.float32]: ...
    @property
    def order(self) -> npt.NDArray[np.uint32]: ...
    @property
    def offsets(self) -> npt.NDArray[np.uint32]: ...
    @property
    def grades(self) -> npt.NDArray[np.float64]: ...
    @property
    def weights(self) -> npt.NDArray[np.float64] | None: ...
    @property
    def query_codes(self) -> npt.NDArray[np.uint32]: ...

# --- LETOR text: bindings/bind_letor.cpp ---

class LetorData:
    @property
    def features(self) -> npt.NDArray[np.float32]: ...
    @property
    def grades(self) -> npt.NDArray[np.float64]: ...
    @property
    def query_codes(self) -> npt.NDArray[np.uint32]: ...
    @property
    def query_ids(self) -> list[str]: ...
    @property
    def comments(self) -> list[str] | None: ...
    @property
    def zero_based(self) -> bool: ...

def read_letor(
    sources: Sequence[tuple[str, bytes | None, bytes | bytearray | None, str]],
    *,
    zero_based: bool | None,
    absent: float,
    n_features: int,
    require_qid: bool,
    keep_comments: bool,
    n_jobs: int,
    chunk_bytes: int = 1048576,
) -> LetorData: ...
def write_letor(
    path: bytes,
    *,
    features: npt.NDArray[np.float32],
    grades: npt.NDArray[np.float64],
    query_codes: npt.NDArray[np.uint32],
    query_ids: list[str],
    comments: list[str] | None,
    zero_based: bool,
    n_jobs: int,
) -> None: ...
