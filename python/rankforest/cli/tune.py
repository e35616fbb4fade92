"""`ltr-tune`: search for the best parameters of an algorithm."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console

import rankforest
from rankforest.cli.commands import GivenOptions
from rankforest.cli.consoles import data_console, drawn, message_console
from rankforest.cli.fold_files import find_folds
from rankforest.cli.letor_options import Reading, read_together, unwrapped
from rankforest.cli.parameters import build_estimator
from rankforest.cli.run import run
from rankforest.cli.space_option import SpaceFile
from rankforest.cli.summary import summary_table
from rankforest.cli.table_options import note_table_problems
from rankforest.cli.train_options import note_foreign_parameters
from rankforest.cli.tune_options import tune_command
from rankforest.cli.tune_output import best_trials, write_found
from rankforest.cli.tune_progress import tuning_progress
from rankforest.tuning._optuna import require_optuna
from rankforest.tuning.grids import DEFAULT, named_space
from rankforest.tuning.picture import require_matplotlib

#: Options that `rankforest.tune` takes under the same name.
_OF_TUNE = (
    "n_trials", "sampler", "pruner", "seeds", "n_parallel", "timeout", "patience", "storage",
    "study_name",
)  # fmt: skip


def _tune(
    *,
    algorithm: str,
    train: Sequence[str],
    valid: Sequence[str],
    test: Sequence[str],
    folds: str | None,
    holdout: Sequence[str],
    out: str | None,
    history: str | None,
    plot: str | None,
    model: str | None,
    space: str | SpaceFile,
    metric: Sequence[str],
    quiet: bool,
    **options: Any,
) -> None:
    """Read, search, write and report, in this order."""
    given = unwrapped(options)
    arguments = {name: given.pop(name) for name in _OF_TUNE if name in given}
    n_folds, seed = given.pop("n_folds", 5), given.pop("random_state", 0)
    reading = Reading.of(given).with_categories(given.get("categorical_features"))
    parameters = {key: value for key, value in given.items() if not hasattr(reading, key)}
    wanted = _space(algorithm, space, parameters)
    metrics = list(metric) or ["ndcg@10"]
    own = {**parameters, "metric": metrics, "random_state": seed}
    estimator = build_estimator(algorithm, own)
    console = message_console(quiet)
    _require(plot)
    sets = {"train": train, "valid": valid, "test": test, "holdout": holdout}
    data, held_out = _data(reading, sets, folds, console)
    interrupted = _hint(arguments.get("storage"))
    with interrupted(console), _each_warning_once(), tuning_progress(console, metrics[0]) as show:
        found = rankforest.tune(
            estimator,
            data,
            wanted,
            folds=n_folds,
            holdout=held_out,
            refit=model is not None,
            callbacks=show,
            n_jobs=reading.n_jobs,
            random_state=seed,
            **arguments,
        )
    write_found(found, given, console, out=out, history=history, plot=plot, model=model)
    if not quiet:
        data_console().print(drawn(best_trials(found)))


def _require(plot: str | None) -> None:
    """Raise an error if a library is missing that the search needs in the end."""
    try:
        require_optuna()
        if plot is not None:
            require_matplotlib()
    except ImportError as error:
        raise click.UsageError(str(error)) from None


def _space(
    algorithm: str, space: str | SpaceFile, parameters: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the space, none of whose parameters has a value of its own.

    The default space leaves such parameters out.

    Raises
    ------
    click.UsageError
        If one has.
    """
    if isinstance(space, SpaceFile):
        searched: Mapping[str, object] = space.space
    else:
        searched = named_space(build_estimator(algorithm, {}), space)
    both = [name for name in searched if name.replace("__", "_") in parameters]
    if space == DEFAULT and len(both) < len(searched):
        return {name: values for name, values in searched.items() if name not in both}
    if both:
        flags = ", ".join("--" + name.replace("__", "_").replace("_", "-") for name in both)
        what = space.path if isinstance(space, SpaceFile) else space
        raise click.UsageError(f"--space {what} searches {flags}; leave the option out")
    return searched


def _data(
    reading: Reading, given: Mapping[str, Sequence[str]], folds: str | None, console: Console
) -> tuple[Any, rankforest.Dataset | None]:
    """Read what to search on, and the held-out set."""
    if folds is None:
        sets = read_together(reading, given)
        console.print(summary_table(sets))
        held_out = sets.pop("holdout", None)
        return sets["train"] if len(sets) == 1 else tuple(sets.values()), held_out
    found = []
    shown: dict[str, rankforest.Dataset] = {}
    for fold in find_folds(folds):
        sets = read_together(reading, {**fold.parts, "holdout": given["holdout"]})
        held_out = sets.pop("holdout", None)
        found.append(tuple(sets.values()))
        shown |= {f"{fold.name} {name}": data for name, data in sets.items()}
    if held_out is not None:
        shown["holdout"] = held_out
    console.print(summary_table(shown))
    return found, held_out


def _hint(storage: str | None) -> Any:
    """Return a context that says after Ctrl-C what becomes of the trials."""

    @contextmanager
    def interrupted(console: Console) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            console.print(
                "the trials so far are lost; with --storage FILE they are kept"
                if storage is None
                else f"the trials so far are in {storage}; the same command goes on from there",
                soft_wrap=True,
            )
            raise

    return interrupted


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Show a warning that many trials give only once."""
    shown = warnings.showwarning
    seen: set[str] = set()

    def show(message: Warning | str, *place: Any, **more: Any) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            shown(message, *place, **more)

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = shown


def _check(given: GivenOptions, problems: list[str]) -> None:
    """Note what is wrong with the options together."""
    note_table_problems(given, problems, ["train", "valid", "test", "holdout"])
    note_foreign_parameters(given, problems)
    if given.has("folds"):
        problems.extend(
            f"--folds has it all: leave --{name.replace('_', '-')} out"
            for name in ("train", "valid", "test", "n_folds", "model")
            if given.has(name)
        )
    elif not given.has("train"):
        problems.append("give the data: --train FILE, or --folds DIR")
    if given.has("n_folds") and given.has("valid"):
        problems.append("--n-folds splits --train where there is no --valid: leave one out")
    if given.has("test") and not (given.has("valid") or given.has("folds")):
        problems.append("--test needs --valid: folds of --train are tested on nothing else")
    if given.has("holdout") != given.has("patience"):
        problems.append("--holdout and --patience go together: give both, or none")
    if given.has("validation_fraction"):
        problems.append("--validation-fraction is for ltr-train: --n-folds splits --train here")
    storage = given.get("storage")
    if (
        storage
        and "://" not in storage
        and not Path(storage).expanduser().absolute().parent.is_dir()
    ):
        problems.append(f"--storage: there is no folder for {storage}")


command = tune_command(_tune, _check)


def main() -> int:
    """Run `ltr-tune` on the process's arguments."""
    return run(command)
