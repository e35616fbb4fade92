"""ONNX: a TreeEnsembleRegressor, made and checked with the `onnx` package.

A number goes left if it is up to the threshold, in float32; a node says where NaN goes. A score is
a sum in float32, in an order that the runtime chooses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest.exchange.extras import installed, required
from rankforest.exchange.forest import LEAF, Forest
from rankforest.exchange.from_model import with_base_in_trees, with_tests_of_missing

_IR_VERSION, _OPSET, _ML_OPSET = 8, 15, 3  # all of 2022 or before


def for_onnx(forest: Forest) -> Forest:
    """Return the forest as ONNX holds it."""
    prepared = with_tests_of_missing(with_base_in_trees(forest, kept=True))
    return replace(prepared, total=np.float32)


def onnx_bytes(forest: Forest, names: tuple[str, ...]) -> bytes:
    """Give the bytes of a model of one input ``X`` and one output ``scores``, both float32.

    Parameters
    ----------
    forest : Forest
        Of `for_onnx`.
    names : tuple of str
        Of the columns; kept as the metadata ``feature_names``, one name to a line.
    """
    onnx = required("onnx")
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["X"],
        ["scores"],
        domain="ai.onnx.ml",
        n_targets=1,
        aggregate_function="SUM",
        post_transform="NONE",
        base_values=[float(np.float32(forest.base))],
        **_attributes(forest),
    )
    n_features = max(forest.n_features, 1)
    graph = helper.make_graph(
        [node],
        "rankforest",
        [helper.make_tensor_value_info("X", kind, [None, n_features])],
        [helper.make_tensor_value_info("scores", kind, [None, 1])],
    )
    model = helper.make_model(
        graph,
        producer_name="rankforest",
        ir_version=_IR_VERSION,
        opset_imports=[
            helper.make_opsetid("", _OPSET),
            helper.make_opsetid("ai.onnx.ml", _ML_OPSET),
        ],
    )
    if names:
        helper.set_model_props(model, {"feature_names": "\n".join(names)})
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def _attributes(forest: Forest) -> dict[str, list[Any]]:
    """List the nodes of all trees; without any, a tree of one leaf of 0."""
    out: dict[str, list[Any]] = {f"nodes_{key}": [] for key in _NODES}
    out |= {f"target_{key}": [] for key in ("ids", "nodeids", "treeids", "weights")}
    for number, tree in enumerate(forest.trees):
        is_leaf = tree.feature == LEAF
        rows = np.arange(len(tree))
        columns = {
            "featureids": np.where(is_leaf, 0, tree.feature),
            "values": tree.threshold,
            "truenodeids": np.where(is_leaf, 0, tree.left),
            "falsenodeids": np.where(is_leaf, 0, tree.right),
            "missing_value_tracks_true": (~is_leaf & (tree.missing == tree.left)).astype(int),
            "nodeids": rows,
            "treeids": np.full(len(tree), number),
            "hitrates": np.ones(len(tree)),
        }
        for key, values in columns.items():
            out[f"nodes_{key}"] += values.tolist()
        out["nodes_modes"] += np.where(is_leaf, "LEAF", "BRANCH_LEQ").tolist()
        leaves = rows[is_leaf]
        out["target_ids"] += [0] * len(leaves)
        out["target_nodeids"] += leaves.tolist()
        out["target_treeids"] += [number] * len(leaves)
        out["target_weights"] += tree.value[leaves].tolist()
    return out


_NODES = (
    "featureids", "values", "truenodeids", "falsenodeids", "missing_value_tracks_true", "nodeids",
    "treeids", "hitrates", "modes",
)  # fmt: skip


def onnx_scores(content: bytes, X: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Score with ONNX Runtime, or with the reference evaluator of `onnx` where it is not installed."""
    if installed("onnxruntime"):
        runtime = required("onnxruntime")
        session = runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
    else:
        model = required("onnx").load_from_string(content)
        session = required("onnx.reference").ReferenceEvaluator(model)
    return np.asarray(session.run(None, {"X": X})[0], dtype=np.float64).ravel()
