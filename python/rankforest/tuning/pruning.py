"""Which trials end before all of their models are trained."""

from __future__ import annotations

import numpy as np
from optuna.pruners import BasePruner
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from rankforest.tuning.outcome import STEPS_PER_MODEL


class MedianOrQuarter(BasePruner):
    """Ends a trial that falls behind those that finished.

    After a whole model, it is the mean so far that counts: below the median of the finished trials
    after as many models, the trial ends. Inside of a model, where slow learners are behind for a
    while, only the worst quarter ends.

    Parameters
    ----------
    n_startup_trials : int, default=10
        Trials that must have finished before one may end early.
    """

    def __init__(self, n_startup_trials: int = 10) -> None:
        self._n_startup_trials = n_startup_trials

    def prune(self, study: Study, trial: FrozenTrial) -> bool:
        """Whether the trial ends after its last report."""
        step = trial.last_step
        if step is None:
            return False
        finished = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        others = [t.intermediate_values[step] for t in finished if step in t.intermediate_values]
        if len(others) < self._n_startup_trials:
            return False
        is_whole = step % STEPS_PER_MODEL == STEPS_PER_MODEL - 1
        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        bar = np.quantile(sign * np.array(others), 0.5 if is_whole else 0.25)
        return bool(sign * trial.intermediate_values[step] < bar)
