"""Compare two builds of rankforest, such as a change and what was there before it.

BEFORE and AFTER are Python interpreters that each import a build. Both are started once, do the same
work on the same generated data, and take turns, so that a busy moment hits either. Times are medians
of wall time and of processor time, which other processes disturb less. The ratio is the median of
the ratios of neighbouring runs. Every work checks that both builds return the same bits, unless
--differ says that the change was meant to change them.

The work is what threads matter to:

forest       20 unpruned trees
boosting     LambdaMART, watched on a validation set: thousands of short loops, metrics between them
bulk         scores of many documents
query        scores of 300 documents, again and again
metrics      NDCG@10, AP and ERR of all queries
text         reading LETOR text
row          one document at a time, on one Python thread and on eight

With --busy another process keeps one of the cores busy all the time.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

N_FEATURES = 40
DOCUMENTS_OF_A_QUERY = 60


class Work:
    """The data, and what is done with it; every method returns what must not depend on the build."""

    def __init__(self, documents: int, threads: int) -> None:
        import numpy as np

        import rankforest as rf

        self.rf, self.np, self.threads = rf, np, threads
        rng = np.random.default_rng(7)
        features = rng.normal(size=(documents, N_FEATURES)).astype(np.float32)
        features[rng.random(features.shape) < 0.3] = 0
        signal = features[:, 0] + features[:, 1] * features[:, 2]
        grades = np.clip((signal + rng.normal(size=documents)).round(), 0, 4)
        queries = np.arange(documents) // DOCUMENTS_OF_A_QUERY
        self.data = rf.Dataset(features, grades, qid=queries)
        self.valid = self.data.take_rows(queries < queries[-1] // 4)
        self.model = rf.LambdaMART(n_estimators=300, n_jobs=threads).fit(self.valid).model_
        self.rows = [np.ascontiguousarray(features[i : i + 1]) for i in range(500)]
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "data.txt"
        rf.write_letor(self.path, self.data)

    def forest(self) -> bytes:
        """Train a forest."""
        forest = self.rf.RandomForest(n_estimators=20, n_jobs=self.threads)
        return bytes(forest.fit(self.data).model_.to_bytes())

    def boosting(self) -> bytes:
        """Train and watch LambdaMART."""
        ranker = self.rf.LambdaMART(n_estimators=60, n_jobs=self.threads)
        return bytes(ranker.fit(self.data, eval_set=self.valid).model_.to_bytes())

    def bulk(self) -> bytes:
        """Score all documents."""
        return bytes(self.model.predict(self.data.X, n_jobs=self.threads).tobytes())

    def query(self) -> bytes:
        """Score 300 documents, 200 times."""
        some = self.data.X[:300]
        return b"".join(self.model.predict(some, n_jobs=self.threads).tobytes() for _ in range(200))

    def metrics(self) -> bytes:
        """Evaluate by several metrics."""
        scores = self.data.X[:, 0].astype(self.np.float64)
        metrics = ["ndcg@10", "map", "err"]
        return repr(self.rf.evaluate(self.data, scores, metrics, n_jobs=self.threads)).encode()

    def text(self) -> bytes:
        """Read LETOR text."""
        return bytes(self.rf.read_letor(self.path, n_jobs=self.threads).X.tobytes())

    def row(self) -> bytes:
        """Score one document at a time on one Python thread."""
        return self._rows_on(1)

    def row_on_8(self) -> bytes:
        """Do so on eight."""
        return self._rows_on(8)

    def _rows_on(self, n_threads: int) -> bytes:
        scores = self.np.zeros((n_threads, len(self.rows)))

        def score(thread: int) -> None:
            for _ in range(40 // n_threads):
                for i, row in enumerate(self.rows):
                    scores[thread, i] = self.model.predict(row)[0]

        threads = [threading.Thread(target=score, args=(t,)) for t in range(n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return bytes(scores[0].tobytes())


NAMES = ("forest", "boosting", "bulk", "query", "metrics", "text", "row", "row_on_8")


def serve(documents: int, threads: int) -> None:
    """Do the work that standard input names, line by line, and print how long it took."""
    work = Work(documents, threads)
    for line in sys.stdin:
        wall, processor = time.perf_counter(), time.process_time()
        result = getattr(work, line.strip())()
        times = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - processor}
        print(json.dumps({**times, "digest": hashlib.sha256(result).hexdigest()}), flush=True)


class Build:
    """An interpreter at work."""

    def __init__(self, stack: ExitStack, python: str, documents: int, threads: int) -> None:
        command = [python, __file__, "--serve", "--documents", str(documents)]
        self._process = stack.enter_context(
            subprocess.Popen(
                [*command, "--threads", str(threads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )

    def do(self, name: str) -> Mapping[str, Any]:
        """Do one piece of work."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        result: Mapping[str, Any] = json.loads(self._process.stdout.readline())
        return result


def compare(before: Build, after: Build, name: str, repeats: int, *, differ: bool) -> str:
    """Return a row of the table."""
    runs = []
    for repeat in range(repeats + 1):
        pair = [build.do(name) for build in ((before, after) if repeat % 2 else (after, before))]
        if not differ and pair[0]["digest"] != pair[1]["digest"]:
            raise click.ClickException(f"{name}: the builds differ")
        if repeat > 0:  # the first starts threads and fills caches
            runs.append(pair if repeat % 2 else pair[::-1])
    cells = [name]
    for clock in ("wall", "cpu"):
        median = [1e3 * statistics.median(pair[side][clock] for pair in runs) for side in (0, 1)]
        ratio = statistics.median(pair[1][clock] / pair[0][clock] for pair in runs)
        cells += [f"{median[0]:.1f}", f"{median[1]:.1f}", f"{ratio:.3f}"]
    return "| " + " | ".join(cells) + " |"


@click.command(help=__doc__)
@click.argument("pythons", nargs=-1, metavar="BEFORE AFTER")
@click.option("--documents", default=100_000, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--repeats", default=9, show_default=True)
@click.option("--only", default=",".join(NAMES), show_default=True, help="Names, by commas.")
@click.option("--busy", is_flag=True, help="Keep a core busy meanwhile.")
@click.option("--differ", is_flag=True, help="Do not compare what the builds return.")
@click.option("--serve", "serves", is_flag=True, hidden=True)
def main(
    *,
    pythons: tuple[str, ...],
    documents: int,
    threads: int,
    repeats: int,
    only: str,
    busy: bool,
    differ: bool,
    serves: bool,
) -> None:
    """Compare the builds, or be one of them."""
    if serves:
        serve(documents, threads)
        return
    if len(pythons) != 2:
        raise click.UsageError("expected two Python interpreters: BEFORE and AFTER")
    click.echo("| work | ms before | ms after | ratio | CPU ms before | CPU ms after | ratio |")
    click.echo("|---|---:|---:|---:|---:|---:|---:|")
    with ExitStack() as stack:
        before, after = (Build(stack, python, documents, threads) for python in pythons)
        if busy:
            from scaling import busy_core

            stack.enter_context(busy_core())
        for name in only.split(","):
            click.echo(compare(before, after, name, repeats, differ=differ))


if __name__ == "__main__":
    main()
