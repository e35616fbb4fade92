"""Tables say the same as text, Markdown and LaTeX, with what is special there escaped."""

from rankforest._support.tables import Cell, Table

TABLE = Table(
    ("name", "x", "y"),
    (
        (Cell("a|b_c"), Cell("0.50", "▲", bold=True), Cell("10%")),
        (Cell("d"), Cell("0.25"), Cell("9%", "*+†")),
        (Cell("x & {y}<1"), Cell("-1.00", "a,b"), Cell("")),
    ),
)


def test_text_aligns_numbers_and_sets_marks_beside_them():
    assert TABLE.to_text() == (
        "name           x       y\n"
        "a|b_c       0.50▲    10%\n"
        "d           0.25      9%*+†\n"
        "x & {y}<1  -1.00a,b"
    )


def test_markdown_escapes_what_it_would_take_for_markup():
    assert TABLE.to_markdown() == (
        "| name | x | y |\n"
        "| --- | ---: | ---: |\n"
        "| a\\|b\\_c | **0.50**<sup>▲</sup> | 10% |\n"
        "| d | 0.25 | 9%<sup>\\*+†</sup> |\n"
        "| x & {y}\\<1 | -1.00<sup>a,b</sup> |  |"
    )


def test_latex_escapes_what_it_would_take_for_markup():
    assert TABLE.to_latex() == (
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "name & x & y \\\\\n"
        "\\midrule\n"
        "a\\textbar{}b\\_c & \\textbf{0.50}$^{\\blacktriangle}$ & 10\\% \\\\\n"
        "d & 0.25 & 9\\%$^{*+\\dagger}$ \\\\\n"
        "x \\& \\{y\\}\\textless{}1 & -1.00\\textsuperscript{a,b} &  \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}"
    )


def test_several_columns_may_be_names():
    table = Table(("a", "b", "c"), ((Cell("1"), Cell("22"), Cell("333")),), n_left=2)
    assert table.to_text() == "a  b     c\n1  22  333"
    assert table.to_markdown().splitlines()[1] == "| --- | --- | ---: |"
    assert "{llr}" in table.to_latex()
