"""Measures of the package ir_measures as metrics of ours, by the conventions that it follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_LARGEST_GRADE = 1000  # in a table of gains


def is_measure(metric: object) -> bool:
    """Say whether something is a measure of ir_measures, without importing the package."""
    return any(
        cls.__name__ == "Measure" and cls.__module__.split(".")[0] == "ir_measures"
        for cls in type(metric).__mro__
    )


def spelling_of(measure: Any) -> str:
    """Return the metric that gives the values of a measure, as it is spelled here.

    Raises
    ------
    ValueError
        If there is none; the message names the measure.
    """
    keys_of = _KEYS.get(measure.NAME)
    if keys_of is None:
        raise ValueError(
            f"metrics: {measure} of ir_measures has no counterpart; there are "
            + ", ".join(sorted(_KEYS))
        )
    parameters = dict(measure.params)
    if parameters.get("judged_only"):
        raise ValueError(f"metrics: {measure} of ir_measures: judged_only has no counterpart")
    name, keys = keys_of(parameters)
    cutoff = f"@{parameters['cutoff']}" if "cutoff" in parameters else ""
    return f"{name}{cutoff}({','.join(f'{key}={value}' for key, value in keys.items())})"


_Keys = tuple[str, dict[str, object]]


def _by_trec_eval(name: str) -> Callable[[Mapping[str, Any]], _Keys]:
    def keys_of(parameters: Mapping[str, Any]) -> _Keys:
        return name, {"preset": "trec_eval", "threshold": parameters.get("rel", 1)}

    return keys_of


def _ndcg(parameters: Mapping[str, Any]) -> _Keys:
    exponential = parameters.get("dcg") == "exp-log2"  # gdeval's, which leaves empty queries out
    keys: dict[str, object] = {"preset": "gdeval" if exponential else "trec_eval", "empty": 0}
    gains = parameters.get("gains")
    if gains:
        largest = max(gains)
        if exponential or largest > _LARGEST_GRADE:
            raise ValueError(
                "metrics: nDCG of ir_measures: gains must be of dcg='log2' and of grades up to "
                f"{_LARGEST_GRADE}"
            )
        keys["gain"] = ";".join(str(gains.get(grade, grade)) for grade in range(largest + 1))
    return "ndcg", keys


def _err(_parameters: Mapping[str, Any]) -> _Keys:
    return "err", {"preset": "gdeval", "empty": 0}


def _rbp(parameters: Mapping[str, Any]) -> _Keys:
    if "rel" not in parameters:
        raise ValueError("metrics: RBP of ir_measures needs rel, the lowest relevant grade")
    persistence = parameters.get("p", 0.8)
    return "rbp", {
        "threshold": parameters["rel"],
        "persistence": persistence,
        "empty": 0,
        "ties": "input",
    }


# What each measure that has a counterpart is by the program that ir_measures asks: trec_eval,
# gdeval (ERR, and nDCG of exponential gain), which leaves empty queries out that ir_measures then
# counts as 0, and cwl_eval (RBP), whose ties stay in the order of the run. Left out: for RR at a
# cutoff it asks MS MARCO's script, which breaks ties by ascending ids, where trec_eval's descend.
_KEYS: Mapping[str, Callable[[Mapping[str, Any]], _Keys]] = {
    "AP": _by_trec_eval("map"),
    "ERR": _err,
    "P": _by_trec_eval("p"),
    "R": _by_trec_eval("recall"),
    "RBP": _rbp,
    "RR": _by_trec_eval("mrr"),
    "nDCG": _ndcg,
}
