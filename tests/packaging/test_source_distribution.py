"""The source distribution, from which pip builds where no wheel fits."""

import shutil
import sys
from pathlib import Path

import pybind11
import pytest
from packaging_cases import SOURCE, run

pytestmark = pytest.mark.packaging

#: Build it as pip does, in the folder of the project.
BUILD = """
import os, sys
from scikit_build_core.build import build_sdist
os.chdir(sys.argv[1])
build_sdist(sys.argv[2])
"""
#: What a wheel is made of.
PARTS = ["bindings", "cmake", "cpp", "python"]
FILES = ["CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml"]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Give the folder of an unpacked source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-c", BUILD, SOURCE, folder)
    [archive] = folder.glob("rankforest-*.tar.gz")
    shutil.unpack_archive(archive, folder)
    return folder / archive.name.removesuffix(".tar.gz")


def contents(root: Path) -> dict[str, bytes]:
    """Read what a wheel is made of, by path."""
    paths = [path for part in PARTS for path in (root / part).rglob("*")]
    paths += [root / name for name in FILES]
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_a_source_distribution_holds_every_file_that_a_wheel_is_made_of(unpacked):
    there, here = contents(unpacked), contents(SOURCE)
    assert len(here) > 500
    assert sorted(there) == sorted(here)
    assert [name for name in here if there[name] != here[name]] == []


def test_a_source_distribution_configures_as_pip_would(unpacked, tmp_path):
    options = {
        "RANKFOREST_BUILD_PYTHON": "ON",
        "RANKFOREST_BUILD_TESTS": "OFF",
        "RANKFOREST_BUILD_EXAMPLES": "OFF",
        "pybind11_DIR": pybind11.get_cmake_dir(),
        "Python_EXECUTABLE": sys.executable,
    }
    settings = [f"-D{name}={value}" for name, value in options.items()]
    run("cmake", "-G", "Ninja", "-S", unpacked, "-B", tmp_path, *settings)
    assert "_core" in run("cmake", "--build", tmp_path, "--target", "help")
