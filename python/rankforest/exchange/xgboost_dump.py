"""Trees as XGBoost's JSON dump writes them: what Elasticsearch's plugin and Vespa take.

A number goes left if it is below the threshold, in float32; a node names the child of NaN. There is
no base score.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from rankforest.exchange.forest import (
    BLANK,
    LARGEST,
    Forest,
    Row,
    TreeTable,
    checked,
    leaf_row,
    table_of,
)
from rankforest.exchange.nested_text import nested_text
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.thresholds import shortest


def dump_text(trees: Sequence[TreeTable], names: Sequence[str]) -> str:
    """Give the dump of trees of strict tests; an infinite threshold is the largest float32.

    Parameters
    ----------
    trees : sequence of TreeTable
        Of tests ``x < t``.
    names : sequence of str
        Of all columns.
    """
    return "[" + ",\n".join(_tree_text(tree, names) for tree in trees) + "]"


def _tree_text(tree: TreeTable, names: Sequence[str]) -> str:
    depth = np.zeros(len(tree), dtype=np.int64)
    for row in tree.nodes:  # parents come before their children
        depth[[tree.left[row], tree.right[row]]] = depth[row] + 1

    def leaf(row: int) -> str:
        return f'{{"nodeid": {row}, "leaf": {shortest(tree.value[row])}}}'

    def node(row: int) -> tuple[str, str, str]:
        limit = shortest(np.clip(tree.threshold[row], -LARGEST, LARGEST))
        before = (
            f'{{"nodeid": {row}, "depth": {depth[row]}, '
            f'"split": {json.dumps(names[tree.feature[row]])}, "split_condition": {limit}, '
            f'"yes": {tree.left[row]}, "no": {tree.right[row]}, "missing": {tree.missing[row]}, '
            '"children": ['
        )
        return before, ", ", "]}"

    return nested_text(tree, leaf, node)


def read_dump(content: bytes, names: Sequence[str] | None = None) -> Forest:
    """Read a dump.

    Parameters
    ----------
    content : bytes
        JSON: a list of trees.
    names : sequence of str, optional
        Of all columns. By default f0, f1, ... are columns by number; other names become columns in
        the order in which they are met.

    Raises
    ------
    ValueError
        If it is not valid; the message has the place.
    """
    return forest_of_dump(Place(parsed(content)), names)


def forest_of_dump(dump: Place, names: Sequence[str] | None = None) -> Forest:
    """Make a `Forest` of the parsed dump: see `read_dump`."""
    columns = _Columns(names)
    trees = [_table(place, columns) for place in dump.items()]
    width = columns.width()
    return Forest(
        tuple(checked(tree, f"[{i}]", width) for i, tree in enumerate(trees)),
        width,
        test="<",
        total=np.float32,
        feature_names=columns.names(),
        algorithm="xgboost dump",
        absent_is_nan=True,
    )


class _Columns:
    """The column of each feature that a dump names."""

    def __init__(self, names: Sequence[str] | None) -> None:
        self._fixed = names is not None
        self._known: dict[str, int] = {name: i for i, name in enumerate(names or ())}
        self._numbered: set[int] = set()

    def of(self, place: Place) -> int:
        name = place.text()
        if name in self._known:
            return self._known[name]
        place.require(not self._fixed, f"one of the {len(self._known)} features")
        if not self._known and name[:1] == "f" and name[1:].isascii() and name[1:].isdigit():
            number = int(name[1:10])
            place.require(len(name) < 10, "a feature below f100000000")
            self._numbered.add(number)
            return number
        place.require(not self._numbered, "a feature by number, such as f0, as the ones before")
        self._known[name] = len(self._known)
        return self._known[name]

    def width(self) -> int:
        return max(len(self._known), max(self._numbered, default=0) + 1)

    def names(self) -> tuple[str, ...]:
        return tuple(self._known)


def _table(root: Place, columns: _Columns) -> TreeTable:
    rows: list[Row] = [BLANK]
    waiting = [(root, 0)]
    seen: set[int] = set()
    while waiting:
        place, row = waiting.pop()
        number = place["nodeid"].whole()
        place["nodeid"].require(number not in seen, "a number that no other node has")
        seen.add(number)
        if place.has("leaf"):
            rows[row] = leaf_row(float(np.float32(place["leaf"].number())))
            continue
        yes, no, missing_is_yes = _children(place)
        first = len(rows)
        rows += [BLANK] * 2
        limit = float(np.float32(place["split_condition"].number()))
        side = first if missing_is_yes else first + 1
        rows[row] = (columns.of(place["split"]), limit, first, first + 1, side, 0.0)
        waiting += [(no, first + 1), (yes, first)]
    return table_of(rows)


def _children(place: Place) -> tuple[Place, Place, bool]:
    """Return the child of yes, the other, and whether NaN goes to the first."""
    children = list(place["children"].items())
    place["children"].require(len(children) == 2, "two nodes")
    by_number = {child["nodeid"].whole(): child for child in children}
    yes, no, missing = (place[key].whole() for key in ("yes", "no", "missing"))
    for key, number in (("yes", yes), ("no", no), ("missing", missing)):
        place[key].require(number in by_number, "the nodeid of one of the children")
    place["no"].require(yes != no, "another child than yes")
    return by_number[yes], by_number[no], missing == yes
