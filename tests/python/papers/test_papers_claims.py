"""Claims of papers: paired tests over the queries of all folds."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import rankforest
from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Algorithm, DataSet, Paper, Table
from bench.papers.estimate import Estimate, Measured
from bench.papers.ibrahim2020 import table_claims
from rankforest.datasets import make_ranking

PAPER = Paper(
    "Doe 2020",
    {
        "tiny": DataSet("TINY", {"ndcg@10": "ndcg@10", "map": "map"}),
        "small": DataSet("SMALL", {"ndcg@10": "ndcg@10"}),
    },
    "",
)
CLAIMS = (
    Claim("Good is better", [("good", "bad"), ("good", "noise")], ("tiny", "small")),
    Claim("Bad is better on tiny sets", [("bad", "noise")], ("tiny",)),
)
TABLE = Table(
    title="Doe 2020: claims",
    paper=PAPER,
    algorithms=dict.fromkeys(("good", "bad", "noise"), Algorithm("RandomForest", {})),
    published={
        "tiny": {"good": (0.6, 0.5), "bad": (0.4, None), "noise": (None, None)},
        "small": {"good": (0.3,), "bad": (0.4,), "other": (0.1,)},
    },
    layout=partial(claims.layout, CLAIMS),
)


def estimate(*values):
    return Estimate(float(np.mean(values)), None, values)


def measured_of(values):
    """Return estimates of the values of each query, by system and measure."""
    return {
        ("tiny", system, measure): estimate(*of_queries)
        for system, by_measure in values.items()
        for measure, of_queries in by_measure.items()
    }


def cells_of(text, data, pair):
    (line,) = (line for line in text.splitlines() if line.startswith(f"| {data} | {pair} |"))
    return line.strip("| ").split(" | ")[2:]


def test_an_estimate_averages_folds_then_seeds_and_each_query_over_the_seeds():
    """Two seeds, folds of two queries and of one: means of folds count alike, whatever their size."""
    by_seed = {
        1: [Measured(0.25, [0.0, 0.5]), Measured(1.0, [1.0])],
        2: [Measured(0.75, [0.5, 1.0]), Measured(0.5, [0.5])],
    }
    found = Estimate.of(by_seed)
    assert found.queries == [0.25, 0.75, 0.75]
    assert found.mean == 0.625
    assert found.error == 0.0
    assert Estimate.of({1: by_seed[1]}).error is None


def test_pairs_are_tested_as_compare_tests_systems():
    data = make_ranking(40, 8, 4, n_grades=3, random_state=1)
    rng = np.random.default_rng(0)
    systems = {
        "good": data.y + rng.normal(0, 1, len(data.y)),
        "bad": data.y + rng.normal(0, 4, len(data.y)),
        "noise": rng.normal(0, 1, len(data.y)),
    }
    metrics = ["ndcg@10", "map"]
    values = {
        name: rankforest.evaluate(data, scores, metrics, per_query=True)
        for name, scores in systems.items()
    }
    measured = measured_of({n: {m: of[m].tolist() for m in metrics} for n, of in values.items()})
    found = claims.compare(CLAIMS, TABLE, measured)
    expected = rankforest.compare(data, systems, metrics)
    for metric in metrics:
        for pair in expected[metric].pairs:
            assert found["tiny", metric, (pair.a, pair.b)] == pair
    assert len(found) == 6


def test_claims_are_laid_out_with_ours_the_papers_and_the_corrected_p_value():
    """Ten queries of ten: 2 of 1,024 signs are as extreme; three pairs of noise share the rest."""
    good = [0.5, 0.6, 0.7, 0.8, 0.9, 0.5, 0.6, 0.7, 0.8, 0.9]
    bad = [value - 0.25 for value in good]
    values = {name: {"ndcg@10": of} for name, of in (("good", good), ("bad", bad), ("noise", good))}
    measured = measured_of(values)
    table = replace(TABLE, paper=replace(PAPER, data={"tiny": DataSet("TINY", {"ndcg@10": "x"})}))
    table = replace(table, published={"tiny": {"good": (0.6,), "bad": (0.4,), "noise": (None,)}})
    text = table.layout(table, measured)
    head = "| data | pair | NDCG@10 | p | Holm |\n|---|---|---|---|---|\n"
    assert f"**Good is better**\n\n{head}" in text
    ours, p_value, corrected = cells_of(text, "TINY", "good over bad")
    assert ours == "+0.2500 [+0.2500, +0.2500] (+0.2000)"
    assert (p_value, corrected) == (f"{2 / 1024:.4f}", f"**{3 * 2 / 1024:.4f}**")
    ours, *p_values = cells_of(text, "TINY", "good over noise")
    assert (ours, p_values) == ("+0.0000 [+0.0000, +0.0000]", ["1.0000", "1.0000"])
    assert cells_of(text, "TINY", "bad over noise") == [
        "-0.2500 [-0.2500, -0.2500]",
        f"{2 / 1024:.4f}",
        f"**{3 * 2 / 1024:.4f}**",
    ]


def test_a_pair_is_compared_where_both_were_measured_and_the_claim_speaks_of_the_data():
    measured = {
        ("small", name, "ndcg@10"): estimate(0.1, 0.4, 0.3) for name in ("good", "bad", "other")
    }
    text = TABLE.layout(TABLE, measured)
    assert "good over bad" in text
    assert "noise" not in text
    assert "Bad is better" not in text
    assert (
        "| SMALL | good over bad | +0.0000 [+0.0000, +0.0000] (-0.1000) | 1.0000 | 1.0000 |" in text
    )


def test_a_measure_that_a_data_set_lacks_has_no_value_there():
    tiny = measured_of({n: {"ndcg@10": [0.1, 0.4], "map": [0.2, 0.3]} for n in ("good", "bad")})
    small = {("small", name, "ndcg@10"): estimate(0.1, 0.4) for name in ("good", "bad")}
    text = TABLE.layout(TABLE, tiny | small)
    assert len(cells_of(text, "TINY", "good over bad")) == 6
    assert cells_of(text, "SMALL", "good over bad")[3:] == ["-", "-", "-"]


def test_where_no_pair_was_measured_there_is_nothing_to_lay_out():
    measured = {("tiny", "good", "ndcg@10"): estimate(0.1, 0.4)}
    assert TABLE.layout(TABLE, measured) == "Of no claim both algorithms were measured."


@pytest.mark.parametrize("claim", table_claims.CLAIMS, ids=lambda claim: claim.statement)
def test_the_pairs_of_every_claim_run_on_some_of_its_data_sets(claim):
    table = table_claims.TABLE
    for pair in claim.pairs:
        assert any(pair in claim.pairs_on(data, table) for data in claim.data), pair


def test_the_share_of_a_sub_sampled_forest_is_that_of_its_data_set():
    (claim, *_) = table_claims.CLAIMS
    on = {data: {a for a, _ in claim.pairs_on(data, table_claims.TABLE)} for data in claim.data}
    assert all(len(names) == 3 for names in on.values())
    assert on["ohsumed"] == {
        f"rf-{n}-s6" for n in ("point-classification", "point-regression", "list")
    }
    assert all(re.search(r"-s\d+$", name) for names in on.values() for name in names)
