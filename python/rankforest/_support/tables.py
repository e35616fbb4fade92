"""Tables of a few cells, as aligned text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# The marks that LaTeX spells otherwise; the triangles are amssymb's.
_LATEX_MARKS: Mapping[str, str] = {
    "▲": r"\blacktriangle",
    "▼": r"\blacktriangledown",
    "†": r"\dagger",
    "*": "*",
    "+": "+",
}
_LATEX_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: "\\" + character for character in "&%$#_{}"},
}


@dataclass(frozen=True)
class Cell:
    """One entry of a table."""

    text: str
    #: Superscript after the text: signs, or letters.
    mark: str = ""
    #: Whether it stands out, as the best of its column; plain text does not show it.
    bold: bool = False


@dataclass(frozen=True)
class Table:
    """Rows under headings; the first `n_left` columns are names, the others numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_left: int = 1

    def to_text(self) -> str:
        """Lay out columns two blanks apart, without a line end after the last row."""
        lines = [self.headings, *(tuple(cell.text for cell in row) for row in self.rows)]
        marks = [[""] * len(self.headings), *([cell.mark for cell in row] for row in self.rows)]
        columns = []
        for i, texts in enumerate(zip(*lines, strict=True)):
            # Marks stand beside the column of numbers, so that these stay aligned.
            width = max(map(len, texts))
            mark_width = max(len(mark[i]) for mark in marks)
            columns.append(
                [
                    (text.ljust(width) if i < self.n_left else text.rjust(width))
                    + mark[i].ljust(mark_width)
                    for text, mark in zip(texts, marks, strict=True)
                ]
            )
        return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))

    def to_markdown(self) -> str:
        """Write a table of GitHub's Markdown."""
        rules = ("---" if i < self.n_left else "---:" for i in range(len(self.headings)))
        lines = [map(_markdown, self.headings), rules]
        lines += [map(_markdown_cell, row) for row in self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def to_latex(self) -> str:
        """Write a tabular with the rules of the package booktabs."""
        columns = "l" * self.n_left + "r" * (len(self.headings) - self.n_left)
        return "\n".join(
            [
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                " & ".join(map(_latex, self.headings)) + r" \\",
                r"\midrule",
                *(" & ".join(map(_latex_cell, row)) + r" \\" for row in self.rows),
                r"\bottomrule",
                r"\end{tabular}",
            ]
        )

    def to_html(self) -> str:
        """Write a table of HTML, as notebooks show it."""
        lines = [f"<tr>{self._html_row('th', map(html.escape, self.headings))}</tr>"]
        lines += [f"<tr>{self._html_row('td', map(_html_cell, row))}</tr>" for row in self.rows]
        return "<table>\n" + "\n".join(lines) + "\n</table>"

    def _html_row(self, tag: str, texts: Iterable[str]) -> str:
        """Return the cells of a row: names to the left, numbers to the right."""
        sides = ("left" if i < self.n_left else "right" for i in range(len(self.headings)))
        return "".join(
            f'<{tag} style="text-align: {side}">{text}</{tag}>'
            for side, text in zip(sides, texts, strict=True)
        )


def html_of(tables: Iterable[Table], notes: Iterable[str]) -> str:
    """Return tables and sentences about them as HTML."""
    paragraphs = "".join(f"<p>{html.escape(note)}</p>\n" for note in notes)
    return "\n".join(table.to_html() for table in tables) + "\n" + paragraphs


def _html_cell(cell: Cell) -> str:
    text = html.escape(cell.text)
    text = f"<b>{text}</b>" if cell.bold else text
    return f"{text}<sup>{html.escape(cell.mark)}</sup>" if cell.mark else text


def _markdown(text: str) -> str:
    return re.sub(r"([\\|*_`<])", r"\\\1", text)


def _markdown_cell(cell: Cell) -> str:
    text = _markdown(cell.text)
    text = f"**{text}**" if cell.bold else text
    return f"{text}<sup>{_markdown(cell.mark)}</sup>" if cell.mark else text


def _latex(text: str) -> str:
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)


def _latex_cell(cell: Cell) -> str:
    text = _latex(cell.text)
    text = rf"\textbf{{{text}}}" if cell.bold else text
    if not cell.mark:
        return text
    if cell.mark[0] in _LATEX_MARKS:
        return text + f"$^{{{''.join(_LATEX_MARKS[sign] for sign in cell.mark)}}}$"
    return text + rf"\textsuperscript{{{_latex(cell.mark)}}}"
