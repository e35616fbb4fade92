"""Text is scored in memory by the features that it mentions and that trees ask for."""

import subprocess
import sys

import numpy as np
import pytest
from cli_cases import call
from estimator_cases import make_data

import rankforest as rf
from rankforest._model.notes import replaced
from rankforest.exits import EarlyExit, Exit, ExitSchedule
from rankforest.model import Model

#: Where the five features of the small model stand in the wide one.
COLUMNS = np.array([2, 70000, 10, 69999, 0], dtype=np.uint32)
WIDTH = 70001


def widened(estimator):
    """Return a trained model on columns far apart, with files of the old and the wide model."""
    model = estimator.fit(*make_data()[:2], qid=make_data()[2]).model_
    ensemble = model._ensemble.on_columns(COLUMNS, WIDTH)
    return Model(ensemble, replaced(model._info, profile=None))


@pytest.fixture
def text(tmp_path):
    """Write documents that mention no feature above the first 40."""
    rng = np.random.default_rng(3)
    path = tmp_path / "data.txt"
    lines = []
    for row in range(30):
        values = rng.normal(size=40).astype(np.float32)
        there = np.flatnonzero(rng.random(40) < 0.6)
        features = " ".join(f"{j + 1}:{values[j]!s}" for j in there)
        lines.append(f"{row % 3} qid:{row // 6} {features} 40:1\n" if 39 not in there else
                     f"{row % 3} qid:{row // 6} {features}\n")  # fmt: skip
    path.write_text("".join(lines))
    return path


def filled(data):
    """Return all columns of a data set."""
    X = np.full((data.n_documents, WIDTH), data._text.absent, dtype=np.float32)
    X[:, : data.n_features] = data.X
    return X


ESTIMATORS = {
    "mart": rf.MART(n_estimators=12),
    "forest": rf.RandomForest(n_estimators=6),
    "bag": rf.BaggedLambdaMART(n_bags=3, n_estimators=4, min_samples_leaf=2, combine="borda"),
    "linear": rf.RankSVM(),
    "linear in queries": rf.RankSVM(query_normalization="zscore"),
}


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        (name, absent)
        for name in ESTIMATORS
        for absent in (0.0, np.nan)
        if absent == 0.0 or "linear" not in name  # which take no missing values
    ],
)
def test_scores_are_those_of_all_columns_to_the_bit(name, absent, text):
    model = widened(ESTIMATORS[name])
    data = rf.read_letor(text, absent=absent)
    assert data.n_features == 40
    expected = model.predict(filled(data), data.qid)
    np.testing.assert_array_equal(model.predict(data), expected)
    np.testing.assert_array_equal(model.predict(data, n_jobs=2), expected)
    assert len(np.unique(expected)) > 3


def test_a_number_that_means_missing_does_so_for_absent_features(text):
    X, y, qid = make_data(missing=0.2)
    X = np.where(np.isnan(X), np.float32(0.0), X)
    small = rf.MART(n_estimators=12).fit(rf.Dataset(X, y, qid=qid, missing=0.0)).model_
    ensemble = small._ensemble.on_columns(COLUMNS, WIDTH)
    model = Model(ensemble, replaced(small._info, profile=None))
    assert model.missing == 0.0
    data = rf.read_letor(text)
    np.testing.assert_array_equal(model.predict(data), model.predict(filled(data)))


def test_limits_exits_and_probabilities_are_those_of_all_columns(text):
    data = rf.read_letor(text)
    X = filled(data)
    model = widened(ESTIMATORS["mart"])
    for limits in ({"early_exit": EarlyExit(every=2, fraction=0.3)}, {"budget": 40.0}):
        found = model.predict_within(data, **limits)
        expected = model.predict_within(X, data.qid, **limits)
        np.testing.assert_array_equal(found.scores, expected.scores)
        assert found.n_evaluations == expected.n_evaluations
    leaving = model.with_exits(ExitSchedule([Exit(3, 0.5)]))
    np.testing.assert_array_equal(leaving.predict(data), leaving.predict(X, data.qid))
    ordinal = widened(rf.MART(n_estimators=5, ordinal=True))
    np.testing.assert_array_equal(ordinal.predict_proba(data), ordinal.predict_proba(X))


def test_a_dataset_brings_its_queries_here_too(text):
    data = rf.read_letor(text)
    with pytest.raises(ValueError, match="brings its own qid"):
        widened(ESTIMATORS["mart"]).predict(data, data.qid)


def test_text_that_mentions_more_than_the_model_has_is_refused(tmp_path, capsys):
    widened(ESTIMATORS["mart"]).save(tmp_path / "wide.rf")
    data = tmp_path / "data.txt"
    data.write_text(f"1 qid:1 {WIDTH + 1}:1\n")
    ended = call(capsys, "ltr-score", "--model", tmp_path / "wide.rf", "--data", data)
    assert ended.status == 2
    assert f"mentions {WIDTH + 1} features; the model has {WIDTH}" in ended.err


# What getrusage says includes the memory of the process that started this one.
PROGRAM = """
import sys
from rankforest.cli import score
status = score.main()
with open("/proc/self/status") as lines:
    peak, = (line.split()[1] for line in lines if line.startswith("VmHWM:"))  # KiB
print(peak, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("options", [[], ["--exit-every", "2", "--exit-fraction", "0.5"]])
def test_a_small_model_that_names_billions_of_features_takes_little_memory(tmp_path, options):
    """A file of some 500 bytes may say that it has as many features as there are numbers."""
    small = rf.MART(n_estimators=4).fit(*make_data()[:2], qid=make_data()[2]).model_
    text = rf.model_json.to_json(small._ensemble, replaced(small._info, profile=None))
    assert text.count('"n_features": 5,') == 1
    text = text.replace('"n_features": 5,', '"n_features": 4294967295,')
    (tmp_path / "huge.json").write_text(text)
    (tmp_path / "t.txt").write_text("1 qid:1 1:0.2\n0 qid:1 1:0.9\n")
    arguments = ["--model", "huge.json", "--data", "t.txt", *options]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    scores = [float(line) for line in done.stdout.split()]
    if not options:
        X = np.array([[0.2, 0, 0, 0, 0], [0.9, 0, 0, 0, 0]], dtype=np.float32)
        assert scores == small.predict(X).tolist()
    assert int(done.stderr.splitlines()[-1]) < 500 * 1024
