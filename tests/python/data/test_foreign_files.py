"""Model and data files of other systems, as they write them: named, and never read as ours."""

import json
import pickle
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

import rankforest as rf
from rankforest import _core

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3)).astype(np.float32)
    return X, rng.integers(0, 3, 60), np.repeat(np.arange(6), 10)


def complaint(path: Path) -> str:
    """Return why a file is refused, without its path; C++ must say the same of its bytes."""
    with pytest.raises(ValueError) as error:  # noqa: PT011 - what it says is the result
        rf.load(path)
    text = str(error.value)
    assert text.startswith(f"{path}: ")
    text = text.removeprefix(f"{path}: ")
    with pytest.raises(ValueError) as error:  # noqa: PT011
        _core.Ensemble.from_bytes(path.read_bytes())
    assert str(error.value) == text
    assert "which rankforest does not read as a model; " in text
    return text


@pytest.fixture(scope="module")
def xgboost_ranker():
    xgboost = pytest.importorskip("xgboost")
    X, y, qid = data()
    return xgboost.XGBRanker(n_estimators=3).fit(X, y, qid=qid)


@pytest.fixture(scope="module")
def lightgbm_ranker():
    lightgbm = pytest.importorskip("lightgbm")
    X, y, _ = data()
    ranker = lightgbm.LGBMRanker(n_estimators=3, min_child_samples=1, verbose=-1)
    return ranker.fit(X, y, group=[10] * 6)


@pytest.fixture(scope="module")
def catboost_ranker():
    catboost = pytest.importorskip("catboost")
    X, y, qid = data()
    ranker = catboost.CatBoostRanker(iterations=3, verbose=0, allow_writing_files=False)
    return ranker.fit(X, y, group_id=qid)


def unread(content: bytes) -> str:
    """Return what C++, which does not read these, says of a file that Python reads."""
    with pytest.raises(ValueError) as error:  # noqa: PT011 - what it says is the result
        _core.Ensemble.from_bytes(content)
    return str(error.value)


@pytest.mark.parametrize(("suffix", "name"), [("json", "JSON"), ("ubj", "UBJSON")])
def test_xgboosts_models(xgboost_ranker, tmp_path, suffix, name):
    path = tmp_path / f"m.{suffix}"
    xgboost_ranker.save_model(path)
    assert unread(path.read_bytes()) == (
        f"this is an XGBoost model ({name}), which rankforest does not read as a model; make a "
        "model file of it: ltr-convert --model FILE --to rankforest --output model.rf"
    )
    assert rf.load(path).n_trees == 3


def test_xgboosts_dump_as_text(xgboost_ranker, tmp_path):
    xgboost_ranker.get_booster().dump_model(tmp_path / "m", dump_format="text")
    assert complaint(tmp_path / "m").startswith("this is a text dump of an XGBoost model")
    xgboost_ranker.get_booster().dump_model(tmp_path / "m", dump_format="json")
    assert "this is a JSON dump of an XGBoost model" in unread((tmp_path / "m").read_bytes())


@pytest.mark.parametrize(
    ("form", "name"), [("cbm", "a CatBoost model (.cbm)"), ("json", "a CatBoost model (JSON)")]
)
def test_catboosts_models(catboost_ranker, tmp_path, form, name):
    path = tmp_path / f"m.{form}"
    catboost_ranker.save_model(path, format=form)
    assert unread(path.read_bytes()).startswith(f"this is {name}, which")
    assert rf.load(path).n_trees == 3


@pytest.mark.parametrize(("form", "name"), [("onnx", "an ONNX model"), ("pmml", "a PMML document")])
def test_forms_that_several_systems_write(catboost_ranker, tmp_path, form, name):
    path = tmp_path / f"m.{form}"
    catboost_ranker.save_model(path, format=form)
    assert complaint(path).startswith(f"this is {name}, which")


def test_lightgbms_json_is_told_from_its_text(lightgbm_ranker, tmp_path):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(lightgbm_ranker.booster_.dump_model()))
    assert complaint(path) == (
        "this is a JSON dump of a LightGBM model, which rankforest does not read as a model; "
        'save the booster as text and give that: booster.save_model("model.txt")'
    )
    lightgbm_ranker.booster_.save_model(tmp_path / "m.txt")
    X, _, _ = data()
    scores = rf.load(tmp_path / "m.txt").predict(X)
    np.testing.assert_allclose(scores, lightgbm_ranker.predict(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_name_what_they_are_of(lightgbm_ranker, xgboost_ranker, tmp_path, protocol):
    X, y, qid = data()
    ours = rf.MART(n_estimators=2).fit(X, y, qid=qid)
    path = tmp_path / "m.pkl"
    for model, name in (
        (lightgbm_ranker, "LightGBM"),
        (xgboost_ranker, "XGBoost"),
        (ours, "rankforest"),
    ):
        path.write_bytes(pickle.dumps(model, protocol))
        assert complaint(path).startswith(f"this is a Python pickle of {name}, which")
    path.write_bytes(pickle.dumps([1.0, 2.0], protocol))
    assert complaint(path).startswith("this is a Python pickle, or a file of joblib, which")


@pytest.mark.parametrize(
    ("compress", "name"),
    [
        (0, "a Python pickle, or a file of joblib"),
        (3, "a zlib stream, as joblib writes with compress="),
        (("gzip", 3), "a gzip file"),
        (("bz2", 3), "a bzip2 file"),
        (("xz", 3), "an xz file"),
        (("lzma", 3), "an LZMA file"),
    ],
)
def test_joblibs_files(tmp_path, compress, name):
    X, y, _ = data()
    joblib.dump(RandomForestRegressor(2).fit(X, y), tmp_path / "m.joblib", compress=compress)
    assert complaint(tmp_path / "m.joblib").startswith(f"this is {name}, which")


def test_data_given_as_a_model(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    X, y, qid = data()
    frame = pandas.DataFrame(X, columns=list("abc"))
    frame.to_parquet(tmp_path / "d.parquet")
    frame.to_feather(tmp_path / "d.feather")
    np.save(tmp_path / "d.npy", X)
    np.savez(tmp_path / "d.npz", X)
    rf.write_letor(tmp_path / "d.txt", rf.Dataset(X, y, qid=qid))
    for file, name in {
        "d.parquet": "a Parquet file",
        "d.feather": "an Arrow or Feather file",
        "d.npy": "a NumPy array (.npy)",
        "d.npz": "a ZIP archive",
        "d.txt": "LETOR text",
    }.items():
        assert complaint(tmp_path / file).startswith(f"this is {name}, which")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("ranklib_lambdamart_small.txt", "a RankLib model"),
        ("quickrank_small.xml", "a QuickRank model"),
        ("jforests_small.xml", "a jforests model"),
        ("solr_linear.json", "a model of Solr's learning to rank"),
        ("xgboost_dump_small.json", "a JSON dump of an XGBoost model"),
    ],
)
def test_files_that_users_have(file, name):
    path = SHARED / "models" / file
    if not path.exists():
        pytest.skip(f"{path} is not here")
    assert unread(path.read_bytes()).startswith(f"this is {name}, which")


def test_a_file_turned_into_text_is_told_from_a_foreign_one(tmp_path):
    X, y, qid = data()
    model = rf.MART(n_estimators=2).fit(X, y, qid=qid).model_
    path = tmp_path / "m.rf"
    model.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\r\n", b"\n"))
    assert "that a transfer as text has damaged" in complaint(path)
    path.write_text(whole.decode(errors="replace"))
    assert "that was read and written as text" in complaint(path)
