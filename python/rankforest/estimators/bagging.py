"""Bags: models of one kind, trained side by side on parts of the queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState
from sklearn.utils.validation import check_is_fitted

from rankforest import _core
from rankforest._model.members import bag_of_members, drawn_members, members_of_each
from rankforest._settings.parameters import Problems, parse_parameters
from rankforest.data import Dataset
from rankforest.estimators.base import OF_THE_RUN, Ranker
from rankforest.estimators.custom import Callback
from rankforest.estimators.lambdamart import LambdaMART
from rankforest.estimators.ordinal import OrdinalRanker
from rankforest.estimators.run import OF_BAG, Run
from rankforest.estimators.watches import MetricLike, Metrics
from rankforest.model import Model

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, eq=False)
class BagMember:
    """What is known of a member of a bag.

    The estimator of the members, with this `random_state`, fitted on `queries` alone, gives the
    same trees where its ``tree_method`` is "exact" and its `missing` is neither "mean" nor "median",
    which are those of all queries.
    """

    random_state: int
    queries: npt.NDArray[Any]  #: the ids of the queries that it was trained on, in canonical order
    best_iteration: int  #: rounds kept
    stopped_early: bool
    #: Set -> metric -> values after each of `history_rounds`.
    history: dict[str, dict[str, list[float]]] = field(repr=False)
    history_rounds: list[int] = field(repr=False)


class BagOfModels(Ranker):
    """What the estimators of bags share."""

    n_bags: int
    query_fraction: float
    combine: str

    #: The members of a mean, and those of ordinal models, as each was trained, with what these
    #: keep of their problems; otherwise `model_` has them.
    _pool: tuple[_core.Ensemble, _core.Ordinal | None] | None = None
    members_: list[BagMember]

    def take(self, members: Iterable[int]) -> Model:
        """Return the bag of some members: see `Model.take`.

        Parameters
        ----------
        members : iterable of int
            Numbers of members from 0 on, each at most once.

        Returns
        -------
        Model
            The bag that is trained with these members alone, bit for bit.
        """
        check_is_fitted(self)
        chosen = self.model_._members(members)
        bag, ordinal = bag_of_members(*self._so_far(), chosen, self.combine)
        return self.model_._with_members(bag, ordinal, chosen, self.model_.parameters)

    def bag_of(self, k: int, *, random_state: int | RandomState | None = 0) -> Model:
        """Return the bag of `k` members that are drawn at random: see `Model.bag_of`.

        Parameters
        ----------
        k : int
            From 1 to the number of members.
        random_state : int, RandomState or None, default=0
            Equal seeds draw equal members.

        Returns
        -------
        Model
            As of `take`, with the members in ascending order.
        """
        check_is_fitted(self)
        return self.take(drawn_members(self.model_.n_members, k, random_state))

    @property
    def best_iteration_(self) -> npt.NDArray[np.int64]:  # type: ignore[override]
        """Number of rounds kept of each member."""
        self._require_fitted("best_iteration_")
        each = self.model_._members_of_each
        return np.array(self.model_._ensemble.rounds_of_members[::each], dtype=np.int64)

    @property
    def best_score_(self) -> float:
        """Value of the first metric on the set that decides, for all members together."""
        self._require_fitted("best_score_")
        if self.deciding_set_ is None:
            raise AttributeError("fit had no evaluation set")
        return next(iter(self.history_[self.deciding_set_].values()))[-1]

    def __getitem__(self, rounds: slice) -> Self:
        """Return a fitted copy that keeps the first rounds of every member: `estimator[:k]`."""
        prefix = super().__getitem__(rounds)
        if self._pool is not None:
            pool, ordinal = self._pool
            pool = pool.prefix(prefix.model_.n_rounds)
            left = None if ordinal is None else _core.ordinal_prefix(ordinal, pool)
            prefix._pool = pool, left
        return prefix

    __iter__ = None

    @property
    def _name_in_model(self) -> str:
        return f"bagged_{self._algorithm}"

    @property
    def _kept(self) -> str:
        return f"{self.model_.n_members} members"

    def _so_far(self) -> tuple[_core.Ensemble, _core.Ordinal | None]:
        return (self.model_._ensemble, None) if self._pool is None else self._pool

    def _assembled(
        self, ensemble: _core.Ensemble, ordinal: _core.Ordinal | None
    ) -> tuple[_core.Ensemble, _core.Ordinal | None]:
        keeps = self.combine == "mean" or ordinal is not None
        self._pool = (ensemble, ordinal) if keeps else None
        members = range(len(ensemble.rounds_of_members) // members_of_each(ordinal))
        return bag_of_members(ensemble, ordinal, members, self.combine)

    def _take_members(
        self, trained: Mapping[str, Any], data: Dataset, run: Run, *, goes_on: bool
    ) -> None:
        before = self.members_ if goes_on else []
        each = members_of_each(trained["ordinal"])
        rounds = trained["ensemble"].rounds_of_members[::each][len(before) :]
        first_rows = data._core.order[data._core.offsets[:-1]]
        ids = np.asarray(data.qid)[first_rows]
        self.members_ = [*before]
        for each, n_rounds in zip(trained["members"], rounds, strict=True):
            history = run.metrics.history(each["history"])
            self.members_.append(
                BagMember(
                    random_state=each["seed"],
                    queries=ids[each["queries"]],
                    best_iteration=n_rounds,
                    stopped_early=each["stopped_early"],
                    history=history.values,
                    history_rounds=history.rounds,
                )
            )

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        if settings["query_fraction"] < 1.0:
            return "each member draws queries"
        return super()._why_queries(settings)


class Bagging(BagOfModels, OrdinalRanker):
    """Bags of any ranker of this package on parts of the queries.

    Each member is trained like `estimator` on its own draw of the queries, with its own seed and
    its own early stopping, and the scores of all are combined. Of LambdaMARTs this is BL-MART [1]_,
    of `MART` with `subsample` and `max_features` on all queries averaged kSGBRT [2]_.

    Parameters
    ----------
    estimator : LambdaMART, MART, IGBRT or a forest, default=None
        What the members are; None is `LambdaMART()`. Its `metric`, `early_stopping_set`,
        `validation_fraction`, `qid_column` and `objective` hold for the bag. Its `random_state`,
        `n_jobs`, `callbacks`, `verbose` and `warm_start` are not used: those below are, and
        `random_state` gives each member a seed of its own. Nor is `oob_score`.
    n_bags : int, default=20
        Members: models that are trained, side by side. One after the other, where Python functions
        take part in training.
    query_fraction : float, default=0.67
        Share in (0, 1] of the queries that each member is trained on, drawn without replacement.
    combine : {"mean", "minmax", "borda"}, default="minmax"
        How the scores of the members become one. "minmax" scales those of each member to the range
        from 0 to 1 within each query and takes the mean. "borda" adds up how many documents of the
        query each member ranks lower. "mean" is the plain mean. "minmax" and "borda" need to know
        the queries of what is scored.
    warm_start : bool, default=False
        Whether `fit` goes on from the bag of the last `fit` and trains only the members that a
        larger `n_bags` adds. The result is that of training all of them at once, bit for bit; data
        and other parameters must be those of the last `fit`.
    callbacks : callable or sequence of callables, default=()
        Called after each member, in their order, with a dict of "round" (members so far),
        "n_rounds" (`n_bags`) and "values" (set name -> metric -> value of the bag so far). Training
        ends where one returns True, and the bag has the members so far.
    verbose : bool or int, default=0
        A line with the values is printed every so many members; 0 for none, True for each.
    random_state : int, RandomState or None, default=0
        Equal seeds give equal models, bit for bit. None draws a seed; `random_state_` has it. Each
        member draws its queries and has a seed by this one and its number alone: the first 20
        members of 45 are the bag of 20.
    n_jobs : int or None, default=None
        Threads; None for every core that the process may use (processor affinity, container
        limits and OMP_NUM_THREADS count), -1 likewise, -2 for all but one. Never changes a
        result.

    Attributes
    ----------
    model_ : Model
        The bag; ``model_.take(members)`` is a bag of some of its members. Of LambdaMARTs it is the
        model of `BaggedLambdaMART`, bit for bit.
    members_ : list of BagMember
        What is known of each member: its seed, its queries, its history.
    best_iteration_ : ndarray of int, shape (n_members,)
        Number of rounds kept of each member.
    history_ : dict
        Set name -> metric -> list of its values for the first 1, 2, 3, ... members together, as
        `history_rounds_` counts them. `history_frame` has them as a data frame. With
        ``combine="mean"`` they may differ from the model's in the last digits.
    history_rounds_ : list of int
        How many members the bag had where the sets were measured: 1, 2, 3, ...
    deciding_set_ : str or None
        The evaluation set that decided: `early_stopping_set`, or what it stands for.
    best_score_ : float
        Value of the first metric on that set for the whole bag; only where there is one.
    frame_columns_ : FrameColumns or None
        The columns of the training data that were no features: `y`, `qid`, `sample_weight`.
    random_state_ : int
        The seed that was used.
    classes_ : ndarray of float64, shape (n_grades,)
        Of members with `ordinal`: the grades, ascending. `predict_proba` gives the mean of what the
        members say of them.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the total gain of all splits. Where `combine` brings scores to a
        common scale, the mean over the members of their shares.
    charged_features_ : ndarray of bool, shape (n_features,)
        Whether any split uses the feature, so that whoever computes a score pays for it.
    n_features_in_ : int
        Columns of the training data.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only where the training data names its columns.

    References
    ----------
    .. [1] Y. Ganjisaffar, R. Caruana and C. Lopes, "Bagging gradient-boosted trees for high
       precision, low variance ranking models", SIGIR 2011.
    .. [2] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       section 2.3.3.

    Examples
    --------
    >>> from rankforest import MART, Bagging
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=40, random_state=0).train_test_split(0.5)
    >>> ksgbrt = MART(n_estimators=30, subsample=0.5, max_features=5)
    >>> averaged = Bagging(ksgbrt, n_bags=4, query_fraction=1.0, combine="mean").fit(train)
    >>> averaged.best_iteration_
    array([30, 30, 30, 30])
    >>> Bagging(ksgbrt).set_params(estimator__learning_rate=0.2).estimator.learning_rate
    0.2
    """

    _nested = frozenset({"estimator"})

    def __init__(
        self,
        estimator: Ranker | None = None,
        *,
        n_bags: int = 20,
        query_fraction: float = 0.67,
        combine: str = "minmax",
        warm_start: bool = False,
        callbacks: Callback | Sequence[Callback] = (),
        verbose: bool | int = 0,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_bags = n_bags
        self.query_fraction = query_fraction
        self.combine = combine
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def metric(self) -> MetricLike | Sequence[MetricLike]:  # type: ignore[override]
        """What is measured: that of the members."""
        return self._member.metric

    @property
    def validation_fraction(self) -> float | None:  # type: ignore[override]
        """The share of the queries that are held out: that of the members."""
        return self._member.validation_fraction

    @property
    def qid_column(self) -> str | None:  # type: ignore[override]
        """The column with the queries: that of the members."""
        return self._member.qid_column

    @property
    def _member(self) -> Ranker:
        """What each member is trained like."""
        return LambdaMART() if self.estimator is None else self.estimator

    @property
    def _asks_for_probabilities(self) -> bool:
        return bool(getattr(self._member, "ordinal", False))

    @property
    def _algorithm(self) -> str:  # type: ignore[override]
        return self._member._algorithm

    def _values(self) -> dict[str, Any]:
        of_member = self._member.get_params(deep=False)
        of_run = {name: value for name, value in of_member.items() if name in OF_THE_RUN}
        return of_run | super()._values()

    def _settings(self, problems: Problems, prefix: str = "") -> dict[str, Any]:
        of_bag = {name: getattr(self, name) for name in OF_BAG}
        return {
            **self._member._settings(problems, f"{prefix}estimator."),
            **parse_parameters(of_bag, problems, prefix),
        }

    def _checked_run(self, *arguments: Any) -> Run:
        if not isinstance(self._member, Ranker) or isinstance(self._member, BagOfModels):
            raise TypeError(
                f"{self._name}: estimator must be a ranker of this package that is no bag itself, "
                f"such as LambdaMART(), or None, got {self.estimator!r}"
            )
        return super()._checked_run(*arguments)

    def _check_together(
        self, settings: dict[str, Any], metrics: Metrics, problems: Problems
    ) -> None:
        self._member._check_together(settings, metrics, problems)

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        return super()._why_queries(settings) or self._member._why_queries(settings)

    def _check_data(self, data: Dataset) -> None:
        self._member._check_data(data)
