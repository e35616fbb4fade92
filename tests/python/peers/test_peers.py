"""Our metrics are those of other systems, or differ as peer_table.py says."""

from pathlib import Path

import pytest
from peer_cases import CASES
from peer_readme import page
from peer_systems import PEERS
from peer_table import ROWS

CELLS = [(row, case) for row in ROWS for case in CASES]


@pytest.mark.parametrize(
    ("row", "case"), CELLS, ids=[f"{row.peer}-{row.name}-{case}" for row, case in CELLS]
)
@pytest.mark.filterwarnings("ignore")  # of other people's code
def test_a_cell_of_the_table_holds(row, case):
    PEERS[row.peer].skip_if_absent()
    row.verdict(case).check(row, case)


def test_the_page_shows_the_table():
    assert Path(__file__).with_name("README.md").read_text(encoding="utf-8") == page()
