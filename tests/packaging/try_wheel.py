"""Try an installed rankforest as its user would: `python try_wheel.py`, in any empty folder.

Needs only what the wheel requires. Raises where something is wrong.
"""

import importlib.util
import re
import subprocess
import sys
from importlib.metadata import files, requires, version
from pathlib import Path

import numpy as np

import rankforest as rf


def command(name: str, *options: str) -> str:
    """Run one of the installed commands and return its standard output."""
    program = Path(sys.executable).with_name(name)
    return subprocess.run([program, *options], check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    """Train on the command line, load in Python, compare the scores."""
    assert Path(rf.__file__).is_relative_to(sys.prefix), rf.__file__
    assert version("rankforest") == rf.__version__
    installed = {str(file) for file in files("rankforest") or []}
    assert {"rankforest/py.typed", "rankforest/_core.pyi"} <= installed, installed
    assert not [name for name in installed if name.endswith(".hpp")], installed
    always = [line for line in requires("rankforest") or [] if "extra ==" not in line]
    names = {re.split("[^a-z-]", line)[0] for line in always}
    # SciPy comes with scikit-learn anyway; tomli is for Python 3.10 alone.
    needed = {
        "numpy",
        "scipy",
        "scikit-learn",
        "narwhals",
        "click",
        "rich",
        "docstring-parser",
        "tomli",
    }
    assert names == needed, always

    data = rf.datasets.make_ranking(n_queries=30, random_state=7)
    rf.write_letor("data.txt", data)
    train = ["--algorithm", "lambdamart", "--train", "data.txt", "--n-estimators", "10"]
    command("ltr-train", *train, "--model", "m.rf")
    scores = command("ltr-score", "--model", "m.rf", "--data", "data.txt")
    model = rf.load("m.rf")
    expected = model.predict(rf.read_letor("data.txt"))
    np.testing.assert_array_equal(np.array(scores.split(), dtype=np.float64), expected)
    assert "SelfTest" in command("ltr-convert", "--model", "m.rf", "--to", "c++")
    tune = ["ltr-tune", "--algorithm", "mart", "--train", "data.txt", "--n-trials", "1"]
    assert "--n-trials" in command("ltr-tune", "--help")
    if importlib.util.find_spec("optuna") is None:
        program = Path(sys.executable).with_name(tune[0])
        ended = subprocess.run([program, *tune[1:]], check=False, stderr=subprocess.PIPE, text=True)
        assert ended.returncode == 2
        assert "pip install 'rankforest[tune]'" in ended.stderr, ended.stderr
    print("the wheel works")


if __name__ == "__main__":
    main()
