"""The declared tables: that they name what exists, and say what the papers say."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bench.papers import catalog, declare
from bench.papers.declare import Algorithm, DataSet, Paper, Parts, Table

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "published"

TABLES = [(paper, name) for paper, tables in catalog.names().items() for name in tables]

PAPER = Paper("Doe 2020", {"tiny": DataSet("Tiny", {"ndcg@10": "ndcg@10", "map": "map"})}, "")
FOREST = Algorithm("RandomForest", {"n_estimators": 5})
TABLE = Table(
    title="Doe 2020, table 1",
    paper=PAPER,
    algorithms={"forest": FOREST},
    published={"tiny": {"forest": (0.5, None), "other": (0.4, 0.3)}},
)


def test_the_tables_of_a_paper_are_its_modules():
    tables = [3, 4, 5, 8, 9, 10, 11]
    assert list(catalog.names()["ibrahim2020"]) == [f"table {number}" for number in tables]


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_every_table_names_only_what_exists(paper, name):
    table = catalog.load(paper, name)
    declare.check(table)
    for algorithm in table.algorithms.values():
        assert set(algorithm.parameters) < set(algorithm.resolved())


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_published_values_are_means_of_measures_in_0_to_1(paper, name):
    table = catalog.load(paper, name)
    for of_data in table.published.values():
        assert all(0 < v < 1 for values in of_data.values() for v in values if v is not None)


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_published_values_are_those_of_the_shared_file(paper, name):
    path = SHARED / f"{paper}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there: it is kept outside of the repository")
    table = catalog.load(paper, name)
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if f"table {row['table']}" == name]
    assert rows
    for row in rows:
        value = table.value(row["dataset"], row["algorithm"], row["metric"])
        assert value == float(row["value"]), row


def test_a_value_is_found_by_data_set_algorithm_and_measure():
    assert TABLE.value("tiny", "forest", "ndcg@10") == 0.5
    assert TABLE.value("tiny", "forest", "map") is None
    assert TABLE.value("tiny", "other", "map") == 0.3


def test_an_algorithm_runs_where_values_are_published_for_it_even_if_they_are_none():
    published = {"tiny": {"other": (None, None), "forest": (0.5, 0.4)}, "large": {"forest": (0.5,)}}
    table = replace(TABLE, algorithms={"forest": FOREST, "other": FOREST}, published=published)
    assert list(table.algorithms_on("tiny")) == ["other", "forest"]
    assert list(table.algorithms_on("large")) == ["forest"]


def test_parameters_are_resolved_with_their_defaults_but_without_what_changes_no_model():
    resolved = FOREST.resolved()
    assert resolved["n_estimators"] == 5
    assert resolved["bootstrap"] is True
    assert not {"random_state", "n_jobs", "callbacks"} & set(resolved)


def with_algorithm(algorithm):
    return replace(TABLE, algorithms={"forest": algorithm})


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            with_algorithm(Algorithm("RandmForest", {})),
            "unknown estimator 'RandmForest'.*did you mean RandomForest",
        ),
        (with_algorithm(Algorithm("Dataset", {})), "unknown estimator 'Dataset'"),
        (
            with_algorithm(Algorithm("MART", {"n_estimator": 1})),
            "unknown parameter 'n_estimator'.*did you mean n_estimators",
        ),
        (replace(TABLE, published={"tny": {}}), "unknown data set 'tny'.*did you mean tiny"),
        (replace(TABLE, published={"tiny": {}}), "forest runs on no data set"),
        (replace(TABLE, published={"tiny": {"forest": (0.5,)}}), "forest needs a value or None"),
        (
            replace(TABLE, paper=replace(PAPER, data={"tiny": DataSet("T", {"n": "ndgc@10"})})),
            "ndgc",
        ),
    ],
)
def test_a_table_that_names_what_does_not_exist_is_refused(table, problem):
    declare.check(TABLE)
    with pytest.raises(ValueError, match=problem):
        declare.check(table)


def test_all_that_is_wrong_with_a_table_is_said_at_once():
    algorithms = {"a": Algorithm("Nothing", {}), "b": Algorithm("MART", {"leafs": 1})}
    with pytest.raises(ValueError, match=r"Nothing.*; b.*; b: unknown parameter 'leafs'"):
        declare.check(replace(TABLE, algorithms=algorithms))


@pytest.mark.parametrize(
    ("paper", "name", "message"),
    [
        ("ibrahim", "table 3", "unknown paper 'ibrahim'; there are ibrahim2020; did you mean"),
        ("ibrahim2020", "table 33", "no table 33 here; there are table 3, table 4, table 5"),
    ],
)
def test_a_table_that_does_not_exist_is_an_error_that_names_those_that_do(paper, name, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        catalog.load(paper, name)


@pytest.mark.parametrize(
    ("first_test", "folds"),
    [  # of MQ2008 and of OHSUMED, as published: parts for training, validation and test
        (5, {1: ("123", "4", "5"), 2: ("234", "5", "1"), 4: ("451", "2", "3")}),
        (1, {1: ("234", "5", "1"), 3: ("451", "2", "3"), 5: ("123", "4", "5")}),
    ],
)
def test_parts_make_up_the_published_folds(first_test, folds):
    parts = Parts("{}", first_test)
    for fold, (train, valid, test) in folds.items():
        assert parts.of_fold(fold) == (list(train), valid, test)
