"""The members of a model: what a bag is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from rankforest import _core
from rankforest._model.facts import Facts
from rankforest._model.notes import replaced
from rankforest._settings.parameters import RULES, seed_of
from rankforest.model_json import canonical_json

if TYPE_CHECKING:
    from rankforest.model import Model


class Members(Facts):
    """The part of a `Model` that knows its members."""

    @property
    def n_members(self) -> int:
        """Number of models whose scores are combined: 1, but for a bag."""
        return len(self._ensemble.rounds_of_members) // self._members_of_each

    @property
    def _members_of_each(self) -> int:
        """Members of the ensemble that each model has: one for each problem of an ordinal one."""
        return members_of_each(self._info.ordinal)

    def take(self, members: Iterable[int]) -> Model:
        """Return the bag of some members, in this order.

        A large bag is so a pool of models that are trained once: smaller bags of them show how many
        members pay (BL-MART 2011, figure 4).

        Parameters
        ----------
        members : iterable of int
            Numbers of members from 0 on, each at most once: ``range(20)`` for the first 20, which
            are the bag that ``n_bags=20`` trains.

        Returns
        -------
        Model
            It scores, stages and saves like any other. `parameters` has the number of its members
            as "n_bags" and, unless they are the first ones, their numbers as "members". Where they
            are combined by "mean", its scores may differ in the last digits from those of the bag
            that is trained with these members alone.

        Raises
        ------
        ValueError
            If the model is no bag, or has no such members.
        """
        chosen = self._members(members)
        parameters = self.parameters
        bag, ordinal = bag_of_members(
            self._ensemble, self._info.ordinal, chosen, parameters["combine"], parts=self.n_members
        )
        return self._with_members(bag, ordinal, chosen, parameters)

    def bag_of(self, k: int, *, random_state: int | np.random.RandomState | None = 0) -> Model:
        """Return the bag of `k` members that are drawn at random.

        Parameters
        ----------
        k : int
            From 1 to `n_members`.
        random_state : int, RandomState or None, default=0
            Equal seeds draw equal members.

        Returns
        -------
        Model
            As of `take`, with the members in ascending order.
        """
        return self.take(drawn_members(self.n_members, k, random_state))

    def _members(self, members: Iterable[int]) -> list[int]:
        """Check what `take` got."""
        if "n_bags" not in self.parameters:
            raise ValueError(
                f"take: a model of {self.algorithm or 'unknown origin'} is no bag; "
                "BaggedLambdaMART and Bagging train bags"
            )
        chosen = [index(member) for member in members]
        wrong = [member for member in chosen if not 0 <= member < self.n_members]
        if not chosen or wrong or len(set(chosen)) < len(chosen):
            raise ValueError(
                f"members must be different numbers from 0 to {self.n_members - 1}, at least one; "
                f"got {chosen}"
            )
        return chosen

    def _with_members(
        self,
        bag: _core.Ensemble,
        ordinal: _core.Ordinal | None,
        chosen: list[int],
        parameters: dict[str, Any],
    ) -> Model:
        """Return a model of an ensemble that has these members of this one."""
        before = parameters.pop("members", list(range(self.n_members)))
        numbers = [before[member] for member in chosen]
        parameters["n_bags"] = len(numbers)
        if numbers != list(range(len(numbers))):
            parameters["members"] = numbers
        info = replaced(self._info, parameters_json=canonical_json(parameters), ordinal=ordinal)
        return type(self)(bag, info)  # type: ignore[call-arg,return-value]


def members_of_each(ordinal: _core.Ordinal | None) -> int:
    """Return how many members of an ensemble make one model of a bag."""
    return 1 if ordinal is None else len(ordinal.grades) - 1


def bag_of_members(
    pool: _core.Ensemble,
    ordinal: _core.Ordinal | None,
    chosen: Sequence[int],
    combine: str,
    *,
    parts: int = 1,
) -> tuple[_core.Ensemble, _core.Ordinal | None]:
    """Return the bag of some members of a pool, and what it keeps of their problems.

    Parameters
    ----------
    pool, ordinal
        The members, and what they keep of their problems where they are ordinal models.
    chosen : sequence of int
        Positions of members.
    combine : str
        How the scores of members become one.
    parts : int
        How many members share the pool, where it is itself a bag.
    """
    bag = _core.bag_of(
        pool,
        members=chosen,
        combine=combine,
        parts=parts if combine == "mean" else 1,
        n_each=members_of_each(ordinal),
    )
    if ordinal is None:
        return bag, None
    return bag, _core.bag_of_ordinals(ordinal, members=chosen, parts=parts)


def drawn_members(
    n_members: int, k: int, random_state: int | np.random.RandomState | None
) -> list[int]:
    """Draw `k` of the members of a bag, ascending.

    Raises
    ------
    ValueError
        If there are not so many, or `random_state` is none.
    """
    if not 1 <= index(k) <= n_members:
        raise ValueError(f"k must be from 1 to the {n_members} members of the bag, got {k}")
    seed = seed_of(RULES["random_state"].check("random_state", random_state))
    drawn = np.random.RandomState(seed % 2**32).permutation(n_members)[:k]
    return sorted(drawn.tolist())
