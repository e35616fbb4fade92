"""Time how long LETOR text takes into the arrays of this library and of others.

    python bench/python/read_letor.py FILE [--repeats 3] [--threads 2] [--slow]

Every reading happens in a process of its own, with the file in the page cache; the readers take
turns, so that a busy moment hits all of them. Those that are not installed are left out. The
table has the median and the best time, the ratio of medians to rankforest's, and the peak of
anonymous memory (RssAnon, which leaves out a file that is mapped) over what the process had before.
LightGBM takes no qid and reads a copy of the file without it; its time includes the binning,
which it cannot leave out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from packages import version_of
from process_memory import bytes_of

Read = Callable[[str, int], Callable[[], object]]


def read_with_rankforest(path: str, threads: int) -> Callable[[], object]:
    import rankforest

    return lambda: rankforest.read_letor(path, n_jobs=threads)


def prepare_with_rankforest(path: str, threads: int) -> Callable[[], object]:
    """Read, and put the documents into the canonical order that training needs."""
    import rankforest

    def read() -> object:
        data = rankforest.read_letor(path, n_jobs=threads)
        return data, data._core

    return read


def read_with_xgboost(path: str, threads: int) -> Callable[[], object]:
    import xgboost

    xgboost.set_config(verbosity=0)
    return lambda: xgboost.DMatrix(f"{path}?format=libsvm", nthread=threads)


def read_with_lightgbm(path: str, threads: int) -> Callable[[], object]:
    import lightgbm

    parameters = {"verbosity": -1, "num_threads": threads}
    return lambda: lightgbm.Dataset(path, params=parameters).construct()


def read_with_catboost(path: str, threads: int) -> Callable[[], object]:
    import catboost

    return lambda: catboost.Pool(f"libsvm://{path}", thread_count=threads)


def read_with_fastrank(path: str, threads: int) -> Callable[[], object]:
    import fastrank

    return lambda: fastrank.CDataset.open_ranksvm(path)


def read_with_sklearn(path: str, threads: int) -> Callable[[], object]:
    from sklearn.datasets import load_svmlight_file

    return lambda: load_svmlight_file(path, query_id=True)


@dataclass(frozen=True)
class Reader:
    """A way to read the file."""

    package: str
    label: str
    read: Read
    takes_qid: bool = True
    is_slow: bool = False


READERS = {
    "rankforest": Reader("rankforest", "rankforest", read_with_rankforest),
    "prepare": Reader("rankforest", "rankforest, ready to train", prepare_with_rankforest),
    "xgboost": Reader("xgboost", "XGBoost", read_with_xgboost),
    "fastrank": Reader("fastrank", "fastrank", read_with_fastrank),
    "lightgbm": Reader("lightgbm", "LightGBM, with binning", read_with_lightgbm, takes_qid=False),
    "catboost": Reader("catboost", "CatBoost", read_with_catboost),
    "sklearn": Reader("scikit-learn", "scikit-learn", read_with_sklearn, is_slow=True),
}


def measure(name: str, path: str, threads: int) -> dict[str, float]:
    """Read once, in this process."""
    read = READERS[name].read(path, threads)
    before = bytes_of("RssAnon")
    start = time.perf_counter()
    data = read()
    seconds = time.perf_counter() - start
    del data
    return {"seconds": seconds, "bytes_before": before}


def measure_apart(name: str, path: Path, threads: int) -> dict[str, float]:
    """Read once, in a process of its own, and watch its memory from here."""
    command = [sys.executable, __file__, str(path), "--threads", str(threads), "--only", name]
    peak = 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            peak = max(peak, bytes_of("RssAnon", process.pid))
            time.sleep(0.005)
        output, errors = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"{name} failed:\n{errors}")
    result = json.loads(output.splitlines()[-1])
    return {"seconds": result["seconds"], "bytes": peak - result["bytes_before"]}


def without_qid(path: Path, folder: Path) -> Path:
    """Write a copy of the file that has no query ids."""
    copy = folder / path.name
    with path.open("rb") as source, copy.open("wb") as target:
        target.writelines(re.sub(rb"qid:\S+ ", b"", line, count=1) for line in source)
    return copy


def table(results: dict[str, list[dict[str, float]]]) -> str:
    """Return the results as a table in Markdown."""
    medians = {
        name: statistics.median(r["seconds"] for r in runs) for name, runs in results.items()
    }
    lines = [
        "| reader | version | median s | best s | ratio | peak memory MB |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name, runs in sorted(results.items(), key=lambda item: medians[item[0]]):
        reader = READERS[name]
        best = min(r["seconds"] for r in runs)
        peak = max(r["bytes"] for r in runs) / 1e6
        ratio = medians[name] / medians["rankforest"]
        lines.append(
            f"| {reader.label} | {version_of(reader.package, reader.package)} | {medians[name]:.2f} | {best:.2f} "
            f"| {ratio:.2f} | {peak:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="LETOR text")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="scikit-learn, too: 200 times slower")
    parser.add_argument("--only", choices=READERS, help="one reading in this process, as JSON")
    arguments = parser.parse_args()
    if arguments.only:
        print(json.dumps(measure(arguments.only, str(arguments.file), arguments.threads)))
        return
    names = [
        name
        for name, reader in READERS.items()
        if importlib.util.find_spec("sklearn" if name == "sklearn" else reader.package)
        and (arguments.slow or not reader.is_slow)
    ]
    with tempfile.TemporaryDirectory() as folder:
        paths = dict.fromkeys(names, arguments.file)
        if "lightgbm" in names:
            paths["lightgbm"] = without_qid(arguments.file, Path(folder))
        results: dict[str, list[dict[str, float]]] = {name: [] for name in names}
        for _ in range(arguments.repeats):
            for name in names:
                results[name].append(measure_apart(name, paths[name], arguments.threads))
    print(table(results))


if __name__ == "__main__":
    main()
