"""Exits of documents that are saved with a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankforest._model.facts import Facts
from rankforest._support.lazy import lazy
from rankforest.exits import EarlyExit, ExitSchedule, checked_exits

if TYPE_CHECKING:
    from rankforest.model import Model


class Exits(Facts):
    """The part of a `Model` that says when documents stop being scored."""

    @lazy
    def exits(self) -> ExitSchedule | None:
        """When documents stop being scored before the last tree; None: they do not.

        All methods that score follow it, as the scorers of the C++ and C libraries do. Scores then
        depend on whole queries. ``model[:k]`` has the exits before round k; models that are made of
        this one by `blend`, `prune` and ``refit``, or by training that goes on from it, have none.
        """
        exits = self._ensemble.exits
        return None if exits is None else ExitSchedule.from_dict(exits)

    def with_exits(self, early_exit: EarlyExit | ExitSchedule | None) -> Model:
        """Return the same trees with exits that are saved with the model.

        Parameters
        ----------
        early_exit : EarlyExit, ExitSchedule or None
            When documents stop being scored, by query. Exits after the last round, or later, are
            left out. None: never.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If its scope is not "query", or if the model combines its members or normalises features
            within queries: it has no scores before its last tree.

        Examples
        --------
        >>> import rankforest as rf
        >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
        >>> model = rf.MART(n_estimators=100).fit(data).model_
        >>> fast = model.with_exits(rf.ExitSchedule([(20, 0.5)]))
        >>> rf.Model.from_bytes(fast.to_bytes()).exits
        ExitSchedule([Exit(round=20, fraction=0.5)])
        >>> bool((fast.predict(data) == fast.predict_within(data).scores).all())
        True
        """
        from rankforest.model import Model  # noqa: PLC0415  # it is made of this

        early_exit = checked_exits(early_exit)
        if early_exit is not None and not self._ensemble.scores_in_part:
            raise ValueError(
                "a model that combines scores or normalizes features within queries has no score "
                "before its last tree, so its documents cannot exit before"
            )
        schedule = None if early_exit is None else early_exit.schedule(self.n_rounds)
        if schedule is not None and schedule.scope != "query":
            raise ValueError(
                f'early_exit: exits that are saved with a model must have scope "query", got '
                f"{schedule.scope!r}"
            )
        return Model(
            self._ensemble.with_exits(schedule.to_dict() if schedule else None), self._info
        )
