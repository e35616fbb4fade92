"""BL-MART's table 3 and figure 1, from folders of folds to Markdown."""

import re

import pytest

import rankforest as rf
from bench.papers.blmart2011 import tuning
from rankforest.cli.run import run
from rankforest.datasets import make_ranking
from rankforest.tuning.grids import GRIDS


@pytest.fixture
def folder(tmp_path):
    for fold in (1, 2):
        place = tmp_path / "data" / f"Fold{fold}"
        place.mkdir(parents=True)
        for i, name in enumerate(("train", "vali", "test")):
            data = make_ranking(25, 20, 10, n_grades=3, random_state=10 * fold + i)
            rf.write_letor(place / f"{name}.txt", data)
    return tmp_path / "data"


def searched(capsys, folder, *arguments):
    options = ["--data", f"mq2007={folder}", "--rounds", "6", "--seeds", "1", "--jobs", "1"]
    status = run(tuning.main, [*options, "--results", str(folder / "s.db"), *arguments])
    return status, *capsys.readouterr()


def rows_of(text):
    cells = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return [row for row in cells if row]


def test_both_are_shown_beside_the_papers_values(capsys, folder):
    picture = folder / "f.png"
    status, out, err = searched(capsys, folder, "--trials", "7", "--draw", str(picture))
    assert status == 0, err
    assert picture.exists()
    rows = rows_of(out)
    ours = [row for row in rows if row[0] == "ours"]
    paper = [row for row in rows if row[0] == "paper"]
    assert len(ours) == len(paper) == 5
    assert paper[0] == ["paper", "0.5647", "", "7", "0.25", "0.05", "0.3", "0.3"]
    values = [float(row[1]) for row in ours]
    assert values == sorted(values, reverse=True)
    curve = [row for row in rows if len(row) == 3][2:]
    assert [row[0] for row in curve] == ["1", "2", "5", "7"]
    assert float(curve[-1][1]) == values[0]
    assert float(curve[-1][2]) == float(ours[0][2])
    shares = {f"{100 * share:g}" for share in GRIDS["blmart"]["min_samples_leaf"]}
    assert {row[4] for row in ours} <= shares


def test_a_run_goes_on_where_it_was(capsys, folder):
    searched(capsys, folder, "--trials", "3")
    _, first, err = searched(capsys, folder, "--trials", "5")
    assert [line.split(" of")[0] for line in err.splitlines()] == ["4", "5"]
    (folder / "s.db").unlink()
    assert searched(capsys, folder, "--trials", "5")[1] == first


def test_a_data_set_needs_its_name(capsys, folder):
    status = run(tuning.main, ["--data", str(folder)])
    assert status == 2
    assert "--data must be KEY=FOLDER" in capsys.readouterr().err


@pytest.mark.parametrize("key", tuning.PUBLISHED)
def test_the_papers_best_are_points_of_its_grid(key):
    grid = GRIDS[tuning.SPACES[key]]
    values = [row[0] for row in tuning.PUBLISHED[key]]
    assert values == sorted(values, reverse=True)
    for _, leaves, share, rate, documents, features in tuning.PUBLISHED[key]:
        assert leaves in grid["max_leaf_nodes"]
        assert round(share / 100, 6) in grid["min_samples_leaf"]
        assert rate in grid["learning_rate"]
        assert documents in grid["subsample"]
        assert features in grid["max_features"]


def test_the_metric_is_the_one_that_the_paper_tunes_by():
    assert re.fullmatch(r"ndcg@3\(.*\)", str(rf.Metric(tuning.METRIC)))
    assert tuning.model(10, 5).get_params()["metric"] == tuning.METRIC
