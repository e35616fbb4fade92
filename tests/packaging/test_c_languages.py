"""The examples in other languages, run where their toolchains are."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from packaging_cases import SOURCE, run

import rankforest as rf

EXAMPLES = SOURCE / "bindings" / "c" / "examples"
JAVA_WITH_FOREIGN_FUNCTIONS = 22  # the first whose java.lang.foreign is final

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(
        shutil.which(os.environ.get("CXX", "g++")) is None, reason="needs a compiler for C++"
    ),
]


def java_version() -> int:
    """Return the version of the java that can run a source file; 0 if there is none."""
    if shutil.which("java") is None or shutil.which("javac") is None:
        return 0
    found = re.search(r"(\d+)", run("java", "--version"))
    return int(found[1]) if found else 0


@pytest.fixture(scope="module")
def ranker(request, c_prefix, tmp_path_factory):
    """Give the command that ranks in a language, and its environment."""
    if request.param == "go":
        for tool in ("go", "pkg-config"):
            if shutil.which(tool) is None:
                pytest.skip(f"needs {tool}")
        program = tmp_path_factory.mktemp("go") / "rank_query"
        # Go's cache does not look at what pkg-config says: give it something of the prefix to see.
        seen = "-DPREFIX_" + re.sub(r"\W", "_", str(c_prefix))
        environment = {
            "PKG_CONFIG_PATH": f"{c_prefix}/lib/pkgconfig",
            "CGO_ENABLED": "1",
            "CGO_CFLAGS": f"-O2 -g {seen}",
        }
        source = EXAMPLES / "rank_query.go"
        run("go", "vet", source, **environment)
        run("go", "build", "-o", program, source, **environment)
        return [program], {"LD_LIBRARY_PATH": f"{c_prefix}/lib"}
    version = java_version()
    if version < JAVA_WITH_FOREIGN_FUNCTIONS:
        pytest.skip(f"needs a JDK of version 22 or later, found {version or 'none'}")
    library = c_prefix / "lib" / "librankforest_c.so"
    options = ["--enable-native-access=ALL-UNNAMED", EXAMPLES / "RankQuery.java", library]
    return ["java", *options], {}


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    return rf.LambdaMART(n_estimators=9, min_samples_leaf=2).fit(
        X, y, qid=np.repeat(np.arange(20), 10)
    )


@pytest.mark.parametrize("ranker", ["go", "java"], indirect=True)
def test_a_query_is_ranked_as_python_ranks_it(ranker, model, tmp_path):
    command, environment = ranker
    model.model_.save(tmp_path / "m.rf")
    query = np.random.default_rng(9).normal(size=(25, 3)).astype(np.float32)
    query[3, 1] = np.nan
    rows = "".join(" ".join(map(str, row)) + "\n" for row in query.tolist())
    out = run(*command, tmp_path / "m.rf", text=rows, **environment)
    scores = model.predict(query)
    order = np.argsort(-scores, kind="stable")
    ranked = [line.split() for line in out.splitlines()]
    assert [int(document) for document, _ in ranked] == order.tolist()
    assert [float(score) for _, score in ranked] == scores[order].tolist()


@pytest.mark.parametrize("ranker", ["go", "java"], indirect=True)
def test_an_error_is_that_of_the_library(ranker, tmp_path):
    command, environment = ranker
    (tmp_path / "m.cbm").write_bytes(b"CBM1")
    done = subprocess.run(
        [*command, tmp_path / "m.cbm"],
        check=False,
        input="1 2 3\n",
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    assert done.returncode == 2
    assert f"{tmp_path}/m.cbm: this is a CatBoost model" in done.stderr
