"""Scores on another architecture, cross-compiled and emulated where Debian's packages are there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("same_scores") / "main.cpp"
HERE = os.environ.get("CXX", "g++")
THERE = "aarch64-linux-gnu-g++"
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
TOOLS = (HERE, THERE, "aarch64-linux-gnu-objdump", EMULATOR[0])

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(
        any(shutil.which(tool) is None for tool in TOOLS),
        reason="needs g++-aarch64-linux-gnu and qemu-user",
    ),
]


def output(*command: object) -> str:
    """Run a command and return what it printed; its errors are in the failure otherwise."""
    done = subprocess.run(
        [str(part) for part in command], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(compiler: str, program: Path) -> Path:
    paths = [f"-I{SOURCE / 'cpp' / 'include'}", f"-I{SOURCE / 'tests' / 'cpp'}"]
    output(compiler, "-std=c++17", "-O3", *paths, PROGRAM, "-o", program, "-pthread")
    return program


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    return build(THERE, tmp_path_factory.mktemp("aarch64") / "program")


def test_scores_have_the_same_bits_there_as_here(there, tmp_path):
    scores = output(build(HERE, tmp_path / "program"))
    assert output(*EMULATOR, there) == scores
    assert "differ" not in scores
    assert scores.count("\n") == 8 * 150


def test_documents_are_blended_by_vectors_of_sixteen_bytes(there):
    code = output("aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", there)
    lines = [line.split("\t") for line in code.splitlines() if ".16b" in line]
    used = {line[1].strip() for line in lines if len(line) > 1}
    assert "cmgt" in used
    assert used & {"bsl", "bit", "bif"}
