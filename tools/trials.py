"""Run the fuzz targets, the faults and the kills for long, and print a table of what was tried.

    cmake --preset fuzz && cmake --build --preset fuzz
    python tools/trials.py --minutes 60 --passes 26 --kills 12

Needs the fuzz targets, built with g++, and the package installed. Ends with status 1 where anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGETS = ROOT / "build" / "fuzz" / "tests" / "fuzz"
CORPUS = ROOT / "tests" / "fuzz" / "corpus"
FAULTS = ROOT / "tests" / "faults"


def fuzzed(name, seconds, seed):
    """Run a fuzz target; return its number of runs and whether all were as they must be."""
    options = "allocator_may_return_null=1:max_allocation_size_mb=2048"
    done = subprocess.run(
        [TARGETS / f"fuzz_{name}", CORPUS / name, "--seconds", str(seconds), "--seed", str(seed)],
        env={**os.environ, "ASAN_OPTIONS": options}, cwd=TARGETS, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    runs = re.search(r"(\d+) runs", done.stdout)
    sys.stderr.write(done.stderr)
    return int(runs[1]) if runs else 0, done.returncode == 0


def counted(script, *arguments):
    """Run a script of tests/faults; return what it printed, None where it failed."""
    command = [sys.executable, "-W", "ignore", FAULTS / script, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def rows(arguments):
    """Yield rows of the table: what, how often, with what result."""
    for folder in sorted(CORPUS.iterdir()):
        runs, is_right = fuzzed(folder.name, 60 * arguments.minutes, arguments.seed)
        yield f"fuzz target `{folder.name}`", runs, "no failure" if is_right else "FAILED"
    saves = counted("save_faults.py", "--passes", arguments.passes)
    if saves is None:
        yield "faults of saves", 0, "FAILED"
    else:
        totals = Counter()
        for counts in saves.values():
            totals.update(counts)
        for what, number in sorted(totals.items()):
            yield f"saves, {what}", number, "as it must be"
    kills = counted("kill_trainings.py", "--kills", arguments.kills, "--seed", arguments.seed)
    number = 0 if kills is None else sum(each["kills"] for each in kills.values())
    yield "kills of trainings", number, "FAILED" if kills is None else "the same bits"


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="of each fuzz target")
    parser.add_argument("--passes", type=int, default=1, help="of save_faults.py")
    parser.add_argument("--kills", type=int, default=3, help="of each trainer")
    parser.add_argument("--seed", type=int, default=0)
    has_failed = False
    print("| what | how often | result |\n|---|---|---|", flush=True)
    for what, number, result in rows(parser.parse_args()):
        print(f"| {what} | {number:,} | {result} |", flush=True)
        has_failed = has_failed or result == "FAILED"
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
