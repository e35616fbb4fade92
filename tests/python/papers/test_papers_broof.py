"""BROOF's experiments: what they train, and how the tables show it."""

import numpy as np
import pytest

import rankforest as rf
from bench.papers import catalog, folds, report, runs
from bench.papers.broof2016 import PAPER, _values
from bench.papers.estimate import Estimate
from rankforest.datasets import make_ranking

NAMES = list(catalog.names()["broof2016"])


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Run some algorithms of a table on a tiny set."""
    folder = tmp_path_factory.mktemp("ohsumed")
    for seed, part in enumerate(("train", "vali", "test")):
        data = make_ranking(20, 8, 6, n_grades=3, random_state=seed)
        rf.write_letor(folder / f"{part}.txt", data)
    found = {"ohsumed": folds.find_at(folder, "ohsumed", PAPER.data["ohsumed"])}

    def run(name, *only):
        table = catalog.load("broof2016", name)
        wanted = [
            task
            for task in runs.tasks(table, found, 1, trees=4)
            if task.algorithm in (only or table.algorithms)
        ]
        results = runs.complete(wanted, folder / "r.jsonl", 1)
        return report.markdown(table, wanted, results)

    return run


def rows_of(text):
    lines = [line for line in text.splitlines() if line.startswith("| OHSUMED")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_papers_tables_and_figures_are_there():
    assert [
        *(f"figure {number}" for number in (1, 2, 3)),
        *(f"table {name}" for name in ("2", "3", "claims", "defaults")),
    ] == NAMES


@pytest.mark.parametrize("name", ["table 2", "table 3"])
def test_instances_are_tested_against_the_strongest_baseline(measured, name):
    rows = rows_of(measured(name, "rf", "mart", "broof-gradient", "broof-height"))
    by_name = {row[1]: row for row in rows}
    assert list(by_name) == ["mart", "rf", "broof-height", "broof-gradient"]
    strongest = max(("mart", "rf"), key=lambda each: float(by_name[each][2]))
    assert by_name[strongest][-1] == "the strongest baseline"
    for instance in ("broof-height", "broof-gradient"):
        assert all(0 <= float(p) <= 1 for p in by_name[instance][4:6])


def test_signs_are_those_of_the_paper():
    rng = np.random.default_rng(0)
    base = rng.random(60)
    queries = {"rf": base, "broof-median": base + 0.1 + 0.1 * rng.random(60)}
    queries["broof-height"] = base - 0.1 - 0.1 * rng.random(60)
    queries["broof-absolute"] = base + 0.01 * rng.permuted(np.repeat([-1, 1], 30))
    measured = {
        ("mslr", name, "map"): Estimate(values.mean(), None, values.tolist())
        for name, values in queries.items()
    }
    table = catalog.load("broof2016", "table 2")
    text = _values.against_strongest(table, measured, "map")
    signs = {line.split("|")[2].strip(): line.split("|")[7].strip() for line in text.splitlines()}
    assert signs["broof-median"] == "+ *"
    assert signs["broof-height"] == "worse"
    assert signs["broof-absolute"] == ""


def test_published_values_are_the_papers():
    table = catalog.load("broof2016", "table 3")
    assert table.value("mslr", "broof-gradient", "ndcg@10") == 0.456081
    assert table.value("td2003", "rf", "map") == 0.278644
    assert table.value("mq2008", "rf", "map") is None


def test_curves_count_iterations(measured):
    rows = rows_of(measured("figure 1", "broof-gradient", "mart"))
    assert [row[2] for row in rows] == ["broof-gradient", "mart"]
    for row in rows:
        assert len(row) == 3 + 5
        assert row[-2:] == [row[-1]] * 2  # there are 4 at most


def test_out_of_bag_and_training_predictions_make_different_models(measured):
    out_of_bag, train = rows_of(measured("figure 3"))
    assert out_of_bag[3] == train[3]  # the first forest is the same
    assert out_of_bag[4:] != train[4:]


def test_learning_curves_train_on_shares_of_the_queries(measured):
    rows = rows_of(measured("figure 2", "broof-absolute-10%", "broof-absolute-100%", "mart-50%"))
    assert sum(row[3] != "-" for row in rows) == 6  # of two measures
    table = catalog.load("broof2016", "figure 2")
    ten = table.algorithms_on("ohsumed")["broof-absolute-10%"].parameters
    assert ten["fraction"] == 0.1
    assert ten["n_estimators"] == 50
    assert ten["parameters"]["variant"] == "absolute"


def test_claims_name_pairs_and_defaults_come_from_validation_sets(measured):
    text = measured("table claims", "broof-gradient", "rf", "gradient-by-train")
    assert "Out-of-bag predictions rank better" in text
    assert "broof-gradient over rf" in text
    text = measured("table defaults", "gradient eta 0.1", "median beta eta 0.1")
    assert "Measured on the validation sets" in text
