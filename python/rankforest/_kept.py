"""A property that is computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class kept_property(Generic[T]):  # noqa: N801  # used as a decorator, like property
    """A property that is computed when it is first read, and kept with its object.

    `functools.cached_property` did this until Python 3.12 under a lock that all objects of a class
    share: threads that read it of two objects waited for each other, and a process that was forked
    meanwhile waited for ever. There is no lock here: threads that are the first to read it at the
    same time compute it each, and one of the values is kept.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> kept_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> kept_property[T] | T:
        if instance is None:
            return self
        # From here on the object's own attribute is found before this one.
        return instance.__dict__.setdefault(self._name, self._compute(instance))  # type: ignore[no-any-return]
