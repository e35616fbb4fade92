"""The C++ package, used as an application would use it."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from packaging_cases import CXX_COMPILER, SOURCE, run

import rankforest as rf

pytestmark = pytest.mark.packaging

CONSUMER = Path(__file__).with_name("consumer")
WHOLE = "-DCONSUMER_HEADERS=whole"


def build_consumer(build: Path, *options: str) -> str:
    """Build the application with these CMake options, run it and return its output."""
    run("cmake", "-G", "Ninja", "-S", CONSUMER, "-B", build, *options)
    run("cmake", "--build", build)
    return run(build / "consumer")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Give a prefix that rankforest is installed into."""
    build = tmp_path_factory.mktemp("build")
    prefix = tmp_path_factory.mktemp("prefix")
    options = ["-DRANKFOREST_BUILD_TESTS=OFF", "-DRANKFOREST_BUILD_EXAMPLES=OFF"]
    run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build, *options)
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


@pytest.fixture(scope="module")
def openmp(tmp_path_factory):
    """Say what coarse loops run on where nothing is said: whether the compiler has OpenMP."""
    source = tmp_path_factory.mktemp("openmp") / "asks.cpp"
    source.write_text("#include <omp.h>\nint main() { return omp_get_thread_num(); }\n")
    program = source.with_suffix("")
    command = [CXX_COMPILER, "-fopenmp", source, "-o", program]
    done = subprocess.run(command, check=False, capture_output=True)
    return "openmp" if done.returncode == 0 else "pool"


def test_the_source_tree_works_by_add_subdirectory(openmp, tmp_path):
    output = build_consumer(tmp_path, f"-DRANKFOREST_SOURCE_DIR={SOURCE}", WHOLE)
    assert output == f"{openmp} 2000 1\n"


def test_the_source_tree_works_without_openmp(tmp_path):
    options = [f"-DRANKFOREST_SOURCE_DIR={SOURCE}", "-DRANKFOREST_OPENMP=OFF"]
    assert build_consumer(tmp_path, *options) == "pool 2000 1\n"
    assert "libgomp" not in run("ldd", tmp_path / "consumer")


def test_an_installed_copy_is_found_and_runs_on_openmp_where_the_compiler_has_it(
    prefix, openmp, tmp_path
):
    output = build_consumer(tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}", WHOLE)
    assert output == f"{openmp} 2000 1\n"


def test_an_installed_copy_works_without_openmp(prefix, tmp_path):
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", "-DRANKFOREST_OPENMP=OFF"]
    assert build_consumer(tmp_path, *options) == "pool 2000 1\n"


def test_an_installed_copy_works_where_cmake_finds_no_openmp(prefix, tmp_path):
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON"]
    assert build_consumer(tmp_path, *options) == "pool 2000 1\n"


def test_an_installed_copy_holds_every_header_and_no_path_of_the_machine(prefix):
    headers = {p.relative_to(prefix / "include") for p in prefix.glob("include/**/*.hpp")}
    include = SOURCE / "cpp" / "include"
    assert headers == {p.relative_to(include) for p in include.glob("**/*.hpp")}
    for file in prefix.glob("**/*.cmake"):
        text = file.read_text()
        assert os.fspath(SOURCE) not in text, file
        assert os.fspath(prefix) not in text, file


@pytest.mark.parametrize("flag", ["-pthread", "-fopenmp"])
def test_the_installed_headers_work_without_cmake(prefix, openmp, tmp_path, flag):
    if flag == "-fopenmp" and openmp == "pool":
        pytest.skip("the compiler has no OpenMP")
    sources = [CONSUMER / "main.cpp", CONSUMER / "other.cpp"]
    program = tmp_path / "consumer"
    includes = [f"-I{prefix}/include", f"-I{CONSUMER}/part"]
    run(CXX_COMPILER, "-std=c++17", *includes, *sources, "-o", program, flag)
    assert run(program) == f"{'openmp' if flag == '-fopenmp' else 'pool'} 2000 1\n"


def test_a_thread_sanitizer_build_is_refused_with_openmp(tmp_path):
    done = subprocess.run(
        ["cmake", "-S", SOURCE, "-B", tmp_path, "-DRANKFOREST_SANITIZE=thread"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "needs RANKFOREST_OPENMP=OFF" in done.stderr


def test_pkg_config_gives_the_flags(prefix, tmp_path):
    if shutil.which("pkg-config") is None:
        pytest.skip("needs pkg-config")
    moved = shutil.copytree(prefix, tmp_path / "moved", symlinks=True)
    environment = {"PKG_CONFIG_PATH": os.fspath(moved / "share" / "pkgconfig")}
    question = ["pkg-config", "--cflags", "--libs", "rankforest"]
    flags = subprocess.check_output(question, env=os.environ | environment, text=True).split()
    sources = [CONSUMER / "main.cpp", CONSUMER / "other.cpp"]
    program = tmp_path / "consumer"
    run(CXX_COMPILER, "-std=c++17", f"-I{CONSUMER}/part", *sources, "-o", program, *flags)
    assert run(program) == "pool 2000 1\n"


@pytest.mark.parametrize("header", ["rankforest.hpp", "scoring.hpp", "score/compiled.hpp"])
def test_a_compiler_without_exceptions_is_told_of_the_c_library(prefix, tmp_path, header):
    source = tmp_path / "plain.cpp"
    source.write_text(f"#include <rankforest/{header}>\n")
    options = ["-std=c++17", "-fno-exceptions", f"-I{prefix}/include", "-Wfatal-errors"]
    command = [CXX_COMPILER, *options, "-fsyntax-only", source]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode != 0
    assert "without them, use its C library" in done.stderr


@pytest.mark.parametrize("header", ["core/math.hpp", "score/reference.hpp"])
def test_fast_math_is_refused(prefix, tmp_path, header):
    source = tmp_path / "fast.cpp"
    source.write_text(f"#include <rankforest/{header}>\n")
    options = ["-std=c++17", "-ffast-math", f"-I{prefix}/include", "-fsyntax-only"]
    done = subprocess.run(
        [CXX_COMPILER, *options, source], check=False, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "build it without -ffast-math" in done.stderr


def test_another_minor_version_is_not_accepted(prefix, tmp_path):
    source = tmp_path / "CMakeLists.txt"
    source.write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(asks LANGUAGES CXX)\n"
        "find_package(rankforest 0.9 CONFIG QUIET)\n"
        'message(STATUS "found: ${rankforest_FOUND}")\n'
    )
    output = run("cmake", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert "found: 0" in output


def test_the_example_ranks_a_query_as_python_does(prefix, tmp_path):
    data = rf.datasets.make_ranking(n_queries=6, random_state=3)
    rf.write_letor(tmp_path / "data.txt", data)
    model = rf.LambdaMART(n_estimators=5, min_samples_leaf=2).fit(data)
    model.save(tmp_path / "model.rf")
    program = tmp_path / "rank_query"
    source = SOURCE / "cpp" / "examples" / "rank_query.cpp"
    run(CXX_COMPILER, "-std=c++17", f"-I{prefix}/include", source, "-o", program, "-pthread")

    data = rf.read_letor(tmp_path / "data.txt")
    scores = model.predict(data)
    query = data.query_ids[2]
    rows = np.flatnonzero(np.asarray(data.qid) == query)
    ranked = rows[np.argsort(-scores[rows], kind="stable")]
    output = run(program, tmp_path / "model.rf", tmp_path / "data.txt", query)
    assert output == "".join(f"{row} {scores[row]:.17g}\n" for row in ranked)


def test_the_example_of_reloading_keeps_a_good_model_in_service(prefix, tmp_path):
    rng = np.random.default_rng(6)
    X, y, qid = rng.normal(size=(60, 3)), rng.integers(0, 3, 60), np.repeat(np.arange(6), 10)
    first = rf.MART(n_estimators=5).fit(X, y, qid=qid).model_
    second = rf.MART(n_estimators=9).fit(X, y, qid=qid).model_
    wider = rf.MART(n_estimators=2).fit(np.hstack([X, X]), y, qid=qid).model_
    for name, model in {"first": first, "second": second, "wider": wider}.items():
        model.save(tmp_path / name)
    whole = (tmp_path / "second").read_bytes()
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "m.cbm").write_bytes(b"CBM1")
    query = np.float32(X[:10])
    (tmp_path / "query").write_text("".join(" ".join(map(str, d)) + "\n" for d in query.tolist()))
    source = SOURCE / "cpp" / "examples" / "hot_reload.cpp"
    program = tmp_path / "hot_reload"
    run(CXX_COMPILER, "-std=c++17", "-O1", f"-I{prefix}/include", source, "-o", program, "-pthread")

    new = ["half", "wider", "m.cbm", "gone", "second", "half", "first"]
    output = run(program, *[tmp_path / name for name in ["first", "query", *new]]).splitlines()
    outcomes = [line.removeprefix(f"{tmp_path}/").partition(" ") for line in output[::2]]
    assert [name for name, _, _ in outcomes] == new
    starts = [
        "refused: the model file is damaged",
        "refused: it has 6 features, the server computes 3",
        "refused: this is a CatBoost model",
        f"refused: {tmp_path}/gone: cannot be read",
        "serves",
        "refused: the model file is damaged",
        "serves",
    ]
    for (_, _, outcome), start in zip(outcomes, starts, strict=True):
        assert outcome.startswith(start)
    best = {"first": first.predict(query), "second": second.predict(query)}
    for line, name in zip(output[1::2], ["first"] * 4 + ["second"] * 2 + ["first"], strict=True):
        document = int(np.argmax(best[name]))
        expected = f"ranks document {document} first, {best[name][document]:.17g}"
        assert line == f"{tmp_path / name} {expected}"


def test_the_scoring_header_is_all_that_scoring_needs(tmp_path):
    source = tmp_path / "scores.cpp"
    source.write_text(
        "#include <rankforest/scoring.hpp>\n#include <vector>\n"
        "double Scores(const char* path, rankforest::FeatureMatrix rows) {\n"
        "  const rankforest::Model model = rankforest::LoadModel(path);\n"
        "  const rankforest::CompiledScorer scorer(model.ensemble, rankforest::IsaOfEnvironment());\n"
        "  std::vector<double> scores = scorer.Score(rows);\n"
        "  rankforest::ScoreLimits limits;\n"
        "  limits.early_exit = rankforest::EarlyExit{10, 0.3};\n"
        "  std::vector<std::uint32_t> rounds(rows.n_rows);\n"
        "  rankforest::ScoreScratch scratch;\n"
        "  scorer.ScoreWithin(limits, rows, scores, rounds, scratch);\n"
        "  const auto provider = [](rankforest::FeatureId, rankforest::Span<const std::size_t>,\n"
        "                           rankforest::Span<float> values) { values[0] = 1.0F; };\n"
        "  scorer.ScoreLazily(rows.n_rows, provider, limits, scores);\n"
        "  return scorer.Top(rows, 1)[0].score + rankforest::CompiledScorer::Load(path).n_trees();\n"
        "}\n"
    )
    include = SOURCE / "cpp" / "include"
    run(CXX_COMPILER, "-std=c++17", "-fsyntax-only", f"-I{include}", source)
