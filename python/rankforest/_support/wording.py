"""What messages about names have in common."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def names_of(names: str | Iterable[str]) -> list[str]:
    """Return names that a user gives; a string alone is one name, not its letters."""
    return [names] if isinstance(names, str) else list(names)


def nearest(name: str, names: Iterable[object]) -> str | None:
    """Return the one of `names` that was probably meant, whatever its case; None if none is close."""
    folded = {each.casefold(): each for each in names if isinstance(each, str)}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    return folded[near[0]] if near else None


def described(value: object) -> str:
    """Return what kind of value something is, with its article: "a str", "an int"."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    is_spoken_with_vowel = name[0].lower() in "aeiou" or name == "ndarray"
    return f"{'an' if is_spoken_with_vowel else 'a'} {name}"


def first_of(parts: Sequence[str], most: int) -> str:
    """Return at most so many parts for a message, and how many more there are."""
    shown = ", ".join(parts[:most])
    more = len(parts) - most
    return f"{shown} and {more} more" if more > 0 else shown
