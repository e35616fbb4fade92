"""Running commands, and installing what they use."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
C_COMPILER = os.environ.get("CC", "gcc")
CXX_COMPILER = os.environ.get("CXX", "g++")

#: The marks of tests that compile the C library.
COMPILES_C = [
    pytest.mark.packaging,
    pytest.mark.skipif(
        shutil.which(C_COMPILER) is None or shutil.which(CXX_COMPILER) is None,
        reason="needs compilers for C and C++",
    ),
]


def run(*command: object, text: str = "", **environment: str) -> str:
    """Run a command and return what it printed; its output is in the failure otherwise."""
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        input=text,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    assert done.returncode == 0, (
        f"{done.args} exited {done.returncode}:\n{done.stdout}{done.stderr}"
    )
    return done.stdout


def install(tmp_path_factory, component: str, **options: str) -> Path:
    """Install a component of the package, built with these CMake options. Return the prefix."""
    build, prefix = tmp_path_factory.mktemp("build"), tmp_path_factory.mktemp("prefix")
    options = {
        "RANKFOREST_BUILD_TESTS": "OFF",
        "RANKFOREST_BUILD_EXAMPLES": "OFF",
        "CMAKE_INSTALL_LIBDIR": "lib",
    } | options
    set_options = [f"-D{name}={value}" for name, value in options.items()]
    run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build, *set_options)
    run("cmake", "--build", build)
    run("cmake", "--install", build, "--prefix", prefix, "--component", component)
    return prefix
