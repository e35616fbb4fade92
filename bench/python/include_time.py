"""How long a program compiles that includes a header: processor seconds, the least of some runs.

    python bench/python/include_time.py [--repeat 5] [HEADER ...]

Compiles `int main() {}` behind each header with $CXX (g++), with -O2, with assertions and without,
in turns, so that what else the machine does falls on all of them alike.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

INCLUDE = Path(__file__).resolve().parents[2] / "cpp" / "include"
HEADERS = ["rankforest.hpp", "scoring.hpp"]


def compile_seconds(folder: Path, header: str, *options: str) -> float:
    """Return the processor time of one compilation."""
    (folder / "main.cpp").write_text(f"#include <rankforest/{header}>\nint main() {{}}\n")
    compiler = os.environ.get("CXX", "g++")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [compiler, "-std=c++17", "-O2", *options, f"-I{INCLUDE}", "-c", "main.cpp"]
    subprocess.run(command, check=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each header."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("headers", nargs="*", default=HEADERS, metavar="HEADER")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    cases = [(header, flag) for header in arguments.headers for flag in ((), ("-DNDEBUG",))]
    seconds: dict[tuple[str, tuple[str, ...]], list[float]] = {case: [] for case in cases}
    with TemporaryDirectory() as folder:
        for _ in range(arguments.repeat):
            for header, flags in cases:
                seconds[header, flags].append(compile_seconds(Path(folder), header, *flags))
    for (header, flags), times in seconds.items():
        print(f"{header:30} {' '.join(flags) or 'with assertions':16} {min(times):.2f} s")


if __name__ == "__main__":
    main()
