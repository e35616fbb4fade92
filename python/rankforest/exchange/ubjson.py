"""UBJSON as XGBoost writes it: objects, strings, numbers, and arrays of one type as ndarrays.

Sizes come from the file, so none is trusted: nothing is allocated that the bytes at hand do not
hold, and depth is limited.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

_MOST_DEPTH = 64
_NUMBERS: dict[bytes, str] = {
    b"i": ">i1", b"U": ">u1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8",
}  # fmt: skip


def read_ubjson(content: bytes) -> Any:
    """Parse a document.

    Raises
    ------
    ValueError
        If it is not valid; the message has the place in bytes.
    """
    reader = _Reader(content)
    return reader.value(reader.take(1), 0)


def write_ubjson(value: object) -> bytes:
    """Write objects, lists, strings, numbers and ndarrays."""
    out = bytearray()
    _write(value, out)
    return bytes(out)


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def fail(self, problem: str) -> ValueError:
        return ValueError(f"not valid UBJSON: byte {self._at}: {problem}")

    def take(self, size: int) -> bytes:
        part = self._content[self._at : self._at + size]
        if len(part) < size:
            raise self.fail(f"the file ends within {size} bytes")
        self._at += size
        return part

    def value(self, mark: bytes, depth: int) -> Any:
        if depth > _MOST_DEPTH:
            raise self.fail(f"nested deeper than {_MOST_DEPTH}")
        if mark == b"{":
            return self._object(depth)
        if mark == b"[":
            return self._array(depth)
        if mark == b"S":
            return self._string()
        if mark in _NUMBERS:
            return self._number(mark)
        constants: dict[bytes, Any] = {b"T": True, b"F": False, b"Z": None}
        if mark not in constants:
            raise self.fail(f"unknown type {mark!r}")
        return constants[mark]

    def _number(self, mark: bytes) -> int | float:
        kind = np.dtype(_NUMBERS[mark])
        number: int | float = np.frombuffer(self.take(kind.itemsize), dtype=kind)[0].item()
        return number

    def _size(self) -> int:
        mark = self.take(1)
        size = self._number(mark) if mark in _NUMBERS else -1
        if not isinstance(size, int) or size < 0:
            raise self.fail("expected a size of 0 or more")
        return size

    def _string(self) -> str:
        try:
            return self.take(self._size()).decode()
        except UnicodeDecodeError:
            raise self.fail("a string is no UTF-8") from None

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        left = None
        if self._next() == b"#":
            self._at += 1
            left = self._size()
        while left != 0:
            if left is None and self._next() == b"}":
                self._at += 1
                break
            key = self._string()
            if key in found:
                raise self.fail(f"the key {key!r} stands twice in an object")
            found[key] = self.value(self.take(1), depth + 1)
            left = None if left is None else left - 1
        return found

    def _array(self, depth: int) -> Any:
        kind = None
        if self._next() == b"$":
            self._at += 1
            kind = self.take(1)
        if kind is not None or self._next() == b"#":
            if self.take(1) != b"#":
                raise self.fail("expected the number of items")
            return self._counted(kind, self._size(), depth)
        items = []
        while self._next() != b"]":
            items.append(self.value(self.take(1), depth + 1))
        self._at += 1
        return items

    def _counted(self, kind: bytes | None, size: int, depth: int) -> Any:
        if kind is None:
            if size > len(self._content) - self._at:
                raise self.fail(f"an array of {size} items is longer than the file")
            return [self.value(self.take(1), depth + 1) for _ in range(size)]
        if kind not in _NUMBERS:
            raise self.fail(f"an array of type {kind!r}, expected one of numbers")
        dtype = np.dtype(_NUMBERS[kind])
        if size * dtype.itemsize > len(self._content) - self._at:
            raise self.fail(f"an array of {size} items is longer than the file")
        numbers = np.frombuffer(self.take(size * dtype.itemsize), dtype=dtype)
        return numbers.astype(dtype.newbyteorder("="))

    def _next(self) -> bytes:
        return self._content[self._at : self._at + 1] or self.take(1)


def _write(value: object, out: bytearray) -> None:
    if isinstance(value, dict):
        out += b"{"
        for key, item in value.items():
            out += _sized(key.encode())
            _write(item, out)
        out += b"}"
    elif isinstance(value, np.ndarray):
        kind = value.dtype.newbyteorder(">")
        mark = next(mark for mark, name in _NUMBERS.items() if np.dtype(name) == kind)
        out += b"[$" + mark + b"#L" + struct.pack(">q", len(value)) + value.astype(kind).tobytes()
    elif isinstance(value, list):
        out += b"[#L" + struct.pack(">q", len(value))
        for item in value:
            _write(item, out)
    elif isinstance(value, str):
        out += b"S" + _sized(value.encode())
    else:
        out += b"L" + struct.pack(">q", value)


def _sized(text: bytes) -> bytes:
    return b"L" + struct.pack(">q", len(text)) + text
