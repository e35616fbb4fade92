"""Files and calls that the tests of the commands share."""

from dataclasses import dataclass
from pathlib import Path

import rankforest
from rankforest.cli import blend, convert, evaluate, exits, prune, score, train, transfer, tune
from rankforest.cli.run import run

COMMANDS = {
    "ltr-train": train.command,
    "ltr-score": score.command,
    "ltr-eval": evaluate.command,
    "ltr-convert": convert.command,
    "ltr-tune": tune.command,
    "ltr-blend": blend.command,
    "ltr-prune": prune.command,
    "ltr-exits": exits.command,
    "ltr-transfer": transfer.command,
}


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    status: int
    out: str
    err: str


def call(capsys, name, *arguments):
    """Run a command in this process."""
    capsys.readouterr()
    status = run(COMMANDS[name], [str(argument) for argument in arguments])
    return Ended(status, *capsys.readouterr())


def write_files(folder: Path) -> Path:
    """Write train.txt, valid.txt and test.txt with features that say something about grades."""
    data = rankforest.datasets.make_ranking(
        n_queries=60, n_documents=(1, 12), n_features=6, n_grades=3, random_state=3
    )
    for first, name in ((0, "train"), (30, "valid"), (45, "test")):
        queries = data.query_ids[first : first + (30 if name == "train" else 15)]
        rankforest.write_letor(folder / f"{name}.txt", data.take(queries))
    return folder


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())
