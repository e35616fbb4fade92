"""Saves of which a call of the system fails, or ends the process, leave the old or the new file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FAULTS = Path(__file__).parents[2] / "faults"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="calls are counted on Linux")
def test_every_call_of_every_save_may_fail():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", FAULTS / "save_faults.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == {"model", "json", "header", "checkpoint", "letor", "text"}
    for counts in found.values():
        for what in ("faults: error", "faults: the new file", "short writes: the new file"):
            assert counts[what] > 5
        for what in ("kills", "power losses"):
            assert counts[f"{what}: the old file"] > 5
            assert counts[f"{what}: the new file"] > 1
