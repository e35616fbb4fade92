"""The study that a search keeps its trials in, and that it goes on from."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import optuna
from optuna.distributions import BaseDistribution
from optuna.storages import BaseStorage, JournalStorage
from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock
from optuna.trial import FrozenTrial, Trial, TrialState, create_trial
from sqlalchemy.exc import SQLAlchemyError

from rankforest._support.paths import expanded
from rankforest.tuning.outcome import Outcome
from rankforest.tuning.purpose import Purpose, check_same

#: Where a study and a trial keep what is ours.
_KEY = "rankforest"


class Ledger:
    """The trials of a study, by number: those that finished, and those that began.

    Parameters
    ----------
    study : optuna.Study
        Where they are kept. No other process may write to it.
    """

    def __init__(self, study: optuna.Study) -> None:
        self.study = study
        self.trials: dict[int, FrozenTrial] = {t.number: t for t in study.get_trials()}

    @classmethod
    @contextmanager
    def opened(
        cls, storage: str | os.PathLike[str] | BaseStorage | None, name: str, purpose: Purpose
    ) -> Iterator[Ledger]:
        """Open a study, or make it, for the block.

        Raises
        ------
        ValueError
            If it was made for another purpose, or another process is at work on it.
        """
        with _storage_of(storage) as opened:
            study = optuna.create_study(
                storage=opened,
                study_name=name,
                direction="maximize" if purpose.maximize else "minimize",
                load_if_exists=True,
            )
            made_for = study.user_attrs.get(_KEY)
            if made_for is None and study.get_trials(deepcopy=False):
                raise ValueError(
                    f"the study {name!r} in {storage} is not one of rankforest.tune; choose another "
                    "study_name or storage"
                )
            if made_for is not None:
                check_same(name, str(storage), made_for, purpose)
            else:
                study.set_user_attr(_KEY, purpose.record)
            yield cls(study)

    def is_finished(self, number: int) -> bool:
        """Whether a trial needs no more work."""
        return number in self.trials and self.trials[number].state.is_finished()

    def before(self, number: int, width: int) -> dict[int, FrozenTrial]:
        """Return what a trial may know of those of lower numbers.

        It is what there is when `width` of them run side by side: of the last `width` - 1 it knows
        the parameters alone, even if they finished. So chance has no say in it.
        """
        known = dict(self.trials)
        for each in range(max(0, number - width + 1), number):
            known[each] = create_trial(
                state=TrialState.RUNNING,
                params=known[each].params,
                distributions=known[each].distributions,
            )
        return {each: trial for each, trial in known.items() if each < number}

    def outcome(self, number: int) -> Outcome:
        """Return what came of a finished trial."""
        trial = self.trials[number]
        return Outcome.of_record(trial.user_attrs[_KEY], trial.intermediate_values)

    def begin(
        self, number: int, params: Mapping[str, Any], space: Mapping[str, BaseDistribution]
    ) -> None:
        """Note the parameters of a trial, in one step that a kill cannot cut in two."""
        trial = create_trial(
            state=TrialState.RUNNING, params=dict(params), distributions=dict(space)
        )
        self.study.add_trial(trial)
        trial = self.study.get_trials(deepcopy=False)[-1]
        if trial.number != number:
            raise RuntimeError(f"another process writes to the study {self.study.study_name!r}")
        self.trials[number] = trial

    def finish(self, number: int, outcome: Outcome) -> None:
        """Note what came of a trial."""
        begun = self.trials[number]
        state = TrialState.PRUNED if outcome.is_pruned else TrialState.COMPLETE
        handle = Trial(self.study, begun._trial_id)
        handle.set_user_attr(_KEY, outcome.record())
        known = begun.intermediate_values  # of a run that was killed while it took notes
        for step, value in outcome.reports.items():
            if step not in known:
                handle.report(value, step)
        self.study.tell(number, outcome.value if not outcome.is_pruned else None, state=state)
        self.trials[number] = create_trial(
            state=state,
            value=outcome.value,
            params=begun.params,
            distributions=begun.distributions,
            intermediate_values=dict(outcome.reports),
            user_attrs={_KEY: outcome.record()},
        )


class _AlreadyLockedLock(JournalFileOpenLock):
    """For a file that this process has for itself; a lock of Optuna's would survive a kill."""

    def acquire(self) -> bool:
        return True

    def release(self) -> None:
        pass


@contextmanager
def _storage_of(storage: str | os.PathLike[str] | BaseStorage | None) -> Iterator[Any]:
    """Give what Optuna takes for a storage; a file belongs to this process for the block."""
    is_url = isinstance(storage, str) and "://" in storage
    if storage is None or is_url or isinstance(storage, BaseStorage):
        yield storage
        return
    path = expanded(storage)
    with _locked(path):
        if Path(path).suffix in (".log", ".journal"):
            yield JournalStorage(JournalFileBackend(path, lock_obj=_AlreadyLockedLock(path)))
        else:
            url = f"sqlite:///{Path(path).absolute()}"
            try:
                opened = optuna.storages.RDBStorage(url)
            except SQLAlchemyError as error:
                why = str(error).partition("\n")[0]
                raise ValueError(f"storage: {path} cannot keep a study: {why}") from None
            try:
                yield opened
            finally:
                opened.engine.dispose()


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Keep other searches away from a file, which is made if it is missing."""
    with Path(path).open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{path} is in use by another search") from None
        yield
