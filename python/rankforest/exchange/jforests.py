"""jforests' text: read line by line, as jforests itself does.

A number goes left if it is up to the original threshold, in double; a feature that a document lacks
is 0. A child c >= 0 is node c, c < 0 is leaf ~c. Features are columns, counted from 0.
"""

from __future__ import annotations

import numpy as np

from rankforest.exchange.forest import LEAF, Forest, TreeTable, checked
from rankforest.exchange.xml_elements import Element, parse_xml, widest

_PARTS = ("SplitFeatures", "LeftChildren", "RightChildren", "OriginalThresholds", "LeafOutputs")


def read_jforests(text: str) -> Forest:
    """Read a model.

    Raises
    ------
    ValueError
        If it is not valid; the message names the line.
    """
    ensemble = parse_xml(text.removeprefix("\ufeff"), "file").only("Ensemble")
    trees = []
    for number, element in enumerate(ensemble.children):
        if element.tag != "Tree":
            raise element.fail(f"found <{element.tag}>, expected <Tree>")
        trees.append(_tree(element, number))
    n_features = widest(trees)
    return Forest(
        tuple(checked(tree, f"tree {i}", n_features) for i, tree in enumerate(trees)),
        n_features,
        compare=np.float64,
        algorithm="jforests",
    )


def _tree(element: Element, number: int) -> TreeTable:
    features, left, right, thresholds, leaves = (_numbers(element.only(tag)) for tag in _PARTS)
    n = len(features)
    if not n == len(left) == len(right) == len(thresholds) == len(leaves) - 1:
        raise element.fail(
            "<Tree>: expected as many children and thresholds as features, one less than leaves"
        )
    for values in (features, left, right):
        if np.any(values != np.floor(values)) or np.any(np.abs(values) > 2**31):
            raise element.fail(
                f"<Tree>: tree {number} has a feature or child that is no whole number"
            )
    if np.any(features < 0):
        raise element.fail("<Tree>: a feature is below 0")
    rows = [np.where(side >= 0, side, n - 1 - side).astype(np.int64) for side in (left, right)]
    pad = np.zeros(n + 1, dtype=np.int64)
    table_left, table_right = (np.concatenate([side, pad]) for side in rows)
    limits = np.concatenate([thresholds, np.zeros(n + 1)])
    return TreeTable(
        np.concatenate([features.astype(np.int64), np.full(n + 1, LEAF)]),
        limits,
        table_left,
        table_right,
        np.where(limits >= 0, table_left, table_right),
        np.concatenate([np.zeros(n), leaves * element.attribute("weight")]),
    )


def _numbers(element: Element) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    try:
        values = np.array([float(word) for word in element.text.split()], dtype=np.float64)
    except ValueError:
        values = np.array([np.nan])
    if not np.all(np.isfinite(values)):
        raise element.fail(
            f"<{element.tag}>: expected finite numbers, got {element.text.strip()[:40]!r}"
        )
    return values
