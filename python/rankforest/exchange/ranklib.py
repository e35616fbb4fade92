"""RankLib's models: read (MART, LambdaMART, Random Forests) and written (as LambdaMART).

A number goes left if it is up to the threshold, in float32; a feature that a document lacks is 0,
and there is no missing value. A score is a sum in float32; a random forest gives the mean of its
bags. Features are numbered from 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankforest.exchange.forest import Forest, TreeTable, checked
from rankforest.exchange.from_model import with_base_in_trees
from rankforest.exchange.thresholds import shortest32
from rankforest.exchange.xml_elements import (
    Element,
    parse_xml,
    split_lines,
    split_tree,
    trees_in,
    widest,
)

_RANKERS = {"LambdaMART": "lambdamart", "MART": "mart", "Random Forests": "random forests"}


def for_ranklib(forest: Forest) -> Forest:
    """Return the forest as RankLib holds it."""
    return replace(with_base_in_trees(forest), total=np.float32)


def ranklib_text(forest: Forest) -> str:
    """Give the text of a forest of `for_ranklib`; every tree has the weight 1."""
    most = max((int((tree.feature == -1).sum()) for tree in forest.trees), default=1)
    lines = [
        "## LambdaMART",
        f"## No. of trees = {len(forest.trees)}",
        f"## No. of leaves = {most}",
        "## No. of threshold candidates = -1",
        "## Learning rate = 1.0",
        "## Stop early = 0",
        "",
        "<ensemble>",
    ]
    for number, tree in enumerate(forest.trees, start=1):
        lines.append(f'\t<tree id="{number}" weight="1.0">')
        thresholds = [_java(value) for value in tree.threshold]
        leaves = [shortest32(value) for value in tree.value]
        lines += [*split_lines(tree, "\t\t", thresholds, leaves, " "), "\t</tree>"]
    return "\n".join([*lines, "</ensemble>", ""])


def _java(value: float) -> str:
    return shortest32(value) if np.isfinite(value) else "Infinity"


def read_ranklib(text: str) -> Forest:
    """Read a model.

    Raises
    ------
    ValueError
        If it is not valid, or of a ranker without trees; the message names the line.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    ranker = next((line for line in lines if line.strip()), "").strip().removeprefix("##").strip()
    if ranker not in _RANKERS:
        known = ", ".join(_RANKERS)
        raise ValueError(f"line 1: the ranker is {ranker[:40]!r}, expected one with trees: {known}")
    body = "\n".join("" if line.lstrip().startswith("##") else line for line in lines)
    ensembles = parse_xml(body, "models").children
    if not ensembles:
        raise ValueError(f"line {len(lines)}: there is no <ensemble>")
    if len(ensembles) > 1 and ranker != "Random Forests":
        raise ensembles[1].fail(f"a second <ensemble>, which {ranker} does not have")
    bags = [_bag(ensemble) for ensemble in ensembles]
    trees = tuple(tree for bag in bags for tree in bag)
    is_mean = len(bags) > 1 and all(len(bag) == 1 for bag in bags)
    n_features = widest(trees)
    for number, tree in enumerate(trees):
        checked(tree, f"tree {number}", n_features)
    if len(bags) > 1 and not is_mean:
        trees = tuple(replace(tree, value=tree.value / len(bags)) for tree in trees)
    return Forest(
        trees,
        n_features,
        total=np.float32,
        reduction="mean" if is_mean else "sum",
        algorithm=f"ranklib {_RANKERS[ranker]}",
        zero_based=False,
    )


def _bag(ensemble: Element) -> list[TreeTable]:
    if ensemble.tag != "ensemble":
        raise ensemble.fail(f"found <{ensemble.tag}>, expected <ensemble>")
    trees = []
    for element in trees_in(ensemble):
        weight = float(np.float32(element.attribute("weight")))
        tree = split_tree(element.only("split"), 1.0, "zero")
        leaves = tree.value.astype(np.float32).astype(np.float64)
        trees.append(replace(tree, value=leaves * weight))
    return trees
