"""`ltr-train --categorical-features` on tables and text, and what the other commands make of it."""

import numpy as np
import pytest
from category_cases import CATEGORICAL, make_frame
from cli_cases import call

import rankforest as rf

COLUMNS = ("--label", "grade", "--query", "query")
SMALL = ("--algorithm", "mart", "--n-estimators", 5, "--n-jobs", 1)


@pytest.fixture(scope="module", params=["parquet", "csv"])
def files(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    for seed, name in enumerate(("train", "test")):
        frame = make_frame(seed=seed)
        frame["site"] = frame["site"].replace("", "empty").replace("x\ny", "x,y")
        path = folder / f"{name}.{request.param}"
        frame.to_parquet(path) if request.param == "parquet" else frame.to_csv(path, index=False)
    return folder


def of(files, name):
    return next(files.glob(f"{name}.*"))


def train(capsys, files, model, *options):
    return call(
        capsys, "ltr-train", "--train", of(files, "train"), "--valid", of(files, "test"),
        "--model", model, *COLUMNS, *SMALL, *options,
    )  # fmt: skip


def read(files, name, columns=CATEGORICAL):
    how = rf.read_csv if of(files, name).suffix == ".csv" else rf.read_parquet
    return how(of(files, name), label="grade", query="query", categorical_features=columns)


@pytest.mark.parametrize("columns", ["site,shop", "from_dtype"])
def test_the_model_is_the_one_that_python_trains(capsys, files, tmp_path, columns):
    if columns == "from_dtype":  # ids are no texts
        ended = train(capsys, files, tmp_path / "m.rf", "--categorical-features", columns)
        expected = ["site"]
    else:
        ended = train(capsys, files, tmp_path / "m.rf", "--categorical-features", columns)
        expected = CATEGORICAL
    assert ended.status == 0, ended.err
    model = rf.load(tmp_path / "m.rf")
    assert [each.name for each in model.categories] == expected
    plain = "from_dtype" if columns == "from_dtype" else CATEGORICAL
    data = read(files, "train", plain)
    python = rf.MART(n_estimators=5, categorical_features=plain).fit(data).model_
    assert model.without_profile() == python.without_profile()


def test_its_model_scores_and_is_measured(capsys, files, tmp_path):
    train(capsys, files, tmp_path / "m.rf", "--categorical-features", "site,shop")
    scored = call(capsys, "ltr-score", "--model", tmp_path / "m.rf", "--data", of(files, "test"))
    assert scored.status == 0, scored.err
    scores = np.array([float(line) for line in scored.out.splitlines()])
    model = rf.load(tmp_path / "m.rf")
    assert (scores == model.predict(read(files, "test"))).all()
    measured = call(
        capsys, "ltr-eval", tmp_path / "m.rf", "--data", of(files, "test"), *COLUMNS,
        "--format", "csv", "--metric", "ndcg@10",
    )  # fmt: skip
    assert measured.status == 0, measured.err
    expected = rf.evaluate(read(files, "test"), model, ["ndcg@10"])["ndcg@10"]
    assert f"{expected!r}"[:12] in measured.out


def test_texts_without_the_option_are_refused_with_what_to_write(capsys, files, tmp_path):
    ended = train(capsys, files, tmp_path / "m.rf")
    assert ended.status == 2
    assert "--categorical-features from_dtype" in ended.err
    assert "'site'" in ended.err
    assert not (tmp_path / "m.rf").exists()


def test_a_column_that_is_not_there_is_refused(capsys, files, tmp_path):
    ended = train(capsys, files, tmp_path / "m.rf", "--categorical-features", "sight")
    assert ended.status == 2
    assert "'sight', which the data has not" in ended.err


def test_levels_in_csv_are_texts_and_keep_their_zeros(tmp_path):
    lines = ["grade,query,code"] + [
        f"{i % 3},{i // 6},{['007', '7', ''][i % 3]}" for i in range(18)
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    data = rf.read_csv(
        tmp_path / "t.csv", label="grade", query="query", categorical_features="code"
    )
    assert data.levels == {"code": ("007", "7")}
    assert np.isnan(data.X[2, 0])


def test_features_of_text_go_by_their_numbers(capsys, tmp_path):
    lines = [f"{i % 5 % 3} qid:{i // 6} 1:{i % 4} 2:{i % 5 * 100}" for i in range(60)]
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    ended = call(
        capsys, "ltr-train", "--train", tmp_path / "t.txt", "--model", tmp_path / "m.rf",
        *SMALL, "--categorical-features", "2",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    assert rf.load(tmp_path / "m.rf").categories[0].levels == (0, 100, 200, 300, 400)
    scored = call(capsys, "ltr-score", "--model", tmp_path / "m.rf", "--data", tmp_path / "t.txt")
    assert scored.status == 0, scored.err
    expected = rf.load(tmp_path / "m.rf").predict(rf.read_letor(tmp_path / "t.txt"))
    assert [float(line) for line in scored.out.splitlines()] == expected.tolist()


def test_searches_take_them(capsys, files, tmp_path):
    ended = call(
        capsys, "ltr-tune", "--train", of(files, "train"), *COLUMNS, *SMALL, "--n-folds", 2,
        "--n-trials", 2, "--categorical-features", "site,shop", "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    assert len(rf.load(tmp_path / "m.rf").categories) == 2
