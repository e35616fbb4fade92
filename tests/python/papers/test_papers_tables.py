"""The declared tables: that they name what exists, and say what the papers say."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.papers import catalog, declare, folds, report, runs
from bench.papers.cut_lists import first_rows
from bench.papers.declare import Algorithm, DataSet, Paper, Parts, Table
from bench.papers.estimate import Estimate
from bench.papers.ibrahim2020 import table_12
from bench.papers.selections import share_within
from bench.papers.selgb2018 import PAPER as PAPER_OF_LISTS
from bench.papers.selgb2018 import make_data
from bench.papers.single_feature import SingleFeature
from rankforest import Dataset, LambdaMART, SelGB
from rankforest.datasets import make_long_lists, make_ranking

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "published"

TABLES = [(paper, name) for paper, tables in catalog.names().items() for name in tables]

#: Without values, of data sets that the file does not have, or made of values of other tables.
NOT_IN_THE_FILE = {
    "figure 2",
    "figure 4",
    "table 6",
    "table 7",
    "table 12",
    "table 13",
    "table claims",
}

PAPER = Paper("Doe 2020", {"tiny": DataSet("Tiny", {"ndcg@10": "ndcg@10", "map": "map"})}, "")
FOREST = Algorithm("RandomForest", {"n_estimators": 5})
TABLE = Table(
    title="Doe 2020, table 1",
    paper=PAPER,
    algorithms={"forest": FOREST},
    published={"tiny": {"forest": (0.5, None), "other": (0.4, 0.3)}},
)


def test_the_tables_of_a_paper_are_its_modules():
    tables = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert list(catalog.names()["ibrahim2020"]) == [
        *(f"figure {number}" for number in (2, 4)),
        *(f"table {number}" for number in tables),
        "table claims",
    ]


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_every_table_names_only_what_exists(paper, name):
    table = catalog.load(paper, name)
    declare.check(table)
    for algorithm in table.algorithms.values():
        assert set(algorithm.parameters) < set(algorithm.resolved())


#: Measures that are not between 0 and 1.
UNBOUNDED = re.compile(r"rmse|cpu seconds|w\d|cost of .*")


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_published_values_are_means_of_measures_in_0_to_1(paper, name):
    table = catalog.load(paper, name)
    for data, of_data in table.published.items():
        measures = table.paper.data[data].measures
        for values in of_data.values():
            for measure, value in zip(measures, values, strict=True):
                if value is not None and not UNBOUNDED.fullmatch(measure):
                    assert 0 < value < 1


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_published_values_are_those_of_the_shared_file(paper, name):
    path = SHARED / f"{paper}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there: it is kept outside of the repository")
    table = catalog.load(paper, name)
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if f"table {row['table']}" == name]
    assert bool(rows) == (name not in NOT_IN_THE_FILE)
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
        (
            "ibrahim",
            "table 3",
            "unknown paper 'ibrahim'; there are blmart2011, broof2016, ibrahim2020, letor4, mohan2010, selgb2018; did you mean ibrahim2020?",
        ),
        ("ibrahim2020", "table 33", "no table 33 here; there are figure 2, figure 4, table 3"),
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


def test_a_rank_is_the_number_of_larger_values():
    assert table_12.ranks({"a": 0.3, "b": 0.5, "c": 0.3, "d": 0.1}) == {
        "a": 1,
        "b": 0,
        "c": 1,
        "d": 3,
    }


def test_ranks_by_the_papers_means_are_those_that_it_prints():
    """On MQ2007 and MQ2008 it counts only what is significant; elsewhere three cells differ."""
    published = table_12.TABLE.published
    differences = []
    for data, printed in table_12.PRINTED.items():
        values = {name: values[0] for name, values in published[data].items()}
        ranks = table_12.ranks(values)
        assert len(ranks) == len(printed) == 13
        if not data.startswith("mq"):
            pairs = zip(ranks.values(), printed, strict=True)
            differences += [of_paper - rank for rank, of_paper in pairs if rank != of_paper]
    assert differences == [1, 1, 2]


def test_ranks_are_laid_out_among_what_was_measured():
    measured = {
        ("ohsumed", "rf-rand", "ndcg@10"): Estimate(0.45, None),
        ("ohsumed", "mart", "ndcg@10"): Estimate(0.40, None),
        ("ohsumed", "rf-list-s6", "ndcg@10"): Estimate(0.46, None),
    }
    text = table_12.layout(table_12.TABLE, measured)
    assert "| OHSUMED | rf-rand | 1 | 1 | 9 |" in text
    assert "| OHSUMED | mart | 2 | 2 | 11 |" in text
    assert "| all of these | rf-list-s | 0 | 0 | 2 |" in text


def test_a_single_feature_scores_by_its_column():
    data = make_ranking(5, 4, 3, random_state=0)
    scores = SingleFeature(column=2).fit(data).predict(data)
    np.testing.assert_array_equal(scores, data.X[:, 1])
    assert declare.estimator_of("SingleFeature") is SingleFeature


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_an_axis_has_a_place_for_every_algorithm(paper, name):
    table = catalog.load(paper, name)
    if table.axis is not None:
        assert list(table.axis.ticks) == list(table.algorithms)
        assert table.axis.shown is None or list(table.axis.shown) == list(table.algorithms)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Run all of the paper's algorithms on tiny lists, once."""
    folder = tmp_path_factory.mktemp("long_lists")
    make_data.main.callback(folder=folder, queries=60, documents=80, features=6, seed=0)
    found = {"long": folds.find_at(folder, "long", PAPER_OF_LISTS.data["long"])}

    def run(name):
        table = catalog.load("selgb2018", name)
        wanted = runs.tasks(table, found, 1, trees=12)
        return report.markdown(table, wanted, runs.complete(wanted, folder / "r.jsonl", 1))

    return run


@pytest.mark.filterwarnings("ignore:.*the model is constant")  # few documents are drawn
class TestSelGB:
    def test_curves_have_a_column_for_each_number_of_trees(self, measured):
        text = measured("figure 5")
        row = next(line for line in text.splitlines() if "selgb-1-every-10 |" in line)
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 2 + 10 + 3
        assert cells[3:12] == [cells[12]] * 9  # there are 12 trees at most

    def test_the_table_tests_all_against_lambdamart_on_cut_lists(self, measured):
        rows = [line for line in measured("table 2").splitlines() if "| long lists |" in line]
        assert len(rows) == 16
        by_name = {
            cells[1]: cells
            for cells in ([c.strip() for c in r.strip("|").split("|")] for r in rows)
        }
        assert by_name["lambdamart-500"][3:6] == ["-", "-", "-"]
        # Nothing is cut from 80 documents.
        assert by_name["lambdamart"][6] == by_name["lambdamart-500"][6]
        assert float(by_name["lambdamart"][-1]) == 1.0

    def test_the_other_figures_and_claims_have_what_they_are_about(self, measured):
        assert "selgb-1 over lambdamart-500" in measured("figure 6")
        assert measured("figure 8").count("| WITHIN 5000 | selgb-1 | 1.0000 |") == 1
        assert "Chosen negatives rank better" in measured("table claims")


def test_lists_are_cut_by_a_feature_behind_their_positives():
    data = Dataset(
        np.array([[5], [4], [3], [2], [1], [9], [8]], dtype=np.float32),
        [0, 0, 0, 0, 1, 0, 0],
        qid=[1, 1, 1, 1, 1, 2, 2],
    )
    assert first_rows(data, 3, 1).tolist() == [True, True, False, False, True, True, True]


@pytest.mark.parametrize("every", [1, 3])
def test_selections_are_found_again_from_the_model(every):
    data = make_long_lists(6, (30, 60), 4, positive_fraction=0.1, hard_fraction=0.5)
    model = SelGB(n_estimators=7, negative_fraction=0.2, reselect_every=every, min_samples_leaf=2)
    model.fit(data)
    within, total = 0, 0
    for number in (n for n in range(2, 8) if n % every == 0):
        scores = model.model_[: number - 1].predict(data)
        for query in range(6):
            rows = np.flatnonzero(data.query_codes == query)
            negatives = rows[data.y[rows] == 0]
            best = negatives[np.argsort(-scores[negatives], kind="stable")]
            best = best[: int(np.ceil(0.2 * len(negatives) - 1e-9))]
            first = rows[np.argsort(-data.X[rows, 0], kind="stable")][:10]
            within += len(set(best) & set(first))
            total += len(best)
    assert share_within(model, data, 10) == pytest.approx(within / total)
    assert np.isnan(share_within(LambdaMART(n_estimators=1).fit(data), data, 10))
