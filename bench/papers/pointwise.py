"""Point-wise models in the parts that Mohan's thesis compares: forests, boosting, and both averaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

import rankforest
from rankforest import Dataset, Model

#: Section 2.1 of the thesis: full trees of 10 % of the features.
FOREST: dict[str, Any] = {"max_features": 0.1}


class PointWise(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A forest or boosting, alone, started from a forest, or averaged over several.

    Parameters
    ----------
    estimator : str
        The name of a class of rankforest.
    parameters : dict
        Its parameters, but for those below.
    n_estimators : int
        Trees of a forest, or most rounds of boosting.
    n_bags : int
        How many models on all queries are averaged; 1 for one alone.
    forest_trees : int
        Trees of the forest that IGBRT starts from; 0 for all other estimators.
    zero_is_missing : bool
        Whether a feature of 0 is missing: Yahoo's text leaves such features out, and MSLR's has 0.
    predict_missing : bool
        Whether forests predict what is missing first (algorithm 2).
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
        n_bags: int = 1,
        forest_trees: int = 0,
        zero_is_missing: bool = False,
        predict_missing: bool = False,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.parameters = parameters
        self.n_estimators = n_estimators
        self.n_bags = n_bags
        self.forest_trees = forest_trees
        self.zero_is_missing = zero_is_missing
        self.predict_missing = predict_missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, train: Dataset, *, eval_set: Dataset) -> PointWise:
        """Train, with the validation set to stop by."""
        train, valid = self._prepared(train), self._prepared(eval_set)
        self._filler = None
        if self.predict_missing:
            self._filler = rankforest.MissingFiller(
                random_state=self.random_state, n_jobs=self.n_jobs
            ).fit(train)
            train, valid = (self._filler.transform(each) for each in (train, valid))
        self._train = train
        self.estimator_ = self._made().fit(train, eval_set=valid)
        return self

    def _made(self) -> Any:
        given: dict[str, Any] = {**(self.parameters or {}), "n_estimators": self.n_estimators}
        if self.forest_trees:
            given["forest"] = rankforest.RandomForest(n_estimators=self.forest_trees, **FOREST)
        of_run: dict[str, Any] = {"random_state": self.random_state, "n_jobs": self.n_jobs}
        member = getattr(rankforest, self.estimator)(**given, **of_run)
        if self.n_bags == 1:
            return member
        return rankforest.Bagging(
            member, n_bags=self.n_bags, query_fraction=1.0, combine="mean", **of_run
        )

    def _prepared(self, data: Dataset) -> Dataset:
        if not self.zero_is_missing:
            return data
        return data._with(X=np.where(data.X == 0, np.float32(np.nan), data.X))

    @property
    def model_(self) -> Model:
        """The trained model."""
        model: Model = self.estimator_.model_
        return model

    @property
    def weights_(self) -> npt.NDArray[np.float64]:
        """Of learning by classification: what each problem weighs in the score, and the constant."""
        return weights_of(self.model_, self._train)

    @property
    def best_iteration_(self) -> int:
        """Trees of the model."""
        return self.model_.n_trees

    @property
    def rounds_before_(self) -> int:
        """Rounds of the model before the first that is counted: those of the forest it starts from."""
        return self.forest_trees

    def inputs(self, data: Dataset) -> Dataset:
        """Return documents as the model takes them."""
        data = self._prepared(data)
        filled: Dataset = data if self._filler is None else self._filler.transform(data)
        return filled

    def predict(self, data: Dataset) -> npt.NDArray[np.float64]:
        """Return the model's scores."""
        return self.model_.predict(self.inputs(data))


def weights_of(model: Model, data: Dataset) -> npt.NDArray[np.float64]:
    """Return w of S = w_0 T_0 + ... + w_(m-1) T_(m-1) + w_m, of a model by classification.

    T_c is what the trees of a problem say, P(grade <= c) before its correction; the scores of `data`
    are solved for the weights.
    """
    problems = [each.predict(data) for each in model._problems]
    columns = np.column_stack([*problems, np.ones(data.n_documents)])
    weights, *_ = np.linalg.lstsq(columns, model.predict(data), rcond=None)
    return np.asarray(weights, dtype=np.float64)
