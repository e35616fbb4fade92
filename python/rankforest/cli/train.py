"""`ltr-train`: train an ensemble of trees."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import rankforest
from rankforest.cli import files
from rankforest.cli.commands import GivenOptions
from rankforest.cli.consoles import data_console, drawn, message_console
from rankforest.cli.interruption import Interruption, note_interruption_problems
from rankforest.cli.letor_options import read_together, unwrapped
from rankforest.cli.metric_type import REPORTED
from rankforest.cli.parameters import build_estimator
from rankforest.cli.positions import note_position_problems, position_arguments
from rankforest.cli.progress import training_progress
from rankforest.cli.report import metrics_table
from rankforest.cli.run import run
from rankforest.cli.starting import Start, note_start_problems
from rankforest.cli.summary import summary_table
from rankforest.cli.table_options import note_table_problems
from rankforest.cli.train_options import note_foreign_parameters, train_command


def _train(
    *,
    algorithm: str,
    train: Sequence[str],
    valid: Sequence[str],
    test: Sequence[str],
    model: str,
    history: str | None,
    metric: Sequence[str],
    query_features: Sequence[str],
    position_file: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Read, train, write and report, in this order."""
    start, interruption = Start.of(options), Interruption.of(options)
    given = unwrapped(options)
    console = message_console(quiet)
    reading = start.reading(given).with_categories(given.get("categorical_features"))
    sets = read_together(reading, {"train": train, "valid": valid, "test": test})
    console.print(summary_table(sets))
    metrics = list(metric) or ["ndcg@10"]
    with (
        training_progress(console, metrics) as progress,
        interruption.callbacks(progress) as callbacks,
    ):
        parameters = {key: value for key, value in given.items() if not hasattr(reading, key)}
        parameters |= {"metric": metrics, "callbacks": callbacks, "n_jobs": reading.n_jobs}
        estimator = build_estimator(algorithm, parameters)
        watched = {"valid": sets["valid"]} if valid else None
        data = sets["train"]
        if query_features:
            data = data.with_query_features(*query_features)
        of_fit = start.arguments(list(watched or ())) | position_arguments(position_file, data)
        estimator.fit(data, eval_set=watched, **of_fit, **interruption.arguments(console))

    start.finished(estimator.model_).save(model)
    if history is not None:
        _write_history(history, estimator)
    console.print(
        f"wrote {model}: {_kept(estimator, progress.n_rounds)}, "
        f"random state {estimator.random_state_}"
    )
    if not quiet:
        shown = list(metric) or list(REPORTED)
        measured = {
            name: rankforest.evaluate(data, start.added(name, estimator.predict(data)), shown)
            for name, data in sets.items()
        }
        data_console().print(drawn(metrics_table(measured)))
    interruption.finished()


def _check(given: GivenOptions, problems: list[str]) -> None:
    """Note what is wrong with the options together."""
    note_start_problems(given, problems)
    note_interruption_problems(given, problems)
    note_table_problems(given, problems, ["train", "valid", "test"])
    note_position_problems(given, problems)
    note_foreign_parameters(given, problems)
    values = GivenOptions(unwrapped(given))
    if not given.has("valid") and not _holds_out(given):
        either = "needs --valid or --validation-fraction"
        if values.has("early_stopping_rounds"):
            problems.append(f"--early-stopping-rounds {either}, which says when to stop")
        if values.get("tree_weights") == "expected_ndcg":
            problems.append(f"--tree-weights expected_ndcg {either}, which weighs each tree")
        if given.has("history"):
            problems.append(f"--history {either}, which is measured after each round")


def _holds_out(given: GivenOptions) -> bool:
    """Whether documents are held out, or are meant to be."""
    value = given.get("validation_fraction")
    return given.has("validation_fraction") and (value is None or value.value is not None)


def _kept(estimator: Any, n_rounds: int) -> str:
    """Say how much the model has of what was trained."""
    if "n_bags" not in estimator.get_params(deep=False):
        trained = max(n_rounds, estimator.best_iteration_)  # 0 where a checkpoint had all of them
        return f"{estimator.best_iteration_} of {trained} rounds"
    rounds = estimator.best_iteration_
    return f"{len(rounds)} of {estimator.n_bags} members, of {min(rounds)} to {max(rounds)} rounds"


def _write_history(path: str, estimator: Any) -> None:
    """Write one row for each round and one column for each metric of each set."""
    columns = {
        f"{name} {metric}": values
        for name, metrics in estimator.history_.items()
        for metric, values in metrics.items()
    }
    with files.text_output(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["round", *columns])
        for row in zip(estimator.history_rounds_, *columns.values(), strict=True):
            writer.writerow([row[0], *map(repr, row[1:])])


command = train_command(_train, _check)


def main() -> int:
    """Run `ltr-train` on the process's arguments."""
    return run(command)
