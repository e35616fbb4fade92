"""treelite: a model object, and the bytes of its checkpoint.

Tests and leaves are in double, so that float32 documents get our sums but for the order in which
the base is added.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest.exchange.extras import required
from rankforest.exchange.forest import LEAF, Forest, TreeTable, constant
from rankforest.exchange.from_model import with_tests_of_missing


def for_treelite(forest: Forest) -> Forest:
    """Return the forest as treelite holds it."""
    return with_tests_of_missing(forest)


def treelite_of(forest: Forest) -> Any:
    """Make a `treelite.Model` of a forest of `for_treelite`."""
    builders = required("treelite.model_builder")
    trees = forest.trees or (constant(0.0),)
    builder = builders.ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=builders.Metadata(
            num_feature=max(forest.n_features, 1),
            task_type="kRegressor",
            average_tree_output=False,
            num_target=1,
            num_class=[1],
            leaf_vector_shape=(1, 1),
        ),
        tree_annotation=builders.TreeAnnotation(
            num_tree=len(trees), target_id=[0] * len(trees), class_id=[0] * len(trees)
        ),
        postprocessor=builders.PostProcessorFunc(name="identity"),
        base_scores=[forest.base],
    )
    for tree in trees:
        _add(builder, tree)
    return builder.commit()


def _add(builder: Any, tree: TreeTable) -> None:
    builder.start_tree()
    for row in range(len(tree)):
        builder.start_node(row)
        if tree.feature[row] == LEAF:
            builder.leaf(float(tree.value[row]))
        else:
            builder.numerical_test(
                feature_id=int(tree.feature[row]),
                threshold=float(tree.threshold[row]),
                default_left=bool(tree.missing[row] == tree.left[row]),
                opname="<=",
                left_child_key=int(tree.left[row]),
                right_child_key=int(tree.right[row]),
            )
        builder.end_node()
    builder.end_tree()


def treelite_scores(content: bytes, X: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Score with treelite's own interpreter."""
    treelite = required("treelite")
    model = treelite.Model.deserialize_bytes(content)
    scores = required("treelite.gtil").predict(model, X.astype(np.float64))
    return np.asarray(scores, dtype=np.float64).reshape(len(X))
