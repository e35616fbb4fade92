"""Saves of every kind of file, of which each call of the system fails once, or ends the process.

    python tests/faults/save_faults.py            # once, prints what was tried as JSON
    python tests/faults/save_faults.py --passes 20

After each, the file must be the old one or the new one, and nothing else may be left that the next
save minds. Runs itself anew with the library of `failing_calls.cpp` preloaded, which it compiles.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

import rankforest as rf
from rankforest._support import files
from rankforest.estimators.checkpoint_file import Saved, read_checkpoint, write_checkpoint

FAIL, SHORT, KILL, POWER = 1, 2, 3, 4
ERRORS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EINTR": errno.EINTR}
SOURCE = Path(__file__).with_name("failing_calls.cpp")


def preloaded(library):
    """Say whether this process runs with the library, and open it."""
    return ctypes.CDLL(str(library)) if os.environ.get("LD_PRELOAD") == str(library) else None


def compile_library(folder):
    """Compile what fails; return its path."""
    library = Path(folder) / "libfailing_calls.so"
    if not library.exists():
        command = [os.environ.get("CXX", "g++"), "-std=c++17", "-O1", "-shared", "-fPIC"]
        subprocess.run([*command, str(SOURCE), "-o", str(library), "-ldl"], check=True)
    return library


def small_model(seed, n_trees):
    """Train something to save."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)).astype(np.float32)
    y = rng.integers(0, 3, 60)
    qid = np.arange(60) // 10
    return rf.MART(n_estimators=n_trees, max_depth=2, n_jobs=1).fit(X, y, qid=qid)


def save_text(path, seed, n):
    """Write a history as `ltr-train --history` does."""
    with files.whole_file(str(path)) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([seed, k, seed / (k + 1)] for k in range(100 * n))


def save_checkpoint(path, model, n):
    """Write a checkpoint of a training."""
    state = {
        "round": n, "model": model.model_._ensemble, "kept": None, "history": [(1, [[0.5]])],
        "best": None, "bag": [], "ordinal": None,
    }  # fmt: skip
    write_checkpoint(str(path), Saved({"parameters": {"random_state": n}}, state))


def kinds(n_trees):
    """Return what saves each kind of file, old and new, and what reads it."""
    old, new = small_model(0, n_trees), small_model(1, n_trees + 2)
    rng = np.random.default_rng(2)
    data = [
        rf.Dataset(rng.normal(size=(20, 3)), rng.integers(0, 3, 20), qid=np.arange(20) // 5)
        for _ in range(2)
    ]

    def of_models(save):
        return [lambda path: save(old, path), lambda path: save(new, path)]

    return {
        "model": (of_models(lambda m, path: m.model_.save(path)), rf.load),
        "json": (of_models(lambda m, path: m.model_.save_json(path)), rf.load),
        "header": (of_models(lambda m, path: m.model_.save_cpp(path)), Path.read_text),
        "checkpoint": (
            of_models(lambda m, path: save_checkpoint(path, m, n_trees)),
            lambda path: read_checkpoint(str(path)),
        ),
        "letor": (
            [
                lambda path: rf.write_letor(path, data[0], n_jobs=1),
                lambda path: rf.write_letor(path, data[1], n_jobs=1),
            ],
            rf.read_letor,
        ),
        "text": (
            [lambda path: save_text(path, 1, n_trees), lambda path: save_text(path, 2, n_trees)],
            Path.read_text,
        ),
    }


class Trials:
    """Trials of one kind of file in a folder of its own.

    Parameters
    ----------
    folder : Path
        Empty.
    saves : sequence of two functions of a path
        What write the old and the new file.
    read : function of a path
        What must be able to read either.
    calls : CDLL
        The library of failing calls.
    replaces : bool
        Whether the old file is there.
    """

    def __init__(self, folder, saves, read, calls, *, replaces):
        self.path = folder / "file"
        self.saves, self.read, self.calls, self.replaces = saves, read, calls, replaces
        self.contents = []
        for save in saves:
            save(self.path)
            self.contents.append(self.path.read_bytes())
        if not replaces:
            self.contents[0] = None
        self.counts = Counter()
        self.set_up()

    def set_up(self):
        """Put the old file in its place, and nothing beside it."""
        for each in self.path.parent.iterdir():
            each.unlink()
        if self.replaces:
            self.path.write_bytes(self.contents[0])

    def found(self):
        """Return the content of the file, None where there is none."""
        return self.path.read_bytes() if self.path.exists() else None

    def failing(self, error, at):
        """Let the call number `at` fail; return whether there was one."""
        self.calls.fault_arm(FAIL, at, error)
        raised = None
        try:
            self.saves[1](self.path)
        except OSError as failure:
            raised = failure
        self.calls.fault_disarm()
        was_hit = self.calls.fault_hits() > 0
        found = self.found()
        assert found in self.contents, (at, error, "another file")
        assert raised is not None or found == self.contents[1], (at, error, "silent")
        if raised is not None and raised.filename is not None:
            assert os.fsdecode(raised.filename) == str(self.path), raised
        left = [each.name for each in self.path.parent.iterdir() if each != self.path]
        assert len(left) == 0 or raised is not None, left
        self.check_next()
        if was_hit:
            self.counts["faults", "error" if raised is not None else "the new file"] += 1
        return was_hit

    def short(self):
        """Let every write take some bytes alone."""
        self.calls.fault_arm(SHORT, 0, 0)
        self.saves[1](self.path)
        self.counts["short writes", "the new file"] += self.calls.fault_disarm()
        assert self.found() == self.contents[1]
        self.set_up()

    def ended(self, mode, at):
        """End the process before the call number `at`; return whether there was one."""
        child = os.fork()
        if child == 0:
            self.calls.fault_arm(mode, at, 0)
            self.saves[1](self.path)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        was_hit = os.WIFSIGNALED(status)
        assert not was_hit or os.WTERMSIG(status) == signal.SIGKILL
        assert was_hit or os.WEXITSTATUS(status) == 0
        found = self.found()
        assert found in self.contents, (mode, at, "another file")
        assert was_hit or found == self.contents[1]
        self.check_next()
        if was_hit:
            which = "the new file" if found == self.contents[1] else "the old file"
            self.counts["power losses" if mode == POWER else "kills", which] += 1
        return was_hit

    def is_synced(self):
        """Check that a save that succeeded leaves nothing to a loss of power."""
        self.calls.fault_arm(0, 0, 0)
        self.saves[1](self.path)
        self.calls.fault_disarm()
        assert self.calls.fault_unsynced() == 0
        self.set_up()

    def check_next(self):
        """Check that what is left can be read, and that the next save succeeds."""
        if self.path.exists():
            self.read(self.path)
        self.saves[1](self.path)
        assert self.found() == self.contents[1]
        self.set_up()

    def run(self):
        """Try everything."""
        self.is_synced()
        self.short()
        for error in ERRORS.values():
            at = 1
            while self.failing(error, at):
                at += 1
            assert at > 5
        for mode in (KILL, POWER):
            at = 1
            while self.ended(mode, at):
                at += 1
        return self.counts


def run_all(calls, passes):
    """Try everything of every kind; return what came of it, by kind."""
    results = {}
    for number in range(passes):
        for name, (saves, read) in kinds(3 + 5 * number).items():
            counts = results.setdefault(name, Counter())
            for replaces in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    trials = Trials(Path(folder), saves, read, calls, replaces=replaces)
                    counts.update(trials.run())
        print(f"pass {number + 1} of {passes}", file=sys.stderr)
    return results


def main():
    """Run with the library preloaded, and print a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--library", type=Path)
    arguments = parser.parse_args()
    if arguments.library is None:
        with tempfile.TemporaryDirectory() as folder:
            library = compile_library(folder)
            command = [sys.executable, __file__, "--passes", str(arguments.passes)]
            environment = {**os.environ, "LD_PRELOAD": str(library)}
            done = subprocess.run(
                [*command, "--library", str(library)], env=environment, check=False
            )
        sys.exit(done.returncode)
    calls = preloaded(arguments.library)
    results = run_all(calls, arguments.passes)
    readable = {
        name: {f"{what}: {end}": n for (what, end), n in sorted(counts.items())}
        for name, counts in results.items()
    }
    print(json.dumps(readable))


if __name__ == "__main__":
    main()
