"""Trees of any system as arrays of nodes, and how that system compares and adds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

#: Of `TreeTable.feature`: the node is a leaf.
LEAF = -1

#: The largest finite float32.
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False)
class TreeTable:
    """One tree; a row is a node or a leaf, and row 0 is the root.

    Attributes
    ----------
    feature : ndarray of int64, shape (n,)
        The column that a node tests, counted from 0; `LEAF` for a leaf.
    threshold : ndarray of float64, shape (n,)
        What the value is compared with; 0 for a leaf. A test of missing values alone has inf, and
        then all numbers go left.
    left, right, missing : ndarray of int64, shape (n,)
        The rows of the children; `missing` is the one of NaN, mostly one of the two others. 0 for a
        leaf.
    value : ndarray of float64, shape (n,)
        What a leaf adds to a score; 0 for a node.
    documents : ndarray of int64, shape (n,), optional
        How many documents reached each row in training; None where nobody says.
    """

    feature: npt.NDArray[np.int64]
    threshold: npt.NDArray[np.float64]
    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    missing: npt.NDArray[np.int64]
    value: npt.NDArray[np.float64]
    documents: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def nodes(self) -> npt.NDArray[np.int64]:
        """The rows that are no leaves."""
        return np.flatnonzero(self.feature != LEAF)

    @property
    def has_third_child(self) -> bool:
        """Whether NaN has a child of its own anywhere."""
        own = (self.missing != self.left) & (self.missing != self.right)
        return bool((own & (self.feature != LEAF)).any())


def with_documents(tree: TreeTable, of_leaves: npt.NDArray[np.int64] | None) -> TreeTable:
    """Return a tree that says how many documents reached its rows.

    Parameters
    ----------
    tree : TreeTable
        Whose children all come after their parents.
    of_leaves : ndarray of int64, shape (n,) or None
        Documents of each leaf; what stands at nodes plays no part. None: unknown.
    """
    if of_leaves is None:
        return tree
    documents = np.where(tree.feature == LEAF, of_leaves, 0)
    for row in tree.nodes[::-1]:
        documents[row] = sum(documents[c] for c in {*(int(c[row]) for _, c in _sides(tree))})
    return replace(tree, documents=documents)


@dataclass(frozen=True, eq=False)
class Forest:
    """An ensemble as a system holds it.

    Attributes
    ----------
    trees : tuple of TreeTable
        In the order in which they are added.
    n_features : int
        Columns that a document has.
    base : float
        What the sum starts with.
    test : {"<=", "<"}
        Which numbers go left.
    compare : type
        The width in which values and thresholds are compared, `np.float32` or `np.float64`.
    total : type
        The width in which a score is summed up.
    reduction : {"sum", "mean"}
        Whether the sum of the trees is divided by their number.
    feature_names : tuple of str
        One for each column, or none.
    algorithm : str
        What made the model, for `Model.algorithm`.
    zero_based : bool
        Whether the system numbers features from 0.
    absent_is_nan : bool
        Whether a feature that text leaves out is missing there, rather than 0.
    """

    trees: tuple[TreeTable, ...]
    n_features: int
    base: float = 0.0
    test: Literal["<=", "<"] = "<="
    compare: type[np.floating[Any]] = np.float32
    total: type[np.floating[Any]] = np.float64
    reduction: Literal["sum", "mean"] = "sum"
    feature_names: tuple[str, ...] = field(default=())
    algorithm: str = ""
    zero_based: bool = True
    absent_is_nan: bool = False


def constant(value: float) -> TreeTable:
    """Return the tree of one leaf."""
    zero = np.zeros(1, dtype=np.int64)
    return TreeTable(
        np.full(1, LEAF, dtype=np.int64), np.zeros(1), zero, zero, zero, np.full(1, float(value))
    )


def table(  # noqa: PLR0917 - the columns in their order
    feature: npt.ArrayLike,
    threshold: npt.ArrayLike,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    missing: npt.ArrayLike,
    value: npt.ArrayLike,
) -> TreeTable:
    """Make a tree of columns of any types, in which a row is a leaf if its feature is `LEAF`."""
    features = np.asarray(feature, dtype=np.int64)
    is_leaf = features == LEAF

    def children(side: npt.ArrayLike) -> npt.NDArray[np.int64]:
        return np.where(is_leaf, 0, np.asarray(side, dtype=np.int64))

    return TreeTable(
        features,
        np.where(is_leaf, 0.0, np.asarray(threshold, dtype=np.float64)),
        children(left),
        children(right),
        children(missing),
        np.where(is_leaf, np.asarray(value, dtype=np.float64), 0.0),
    )


#: feature, threshold, left, right, missing and value of a row.
Row = tuple[int, float, int, int, int, float]

#: A row that is not known yet.
BLANK: Row = (LEAF, 0.0, 0, 0, 0, 0.0)


def leaf_row(value: float) -> Row:
    """Return the row of a leaf."""
    return (LEAF, 0.0, 0, 0, 0, value)


def table_of(rows: list[Row]) -> TreeTable:
    """Make a tree of its rows."""
    return table(*zip(*rows, strict=True))


def checked(tree: TreeTable, where: str, n_features: int) -> TreeTable:
    """Return the tree, or raise a ValueError unless every row is reached once from the root.

    Parameters
    ----------
    tree : TreeTable
        With children of any numbers.
    where : str
        What messages call the tree.
    n_features : int
        Columns that there are.
    """
    n = len(tree)
    if n == 0:
        raise ValueError(f"{where}: has no node")
    seen = np.zeros(n, dtype=np.bool_)
    waiting = [0]
    seen[0] = True
    while waiting:
        node = waiting.pop()
        if tree.feature[node] == LEAF:
            continue
        _check_node(tree, node, where, n_features)
        children = {int(c[node]): side for side, c in _sides(tree)}
        for child, side in children.items():
            if not 0 < child < n or seen[child]:
                raise ValueError(
                    f"{where}: the {side} child of node {node} is {child}, expected one from 1 to "
                    f"{n - 1} that no other node has"
                )
            seen[child] = True
            waiting.append(child)
    bad = np.flatnonzero(seen & (tree.feature == LEAF) & ~(np.abs(tree.value) <= LARGEST))
    if bad.size:
        raise ValueError(
            f"{where}: the leaf at node {bad[0]} is {tree.value[bad[0]]}, expected a finite float32"
        )
    if not seen.all():
        raise ValueError(f"{where}: node {np.flatnonzero(~seen)[0]} is no node's child")
    return tree


def _sides(tree: TreeTable) -> list[tuple[str, npt.NDArray[np.int64]]]:
    return [("missing", tree.missing), ("right", tree.right), ("left", tree.left)]


def _check_node(tree: TreeTable, node: int, where: str, n_features: int) -> None:
    if tree.left[node] == tree.right[node]:
        raise ValueError(f"{where}: both children of node {node} are {tree.left[node]}")
    if not 0 <= tree.feature[node] < n_features:
        raise ValueError(
            f"{where}: node {node} tests feature {tree.feature[node]}, expected one from 0 to "
            f"{n_features - 1}"
        )
    if np.isnan(tree.threshold[node]):
        raise ValueError(f"{where}: the threshold of node {node} is NaN")
