"""QuickRank's XML: read and written.

A number goes left if it is up to the threshold, in float32; NaN goes right, and a feature that a
document lacks is 0. A score is a sum in double. Features are numbered from 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankforest.exchange.forest import Forest, checked
from rankforest.exchange.from_model import with_base_in_trees
from rankforest.exchange.thresholds import shortest
from rankforest.exchange.xml_elements import parse_xml, split_lines, split_tree, trees_in, widest

_WITHOUT_TREES = ("COORDASC", "LINESEARCH", "CUSTOM")


def for_quickrank(forest: Forest) -> Forest:
    """Return the forest as QuickRank holds it."""
    return with_base_in_trees(forest)


def quickrank_xml(forest: Forest) -> str:
    """Give the XML of a forest of `for_quickrank`; every tree has the weight 1."""
    most = max((int((tree.feature == -1).sum()) for tree in forest.trees), default=1)
    info = {
        "type": "LAMBDAMART",
        "trees": len(forest.trees),
        "leaves": most,
        "shrinkage": 1,
        "leafsupport": 1,
        "discretization": 0,
        "estop": 0,
    }
    lines = ["<ranker>", "\t<info>"]
    lines += [f"\t\t<{tag}>{value}</{tag}>" for tag, value in info.items()]
    lines += ["\t</info>", "\t<ensemble>"]
    for number, tree in enumerate(forest.trees, start=1):
        lines.append(f'\t\t<tree id="{number}" weight="1">')
        spelled = [shortest(value) for value in tree.threshold]
        leaves = [shortest(value) for value in tree.value]
        lines += [*split_lines(tree, "\t\t\t", spelled, leaves, ""), "\t\t</tree>"]
    return "\n".join([*lines, "\t</ensemble>", "</ranker>", ""])


def read_quickrank(text: str) -> Forest:
    """Read a model.

    Raises
    ------
    ValueError
        If it is not valid, or of a ranker without trees; the message names the line.
    """
    whole = parse_xml(text.removeprefix("\ufeff"), "file").only("ranker")
    kind = whole.only("info").only("type")
    if kind.text.strip() in _WITHOUT_TREES:
        raise kind.fail(f"the ranker is {kind.text.strip()}, expected one with trees")
    trees = []
    for element in trees_in(whole.only("ensemble")):
        tree = split_tree(element.only("split"), element.attribute("weight"), "right")
        limits = tree.threshold.astype(np.float32).astype(np.float64)
        trees.append(replace(tree, threshold=limits))
    n_features = widest(trees)
    return Forest(
        tuple(checked(tree, f"tree {i}", n_features) for i, tree in enumerate(trees)),
        n_features,
        algorithm=f"quickrank {kind.text.strip().lower()}",
        zero_based=False,
    )
