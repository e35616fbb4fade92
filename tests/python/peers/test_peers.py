"""Our metrics are those of other systems, or differ as peer_table.py says."""

from pathlib import Path

import numpy as np
import pytest
from peer_cases import CASES
from peer_hand import HAND
from peer_readme import page
from peer_systems import PEERS
from peer_table import ROWS

from rankforest import evaluate

CELLS = [(row, case) for row in ROWS for case in CASES]


@pytest.mark.parametrize(
    ("row", "case"), CELLS, ids=[f"{row.peer}-{row.name}-{case}" for row, case in CELLS]
)
@pytest.mark.filterwarnings("ignore")  # of other people's code
def test_a_cell_of_the_table_holds(row, case):
    PEERS[row.peer].skip_if_absent()
    row.verdict(case).check(row, case)


@pytest.mark.filterwarnings("ignore:.*is a query of its own")  # the case is about them
@pytest.mark.parametrize("hand", HAND, ids=[f"{each.metric}-{each.case}" for each in HAND])
def test_a_preset_has_the_value_that_hands_compute(hand):
    y = np.concatenate(hand.queries)
    qid = np.repeat(np.arange(len(hand.queries)), [len(query) for query in hand.queries])
    scores = -np.arange(len(y)) * (not hand.tied)
    if isinstance(hand.expected, str):
        with pytest.raises(ValueError, match=hand.expected):
            evaluate((y, qid), scores, hand.metric)
    else:
        found = evaluate((y, qid), scores, hand.metric)[hand.metric]
        assert found == pytest.approx(hand.expected, abs=1e-12)


def test_the_page_shows_the_table():
    assert Path(__file__).with_name("README.md").read_text(encoding="utf-8") == page()
