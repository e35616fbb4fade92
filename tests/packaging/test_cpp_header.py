"""The C++ header of a model, compiled alone."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rankforest as rf
from rankforest import _core
from rankforest.model_cpp import to_cpp

COMPILER = os.environ.get("CXX", "g++")
FROZEN = Path(__file__).resolve().parents[1] / "models" / "v1" / "sum.rf"
STRICT = "-std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror"

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(shutil.which(COMPILER) is None, reason="needs a C++ compiler"),
]

MAIN = """
#include <cstdio>
#include <vector>
int main() {
  std::printf("%d\\n", ranker::SelfTest());
  std::vector<float> row(ranker::kFeatures + 1);
  for (;;) {
    for (std::size_t f = 0; f < ranker::kFeatures; ++f) {
      if (std::scanf("%f", &row[f]) != 1) return 0;
    }
    double score;
    ranker::Score(row.data(), 1, ranker::kFeatures, &score);
    std::printf("%a\\n", score);
    if (ranker::kFeatures == 0) return 0;
  }
}
"""


def compiled(folder, header):
    """Compile a program with this header, and give a function that scores rows with it."""
    (folder / "ranker.hpp").write_text(header)
    (folder / "other.cpp").write_text('#include "ranker.hpp"\nint unused_ = 0;\n')
    (folder / "main.cpp").write_text('#include "ranker.hpp"\n' + MAIN)
    command = [COMPILER, *STRICT.split(), "main.cpp", "other.cpp", "-o", "program"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    def run(X):
        rows = "\n".join(" ".join(map(str, row)) for row in X.tolist())
        out = subprocess.run(
            folder / "program", input=rows, check=True, capture_output=True, text=True
        ).stdout.split()
        return out[0] == "1", [float.fromhex(score) for score in out[1:]]

    return run


def on_thresholds(ensemble, n_rows):
    """Give documents of values on thresholds and next to them, and of every other kind."""
    pool = [0.0, -0.0, 1e-45, np.inf, -np.inf, np.nan]
    for member in ensemble.to_arrays()["members"]:
        for group in member["groups"]:
            for tree in group["trees"]:
                for t in tree["threshold"]:
                    pool += [
                        t,
                        np.nextafter(t, np.float32(3e38)),
                        np.nextafter(t, -np.float32(3e38)),
                    ]
    rng = np.random.default_rng(2)
    return rng.choice(np.array(pool, np.float32), (n_rows, ensemble.n_features))


def check(folder, model):
    run = compiled(folder, to_cpp(model._ensemble, model._info))
    X = on_thresholds(model._ensemble, 500)
    assert run(X) == (True, model.predict(X).tolist())


def test_a_trained_model_scores_to_the_same_bits(tmp_path):
    data = rf.datasets.make_ranking(n_queries=40, random_state=1)
    rng = np.random.default_rng(0)
    X = np.where(rng.random(data.X.shape) < 0.1, np.nan, data.X).astype(np.float32)
    check(tmp_path, rf.MART(n_estimators=100, missing="third").fit(X, data.y, qid=data.qid).model_)


def test_a_model_with_fills_sends_missing_values_where_they_go(tmp_path):
    data = rf.datasets.make_ranking(n_queries=30, missing_fraction=0.3, random_state=3)
    check(tmp_path, rf.MART(n_estimators=30, missing="median").fit(data).model_)


def test_a_forest_that_is_a_mean_scores_to_the_same_bits(tmp_path):
    data = rf.datasets.make_ranking(n_queries=20, random_state=2)
    check(tmp_path, rf.RandomForest(n_estimators=7, random_state=0).fit(data).model_)


def test_the_frozen_model_of_several_members_scores_to_the_same_bits(tmp_path):
    check(tmp_path, rf.load(FROZEN))


def test_no_number_is_above_an_infinite_threshold(tmp_path):
    tree = {
        "feature": np.array([0, 1], np.uint32),
        "threshold": np.array([np.inf, 0.5], np.float32),
        "left": np.array([1, -1], np.int32),
        "right": np.array([-3, -2], np.int32),
        "missing": np.array([-3, -1], np.int32),
        "gain": np.zeros(0, np.float32),
        "leaf": np.array([1.0, 2.0, 4.0], np.float32),
    }
    group = {"weight": 1.0, "reduction": "sum", "trees_per_round": 1, "trees": [tree]}
    members = [{"base": 0.0, "groups": [group]}]
    ensemble = _core.Ensemble.from_arrays({"combine": "sum", "n_features": 2, "members": members})
    run = compiled(tmp_path, to_cpp(ensemble, _core.ModelInfo()))
    X = np.float32([[np.inf, 0], [np.inf, 1], [np.nan, 0], [-np.inf, 1]])
    assert run(X) == (True, [1.0, 2.0, 4.0, 2.0])


def test_a_model_without_trees_or_features_scores(tmp_path):
    members = [{"base": 1.5, "groups": []}, {"base": 2.25, "groups": []}]
    arrays = {"combine": "sum", "n_features": 0, "members": members}
    run = compiled(tmp_path, to_cpp(_core.Ensemble.from_arrays(arrays), _core.ModelInfo()))
    assert run(np.zeros((0, 0))) == (True, [3.75])


def test_names_of_features_may_hold_anything(tmp_path):
    names = ['a"b\\', "caf\u00e9\n", "??/", "\U0001f332"]
    members = [{"base": 0.0, "groups": []}]
    ensemble = _core.Ensemble.from_arrays({"combine": "sum", "n_features": 4, "members": members})
    header = to_cpp(ensemble, _core.ModelInfo(feature_names=names, algorithm="a\nb\\"))
    (tmp_path / "ranker.hpp").write_text(header)
    (tmp_path / "main.cpp").write_text(
        '#include "ranker.hpp"\n#include <cstdio>\n'
        'int main() { for (auto name : ranker::kFeatureNames) std::printf("%s\\t", name); }\n'
    )
    subprocess.run([COMPILER, "-std=c++17", "main.cpp"], cwd=tmp_path, check=True)
    out = subprocess.run(tmp_path / "a.out", check=True, capture_output=True).stdout
    assert out.decode().split("\t")[:-1] == names


@pytest.mark.parametrize("part", ["kLeaves", "kTestScores"])
def test_a_header_that_was_changed_fails_its_test(tmp_path, part):
    model = rf.load(FROZEN)
    text = to_cpp(model._ensemble, model._info)
    place = text.index(f"{part}[]")
    numbers = re.compile(r"(?<=[\s-])(\d\.\d+F|0x\w+)(?=,)")
    changed = numbers.sub(
        lambda m: "7.5F" if "F" in m[0] and "x" not in m[0] else "0x7", text[place:]
    )
    run = compiled(tmp_path, text[:place] + changed)
    assert not run(np.zeros((0, 3)))[0]


def test_engines_without_exceptions_compile_it(tmp_path):
    model = rf.load(FROZEN)
    (tmp_path / "ranker.hpp").write_text(to_cpp(model._ensemble, model._info))
    (tmp_path / "main.cpp").write_text('#include "ranker.hpp"\n' + MAIN)
    options = [*STRICT.split(), "-fno-exceptions", "-fno-rtti", "-fsyntax-only"]
    command = [COMPILER, *options, "main.cpp"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_fast_math_is_refused(tmp_path):
    model = rf.load(FROZEN)
    (tmp_path / "ranker.hpp").write_text(to_cpp(model._ensemble, model._info))
    command = [COMPILER, "-std=c++17", "-ffast-math", "-fsyntax-only", "-x", "c++", "ranker.hpp"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode != 0
    assert "build it without -ffast-math" in done.stderr


def linear_model(kinds):
    """Members of a linear part, of trees, and of both, as `kinds` says."""
    arrays = _core.Ensemble.load(os.fsencode(FROZEN))[0].to_arrays()
    rng = np.random.default_rng(0)
    n_features = arrays["n_features"]
    linear = {
        "normalization": "none",
        "feature": rng.permutation(n_features).astype(np.uint32),
        "weight": rng.normal(size=n_features).astype(np.float32),
    }
    trees = arrays["members"][0]
    made = {
        "linear": {"base": 0.25, "groups": [], "linear": linear},
        "trees": trees,
        "both": {**trees, "linear": linear},
    }
    return _core.Ensemble.from_arrays({**arrays, "members": [made[kind] for kind in kinds]})


@pytest.mark.parametrize("kinds", [["linear"], ["both"], ["trees", "linear", "both"]])
def test_linear_parts_have_the_bits_of_predict(kinds, tmp_path):
    ensemble = linear_model(kinds)
    run = compiled(tmp_path, to_cpp(ensemble, _core.ModelInfo()))
    rng = np.random.default_rng(1)
    X = (rng.normal(size=(50, ensemble.n_features)) * 3).astype(np.float32)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(X.shape) < 0.05] = np.inf
    passes, scores = run(X)
    assert passes
    assert scores == ensemble.predict(X, None, 1).tolist()
