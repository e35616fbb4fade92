"""What an ordinal model keeps of its problems, in the JSON form of a model."""

from __future__ import annotations

from typing import Any

from rankforest import _core


def ordinal_to_json(ordinal: _core.Ordinal) -> dict[str, object]:
    """Give the object of the JSON form that `rankforest.model_json` describes."""
    return {
        "grades": ordinal.grades,
        "members": [
            {"problem": problem, "base": base, "group_weights": weights}
            for problem, base, weights in ordinal.parts
        ],
    }


def ordinal_from_json(values: dict[str, Any]) -> _core.Ordinal:
    """Read what `ordinal_to_json` gives; whether it fits the model is checked with the model.

    Raises
    ------
    ValueError
        If it is not of the form.
    """
    try:
        if values.keys() != {"grades", "members"}:
            raise ValueError("its keys must be grades and members")
        parts = [_part(member) for member in values["members"]]
        return _core.Ordinal([_number(grade) for grade in values["grades"]], parts)
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise ValueError(f"ordinal: {error}") from None


def _part(member: dict[str, Any]) -> tuple[int, float, list[float]]:
    if member.keys() != {"problem", "base", "group_weights"}:
        raise ValueError("the keys of a member must be problem, base and group_weights")
    problem = member["problem"]
    if type(problem) is not int or not 0 <= problem < 2**32:
        raise ValueError(f"a problem must be a number in [0, 2^32), got {problem!r}")
    return problem, _number(member["base"]), [_number(w) for w in member["group_weights"]]


def _number(value: object) -> float:
    if type(value) not in (int, float):
        raise ValueError(f"expected a number, got {value!r}")
    return float(value)  # type: ignore[arg-type]
