"""Write the long lists as one fold of LETOR text: 60 % of the queries for training, 20 % each for the rest."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

import rankforest as rf
from rankforest.datasets import make_long_lists


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--queries", type=click.IntRange(5), default=1000, show_default=True)
@click.option("--documents", type=click.IntRange(2), default=2000, show_default=True)
@click.option("--features", type=click.IntRange(1), default=50, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
def main(*, folder: Path, queries: int, documents: int, features: int, seed: int) -> None:
    data = make_long_lists(queries, documents, features, random_state=seed)
    folder.mkdir(parents=True, exist_ok=True)
    ends = (0, queries * 6 // 10, queries * 8 // 10, queries)
    for name, first, end in zip(("train", "vali", "test"), ends, ends[1:], strict=False):
        rf.write_letor(folder / f"{name}.txt", data.take(np.arange(first, end) + 1))


if __name__ == "__main__":
    main()
