"""Show how NDCG@10 depends on the width of the gradients that split search sums.

PROGRAM is `train_width` of bench/cpp. FOLDS is a folder with the five published folds of mq2008 and
ohsumed. TRAIN and TEST are LETOR text of a larger set; without them it has no column.

LambdaMART is trained with fixed-point gradients of each width; the values of leaves are summed in
more bits at any width. The table has the mean NDCG@10 over all test queries, which are those of all
five folds, its difference from that of the widest gradients, and the p-value of a paired
randomisation test over the queries.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

import rankforest

METRIC = "ndcg@10(empty=0)"
WIDTHS = (6, 8, 10, 12, 14, 16, 20, 30)  # the last one is what the others are compared with
FOLDS = 5


@dataclass(frozen=True)
class Settings:
    """What is trained."""

    rounds: int
    leaves: int
    learning_rate: float
    documents_in_leaf: int

    def __str__(self) -> str:
        return (
            f"{self.rounds} trees of {self.leaves} leaves, learning rate {self.learning_rate}, at "
            f"least {self.documents_in_leaf} documents in a leaf"
        )


SMALL = Settings(300, 7, 0.05, 20)
LARGE = Settings(100, 64, 0.1, 50)


@dataclass(frozen=True)
class Judged:
    """The test queries of a data set, those of its folds together, and scores by width."""

    grades: npt.NDArray[np.float64]
    queries: npt.NDArray[np.int64]
    scores: Mapping[int, npt.NDArray[np.float64]]


def train(
    program: Path, train_file: Path, test: rankforest.Dataset, settings: Settings
) -> dict[int, npt.NDArray[np.float64]]:
    """Return the scores of the test documents by width."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "model")
        values = (
            settings.rounds,
            settings.leaves,
            settings.learning_rate,
            settings.documents_in_leaf,
            *WIDTHS,
        )
        subprocess.run([program, train_file, out, *map(str, values)], check=True)
        return {
            width: rankforest.load(out.with_suffix(f".{width}")).predict(test) for width in WIDTHS
        }


def judge(program: Path, pairs: Sequence[tuple[Path, Path]], settings: Settings) -> Judged:
    """Train and test on pairs of files."""
    grades, queries = [], []
    scores: dict[int, list[npt.NDArray[np.float64]]] = {width: [] for width in WIDTHS}
    n_queries = 0
    for train_file, test_file in pairs:
        test = rankforest.read_letor(test_file)
        for width, found in train(program, train_file, test, settings).items():
            scores[width].append(found)
        codes = np.unique(np.asarray(test.qid), return_inverse=True)[1] + n_queries
        n_queries = int(codes.max()) + 1
        grades.append(np.asarray(test.y, dtype=np.float64))
        queries.append(codes.astype(np.int64))
        click.echo(f"{train_file} done", err=True)
    return Judged(
        np.concatenate(grades),
        np.concatenate(queries),
        {width: np.concatenate(found) for width, found in scores.items()},
    )


def cells(judged: Judged) -> Iterator[str]:
    """Give the cells of each width: mean, difference from the widest, p-value."""
    data = (judged.grades, judged.queries)
    named = {str(width): found for width, found in judged.scores.items()}
    widest = str(WIDTHS[-1])
    comparison = rankforest.compare(data, named, METRIC, baseline=widest, n_resamples=1)
    by_name = {}
    for pair in comparison.metrics[0].pairs:
        other, sign = (pair.a, 1) if pair.b == widest else (pair.b, -1)
        by_name[other] = (sign * pair.difference, pair.randomisation.p_value)
    for name, found in named.items():
        mean = f"{rankforest.evaluate(data, found, METRIC)[METRIC]:.4f}"
        if name == widest:
            yield f"{mean} | - | -"
        else:
            difference, p_value = by_name[name]
            yield f"{mean} | {difference:+.4f} | {p_value:.3f}"


def table(columns: Mapping[str, Judged]) -> str:
    """Lay out one row for each width."""
    lines = [
        "| bits |" + "".join(f" {name} NDCG@10 | difference | p |" for name in columns),
        "|---:|" + "---:|---:|---:|" * len(columns),
    ]
    rows = zip(WIDTHS, *(cells(judged) for judged in columns.values()), strict=True)
    lines += [f"| {width} | {' | '.join(row)} |" for width, *row in rows]
    return "\n".join(lines)


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(help=__doc__)
@click.argument("program", type=_FILE)
@click.argument("folds", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("files", nargs=-1, type=_FILE, metavar="[TRAIN TEST]")
def main(program: Path, folds: Path, files: tuple[Path, ...]) -> None:
    if len(files) not in {0, 2}:
        raise click.UsageError("TRAIN and TEST are two files")
    columns = {}
    for name, label in (("mq2008", "MQ2008"), ("ohsumed", "OHSUMED")):
        parts = [folds / name / f"Fold{fold}" for fold in range(1, FOLDS + 1)]
        pairs = [(part / "train.txt", part / "test.txt") for part in parts]
        columns[label] = judge(program.resolve(), pairs, SMALL)
    if files:
        columns[files[0].stem] = judge(program.resolve(), [(files[0], files[1])], LARGE)
    click.echo(table(columns))
    large = f" {files[0].stem}: {LARGE}." if files else ""
    click.echo(f"\nMQ2008 and OHSUMED: {SMALL}.{large}")


if __name__ == "__main__":
    main()
