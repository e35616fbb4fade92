"""Models that know what features cost, with documents that exit early."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

import rankforest
from rankforest import Dataset, EarlyExit, Model

#: Numbers of trees that "best" and figures choose from.
SIZES = (1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000)


class First(NamedTuple):
    """What the first trees give."""

    scores: npt.NDArray[np.float64]
    cost: float  #: mean of the documents


class CostAware(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A model of binary relevance, trained with or without the costs of features.

    Parameters
    ----------
    estimator : str
        The name of a class of rankforest.
    parameters : dict
        Its parameters, but for those below.
    n_estimators : int
        Trees.
    relevant_from : float
        The lowest grade that is relevant.
    cost_weight : float
        Lambda of the thesis, times the costs as they are: 0 for none.
    exit_percent : int
        Share of the documents of the whole set that exit each time, in percent.
    exit_every : int
        Trees from one exit to the next.
    random_state : int
        The seed.
    n_jobs : int
        Threads.
    """

    def __init__(
        self,
        *,
        estimator: str = "MART",
        parameters: Mapping[str, Any] | None = None,
        n_estimators: int = 1000,
        relevant_from: float = 3,
        cost_weight: float = 0.0,
        exit_percent: int = 0,
        exit_every: int = 100,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.parameters = parameters
        self.n_estimators = n_estimators
        self.relevant_from = relevant_from
        self.cost_weight = cost_weight
        self.exit_percent = exit_percent
        self.exit_every = exit_every
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, train: Dataset, *, eval_set: Dataset) -> CostAware:
        """Train all trees; the validation set is for `measures`, which chooses how many to use."""
        given = dict(self.parameters or {})
        if self.cost_weight:
            given["feature_costs"] = costs_of(train.n_features)
            given |= {"cost_weight": self.cost_weight, "cost_normalization": "none"}
        model = getattr(rankforest, self.estimator)(
            n_estimators=self.n_estimators,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            **given,
        )
        is_relevant = train._required_grades() >= self.relevant_from
        self.model_: Model = model.fit(train._with(y=is_relevant.astype(np.float64))).model_
        self._known: dict[tuple[Dataset, int], First] = {}
        return self

    @property
    def sizes(self) -> list[int]:
        """Numbers of trees to choose from."""
        n_rounds = self.model_.n_rounds
        return [*(size for size in SIZES if size < n_rounds), n_rounds]

    @property
    def best_iteration_(self) -> int:
        """Trees of the model."""
        return self.model_.n_trees

    def first(self, data: Dataset, trees: int) -> First:
        """Return scores and cost of the first trees, of which documents exit early."""
        if (data, trees) not in self._known:
            exits = EarlyExit(self.exit_every, self.exit_percent / 100, scope="set")
            found = self.model_[:trees].predict_within(
                data,
                early_exit=exits if self.exit_percent else None,
                tree_cost=1.0,
                feature_costs=costs_of(self.model_.n_features),
                n_jobs=self.n_jobs,
            )
            self._known[data, trees] = First(found.scores, found.cost / data.n_documents)
        return self._known[data, trees]

    def predict(self, data: Dataset) -> npt.NDArray[np.float64]:
        """Return the scores of all trees."""
        return self.first(data, self.model_.n_rounds).scores


def costs_of(n_features: int) -> npt.NDArray[np.float64]:
    """Return the costs of features in five groups: 1, 3, 9, 27 and 81.

    Feature j is of group j mod 5. In LETOR 4.0 and MSLR these are body, anchor, title, URL and the
    whole document for most features.
    """
    return np.power(3.0, np.arange(n_features) % 5).astype(np.float64)
