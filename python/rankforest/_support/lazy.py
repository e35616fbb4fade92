"""Attributes that are computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Value = TypeVar("_Value")


class lazy(Generic[_Value]):  # noqa: N801 (a decorator, as property)
    """Make an attribute of a method: its value is computed once and kept by the object.

    `functools.cached_property` holds one lock for all objects of a class in Python 3.10 and 3.11: a
    small object waits for a large one, and a child that is forked meanwhile waits for ever. This
    has no lock. Threads that ask at the same time may all compute the value; they get the same one.
    """

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> lazy[_Value] | _Value:
        if instance is None:
            return self
        # Python finds the value there from now on, and does not come here.
        value: _Value = instance.__dict__.setdefault(self._name, self._compute(instance))
        return value
