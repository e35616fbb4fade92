"""XML as elements with their lines, without entities, and split trees out of them.

RankLib and QuickRank share the elements of a tree: a ``split`` has either an ``output``, or a
``feature``, a ``threshold`` and two splits with ``pos``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np

from rankforest.exchange.forest import BLANK, LARGEST, LEAF, Row, TreeTable, leaf_row, table_of

_MOST_DEPTH = 10_000
_MOST_FEATURE = 2**31


@dataclass(eq=False)
class Element:
    """An element, and the line on which it starts."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def fail(self, problem: str) -> ValueError:
        """Make the error that names the line."""
        return ValueError(f"line {self.line}: {problem}")

    def only(self, tag: str) -> Element:
        """Return the one child of a tag."""
        found = [child for child in self.children if child.tag == tag]
        if len(found) != 1:
            raise self.fail(f"<{self.tag}> has {len(found)} <{tag}>, expected one")
        return found[0]

    def number(self) -> float:
        """Return the number that the text spells; not NaN."""
        return self._number(self.text, f"<{self.tag}>")

    def attribute(self, name: str) -> float:
        """Return the number of an attribute that must be there."""
        if name not in self.attributes:
            raise self.fail(f"<{self.tag}> has no {name}")
        return self._number(self.attributes[name], f"{name} of <{self.tag}>")

    def _number(self, text: str, name: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = np.nan
        if np.isnan(value) or "_" in text:
            raise self.fail(f"{name}: expected a number, got {text.strip()[:40]!r}")
        return value


def trees_in(ensemble: Element) -> Iterator[Element]:
    """Yield the ``tree`` elements of an ``ensemble``, of which no two have one id.

    Raises
    ------
    ValueError
        If there is another element, or an id comes twice; the message names the line.
    """
    seen: set[str] = set()
    for element in ensemble.children:
        if element.tag != "tree":
            raise element.fail(f"found <{element.tag}>, expected <tree>")
        number = element.attributes.get("id", "")
        if number in seen:
            raise element.fail(f"a second <tree> with the id {number!r}")
        seen.add(number)
        yield element


def parse_xml(text: str, root: str) -> Element:
    """Parse elements inside an element `root` of ours, which the text does not have.

    Inside an element no document type can be declared, so there are no entities that could grow.

    Raises
    ------
    ValueError
        If it is not well-formed or is nested beyond 10,000 elements; the
        message has the line.
    """
    parser = expat.ParserCreate(encoding="utf-8")
    open_elements = [Element(root, {}, 1)]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        if len(open_elements) > _MOST_DEPTH:
            raise element.fail(f"nested deeper than {_MOST_DEPTH} elements")
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_tag: str) -> None:
        open_elements.pop()

    def characters(data: str) -> None:
        open_elements[-1].text += data

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    _feed(parser, text, root)
    return open_elements[0].children[0]


def _feed(parser: expat.XMLParserType, text: str, root: str) -> None:
    try:
        parser.Parse(f"<{root}>".encode())
        parser.Parse(text.encode("utf-8", "surrogateescape"))
        parser.Parse(f"</{root}>".encode(), True)
    except expat.ExpatError as error:
        problem = expat.errors.messages[error.code]
        raise ValueError(f"line {error.lineno}: not well-formed XML: {problem}") from None


def split_tree(split: Element, weight: float, missing_is: str) -> TreeTable:
    """Make a tree of a ``split`` element; not recursive.

    Parameters
    ----------
    split : Element
        The root.
    weight : float
        What each leaf is multiplied with, in double.
    missing_is : {"zero", "right"}
        Where NaN goes: where 0 goes, or right.
    """
    rows: list[Row] = [BLANK]
    waiting = [(split, 0)]
    while waiting:
        element, row = waiting.pop()
        if any(child.tag == "output" for child in element.children):
            if len(element.children) != 1:
                raise element.fail("<split> has an <output> and other elements")
            value = weight * element.only("output").number()
            if not abs(value) <= LARGEST:
                raise element.fail(f"the leaf is {value}, expected a finite float32")
            rows[row] = leaf_row(value)
            continue
        feature, threshold = _test(element)
        left, right = _children(element)
        first = len(rows)
        rows += [BLANK] * 2
        to_left = missing_is == "zero" and threshold >= 0
        rows[row] = (feature, threshold, first, first + 1, first + (not to_left), 0.0)
        waiting += [(right, first + 1), (left, first)]
    return table_of(rows)


def _test(split: Element) -> tuple[int, float]:
    feature = split.only("feature")
    number = feature.number()
    if number != np.floor(number) or not 1 <= number <= _MOST_FEATURE:
        raise feature.fail(
            f"<feature>: expected a whole number from 1 to {_MOST_FEATURE}, got {number:g}"
        )
    return int(number) - 1, split.only("threshold").number()


def _children(split: Element) -> tuple[Element, Element]:
    splits = [child for child in split.children if child.tag == "split"]
    sides = sorted((child.attributes.get("pos", ""), i) for i, child in enumerate(splits))
    if [side for side, _ in sides] != ["left", "right"] or len(split.children) != 4:
        raise split.fail("<split>: expected a feature, a threshold, and one split on each side")
    return splits[sides[0][1]], splits[sides[1][1]]


def widest(trees: Iterable[TreeTable]) -> int:
    """Return how many columns trees look at, at least 1."""
    return max((int(tree.feature.max()) + 1 for tree in trees), default=1) or 1


def split_lines(
    tree: TreeTable, indent: str, number: Sequence[str], leaf: Sequence[str], pad: str
) -> list[str]:
    """Write a tree as lines of ``split`` elements, each element on a line of its own.

    Parameters
    ----------
    tree : TreeTable
        Of tests ``x <= t``.
    indent : str
        Before the outermost line.
    number, leaf : sequence of str
        How thresholds and leaves are spelled, by row.
    pad : str
        Around each content.
    """
    lines: list[str] = []
    waiting: list[tuple[int, int, str] | str] = [(0, 0, "")]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        row, depth, position = item
        outer = indent + "\t" * depth
        lines.append(f"{outer}<split{position}>")
        if tree.feature[row] == LEAF:
            lines += [f"{outer}\t<output>{pad}{leaf[row]}{pad}</output>", f"{outer}</split>"]
            continue
        lines.append(f"{outer}\t<feature>{pad}{tree.feature[row] + 1}{pad}</feature>")
        lines.append(f"{outer}\t<threshold>{pad}{number[row]}{pad}</threshold>")
        waiting.append(f"{outer}</split>")
        waiting.append((int(tree.right[row]), depth + 1, ' pos="right"'))
        waiting.append((int(tree.left[row]), depth + 1, ' pos="left"'))
    return lines
