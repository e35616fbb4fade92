"""When documents stop being scored: at any rounds, by share, by distance from the best, by rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from numbers import Integral, Real
from typing import Any, Literal

from rankforest._support.wording import described

__all__ = ["EarlyExit", "Exit", "ExitSchedule"]


@dataclass(frozen=True)
class EarlyExit:
    """When the documents with the lowest scores stop being scored [1]_, [2]_.

    After every `every` rounds, the ``floor(fraction * n)`` lowest of the n documents that are still
    being scored exit. Those that tie with the lowest document that stays do not exit either.
    `ExitSchedule` has exits at any rounds and by other rules.

    Parameters
    ----------
    every : int
        Rounds from one exit to the next, in [1, 2**32).
    fraction : float
        Share of the documents that exit, in [0, 1).
    scope : {"query", "set"}, default="query"
        Whether the lowest documents of each query exit, or the lowest of all documents together,
        as in the thesis [1]_.
    demote : bool, default=False
        Whether documents that exit are ranked below the others of their query. Their scores are
        then replaced: those that exited last come first, in the order of their scores, each 1
        below the document before it. Without it they keep their scores, which may be higher than
        those of documents that stayed.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", 2010, section 6.1.
    .. [2] B. B. Cambazoglu et al., "Early exit optimizations for additive machine learned ranking
       systems", WSDM 2010.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=100).fit(data).model_
    >>> within = model.predict_within(data, early_exit=rf.EarlyExit(20, 0.3))
    >>> sorted(set(within.rounds.tolist()))
    [20, 40, 60, 80, 100]
    >>> within.n_evaluations < len(within.scores) * 100
    True
    """

    every: int
    fraction: float
    scope: Literal["query", "set"] = "query"
    demote: bool = False

    def __post_init__(self) -> None:
        if not _is_count(self.every):
            raise ValueError(f"every must be an integer in [1, 2**32), got {self.every!r}")
        if not isinstance(self.fraction, Real) or not 0 <= self.fraction < 1:
            raise ValueError(f"fraction must be in [0, 1), got {self.fraction!r}")
        _check_scope(self.scope)

    def schedule(self, n_rounds: int) -> ExitSchedule:
        """Return the same exits one by one, for a model of so many rounds."""
        exits = [Exit(r, self.fraction) for r in range(self.every, n_rounds, self.every)]
        return ExitSchedule(exits, scope=self.scope, demote=self.demote)


@dataclass(frozen=True)
class Exit:
    """What happens after one round: a document exits if any of three rules says so.

    Parameters
    ----------
    round : int
        The round after which documents exit, in [1, 2**32).
    fraction : float, default=0
        Of the n documents that are still being scored, the ``floor(fraction * n)`` lowest exit; in
        [0, 1).
    margin : float, optional
        Documents exit whose score is more than this below that of the k-th best that is still
        being scored, >= 0; k is that of the schedule. Where fewer than k are, none exits.
    keep : int, optional
        All documents but so many, the best, exit; in [1, 2**32). Those that tie with the last of
        these stay.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    Examples
    --------
    >>> import rankforest as rf
    >>> rf.Exit(50, margin=0.8)
    Exit(round=50, margin=0.8)
    """

    round: int
    fraction: float = 0.0
    margin: float | None = None
    keep: int | None = None

    def __post_init__(self) -> None:
        if not _is_count(self.round):
            raise ValueError(f"round must be an integer in [1, 2**32), got {self.round!r}")
        if not isinstance(self.fraction, Real) or not 0 <= self.fraction < 1:
            raise ValueError(f"fraction must be in [0, 1), got {self.fraction!r}")
        if self.margin is not None and not (
            isinstance(self.margin, Real) and 0 <= self.margin < inf
        ):
            raise ValueError(f"margin must be finite and >= 0 or None, got {self.margin!r}")
        if self.keep is not None and not _is_count(self.keep):
            raise ValueError(f"keep must be an integer in [1, 2**32) or None, got {self.keep!r}")

    def __repr__(self) -> str:
        rules = [f"round={self.round}"]
        rules += [f"fraction={self.fraction:g}"] if self.fraction else []
        rules += [f"margin={self.margin:g}"] if self.margin is not None else []
        rules += [f"keep={self.keep}"] if self.keep is not None else []
        return f"Exit({', '.join(rules)})"


@dataclass(frozen=True, init=False, repr=False)
class ExitSchedule:
    """Exits of documents at any rounds of a model [1]_.

    Parameters
    ----------
    exits : sequence of Exit or (round, fraction)
        What happens after which rounds, each of them once; no exits where it is empty.
    k : int, default=10
        What margins are measured from: the score of the k-th best document, in [1, 2**32).
    scope : {"query", "set"}, default="query"
        Whether the documents of each query are compared, or all documents together.
    demote : bool, default=False
        As for `EarlyExit`.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or a round occurs twice.

    See Also
    --------
    choose_exits : finds a schedule.
    Model.with_exits : saves a schedule with a model.

    References
    ----------
    .. [1] B. B. Cambazoglu et al., "Early exit optimizations for additive machine learned ranking
       systems", WSDM 2010. A margin is there a proximity threshold, `keep` a rank threshold.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=100).fit(data).model_
    >>> schedule = rf.ExitSchedule([(10, 0.5), rf.Exit(40, margin=0.5)], k=5)
    >>> within = model.predict_within(data, early_exit=schedule)
    >>> sorted(set(within.rounds.tolist()))
    [10, 40, 100]
    """

    exits: tuple[Exit, ...]
    k: int = 10
    scope: Literal["query", "set"] = "query"
    demote: bool = False

    def __init__(
        self,
        exits: Sequence[Exit | tuple[int, float]],
        *,
        k: int = 10,
        scope: Literal["query", "set"] = "query",
        demote: bool = False,
    ) -> None:
        if not _is_count(k):
            raise ValueError(f"k must be an integer in [1, 2**32), got {k!r}")
        _check_scope(scope)
        own = tuple(sorted(map(_exit_of, exits), key=lambda each: each.round))
        for i, each in enumerate(own[1:]):
            if each.round == own[i].round:
                raise ValueError(f"exits must be at different rounds, got round {each.round} twice")
        values = {"exits": own, "k": int(k), "scope": scope, "demote": bool(demote)}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def schedule(self, n_rounds: int) -> ExitSchedule:
        """Return the exits that a model of so many rounds comes to."""
        exits = [each for each in self.exits if each.round < n_rounds]
        return ExitSchedule(exits, k=self.k, scope=self.scope, demote=self.demote)

    def to_dict(self) -> dict[str, Any]:
        """Return what `from_dict` and the JSON form of a model take."""
        points = [
            {
                "round": int(each.round),
                "fraction": float(each.fraction),
                "margin": None if each.margin is None else float(each.margin),
                "keep": None if each.keep is None else int(each.keep),
            }
            for each in self.exits
        ]
        return {"k": self.k, "demote": self.demote, "scope": self.scope, "points": points}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ExitSchedule:
        """Return the schedule that `to_dict` returned; without a scope, it is by query."""
        exits = [Exit(**point) for point in values["points"]]
        scope = values.get("scope", "query")
        return cls(exits, k=values["k"], scope=scope, demote=values["demote"])

    def __bool__(self) -> bool:
        return bool(self.exits)

    def __repr__(self) -> str:
        parts = [f"[{', '.join(map(repr, self.exits))}]"]
        parts += [f"k={self.k}"] if self.k != 10 else []
        parts += [f"scope={self.scope!r}"] if self.scope != "query" else []
        parts += ["demote=True"] if self.demote else []
        return f"ExitSchedule({', '.join(parts)})"


def checked_exits(early_exit: object) -> EarlyExit | ExitSchedule | None:
    """Return what says when documents exit, or raise a ValueError."""
    if early_exit is None or isinstance(early_exit, (EarlyExit, ExitSchedule)):
        return early_exit
    raise ValueError(
        f"early_exit must be an EarlyExit, an ExitSchedule or None, got {early_exit!r}"
    )


def _exit_of(given: object) -> Exit:
    if isinstance(given, Exit):
        return given
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2:
        return Exit(*given)
    raise ValueError(
        f"exits must hold Exit or (round, fraction), got {described(given)}: {given!r}"
    )


def _is_count(value: object) -> bool:
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    return is_integer and 1 <= int(value) < 2**32  # type: ignore[call-overload]


def _check_scope(scope: object) -> None:
    if scope not in {"query", "set"}:
        raise ValueError(f'scope must be "query" or "set", got {scope!r}')
