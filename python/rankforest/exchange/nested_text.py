"""Trees as text in which children stand inside their parents, as in JSON."""

from __future__ import annotations

from collections.abc import Callable

from rankforest.exchange.forest import LEAF, TreeTable


def nested_text(
    tree: TreeTable, leaf: Callable[[int], str], node: Callable[[int], tuple[str, str, str]]
) -> str:
    """Write a tree; not recursive, for trees may be deep.

    Parameters
    ----------
    tree : TreeTable
        Without third children.
    leaf : callable
        Gives the text of the leaf in a row.
    node : callable
        Gives the texts of the node in a row: before its left child, between both, and behind.
    """
    parts: list[str] = []
    waiting: list[int | str] = [0]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
        elif tree.feature[item] == LEAF:
            parts.append(leaf(item))
        else:
            before, between, behind = node(item)
            parts.append(before)
            waiting += [behind, int(tree.right[item]), between, int(tree.left[item])]
    return "".join(parts)
