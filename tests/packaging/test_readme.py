"""The README's examples run as they stand."""

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rankforest as rf

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def block(language: str, start: str) -> str:
    """Return the README's one block of code in this language that starts so."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (found,) = [code for code in blocks if code.startswith(start)]
    return found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder with the files that the examples name the current one."""
    data = rf.datasets.make_ranking(n_queries=60, random_state=5)
    for number, name in enumerate(("train", "valid", "test")):
        part = data.take(data.query_ids[20 * number : 20 * (number + 1)])
        rf.write_letor(tmp_path / f"{name}.txt", part)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    return tmp_path


def write_judged(path):
    """Write the CSV file of the first example: features, grades, queries and a column of text."""
    data = rf.datasets.make_ranking(n_queries=60, random_state=6)
    frame = data.to_frame("pandas").rename(columns={"label": "grade"})
    frame["url"] = [f"https://example.org/{row}" for row in range(len(frame))]
    frame.to_csv(path, index=False)


#: What examples take for granted, before the one that starts so.
GIVEN = {
    "ranker = rf.LambdaMART(n_estimators=500": """\
X, y, sizes = train.X, train.y, np.bincount(train.query_codes)
X_valid, y_valid, sizes_valid = test.X, test.y, np.bincount(test.query_codes)
""",
    "report =": """\
from sklearn.ensemble import RandomForestRegressor

lgbm_ranker = RandomForestRegressor(5, random_state=1).fit(train.X, train.y)
""",
}


def test_the_python_examples_run_one_after_the_other(folder, capsys):
    write_judged("judged.csv")
    rf.write_letor("larger.txt", rf.datasets.make_ranking(n_queries=100, random_state=9))
    code = ["import numpy as np\n"]
    for each in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        code += [given for start, given in GIVEN.items() if each.startswith(start)]
        code.append(each)
    Path("readme.py").write_text("".join(code))
    runpy.run_path("readme.py")
    out = capsys.readouterr().out
    assert "{'ndcg@10': 0." in out
    assert "ndcg@10(gain=linear,empty=0)" in out
    assert "lambdamart - mart" in out
    assert rf.load("adapted.rf").metadata["owner"] == "search"


def test_the_command_line_example(folder):
    commands = block("sh", "ltr-train")
    done = subprocess.run(
        ["bash", "-euc", commands], check=False, capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    scores = rf.load("model.rf").predict(rf.read_letor("test.txt"))
    assert Path("scores.txt").read_text().split() == [repr(float(s)) for s in scores]
    assert "ndcg@10" in done.stdout
    assert rf.load("mart.rf").n_rounds == 50


def test_the_cpp_example_compiles(tmp_path):
    compiler = shutil.which("g++")
    code = block("cpp", "#include <rankforest")
    include, _, body = code.partition("\n\n")
    source = tmp_path / "readme.cpp"
    in_parts = block("cpp", "rankforest::ScoreScratch")
    source.write_text(
        f"{include}\n#include <vector>\nusing rankforest::Span;\n"
        "std::vector<double> Rank(const float* data, std::size_t n_documents,"
        f" std::size_t n_features) {{\n{body}\nreturn scores;\n}}\n"
        "template <class Provider>\n"
        "void InParts(const rankforest::CompiledScorer& scorer, rankforest::FeatureMatrix features,"
        " Span<double> scores, Span<std::uint32_t> rounds, Provider provider,"
        " Span<rankforest::RankedDocument> best, const rankforest::ScoreLimits& limits,"
        f" std::size_t n_documents) {{\n{in_parts}\n}}\n"
    )
    options = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run(
        [compiler, *options, f"-I{ROOT}/cpp/include", source],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_table_of_algorithms_names_every_estimator():
    rows = [line for line in README.splitlines() if line.startswith("|")]
    estimators = [name for name in rf.__all__ if hasattr(getattr(rf, name), "fit")]
    assert len(estimators) >= 5
    assert not [name for name in estimators if not any(f"`{name}`" in row for row in rows)]
