"""The runner of the papers' tables, from folders of folds to Markdown."""

import json
import statistics
from dataclasses import replace

import pytest

from bench.papers import __main__ as program
from bench.papers import declare, folds, report, runs
from bench.papers.declare import Algorithm, Axis, DataSet, Paper, Parts, Table
from bench.papers.estimate import Estimate, Measured
from rankforest import RandomForest, evaluate, read_letor, write_letor
from rankforest.cli.run import run
from rankforest.datasets import make_ranking

NDCG = "ndcg@10(preset=letor3)"
PAPER = Paper(
    "Doe 2020",
    {
        "tiny": DataSet(
            "TINY",
            {"ndcg@10": NDCG, "map": "map"},
            folders=("Tiny set",),
            parts=Parts("S{}.txt", 5),
        ),
        "large": DataSet("LARGE", {"ndcg@10": NDCG}),
    },
    notes="All of it is made up.",
)
TABLE = Table(
    title="Doe 2020, table 1",
    paper=PAPER,
    algorithms={
        "forest": Algorithm("RandomForest", {"n_estimators": 3, "min_samples_leaf": 5}),
        "mart": Algorithm("MART", {"n_estimators": 30, "max_depth": 2}, random=False),
    },
    published={
        "tiny": {"forest": (0.5, 0.4), "mart": (0.6, None), "svm": (0.7, 0.3)},
        "large": {"forest": (0.5,)},
    },
    notes="Three trees.",
)


def write_set(path, seed):
    path.parent.mkdir(parents=True, exist_ok=True)
    write_letor(path, make_ranking(12, 8, 4, n_grades=3, random_state=seed))


def write_fold(folder, seed=0):
    for i, name in enumerate(("train", "vali", "test")):
        write_set(folder / f"{name}.txt", seed + i)


@pytest.fixture
def data(tmp_path):
    """Two folds of TINY."""
    for fold in (1, 2):
        write_fold(tmp_path / "data" / "Tiny" / f"Fold{fold}", seed=10 * fold)
    return tmp_path / "data"


@pytest.fixture
def command(monkeypatch, tmp_path, capsys):
    """Run the program on the table above; returns its status, stdout and stderr."""
    monkeypatch.setattr(program.catalog, "load", lambda _paper, _name: TABLE)

    def call(*arguments, name=("--table", "1")):
        status = run(
            program.main,
            ["doe", *name, "--results", str(tmp_path / "r.jsonl"), *map(str, arguments)],
        )
        return status, *capsys.readouterr()

    return call


def rows_of(text):
    """Return the cells of the table by data set, measure and algorithm."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {tuple(cells[:3]): cells[3:] for cells in lines[1:]}


def test_a_table_shows_ours_beside_the_papers_with_the_standard_error_over_seeds(command, data):
    status, text, progress = command("--data", data, "--seeds", "3", "--jobs", "2")
    assert status == 0
    assert "8/8 tiny, fold" in progress

    train, test = {}, {}
    for fold in (1, 2):
        train[fold] = read_letor(data / "Tiny" / f"Fold{fold}" / "train.txt")
        test[fold] = read_letor(data / "Tiny" / f"Fold{fold}" / "test.txt")
    of_seed = []
    for seed in (1, 2, 3):
        forest = RandomForest(n_estimators=3, min_samples_leaf=5, random_state=seed)
        of_seed.append(
            sum(
                evaluate(test[f], forest.fit(train[f]).predict(test[f]), NDCG)[NDCG] for f in (1, 2)
            )
            / 2
        )
    mean = sum(of_seed) / 3
    error = (sum((value - mean) ** 2 for value in of_seed) / 2 / 3) ** 0.5
    assert error > 0
    rows = rows_of(text)
    assert rows["TINY", "NDCG@10", "forest"] == [
        f"{mean:.4f} ± {error:.4f}",
        "0.5000",
        f"{mean - 0.5:+.4f} ± {error:.4f}",
    ]
    ours, paper, difference = rows["TINY", "MAP", "mart"]
    assert "±" not in ours
    assert (paper, difference) == ("-", "-")
    assert rows["TINY", "MAP", "svm"] == ["-", "0.3000", "-"]

    assert "standard error of our mean over 3 seeds" in text
    assert "- TINY: 2 folds; NDCG@10 is `ndcg@10(gain=0;1;3,discount=letor" in text
    assert "Nothing is drawn at random in mart" in text
    assert "Not at hand: LARGE." in text
    assert "does not have svm yet" in text
    assert "Three trees." in text
    assert "All of it is made up." in text


def test_a_second_run_trains_nothing_and_says_the_same(command, data, tmp_path, monkeypatch):
    first = command("--data", data, "--seeds", "2")
    written = (tmp_path / "r.jsonl").read_bytes()

    def train_nothing(*_args):
        raise AssertionError("it trains again")

    monkeypatch.setattr(runs, "execute", train_nothing)
    assert command("--data", data, "--seeds", "2") == (0, first[1], "")
    assert (tmp_path / "r.jsonl").read_bytes() == written


def test_a_run_that_was_stopped_trains_only_what_is_missing(command, data, tmp_path):
    _, text, _ = command("--data", data, "--seeds", "2")
    path = tmp_path / "r.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:40])
    status, again, progress = command("--data", data, "--seeds", "2")
    assert (status, again) == (0, text)
    assert f"{len(lines) - 2}/{len(lines) - 2} " in progress


def test_the_seeds_of_which_all_folds_are_done_can_be_shown_without_training(
    command, data, tmp_path, monkeypatch
):
    status, _, error = command("--data", data, "--trained")
    assert status == 2
    assert "has no seed of which every fold is done" in error
    command("--data", data, "--seeds", "2")
    _, one_seed, _ = command("--data", data, "--seeds", "1")
    path = tmp_path / "r.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"seed": 2' not in line))
    monkeypatch.setattr(runs, "execute", lambda _task: pytest.fail("it trains"))
    assert command("--data", data, "--seeds", "3", "--trained") == (0, one_seed, "")
    in_fold_2 = '"fold": 2, "algorithm": "forest"'
    path.write_text("".join(x for x in lines if not ('"seed": 2' in x and in_fold_2 in x)))
    assert command("--data", data, "--seeds", "3", "--trained") == (0, one_seed, "")
    path.write_text("".join(x for x in lines if not ('"seed": 1' in x and '"mart"' in x)))
    _, text, _ = command("--data", data, "--trained")
    assert rows_of(text)["TINY", "NDCG@10", "mart"][0] == "-"


def test_fewer_seeds_of_an_algorithm_than_of_others_are_named(data):
    wanted = runs.tasks(TABLE, folds.find_below(data, PAPER.data), seeds=3)
    table = replace(TABLE, algorithms={**TABLE.algorithms, "svm": TABLE.algorithms["forest"]})
    wanted += [replace(task, algorithm="svm") for task in wanted if task.algorithm == "forest"]
    measured = {task.key: {m: Measured(0.5, []) for m in task.metrics} for task in wanted}
    assert "Only" not in report.markdown(table, wanted, measured)
    kept = [task for task in wanted if task.algorithm != "svm" or task.seed == 1]
    assert "Only 1 seed for svm on TINY." in report.markdown(table, kept, measured)
    kept = [task for task in wanted if task.algorithm != "svm" or task.seed > 1]
    assert "Only 2 seeds for svm on TINY." in report.markdown(table, kept, measured)


@pytest.mark.parametrize(
    "change",
    [
        lambda task: {"seed": 2},
        lambda task: {"parameters": {**task.parameters, "min_gain": 1.0}},
        lambda task: {"estimator": "ExtraTrees"},
        lambda task: {"digest": "other"},
    ],
    ids=["seed", "parameters", "estimator", "data"],
)
def test_whatever_determines_a_model_is_part_of_its_key(data, change):
    task = runs.tasks(TABLE, folds.find_below(data, PAPER.data), seeds=1)[0]
    fields = {name: getattr(task, name) for name in runs.Task.__dataclass_fields__}
    assert runs.Task(**fields).key == task.key
    assert runs.Task(**{**fields, **change(task)}).key != task.key


def test_another_build_of_the_library_is_another_key(data, monkeypatch):
    task = runs.tasks(TABLE, folds.find_below(data, PAPER.data), seeds=1)[0]
    key = task.key
    monkeypatch.setattr(runs, "library", lambda: "0.0.1 another")
    assert task.key != key


def test_a_measure_that_the_results_lack_is_measured_anew(command, data, tmp_path):
    _, text, _ = command("--data", data, "--quick")
    path = tmp_path / "r.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        del record["metrics"]["map"]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    status, again, progress = command("--data", data, "--quick")
    assert (status, again) == (0, text)
    assert "2/2" in progress


def test_results_without_the_values_of_queries_are_measured_anew(command, data, tmp_path):
    _, text, _ = command("--data", data, "--quick")
    path = tmp_path / "r.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        del record["queries"]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    status, again, progress = command("--data", data, "--quick")
    assert (status, again) == (0, text)
    assert "2/2" in progress


def test_a_quick_run_says_so_and_takes_one_fold_one_seed_and_few_trees(command, data, tmp_path):
    status, text, _ = command("--data", data, "--quick")
    assert status == 0
    assert (
        "**A quick run: the first fold, one seed, at most 20 trees. It is no measurement.**" in text
    )
    assert "- TINY: fold 1 alone;" in text
    assert "±" not in text
    records = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert {(r["algorithm"], r["rounds"]) for r in records} == {("forest", 3), ("mart", 20)}


def test_the_table_goes_to_the_file_that_is_asked_for(command, data, tmp_path):
    status, shown, _ = command("--data", data, "--quick", "--output", tmp_path / "t.md")
    assert (status, shown) == (0, "")
    assert (tmp_path / "t.md").read_text().startswith("### Doe 2020, table 1\n")


def test_the_standard_error_is_that_of_the_means_over_folds():
    # Means of the seeds: 0.2, 0.4, 0.6; their standard deviation is 0.2.
    means = {1: [0.1, 0.3], 2: [0.4, 0.4], 3: [0.5, 0.7]}
    estimate = Estimate.of({seed: [Measured(m, []) for m in of] for seed, of in means.items()})
    assert estimate.mean == pytest.approx(0.4)
    assert estimate.error == pytest.approx(0.2 / 3**0.5)
    assert str(estimate) == "0.4000 ± 0.1155"
    assert estimate.against(0.45) == "-0.0500 ± 0.1155"


def test_one_seed_has_no_standard_error():
    estimate = Estimate.of({1: [Measured(0.1, []), Measured(0.3, [])]})
    assert estimate.mean == statistics.fmean([0.1, 0.3])
    assert (str(estimate), estimate.against(0.1)) == ("0.2000", "+0.1000")


class TestFindingFolds:
    def test_folds_are_found_by_the_name_of_their_folder(self, data):
        found = folds.find_below(data, PAPER.data)
        assert list(found) == ["tiny"]
        assert [fold.number for fold in found["tiny"]] == [1, 2]
        assert found["tiny"][1].valid == (data / "Tiny" / "Fold2" / "vali.txt",)

    @pytest.mark.parametrize(
        "name", ["TINY", "tiny-set", "Tiny_Set/QueryLevelNorm", "large/x/tiny"]
    )
    def test_the_innermost_telling_name_decides(self, tmp_path, name):
        write_fold(tmp_path / name / "Fold1")
        assert list(folds.find_below(tmp_path, PAPER.data)) == ["tiny"]

    def test_the_given_folder_may_be_the_data_set_itself(self, data):
        assert list(folds.find_below(data / "Tiny", PAPER.data)) == ["tiny"]

    def test_a_single_set_of_files_is_one_fold(self, tmp_path):
        for name in ("set1.train", "set1.valid", "set1.test"):
            write_set(tmp_path / "any" / f"{name}.txt", 1)
        (fold,) = folds.find_at(tmp_path / "any", "tiny", PAPER.data["tiny"])
        assert fold.number == 1
        assert fold.valid == (tmp_path / "any" / "set1.valid.txt",)

    def test_one_fold_keeps_its_number(self, data):
        (fold,) = folds.find_at(data / "Tiny" / "Fold2", "tiny", PAPER.data["tiny"])
        assert fold.number == 2

    def test_parts_are_the_same_folds_as_files_made_from_them(self, tmp_path):
        parts = tmp_path / "parts" / "tiny"
        for i in range(1, 6):
            write_set(parts / f"S{i}.txt", i)
        made = tmp_path / "made"
        made.mkdir()
        for name, members in (("train", "234"), ("vali", "5"), ("test", "1")):
            text = "".join((parts / f"S{i}.txt").read_text() for i in members)
            (made / f"{name}.txt").write_text(text)
        of_parts = folds.find_below(tmp_path / "parts", PAPER.data)["tiny"]
        (of_files,) = folds.find_at(made, "tiny", PAPER.data["tiny"])
        assert len(of_parts) == 5
        assert of_parts[1].digest() == of_files.digest()
        assert len({fold.digest() for fold in of_parts}) == 5

    def test_a_named_folder_goes_before_what_is_found_below_others(self, command, data, tmp_path):
        write_fold(tmp_path / "elsewhere", seed=77)
        status, text, _ = command(
            "--data", data, "--data", f"tiny={tmp_path / 'elsewhere'}", "--quick"
        )
        other = command("--data", data, "--quick")
        assert status == other[0] == 0
        assert text != other[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--data", "{}/nowhere"), "{}/nowhere: no such folder"),
        (("--data", "tiny={}/nowhere"), "{}/nowhere: no such folder"),
        (("--data", "{}"), "no folder named tiny, large that holds Fold1/{{train,vali,test}}.txt"),
        (("--data", "large={}"), "large: {} must hold Fold1/{{train,vali,test}}.txt"),
        (("--data", "tiny={}"), "or one such set of files, or S1.txt to S5.txt"),
        (("--data", "tny={}"), "unknown data set 'tny'; there are tiny, large; did you mean tiny?"),
        (("--data", "{}", "--figure", "1"), "give either --table or --figure"),
        (("--data", "{}", "--output", "{}/no/t.md"), "there is no folder for {}/no/t.md"),
    ],
)
def test_unusable_arguments_are_errors_that_say_what_there_is(
    command, tmp_path, arguments, message
):
    status, out, err = command(*(text.format(tmp_path) for text in arguments))
    assert (status, out) == (2, "")
    assert message.format(tmp_path) in err


def test_without_a_table_or_a_figure_there_is_nothing_to_do(command, data):
    status, _, err = command("--data", data, name=())
    assert status == 2
    assert "give either --table or --figure" in err


def test_a_fold_without_one_of_its_files_is_an_error(command, data):
    (data / "Tiny" / "Fold2" / "vali.txt").unlink()
    status, _, err = command("--data", data)
    assert status == 2
    assert f"{data}/Tiny/Fold2 has no vali.txt or valid.txt" in err


def test_a_data_set_that_lies_there_twice_is_an_error_that_names_both(command, data):
    write_fold(data / "tiny_set" / "Fold1")
    status, _, err = command("--data", data)
    assert status == 2
    assert f"tiny lies in {data}/Tiny and in {data}/tiny_set; choose one: --data tiny=FOLDER" in err


def test_unreadable_data_is_an_error_that_names_the_line(command, data):
    (data / "Tiny" / "Fold1" / "test.txt").write_text("1 qid:1 1:x\n")
    status, _, err = command("--data", data, "--quick")
    assert status == 2
    assert f"{data}/Tiny/Fold1/test.txt:1:" in err
    assert "failed: tiny, fold 1, forest, seed 1" in err


def test_a_table_that_names_what_does_not_exist_is_refused_before_anything_trains(
    command, data, monkeypatch, tmp_path
):
    def refuse(_table):
        raise ValueError("unknown parameter")

    monkeypatch.setattr(declare, "check", refuse)
    assert command("--data", data) == (2, "", "bench.papers: unknown parameter\n")
    assert not (tmp_path / "r.jsonl").exists()


def test_some_algorithms_of_a_table_can_be_run_alone(command, data):
    status, text, progress = command("--data", data, "--seeds", "1", "--only", "mart")
    assert status == 0
    assert "2/2 tiny" in progress
    assert "forest" not in progress
    assert rows_of(text)["TINY", "NDCG@10", "forest"][0] == "-"
    status, _, error = command("--data", data, "--only", "mrt")
    assert status == 2
    assert "--only: unknown algorithm 'mrt'; there are forest, mart; did you mean mart?" in error


def test_what_varies_one_thing_can_be_drawn(command, data, monkeypatch, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    picture = tmp_path / "picture.png"
    status, _, error = command("--data", data, "--draw", picture)
    assert status == 2
    assert "--draw is for what varies one thing" in error
    ticks = {"forest": "3", "mart": "30"}
    for shown in (None, {"forest": 3.0, "mart": 30.0}):
        varied = replace(TABLE, axis=Axis("trees", ticks, shown))
        monkeypatch.setattr(program.catalog, "load", lambda _paper, _name, t=varied: t)
        assert command("--data", data, "--seeds", "2", "--draw", picture)[0] == 0
        assert picture.read_bytes().startswith(b"\x89PNG")
        picture.unlink()


def test_a_table_may_be_measured_on_validation_sets(command, data, monkeypatch):
    _, on_test, _ = command("--data", data, "--seeds", "1")
    on_valid = replace(TABLE, measured_on="valid")
    monkeypatch.setattr(program.catalog, "load", lambda _paper, _name: on_valid)
    status, text, progress = command("--data", data, "--seeds", "1")
    assert status == 0
    assert "4/4 tiny" in progress  # what was measured on test sets does not count
    assert "Measured on the validation sets." in text
    assert rows_of(text) != rows_of(on_test)
    values = []
    for fold in (1, 2):
        folder = data / "Tiny" / f"Fold{fold}"
        forest = RandomForest(n_estimators=3, min_samples_leaf=5, random_state=1)
        valid = read_letor(folder / "vali.txt")
        scores = forest.fit(read_letor(folder / "train.txt")).predict(valid)
        values.append(evaluate(valid, scores, NDCG)[NDCG])
    assert rows_of(text)["TINY", "NDCG@10", "forest"][0] == f"{sum(values) / 2:.4f}"
