"""Ctrl-C that ends a training and keeps its rounds."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class StopOnInterrupt:
    """A callback that lets Ctrl-C end training after the round at work, whose model is kept.

    While its ``with`` block runs, the first Ctrl-C (SIGINT) makes the callback ask training to stop:
    after the round, or a bag after the member, `fit` ends as usual, with the rounds so far. The
    second one interrupts at once. To be used in the program's main thread, where Python
    handles signals.

    Attributes
    ----------
    was_asked : bool
        Whether there was a Ctrl-C.

    Examples
    --------
    >>> from rankforest import MART, StopOnInterrupt
    >>> from rankforest.datasets import make_ranking
    >>> with StopOnInterrupt() as stop:
    ...     model = MART(n_estimators=50, callbacks=stop).fit(make_ranking(random_state=0))
    >>> stop.was_asked
    False
    """

    def __init__(self) -> None:
        self.was_asked = False
        self._earlier: Any = None

    def __enter__(self) -> Self:
        """Take over Ctrl-C."""
        self._earlier = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give it back."""
        signal.signal(signal.SIGINT, self._earlier)

    def __call__(self, report: dict[str, Any]) -> bool:
        """Whether training is to end."""
        return self.was_asked

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.was_asked:
            signal.signal(signal.SIGINT, self._earlier)
            signal.raise_signal(number)
        self.was_asked = True
