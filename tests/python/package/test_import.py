"""Programs that score do not wait for, or hold, what only training needs."""

import importlib
import pickle
import subprocess
import sys
from textwrap import dedent

import pytest
from cli_cases import write_files

import rankforest as rf

HEAVY = {"matplotlib", "narwhals", "optuna", "pandas", "rankforest.estimators", "scipy", "sklearn"}
LATER = {
    "IGBRT": "estimators",
    "MART": "estimators",
    "CustomMetric": "estimators",
    "StopOnInterrupt": "estimators",
    "ExtraTrees": "estimators",
    "LambdaMART": "estimators",
    "RandomForest": "estimators",
    "out_of_bag_importance": "importance",
    "permutation_importance": "importance",
    "tune": "tuning",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    rf.MART(n_estimators=5).fit(rf.read_letor(folder / "train.txt")).save(folder / "m.rf")
    return folder


def imported_by(program, folder, *arguments):
    """Run a program in a folder; return which of the heavy modules it imported."""
    end = f"import sys; print(*(name for name in {sorted(HEAVY)} if name in sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", f"{dedent(program)}\n{end}", *arguments],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(ended.stdout.splitlines()[-1].split())


def test_scoring_and_measuring_import_nothing_heavy(folder):
    program = """
        import numpy as np
        import rankforest as rf
        data = rf.read_letor("test.txt")
        model = rf.load("m.rf")
        scores = model.predict(data)
        assert (model.predict(np.array(data.X, dtype=np.float64)) == scores).all()
        assert (model.predict(data.X.tolist()) == scores).all()
        model.top_k(data, 3)
        model.predict_within(data, budget=10.0)
        rf.evaluate(data, scores, ["ndcg@10", "err"])
    """
    assert imported_by(program, folder) == set()


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("score", ["--model", "m.rf", "--data", "test.txt"]),
        ("evaluate", ["--model", "m.rf", "--data", "test.txt"]),
        ("convert", ["--model", "m.rf", "--to", "json"]),
    ],
)
def test_commands_for_trained_models_import_nothing_heavy(folder, command, arguments):
    program = f"""
        import sys
        from rankforest.cli.{command} import command
        command.main(sys.argv[1:], standalone_mode=False)
        print()
    """
    assert imported_by(program, folder, *arguments) == set()


def test_a_pickled_estimator_imports_what_it_needs(folder):
    (folder / "m.pickle").write_bytes(pickle.dumps(rf.MART(n_estimators=7)))
    program = """
        import pathlib, pickle
        estimator = pickle.loads(pathlib.Path("m.pickle").read_bytes())
        import rankforest
        assert isinstance(estimator, rankforest.MART)
        assert estimator.n_estimators == 7
    """
    assert "sklearn" in imported_by(program, folder)


def test_a_sparse_matrix_is_known_whoever_imported_scipy(folder):
    program = """
        import rankforest as rf
        model, data = rf.load("m.rf"), rf.read_letor("test.txt")
        from scipy.sparse import csr_array
        assert (model.predict(csr_array(data.X)) == model.predict(data)).all()
    """
    assert "scipy" in imported_by(program, folder)


@pytest.mark.parametrize(("name", "module"), LATER.items())
def test_a_name_is_imported_by_the_first_who_asks(monkeypatch, name, module):
    monkeypatch.delitem(vars(rf), name, raising=False)
    expected = getattr(importlib.import_module(f"rankforest.{module}"), name)
    assert getattr(rf, name) is expected
    assert vars(rf)[name] is expected


def test_a_module_can_be_reached_without_an_import_of_its_own(monkeypatch):
    for module in set(LATER.values()):
        monkeypatch.delitem(vars(rf), module, raising=False)
        assert getattr(rf, module) is sys.modules[f"rankforest.{module}"]


def test_a_star_imports_every_name(monkeypatch):
    for name in LATER:
        monkeypatch.delitem(vars(rf), name, raising=False)
    found = {}
    exec("from rankforest import *", found)  # noqa: S102  # functions may not say so
    assert set(rf.__all__) <= found.keys()


def test_all_names_are_listed_before_they_are_imported(folder):
    program = f"""
        import rankforest
        names = { {*LATER, *LATER.values()} }
        assert names | set(rankforest.__all__) <= set(dir(rankforest))
        assert not names & vars(rankforest).keys()
    """
    assert imported_by(program, folder) == set()


def test_other_names_are_refused_as_by_any_module():
    with pytest.raises(AttributeError, match="module 'rankforest' has no attribute 'LambdaMart'"):
        _ = rf.LambdaMart
    with pytest.raises(ImportError, match="cannot import name 'Lambda'"):
        from rankforest import Lambda  # noqa: F401, PLC0415
