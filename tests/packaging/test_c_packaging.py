"""The C library as applications find it: by CMake, by pkg-config, and without exceptions."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from packaging_cases import C_COMPILER, COMPILES_C, CXX_COMPILER, SOURCE, run

import rankforest as rf

C_APP = Path(__file__).with_name("c_app")
C_PROGRAM = Path(__file__).with_name("c_consumer") / "main.c"

pytestmark = COMPILES_C
needs_pkg_config = pytest.mark.skipif(shutil.which("pkg-config") is None, reason="needs pkg-config")


@pytest.fixture(scope="module")
def moved_prefix(c_prefix, tmp_path_factory):
    """Give a copy of the prefix elsewhere: nothing in it may know where it was installed."""
    return shutil.copytree(
        c_prefix, tmp_path_factory.mktemp("moved") / "a b", symlinks=True, dirs_exist_ok=True
    )


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Give a model file, documents as text and their scores."""
    data = rf.datasets.make_ranking(n_queries=10, n_features=4, random_state=4)
    model = rf.MART(n_estimators=20).fit(data).model_
    path = tmp_path_factory.mktemp("model") / "m.rf"
    model.save(path)
    X = np.random.default_rng(8).normal(size=(30, 4)).astype(np.float32)
    rows = "".join(" ".join(map(str, row)) + "\n" for row in X.tolist())
    return path, rows, model.predict(X).tolist()


def scores_of(program: Path, scored, **environment: str) -> bool:
    path, rows, expected = scored
    out = run(program, path, text=rows, **environment)
    return [float.fromhex(line) for line in out.split()] == expected


def pkg_config(prefix: Path, package: str, *questions: str) -> list[str]:
    folders = f"{prefix}/lib/pkgconfig:{prefix}/share/pkgconfig"
    # Blanks in paths are escaped for a shell.
    answer = run("pkg-config", *questions, package, PKG_CONFIG_PATH=folders)
    return run("sh", "-c", f"printf '%s\\n' {answer.strip()}").splitlines()


def test_find_package_gives_rankforest_c_to_a_project_in_c(moved_prefix, scored, tmp_path):
    run("cmake", "-G", "Ninja", "-S", C_APP, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={moved_prefix}")
    run("cmake", "--build", tmp_path)
    assert scores_of(tmp_path / "app", scored)


def test_add_subdirectory_gives_it_too(scored, tmp_path):
    run("cmake", "-G", "Ninja", "-S", C_APP, "-B", tmp_path, f"-DRANKFOREST_SOURCE_DIR={SOURCE}")
    run("cmake", "--build", tmp_path)
    assert scores_of(tmp_path / "app", scored)


def test_a_component_that_is_not_installed_is_not_found(c_prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES C)\n"
        "find_package(rankforest CONFIG QUIET COMPONENTS cpp)\n"
        'message(STATUS "cpp: ${rankforest_FOUND}")\n'
    )
    out = run("cmake", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={c_prefix}")
    assert "cpp: 0" in out or "cpp: FALSE" in out


@needs_pkg_config
def test_pkg_config_compiles_and_links_a_program(moved_prefix, scored, tmp_path):
    flags = pkg_config(moved_prefix, "rankforest_c", "--cflags", "--libs")
    assert f"-I{moved_prefix}/lib/pkgconfig/../../include" in flags
    run(C_COMPILER, "-std=c99", C_PROGRAM, "-o", tmp_path / "app", *flags)
    assert scores_of(tmp_path / "app", scored, LD_LIBRARY_PATH=f"{moved_prefix}/lib")
    version = pkg_config(moved_prefix, "rankforest_c", "--modversion")
    assert version == [rf.__version__]


def test_no_installed_file_names_the_prefix_or_the_source(c_prefix):
    files = [*c_prefix.glob("**/*.cmake"), *c_prefix.glob("**/*.pc")]
    assert len(files) >= 4
    for file in files:
        text = file.read_text()
        assert os.fspath(SOURCE) not in text, file
        assert os.fspath(c_prefix) not in text, file


def test_the_soname_has_the_version_that_may_not_break(c_prefix):
    out = run("readelf", "-d", c_prefix / "lib" / "librankforest_c.so")
    major, minor, _ = rf.__version__.split(".")
    expected = f"{major}.{minor}" if major == "0" else major
    assert f"[librankforest_c.so.{expected}]" in out


def test_it_serves_a_program_in_cpp_without_exceptions(c_prefix, scored, tmp_path):
    options = ["-std=c++17", "-fno-exceptions", "-fno-rtti", f"-I{c_prefix}/include"]
    libraries = [f"-L{c_prefix}/lib", "-lrankforest_c", f"-Wl,-rpath,{c_prefix}/lib"]
    run(
        CXX_COMPILER,
        *options,
        "-x",
        "c++",
        C_PROGRAM,
        "-x",
        "none",
        "-o",
        tmp_path / "app",
        *libraries,
    )
    assert scores_of(tmp_path / "app", scored)
