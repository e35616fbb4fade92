"""Compiled core of rankforest. Use the rankforest package; this module is private."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__version__: str
HAS_OPENMP: bool

# --- data set: bindings/bind_dataset.cpp ---

class Dataset:
    """Graded documents in queries, in canonical order."""

    def __init__(
        self,
        features: npt.NDArray[np.float32],
        grades: npt.NDArray[np.float64],
        query_codes: npt.NDArray[np.uint32],
        n_queries: int,
        weights: npt.NDArray[np.float64] | None,
        n_jobs: int,
        positions: npt.NDArray[np.uint32] | None = ...,
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
    def feature_hashes(self) -> npt.NDArray[np.uint64]: ...
    @property
    def query_codes(self) -> npt.NDArray[np.uint32]: ...

def fill_values(
    features: npt.NDArray[np.float32], kind: str, n_jobs: int
) -> npt.NDArray[np.float32]: ...

# --- LETOR text: bindings/bind_letor.cpp ---

class LetorData:
    """What LETOR text says. The arrays are views."""

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
    @property
    def n_mentioned(self) -> int: ...

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

# --- what a model file holds beside its trees: bindings/bind_model_info.cpp ---

class DataProfile:
    """What the features of a data set were like."""

    def __init__(
        self,
        n_documents: int,
        features: Sequence[tuple[int, float, float, Sequence[float], Sequence[int]]],
    ) -> None: ...
    @staticmethod
    def of(data: Dataset, n_jobs: int) -> DataProfile: ...
    @property
    def n_documents(self) -> int: ...
    @property
    def features(self) -> list[tuple[int, float, float, list[float], list[int]]]: ...
    def bin(
        self, features: npt.NDArray[np.float32], n_jobs: int
    ) -> list[tuple[int, int, list[int]]]: ...
    def __eq__(self, other: object, /) -> bool: ...

class Ordinal:
    """What the trees of an ordinal model say of grades."""

    def __init__(
        self, grades: Sequence[float], parts: Sequence[tuple[int, float, Sequence[float]]]
    ) -> None: ...
    @property
    def grades(self) -> list[float]: ...
    @property
    def parts(self) -> list[tuple[int, float, list[float]]]: ...
    def __eq__(self, other: object, /) -> bool: ...

class ModelInfo:
    """What a model file holds besides the ensemble."""

    def __init__(
        self,
        *,
        feature_names: Sequence[str] = ...,
        absent_is_nan: bool = ...,
        index_base: int = ...,
        algorithm: str = ...,
        parameters_json: str = ...,
        summary_json: str = ...,
        metadata: dict[str, str] = ...,
        profile: DataProfile | None = ...,
        ordinal: Ordinal | None = ...,
        categories: Sequence[
            tuple[int, Sequence[int] | Sequence[str], Sequence[float], float, float]
        ] = ...,
        unknown: Sequence[tuple[str, bytes]] = ...,
    ) -> None: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def absent_is_nan(self) -> bool: ...
    @property
    def index_base(self) -> int: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def parameters_json(self) -> str: ...
    @property
    def summary_json(self) -> str: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    @property
    def profile(self) -> DataProfile | None: ...
    @property
    def ordinal(self) -> Ordinal | None: ...
    @property
    def categories(self) -> list[tuple[int, list[int] | list[str], list[float], float, float]]: ...
    @property
    def unknown(self) -> list[tuple[str, bytes]]: ...
    def __eq__(self, other: object, /) -> bool: ...

# --- ensemble and model file: bindings/bind_ensemble.cpp ---

class StagedScores:
    """An iterator over the scores of prefixes."""

    def __iter__(self) -> Iterator[npt.NDArray[np.float64]]: ...
    def __next__(self) -> npt.NDArray[np.float64]: ...

class Ensemble:
    """A trained ensemble of trees. It does not change."""

    @property
    def n_features(self) -> int: ...
    @property
    def n_rounds(self) -> int: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def rounds_of_members(self) -> list[int]: ...
    @property
    def combine(self) -> Literal["sum", "minmax", "borda", "zscore"]: ...
    @property
    def is_sum(self) -> bool: ...
    @property
    def scores_in_part(self) -> bool: ...
    @property
    def needs_queries(self) -> bool: ...
    @property
    def has_linear(self) -> bool: ...
    @property
    def exits(self) -> dict[str, Any] | None: ...
    def with_exits(self, exits: dict[str, Any] | None) -> Ensemble: ...
    @staticmethod
    def blend(models: list[Ensemble], weights: list[float], combine: str) -> Ensemble: ...
    def narrowed(self) -> tuple[Ensemble, npt.NDArray[np.uint32]]: ...
    def on_columns(self, columns: npt.NDArray[np.uint32], n_features: int) -> Ensemble: ...
    def missing_as_filled(self, fill: npt.NDArray[np.float32]) -> Ensemble: ...
    def sends_missing_as_filled(self, fill: npt.NDArray[np.float32]) -> bool: ...
    def predict(
        self,
        features: npt.NDArray[np.float32],
        query_codes: npt.NDArray[np.uint32] | None,
        n_jobs: int,
    ) -> npt.NDArray[np.float64]: ...
    def staged(
        self,
        features: npt.NDArray[np.float32],
        query_codes: npt.NDArray[np.uint32] | None,
        n_jobs: int,
        every: int = ...,
    ) -> StagedScores: ...
    def prefix(self, rounds: int) -> Ensemble: ...
    def importances(self, kind: str) -> npt.NDArray[np.float64]: ...
    def to_arrays(self) -> dict[str, Any]: ...
    @staticmethod
    def from_arrays(arrays: dict[str, Any]) -> Ensemble: ...
    def to_bytes(self, info: ModelInfo) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, n_jobs: int = ...) -> tuple[Ensemble, ModelInfo]: ...
    def save(self, path: bytes, info: ModelInfo) -> None: ...
    @staticmethod
    def load(path: bytes, n_jobs: int = ...) -> tuple[Ensemble, ModelInfo]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, state: bytes, /) -> None: ...

def foreign_file(start: bytes) -> str: ...

class AtomicFile:
    """A file that gets its name when it is whole."""

    def __init__(self, path: bytes) -> None: ...
    def write(self, data: bytes | memoryview) -> None: ...
    def commit(self) -> None: ...
    def discard(self) -> None: ...

def write_file(path: bytes, data: bytes) -> None: ...

# --- explanations: bindings/bind_explain.cpp ---

def explain(
    model: Ensemble,
    features: npt.NDArray[np.float32],
    *,
    background: npt.NDArray[np.float32] | None,
    n_jobs: int,
) -> tuple[npt.NDArray[np.float64], float]: ...
def find_leaves(
    model: Ensemble, features: npt.NDArray[np.float32], n_jobs: int
) -> npt.NDArray[np.int32]: ...
def has_leaf_counts(model: Ensemble) -> bool: ...
def with_leaf_counts(
    model: Ensemble, features: npt.NDArray[np.float32], n_jobs: int
) -> Ensemble: ...

# --- scorer: bindings/bind_scorer.cpp ---

class ScoreLimits:
    """When scoring ends before the last tree."""

    def __init__(
        self,
        *,
        early_exit: tuple[int, float, str, bool] | None,
        exits: dict[str, Any] | None,
        budget: float | None,
        tree_cost: float,
        feature_costs: Sequence[float],
        groups: Sequence[int],
        should_stop: Callable[[], object] | None,
    ) -> None: ...

class CompiledScorer:
    """An ensemble made ready for scoring."""

    def __init__(
        self, ensemble: Ensemble, isa: Literal["best", "scalar", "avx2", "avx512"] = ...
    ) -> None: ...
    @property
    def isa(self) -> Literal["scalar", "avx2", "avx512"]: ...
    def predict(
        self,
        features: npt.NDArray[np.float32],
        query_codes: npt.NDArray[np.uint32] | None,
        n_jobs: int,
    ) -> npt.NDArray[np.float64]: ...
    def predict_few(self, rows: object, most: int) -> npt.NDArray[np.float64] | None: ...
    def predict_within(
        self,
        features: npt.NDArray[np.float32],
        query_codes: npt.NDArray[np.uint32] | None,
        n_jobs: int,
        limits: ScoreLimits,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32], int, float]: ...
    def top(
        self,
        features: npt.NDArray[np.float32],
        k: int,
        query_codes: npt.NDArray[np.uint32] | None,
        n_jobs: int,
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64], npt.NDArray[np.uint64], int]: ...
    def predict_lazily(
        self,
        n_documents: int,
        provider: Callable[[int, npt.NDArray[np.uint64]], npt.NDArray[np.float32]],
        limits: ScoreLimits,
    ) -> tuple[
        npt.NDArray[np.float64],
        npt.NDArray[np.uint32],
        int,
        float,
        int,
        npt.NDArray[np.uint64],
    ]: ...

# --- costs: bindings/bind_costs.cpp ---

def costs_of_rounds(
    ensemble: Ensemble, tree_cost: float, feature_costs: list[float], groups: list[int]
) -> npt.NDArray[np.float64]: ...
def lazy_costs_of_queries(
    ensemble: Ensemble,
    tree_cost: float,
    feature_costs: list[float],
    groups: list[int],
    *,
    features: npt.NDArray[np.float32],
    query_codes: npt.NDArray[np.uint32],
    scored_with: npt.NDArray[np.uint32],
    stages: list[int],
    n_jobs: int,
) -> list[npt.NDArray[np.float64]]: ...
def demoted(
    scores: npt.NDArray[np.float64],
    rounds: npt.NDArray[np.uint32],
    query_codes: npt.NDArray[np.uint32],
) -> npt.NDArray[np.float64]: ...

# --- metrics: bindings/bind_metric.cpp ---

class Evaluation:
    """What a metric says of the scores of some queries."""

    @property
    def mean(self) -> float: ...
    @property
    def n_empty(self) -> int: ...
    @property
    def values(self) -> npt.NDArray[np.float64]: ...

class Metric:
    """A measure of rankings: an immutable value, spelled NAME[@K][(KEY=VALUE,...)]."""

    def __init__(self, spelling: str) -> None: ...
    @staticmethod
    def parse(spelling: str) -> Metric: ...
    @property
    def name(self) -> str: ...
    @property
    def cutoff(self) -> int | None: ...
    @property
    def maximize(self) -> bool: ...
    @property
    def has_exp2_gain(self) -> bool: ...
    @property
    def needs_canonical_order(self) -> bool: ...
    @property
    def needs_document_ids(self) -> bool: ...
    def __matmul__(self, cutoff: int) -> Metric: ...
    def __call__(self, **keys: str | float) -> Metric: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __getstate__(self) -> str: ...
    def __setstate__(self, state: str) -> None: ...

def evaluate(
    metrics: Sequence[Metric],
    *,
    grades: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
    query_codes: npt.NDArray[np.uint32],
    weights: npt.NDArray[np.float64] | None,
    canonical_ranks: npt.NDArray[np.uint32] | None,
    docno_ranks: npt.NDArray[np.uint32] | None,
    pool_grades: npt.NDArray[np.float64] | None,
    pool_codes: npt.NDArray[np.uint32] | None,
    n_jobs: int,
) -> list[Evaluation]: ...

# --- significance: bindings/bind_significance.cpp ---

class RandomisationTest:
    """What a randomisation test of paired differences says."""

    @property
    def p_value(self) -> float: ...
    @property
    def n_permutations(self) -> int: ...
    @property
    def exact(self) -> bool: ...

def randomisation_test(
    differences: npt.NDArray[np.float64], n_permutations: int, seed: int, n_jobs: int
) -> RandomisationTest: ...
def bootstrap_means(
    values: npt.NDArray[np.float64], n_resamples: int, seed: int, n_jobs: int
) -> npt.NDArray[np.float64]: ...

# --- weights of models and trees: bindings/bind_pruning.cpp ---

class LineSearch:
    """How weights are searched."""

    def __init__(
        self,
        *,
        max_iterations: int,
        n_points: int,
        window: float,
        shrink: float,
        tolerance: float,
        min_gain: float,
        lowest: float,
    ) -> None: ...
    @staticmethod
    def defaults() -> dict[str, int | float]: ...

class WeightedTrees:
    """A metric of a data set as the weights of a model's trees change."""

    def __init__(self, model: Ensemble, data: Dataset, metric: Metric, n_jobs: int) -> None: ...
    @property
    def weights(self) -> npt.NDArray[np.float64]: ...
    @weights.setter
    def weights(self, weights: npt.NDArray[np.float64], /) -> None: ...
    @property
    def value(self) -> float: ...
    @property
    def values(self) -> npt.NDArray[np.float64]: ...
    @property
    def query_weights(self) -> npt.NDArray[np.float64]: ...
    def use_queries(self, used: list[bool]) -> None: ...
    def importances(self, method: str, seed: int) -> npt.NDArray[np.float64]: ...
    def search(self, search: LineSearch, columns: list[int]) -> list[float]: ...

def search_weights(
    search: LineSearch,
    metric: Metric,
    data: Dataset,
    columns: list[npt.NDArray[np.float64]],
    weights: npt.NDArray[np.float64],
    n_jobs: int,
) -> tuple[npt.NDArray[np.float64], list[float]]: ...
def skipping_trees(n_trees: int, n_kept: int) -> list[bool]: ...
def reweighted(model: Ensemble, weights: npt.NDArray[np.float64]) -> Ensemble: ...

# --- trainers: bindings/bind_trainers.cpp ---

def default_settings(algorithm: str) -> dict[str, Any]: ...
def train(
    algorithm: str,
    data: Dataset,
    settings: dict[str, Any],
    *,
    seed: int,
    n_jobs: int,
    watches: list[tuple[str, Dataset, list[Metric | tuple[str, Callable[..., float], bool]]]],
    stopping_watch: int = ...,
    observer: Callable[[dict[str, Any]], bool] | None,
    objective: Callable[..., tuple[npt.ArrayLike, npt.ArrayLike]] | None,
    trained: Ensemble = ...,
    initial_scores: tuple[npt.NDArray[np.float64], list[npt.NDArray[np.float64]]] | None = ...,
    pair_weights: Callable[..., npt.ArrayLike] | None = ...,
    bag: dict[str, Any] | None = ...,
    feature_costs: tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]] | None = ...,
    trained_ordinal: Ordinal | None = ...,
    checkpoint: tuple[int, Callable[[dict[str, Any]], object]] | None = ...,
    resumed: dict[str, Any] | None = ...,
    constraints: dict[str, Any] | None = ...,
    functions: dict[str, Callable[[dict[str, Any]], object]] = ...,
    positions: tuple[npt.NDArray[np.uint32], float, list[float] | None] | None = ...,
) -> dict[str, Any]: ...
def default_bag_settings() -> dict[str, Any]: ...
def bag_of(
    pool: Ensemble,
    *,
    members: Sequence[int],
    combine: str,
    parts: int = ...,
    n_each: int = ...,
) -> Ensemble: ...
def bag_of_ordinals(pool: Ordinal, *, members: Sequence[int], parts: int = ...) -> Ordinal: ...
def out_of_bag_scores(
    data: Dataset, settings: dict[str, Any], *, seed: int, forest: Ensemble, n_jobs: int
) -> npt.NDArray[np.float64]: ...

# --- ordinal models: bindings/bind_ordinal.cpp ---

def ordinal_prefix(ordinal: Ordinal, prefix: Ensemble) -> Ordinal: ...
def problem_of(ensemble: Ensemble, ordinal: Ordinal, problem: int) -> Ensemble: ...
def class_probabilities(
    cumulative: Sequence[npt.NDArray[np.float64]],
) -> npt.NDArray[np.float64]: ...

# --- refit: bindings/bind_refit.cpp ---

def refit(
    algorithm: str,
    model: Ensemble,
    data: Dataset,
    settings: dict[str, Any],
    *,
    decay: float,
    refits_base: bool,
    seed: int,
    objective: Callable[..., tuple[npt.ArrayLike, npt.ArrayLike]] | None,
    initial_scores: npt.NDArray[np.float64] | None,
    n_jobs: int,
    constraints: dict[str, Any] | None = ...,
) -> Ensemble: ...

# --- normalisation within queries: bindings/bind_normalization.cpp ---

def normalized_in_queries(
    kind: str,
    features: npt.NDArray[np.float32],
    query_codes: npt.NDArray[np.uint32],
    n_jobs: int,
) -> npt.NDArray[np.float32]: ...

# --- importance: bindings/bind_importance.cpp ---

def permutation(
    data: Dataset, scope: str, *, seed: int, feature: int, repeat: int
) -> npt.NDArray[np.uint32]: ...
def out_of_bag_losses(
    data: Dataset,
    settings: dict[str, Any],
    *,
    seed: int,
    forest: Ensemble,
    metric: Metric,
    scope: str,
    permutation_seed: int,
    n_jobs: int,
) -> npt.NDArray[np.float64]: ...
