"""`ltr-blend` and `ltr-prune`: what they write, print and refuse."""

import pytest
from cli_cases import call, write_files

import rankforest as rf


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Text, and two models of it."""
    folder = write_files(tmp_path_factory.mktemp("models"))
    train = rf.read_letor(folder / "train.txt")
    rf.RandomForest(n_estimators=10, random_state=0).fit(train).save(folder / "a.rf")
    rf.LambdaMART(n_estimators=20, random_state=0).fit(train).save(folder / "b.rf")
    return folder


def models(folder):
    return ("--model", folder / "a.rf", "--model", folder / "b.rf")


def test_a_blend_has_the_weights_of_python(capsys, folder):
    ended = call(
        capsys, "ltr-blend", *models(folder), "--valid", folder / "valid.txt", "--metric", "map",
        "--combine", "zscore", "--output", folder / "c.rf",
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    valid = rf.read_letor(folder / "valid.txt", n_features=6)
    paths = [folder / "a.rf", folder / "b.rf"]
    expected = rf.blend(paths, valid, metric="map", combine="zscore")
    assert rf.load(folder / "c.rf") == expected
    first, second, last = ended.out.splitlines()
    assert first.endswith("a.rf")
    assert second.startswith(f"{expected.parameters['weights'][1]:.4g} ")
    assert last.startswith("map: ")
    scored = call(capsys, "ltr-score", "--model", folder / "c.rf", "--data", folder / "test.txt")
    test = rf.read_letor(folder / "test.txt", n_features=6)
    assert list(map(float, scored.out.split())) == expected.predict(test).tolist()


def test_weights_are_taken_in_order(capsys, folder):
    ended = call(
        capsys, "ltr-blend", *models(folder), "--model-weight", "1", "--model-weight", "0.5",
        "--output", folder / "c.rf",
    )  # fmt: skip
    assert (ended.status, ended.out.split()[0::2]) == (0, ["1", "0.5"])
    assert rf.load(folder / "c.rf").parameters["weights"] == [1.0, 0.5]


def test_a_weight_too_few_is_refused(capsys, folder):
    ended = call(
        capsys, "ltr-blend", *models(folder), "--model-weight", "1", "--output", folder / "c.rf"
    )
    assert ended.status == 2
    assert "--model-weight: give one for each of the 2 models, got 1" in ended.err


def test_a_pruned_model_is_that_of_python(capsys, folder):
    ended = call(
        capsys, "ltr-prune", "--model", folder / "b.rf", "--valid", folder / "valid.txt",
        "--fraction", "0.4", "--method", "last", "--output", folder / "p.rf",
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    valid = rf.read_letor(folder / "valid.txt", n_features=6)
    expected = rf.prune(folder / "b.rf", valid, fraction=0.4, method="last").model
    assert rf.load(folder / "p.rf") == expected
    assert f"kept {expected.n_trees} of 20 trees by last" in ended.out


def test_without_a_goal_as_much_is_pruned_as_costs_nothing(capsys, folder):
    ended = call(
        capsys, "ltr-prune", "--model", folder / "b.rf", "--valid", folder / "valid.txt",
        "--output", folder / "p.rf",
    )  # fmt: skip
    assert ended.status == 0
    assert rf.load(folder / "p.rf").n_trees < 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--n-trees", "3", "--fraction", "0.5"), "only one can say how much to prune"),
        (("--fraction", "1.5"), "--fraction: must be in (0, 1), got '1.5'"),
        (("--n-trees", "99"), "--n-trees must be in [1, 20], got 99"),
        (("--method", "best"), "--method: must be"),
        (("--metric", "rmse"), "metric must be a metric of rankings"),
    ],
)
def test_what_cannot_be_pruned_is_refused(capsys, folder, arguments, message):
    ended = call(
        capsys, "ltr-prune", "--model", folder / "b.rf", "--valid", folder / "valid.txt",
        *arguments, "--output", folder / "q.rf",
    )  # fmt: skip
    assert ended.status == 2
    assert message in ended.err
    assert not (folder / "q.rf").exists()
