"""A leading ~ is the home folder in every function that takes a path."""

import json
from pathlib import Path

import pytest
from cli_cases import names_in

import rankforest as rf
from rankforest._support.paths import expanded


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir("/")
    return tmp_path


@pytest.fixture(scope="module")
def data():
    return rf.datasets.make_ranking(n_queries=10, random_state=0)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("~", "HOME"),
        ("~/a b.txt", "HOME/a b.txt"),
        (Path("~/a.txt"), "HOME/a.txt"),
        (b"~/\xff", "HOME/\udcff"),
        ("a/~/b", "a/~/b"),
        ("./~", "./~"),
        ("~no-such-user/a", "~no-such-user/a"),
        ("", ""),
    ],
)
def test_a_tilde_at_the_start_is_expanded(home, path, expected):
    assert expanded(path) == expected.replace("HOME", str(home))


def test_models_are_saved_and_loaded_there(home, data):
    model = rf.MART(n_estimators=2).fit(data)
    model.save("~/m.rf")
    model.model_.save_json(Path("~/m.json"))
    model.model_.save_cpp("~/m.hpp")
    assert names_in(home) == ["m.hpp", "m.json", "m.rf"]
    assert rf.load("~/m.rf") == rf.load(Path("~/m.json")) == model.model_
    assert json.loads((home / "m.json").read_text())
    with pytest.raises(FileNotFoundError, match=str(home / "none")):
        rf.load("~/none")


def test_data_runs_and_qrels_are_written_and_read_there(home, data):
    rf.write_letor("~/data.txt", data)
    assert (rf.read_letor(["~/data.txt"]).X == data.X).all()
    run, qrels = rf.trec.Run.of(data, data.y), rf.trec.Qrels.of(data)
    rf.trec.write_run("~/run", run)
    rf.trec.write_qrels(Path("~/qrels"), qrels)
    assert rf.trec.evaluate(rf.trec.read_run("~/run"), rf.trec.read_qrels("~/qrels"), "map")
    (home / "bad").write_text("1 2\n")
    with pytest.raises(ValueError, match=f"{home / 'bad'}:1: must be 4 words"):
        rf.trec.read_qrels("~/bad")


def test_tables_are_read_there(home, data):
    frame = data.to_frame("pandas")
    frame.to_parquet(home / "data.parquet", index=False)
    frame.to_csv(home / "data.csv", index=False)
    columns = {"label": "label", "query": "query_id"}
    for again in (
        rf.read_parquet("~/data.parquet", **columns),
        rf.read_csv(Path("~/data.csv"), **columns),
    ):
        assert (again.X == data.X).all()


@pytest.mark.parametrize("length", [250, 251, 255])
def test_names_may_be_as_long_as_the_file_system_lets_them_be(tmp_path, data, length):
    path = tmp_path / ("n" * length)
    model = rf.MART(n_estimators=1).fit(data)
    for write in (
        model.save,
        model.model_.save_json,
        lambda path: rf.write_letor(path, data),
        lambda path: rf.trec.write_qrels(path, rf.trec.Qrels.of(data)),
    ):
        write(path)
        assert names_in(tmp_path) == [path.name]
        write(path)
        path.unlink()
