"""Random models in the form of `_core.Ensemble.to_arrays`, and what they score by definition."""

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

N_FEATURES = 3
COLUMNS = {
    "feature": np.uint32,
    "threshold": np.float32,
    "left": np.int32,
    "right": np.int32,
    "missing": np.int32,
    "gain": np.float32,
}

float32s = st.floats(width=32, allow_nan=False, allow_infinity=False)
thresholds = float32s | st.just(float("inf"))
leaves = st.floats(-100, 100, width=32)
weights = st.floats(-10, 10)


@st.composite
def trees(draw: st.DrawFn) -> dict[str, npt.NDArray[Any]]:
    """Draw a tree of up to three levels, with gains or without."""
    nodes: list[dict[str, Any]] = []
    values: list[float] = []

    def grow(depth: int) -> int:
        if depth == 0 or draw(st.booleans()):
            values.append(draw(leaves))
            return -len(values)
        node: dict[str, Any] = {}
        nodes.append(node)
        number = len(nodes) - 1
        node["feature"] = draw(st.integers(0, N_FEATURES - 1))
        node["threshold"] = draw(thresholds)
        node["left"] = grow(depth - 1)
        node["right"] = grow(depth - 1)
        side = draw(st.sampled_from(["left", "right", "own"]))
        node["missing"] = grow(depth - 1) if side == "own" else node[side]
        node["gain"] = draw(float32s)
        return number

    grow(3)
    has_gains = draw(st.booleans())
    arrays: dict[str, npt.NDArray[Any]] = {
        name: np.array([node[name] for node in nodes if has_gains or name != "gain"], dtype=dtype)
        for name, dtype in COLUMNS.items()
    }
    arrays["leaf"] = np.array(values, dtype=np.float32)
    return arrays


@st.composite
def groups(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a group of one to three rounds of one or two trees."""
    per_round = draw(st.integers(1, 2))
    n_trees = per_round * draw(st.integers(1, 3))
    return {
        "weight": draw(weights),
        "reduction": draw(st.sampled_from(["sum", "mean"])),
        "trees_per_round": per_round,
        "trees": draw(st.lists(trees(), min_size=n_trees, max_size=n_trees)),
    }


members = st.fixed_dictionaries({"base": weights, "groups": st.lists(groups(), max_size=2)})
models = st.fixed_dictionaries(
    {
        "combine": st.sampled_from(["sum", "minmax", "borda"]),
        "n_features": st.just(N_FEATURES),
        "members": st.lists(members, min_size=1, max_size=2),
    }
)

matrices = hnp.arrays(
    np.float32, st.tuples(st.integers(0, 6), st.just(N_FEATURES)), elements=st.floats(width=32)
)


def codes_for(X: npt.NDArray[np.float32]) -> npt.NDArray[np.uint32]:
    """Deal the rows out to three queries."""
    return (np.arange(len(X), dtype=np.uint32) * 5) % 3


def leaf_value(tree: dict[str, npt.NDArray[Any]], x: npt.NDArray[np.float32]) -> np.float32:
    """Walk from the root to a leaf."""
    child = 0 if len(tree["feature"]) else -1
    while child >= 0:
        value = x[tree["feature"][child]]
        if np.isnan(value):
            side = "missing"
        else:
            side = "left" if value <= tree["threshold"][child] else "right"
        child = tree[side][child]
    return tree["leaf"][-1 - child]


def member_score(member: dict[str, Any], x: npt.NDArray[np.float32]) -> float:
    """Sum what the trees contribute, each rounded to float32."""
    score = member["base"]
    for group in member["groups"]:
        divisor = len(group["trees"]) if group["reduction"] == "mean" else 1
        weight = group["weight"] / divisor
        for tree in group["trees"]:
            score += float(np.float32(weight * float(leaf_value(tree, x))))
    return score


def naive_scores(
    model: dict[str, Any], X: npt.NDArray[np.float32], codes: npt.NDArray[np.uint32]
) -> list[float]:
    """Score documents by the definition, one at a time."""
    total = [0.0] * len(X)
    for j, member in enumerate(model["members"]):
        scores = [member_score(member, x) for x in X]
        for i, score in enumerate(scores):
            others = [scores[k] for k in range(len(X)) if codes[k] == codes[i]]
            low, high = min(others), max(others)
            if model["combine"] == "borda":
                below = sum(other < score for other in others)
                total[i] += below + (sum(other == score for other in others) - 1) / 2
            elif model["combine"] == "minmax":
                total[i] += (score - low) / (high - low) if high > low else 0.5
            else:
                total[i] = score if j == 0 else total[i] + score
    n_members = len(model["members"])
    return [score / n_members for score in total] if model["combine"] == "minmax" else total
