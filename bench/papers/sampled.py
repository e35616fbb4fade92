"""Models on samples: of the training queries, and of the members of a pool that is trained once."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

import rankforest
from rankforest import Dataset, Model, _core

#: Where trained models are kept that several rows of a table are made of.
POOLS = Path(os.environ.get("RANKFOREST_POOLS", "papers.pools"))


class _Measured(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """What a run measures of a model."""

    model_: Model

    @property
    def best_iteration_(self) -> int:
        """Trees of the model."""
        return self.model_.n_trees

    def predict(self, data: Dataset) -> npt.NDArray[np.float64]:
        """Return the model's scores."""
        return self.model_.predict(data)


class OnSample(_Measured):
    """An estimator on a part of the training queries, which the seed draws.

    Parameters
    ----------
    estimator : str
        The name of a class of rankforest.
    parameters : dict
        Its parameters, but for `n_estimators`.
    n_estimators : int
        Most rounds.
    fraction : float
        Share of the queries, in (0, 1], drawn without replacement.
    random_state : int
        Draws the queries, and is the seed of the estimator.
    n_jobs : int
        Threads.
    """

    def __init__(
        self,
        *,
        estimator: str = "LambdaMART",
        parameters: Mapping[str, Any] | None = None,
        n_estimators: int = 300,
        fraction: float = 0.67,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.parameters = parameters
        self.n_estimators = n_estimators
        self.fraction = fraction
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, train: Dataset, *, eval_set: Dataset) -> OnSample:
        """Draw queries and train on them."""
        queries = np.unique(train.qid)
        drawn = np.random.RandomState(self.random_state).permutation(queries)
        sample = train.take_rows(np.isin(train.qid, drawn[: int(self.fraction * len(queries))]))
        model = getattr(rankforest, self.estimator)(
            n_estimators=self.n_estimators,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            **(self.parameters or {}),
        )
        self.model_ = model.fit(sample, eval_set=eval_set).model_
        return self


class _FromPool(_Measured):
    """Part of a model that is trained once for all that are made of it, with seed 0."""

    parameters: Mapping[str, Any] | None
    n_estimators: int
    n_jobs: int | None

    def _trained(self, estimator: str, train: Dataset, valid: Dataset, **more: Any) -> Model:
        parameters = {**(self.parameters or {}), "n_estimators": self.n_estimators, **more}
        path = POOLS / f"{_identity(estimator, parameters, train, valid)}.rf"
        with _alone(path):
            if not path.exists():
                model = getattr(rankforest, estimator)(n_jobs=self.n_jobs, **parameters)
                model.fit(train, eval_set=valid).save(path)
        return rankforest.load(path)


class PooledBag(_FromPool):
    """A bag of LambdaMARTs out of a pool of them.

    Parameters
    ----------
    parameters : dict
        Of `BaggedLambdaMART`, but for `n_estimators` and `n_bags`.
    n_estimators : int
        Most rounds of a member.
    pool_size : int
        Members of the pool.
    n_bags : int
        Members of the bag.
    random_state : int
        Draws them.
    n_jobs : int
        Threads.
    """

    def __init__(
        self,
        *,
        parameters: Mapping[str, Any] | None = None,
        n_estimators: int = 300,
        pool_size: int = 45,
        n_bags: int = 20,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.parameters = parameters
        self.n_estimators = n_estimators
        self.pool_size = pool_size
        self.n_bags = n_bags
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, train: Dataset, *, eval_set: Dataset) -> PooledBag:
        """Train the pool, if it is not there, and draw from it."""
        pool = self._trained("BaggedLambdaMART", train, eval_set, n_bags=self.pool_size)
        self.model_ = pool.bag_of(self.n_bags, random_state=self.random_state)
        return self


class FirstRounds(_FromPool):
    """The first rounds of a LambdaMART.

    Parameters
    ----------
    parameters : dict
        Of `LambdaMART`, but for `n_estimators`.
    n_estimators : int
        Rounds that are trained.
    rounds : int
        Rounds that are kept.
    random_state, n_jobs
        As of any estimator; the seed does not matter.
    """

    def __init__(
        self,
        *,
        parameters: Mapping[str, Any] | None = None,
        n_estimators: int = 300,
        rounds: int = 300,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.parameters = parameters
        self.n_estimators = n_estimators
        self.rounds = rounds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, train: Dataset, *, eval_set: Dataset) -> FirstRounds:
        """Train all rounds, if they are not there, and keep the first ones."""
        self.model_ = self._trained("LambdaMART", train, eval_set)[: self.rounds]
        return self


def _identity(estimator: str, parameters: Mapping[str, Any], *data: Dataset) -> str:
    """Fingerprint what a model depends on: parameters, data and the build of the library."""
    content = hashlib.sha256(Path(_core.__file__).read_bytes())
    content.update(json.dumps([estimator, parameters], sort_keys=True).encode())
    for each in data:
        for values in (each.X, each.y, each.query_codes):
            content.update(np.ascontiguousarray(values).tobytes())
    return content.hexdigest()[:24]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one process at a time make a file; the others wait for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
