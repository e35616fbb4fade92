"""`ltr-train` from an earlier model or scores, and what it adds to the model file."""

import numpy as np
import pytest
from cli_cases import call, write_files

import rankforest as rf

LAMBDAMART = ("--algorithm", "lambdamart", "--n-estimators", 5, "--min-samples-leaf", 2, "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("letor"))


@pytest.fixture
def train(folder, tmp_path, capsys):
    """Run ltr-train on train.txt; give how it ended, and the model."""

    def run(*arguments, model="m.rf"):
        path = tmp_path / model
        data = ("--train", folder / "train.txt", "--model", path)
        ended = call(capsys, "ltr-train", *LAMBDAMART, *data, *arguments)
        return ended, rf.load(path) if ended.status == 0 else None

    return run


def test_init_model_is_that_of_fit(train, folder, tmp_path):
    _, first = train(model="first.rf")
    ended, more = train("--init-model", tmp_path / "first.rf", "--metric", "ndcg@10")
    assert (ended.status, ended.err) == (0, "")
    data = rf.read_letor(folder / "train.txt")
    fitted = rf.LambdaMART(n_estimators=5, min_samples_leaf=2).fit(data, init_model=first)
    assert more == fitted.model_
    assert more.n_rounds == 10


def test_data_is_read_as_that_of_the_earlier_model(train, folder, tmp_path):
    train("--zero-based", "true", "--absent", "nan", "--n-features", 9, model="first.rf")
    _, more = train("--init-model", tmp_path / "first.rf")
    assert (more.n_features, more.zero_based) == (9, True)
    assert np.isnan(more.absent)


def test_initial_scores_are_those_of_fit_and_tables_show_the_sum(train, folder, tmp_path, capsys):
    data = {name: rf.read_letor(folder / f"{name}.txt") for name in ("train", "valid")}
    scores = {name: each.X[:, 0].astype(float) for name, each in data.items()}
    for name in data:
        np.savetxt(tmp_path / f"{name}.scores", scores[name])
    path = tmp_path / "m.rf"
    ended = call(
        capsys, "ltr-train", *LAMBDAMART[:-1], "--train", folder / "train.txt", "--valid",
        folder / "valid.txt", "--model", path, "--init-score", tmp_path / "train.scores",
        "--valid-init-score", tmp_path / "valid.scores", "--metric", "ndcg@10",
    )  # fmt: skip
    assert ended.status == 0
    model = rf.load(path)
    fitted = rf.LambdaMART(n_estimators=5, min_samples_leaf=2)
    fitted.fit(data["train"], init_score=scores["train"])
    assert model == fitted.model_
    for name, each in data.items():
        total = model.predict(each) + scores[name]
        value = rf.evaluate(each, total, "ndcg@10")["ndcg@10"]
        assert f"{value:.4f}" in ended.out


def test_metadata_is_kept_and_the_profile_may_be_left_out(train):
    _, model = train("--metadata", "owner=search", "--metadata", "formula=a=b", "--no-profile")
    assert model.metadata == {"owner": "search", "formula": "a=b"}
    assert model.profile is None
    assert train()[1].profile is not None


def test_metadata_of_the_earlier_model_is_kept_unless_its_key_is_given(train, tmp_path):
    train("--metadata", "owner=search", "--metadata", "until=May", model="first.rf")
    _, more = train("--init-model", tmp_path / "first.rf")
    assert more.metadata == {"owner": "search", "until": "May"}
    _, more = train("--init-model", tmp_path / "first.rf", "--metadata", "until=June")
    assert more.metadata == {"owner": "search", "until": "June"}


def test_options_that_do_not_go_together_are_all_named(folder, tmp_path, capsys):
    (tmp_path / "s").write_text("0\n")
    ended = call(
        capsys, "ltr-train", "--algorithm", "random_forest", "--train", folder / "train.txt",
        "--valid", folder / "valid.txt", "--model", tmp_path / "m.rf", "--init-score",
        tmp_path / "s", "--test-init-score", tmp_path / "s", "--metadata", "nothing",
    )  # fmt: skip
    assert ended.status == 2
    for line in (
        "--init-score is for mart, lambdamart, selgb, dart and xdart, not for random_forest",
        "--init-score needs --valid-init-score, too: --valid is measured with it",
        "--test-init-score needs --test",
        "--metadata: must be KEY=VALUE, got 'nothing'",
    ):
        assert f"ltr-train: {line}\n" in ended.err
    ended = call(
        capsys, "ltr-train", *LAMBDAMART, "--train", folder / "train.txt", "--model",
        tmp_path / "m.rf", "--metadata", "a=1", "--metadata", "a=2",
    )  # fmt: skip
    assert "--metadata gives 'a' twice" in ended.err


def test_a_wrong_number_of_scores_is_an_error(train, tmp_path):
    (tmp_path / "s").write_text("0\n")
    ended, _ = train("--init-score", tmp_path / "s")
    assert ended.status == 2
    assert "--init-score must have one score for each of the" in ended.err
