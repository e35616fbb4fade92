"""`rankforest.tune`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankforest.data import Dataset
from rankforest.tuning._optuna import quiet_optuna, require_optuna

if TYPE_CHECKING:
    import optuna

    from rankforest.tuning.result import TuningResult


def tune(
    estimator: Any,
    data: object,
    space: str | Mapping[str, object] = "default",
    *,
    folds: int = 5,
    seeds: int = 1,
    sampler: str | optuna.samplers.BaseSampler | Callable[[int], Any] = "tpe",
    pruner: str | optuna.pruners.BasePruner | None = "auto",
    n_trials: int | None = None,
    timeout: float | None = None,
    n_parallel: int = 1,
    n_jobs: int | None = None,
    storage: str | os.PathLike[str] | optuna.storages.BaseStorage | None = None,
    study_name: str = "rankforest",
    holdout: Dataset | tuple[Any, ...] | None = None,
    patience: int | None = None,
    refit: bool = True,
    callbacks: Callable[..., object] | Sequence[Callable[..., object]] = (),
    verbose: bool | int = 0,
    random_state: int = 0,
) -> TuningResult:
    """Search for the parameters with which an estimator ranks new queries best.

    Each trial takes parameters out of a space and trains a model for every fold and seed. Its value
    is the mean, over these models, of the estimator's first metric on the validation part of the
    fold. With `early_stopping_rounds` the same part decides how many rounds a model keeps, as in
    [1]_. Needs Optuna: ``pip install 'rankforest[tune]'``.

    Parameters
    ----------
    estimator : estimator
        Any of rankforest's. Its parameters hold for all trials but for those that are searched; it
        stays as it is. `random_state` must be an integer.
    data : Dataset, tuple or list of tuples
        What to train and to measure on: one data set, also as a tuple (X, y, qid) or (X, y, qid,
        weight), that is split into folds of whole queries; a single fold (train, valid) or (train,
        valid, test) of data sets; or a list of such folds, such as LETOR's five. Parts for testing
        are measured in each trial, and decide nothing.
    space : str or dict, default="default"
        What to search: for each parameter a list of choices, a range (low, high) or (low, high,
        "log") of integers or real numbers, a dict of "low", "high" and perhaps "log" or "step", or
        a distribution of Optuna. Parameters of the forest of `IGBRT` are called
        "forest__max_features" and so on. Or the name of a space:

        ==============  ======================================================================
        default         ranges for the estimator: learning rate, size of trees, samples of
                        documents and features; less what the estimator is given other values
                        for than its defaults; of a `Bagging` that of its members
        blmart          1,008 points for boosting on small data, of table 2 a in [1]_
        blmart_large    162 points for boosting on large data, of table 2 b in [1]_
        ==============  ======================================================================
    folds : int, default=5
        Number of folds where `data` is one data set.
    seeds : int, default=1
        How many models are trained on each fold, with the `random_state` of the estimator, one
        more, and so on.
    sampler : {"tpe", "random", "grid"}, Optuna sampler or callable, default="tpe"
        How parameters are chosen: by a model of the trials before (tree-structured Parzen
        estimator), at random, or all points of a grid in random order. A callable makes a sampler
        of Optuna from a seed, which it gets anew for each trial. A sampler that is given as such has
        a memory that a kill ends: then another search goes on.
    pruner : {"auto", "median", "none"}, Optuna pruner or None, default="auto"
        Which trials end early. "median": after each model, a trial whose mean so far is below the
        median of the finished trials at that point; within a model, after 50, 100, 200, ... rounds,
        one that is in the worst quarter by the best value so far. Ten trials must have finished
        before. "auto" is "none" for a grid, where all points are wanted, else "median".
    n_trials : int or None, default=None
        How many trials the study is to have, those of earlier calls included. None is the whole grid
        with ``sampler="grid"``, else 50.
    timeout : float or None, default=None
        Seconds after which no trial begins.
    n_parallel : int, default=1
        Trials side by side; each has its share of `n_jobs` threads, and where there are fewer
        threads than trials, fewer run at a time. A trial knows nothing of those beside it, so the
        result depends on this number, unless the sampler is "random" or "grid" and nothing is
        pruned. It never depends on which trial ends first. One by one is best for what TPE learns;
        several are faster where data is small.
    n_jobs : int or None, default=None
        Threads of all trials together; None for every core that the process may use. Never changes
        a result.
    storage : str, path-like, Optuna storage or None, default=None
        Where the study is kept: an SQLite file, a journal file of Optuna where the name ends in
        ".log", or whatever URL or storage Optuna takes. The same call on the same storage goes on
        after the trials that are there, also after the process was killed, and ends with the result
        of a search that ran in one go. None keeps the study in memory.
    study_name : str, default="rankforest"
        Several studies may share a storage.
    holdout : Dataset or tuple, optional
        A second set of queries that no model sees and no trial is chosen by. Once the best trial's
        value on it has not risen for `patience` trials, the search ends, and the best trial of that
        time wins: [1]_ (section 3.4) proposes this against a search that fits the validation parts.
    patience : int or None, default=None
        See `holdout`, which needs it.
    refit : bool, default=True
        Whether to train `best_estimator_` at the end. Of one data set it is trained on all of it;
        with early stopping, for as many rounds as the models of the best trial kept on average. With
        a single fold it is the model of the best trial. Of several folds that were given there is
        none.
    callbacks : callable or sequence of callables, default=()
        Called after each trial, in order of their numbers, with a dict of "trial", "n_trials",
        "params", "value", "is_pruned", "best_trial" and "best_value". The search ends where one
        returns True.
    verbose : bool or int, default=0
        A line is printed every so many trials; 0 for none, True for each.
    random_state : int, default=0
        Seed of the folds and of the search.

    Returns
    -------
    TuningResult
        `best_params_`, `best_value_`, `best_estimator_`, `trials_frame()`, `overfitting_curve()`,
        `plot()` and `to_toml()`.

    Raises
    ------
    ImportError
        If Optuna is missing.
    ValueError
        If arguments are unusable, all of which are named at once; if a trial cannot be trained,
        with its parameters; or if `storage` has a study of other data or other arguments, each of
        which is named.

    References
    ----------
    .. [1] Y. Ganjisaffar, R. Caruana and C. V. Lopes, "Bagging gradient-boosted trees for high
       precision, low variance ranking models", SIGIR 2011, sections 3.3 and 3.4.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=60, random_state=0)
    >>> model = rf.LambdaMART(n_estimators=30, early_stopping_rounds=10, min_samples_leaf=5)
    >>> space = {"max_leaf_nodes": [4, 8], "learning_rate": (0.05, 0.3, "log")}
    >>> found = rf.tune(model, data, space, folds=3, n_trials=4)
    >>> sorted(found.best_params_)
    ['learning_rate', 'max_leaf_nodes']
    >>> found.best_estimator_.predict(data).shape == (data.n_documents,)
    True
    >>> found.best_value_ == max(found.trials_frame()["value"])
    True
    """
    given = dict(locals())
    require_optuna()
    from rankforest.tuning.request import Request  # noqa: PLC0415  # needs Optuna

    with quiet_optuna():
        return Request.checked(given).run(storage)
