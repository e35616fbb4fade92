"""What every estimator parameter may be, and the check that names all unusable ones at once."""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import joblib
import numpy as np

from rankforest._data.levels import parse_columns
from rankforest._settings.constraints import parse_directions, parse_interactions, parse_weights
from rankforest._settings.fills import parse_missing
from rankforest.feature_costs import FeatureCosts

Parse = Callable[[object], object]


@dataclass(frozen=True)
class Rule:
    """The values that a parameter may have."""

    #: What an error message says the value must be.
    expectation: str
    #: The value as a plain Python object; ValueError or TypeError where it does not fit.
    parse: Parse
    #: How help texts show the values, such as "INT|none".
    metavar: str = "VALUE"

    def check(self, name: str, value: object) -> Any:
        """Return the plain form of parameter `name`, or raise a ValueError that explains."""
        try:
            return self.parse(value)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be {self.expectation}, got {value!r}") from None

    def __or__(self, other: Rule) -> Rule:
        """Accept what fits either rule; the first that fits decides the plain form."""

        def parse(value: object) -> object:
            try:
                return self.parse(value)
            except (TypeError, ValueError):
                return other.parse(value)

        either = dict.fromkeys([*self.metavar.split("|"), *other.metavar.split("|")])
        return Rule(f"{self.expectation} or {other.expectation}", parse, "|".join(either))


@dataclass(frozen=True)
class SaidByItself(Rule):
    """A rule whose values say themselves what is wrong with them."""

    def check(self, name: str, value: object) -> Any:
        """Return the plain form, or raise a ValueError with what the value says."""
        try:
            return self.parse(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from None


def integer(lowest: int) -> Rule:
    """Whole numbers from `lowest` on; a bool is not one."""

    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral) or value < lowest:
            raise ValueError
        return int(value)

    return Rule(f"an integer >= {lowest}", parse, "INT")


def real(expectation: str, fits: Callable[[float], bool]) -> Rule:
    """Finite real numbers, integers included, that `fits`; a bool is not one."""

    def parse(value: object) -> float:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
            raise TypeError
        number = float(value) + 0.0  # no -0.0, which 0.0 equals
        if not (math.isfinite(number) and fits(number)):
            raise ValueError
        return number

    return Rule(expectation, parse, "FLOAT")


def fraction(expectation: str, highest: float) -> Rule:
    """Floating-point numbers in (0, highest], so that 1 stays a count."""

    def parse(value: object) -> float:
        if isinstance(value, Integral) or not isinstance(value, Real):
            raise TypeError
        number = float(value) + 0.0  # no -0.0, which 0.0 equals
        if not 0.0 < number <= highest:
            raise ValueError
        return number

    return Rule(expectation, parse, "FLOAT")


def choice(*options: str) -> Rule:
    """One of a few words."""

    def parse(value: object) -> str:
        if not isinstance(value, str) or value not in options:
            raise ValueError
        return str(value)

    return Rule(" or ".join(f'"{option}"' for option in options), parse, "|".join(options))


def _parse_none(value: object) -> None:
    if value is not None:
        raise ValueError


def _parse_flag(value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError
    return bool(value)


def _parse_name(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    return str(value)


def _parse_verbose(value: object) -> int:
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if not isinstance(value, Integral) or value < 0:
        raise ValueError
    return int(value)


def _parse_n_jobs(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Integral) or value == 0:
        raise ValueError
    return int(value)


def _parse_random_state(value: object) -> int | np.random.RandomState | None:
    if value is None or isinstance(value, np.random.RandomState):
        return value
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError
    if not 0 <= int(value) < 2**64:
        raise ValueError
    return int(value)


def _parse_callback(value: object) -> Callable[..., object]:
    if not callable(value):
        raise TypeError
    return value


def _parse_callbacks(value: object) -> tuple[Callable[..., object], ...]:
    if callable(value):
        return (value,)
    if not isinstance(value, Sequence):
        raise TypeError
    return tuple(map(_parse_callback, value))


def _parse_costs(value: object) -> FeatureCosts | None:
    return None if value is None else FeatureCosts.of(value)


NONE = Rule("None", _parse_none, "none")
FLAG = Rule("True or False", _parse_flag, "true|false")
NON_NEGATIVE = real(">= 0", lambda x: x >= 0.0)
POSITIVE = real("> 0", lambda x: x > 0.0)
BELOW_ONE = real("in (0, 1)", lambda x: 0.0 < x < 1.0)
FROM_ZERO_TO_ONE = real("in [0, 1]", lambda x: 0.0 <= x <= 1.0)
UP_TO_ONE = real("in (0, 1]", lambda x: 0.0 < x <= 1.0)
_CALLABLE = Rule("a callable", _parse_callback)

#: The objectives of LambdaMART that have a name.
OBJECTIVES = ("lambdarank", "yetirank", "yetiloss", "xe_ndcg", "ndcg_loss2++")

#: How an ordinal model makes a score; the first ones without fitting weights.
ORDINAL_SCORINGS = ("expected", "square", "exp2", "ols_train", "ols_valid", "ols_both")

#: The parameters that have the same meaning wherever they occur.
RULES: Mapping[str, Rule] = {
    "n_estimators": integer(1),
    "criterion": choice("squared_error", "entropy", "random", "pairwise", "listwise"),
    "pair_weight": choice("one", "difference"),
    "listwise_cutoff": integer(1) | NONE,
    "listwise_levels": integer(1) | NONE,
    "criterion_below": choice("entropy", "squared_error"),
    "relevance": choice("grade", "exp2"),
    "tree_weights": choice("equal", "expected_ndcg"),
    "ordinal": FLAG,
    "ordinal_scoring": choice(*ORDINAL_SCORINGS),
    "bootstrap": FLAG,
    "oob_score": FLAG,
    "warm_start": FLAG,
    "subsample": UP_TO_ONE,
    "subsample_unit": choice("document", "query"),
    "negative_fraction": UP_TO_ONE,
    "reselect_every": integer(1),
    "selection": choice(
        "top", "random", "gradient", "mixed", "adaptive", "fixed_random", "fixed_feature"
    ),
    "top_share": FROM_ZERO_TO_ONE,
    "base_feature": integer(0) | Rule("the name of a feature", _parse_name, "NAME") | NONE,
    "max_depth": integer(1) | NONE,
    "max_leaf_nodes": integer(2) | NONE,
    "min_samples_leaf": integer(1) | fraction("a fraction in (0, 1)", math.nextafter(1.0, 0.0)),
    "min_gain": NON_NEGATIVE,
    "min_hessian": NON_NEGATIVE,
    "l2_regularization": NON_NEGATIVE,
    "max_features": (
        integer(1)
        | fraction("a fraction in (0, 1]", 1.0)
        | choice("sqrt", "log2", "breiman")
        | NONE
    ),
    "grow_policy": choice("best_first", "depth_wise", "oblivious"),
    "tree_method": choice("auto", "exact", "hist"),
    "missing": Rule(
        '"learn", "third", "mean", "median", "inf", "-inf" or a number that float32 holds '
        "(rankforest.MissingFiller predicts values)",
        parse_missing,
        "learn|third|mean|median|FLOAT",
    ),
    "monotonic_cst": Rule(
        "None, or -1, 0 or 1 for each feature: a dict by name, an array, or text such as a:1,b:-1",
        parse_directions,
        "NAME:-1|0|1,...|none",
    ),
    "interaction_cst": Rule(
        'None, "pairwise", "no_interactions" or sets of features: lists of names or numbers, or '
        "text such as a,b;c,d",
        parse_interactions,
        "NAME,...;...|pairwise|no_interactions|none",
    ),
    "categorical_features": Rule(
        'None, "from_dtype", or features: names, numbers, True or False for each, or text such as '
        "site,brand",
        parse_columns,
        "from_dtype|NAME,...|none",
    ),
    "max_features_used": integer(1) | NONE,
    "feature_weights": Rule(
        "None, or a finite number >= 0 for each feature: a dict by name, an array, or text such as "
        "a:2,b:0",
        parse_weights,
        "NAME:FLOAT,...|none",
    ),
    "feature_costs": SaidByItself("costs of features", _parse_costs, "FILE"),
    "cost_weight": NON_NEGATIVE,
    "cost_normalization": choice("root_impurity", "none"),
    "tree_cost": NON_NEGATIVE,
    "cost_stage": integer(1),
    "learning_rate": UP_TO_ONE,
    "init": choice("mean", "zero"),
    "early_stopping_rounds": integer(1) | NONE,
    "early_stopping_set": Rule("the name of an evaluation set", _parse_name) | NONE,
    "min_delta": NON_NEGATIVE,
    "overfit_tolerance": NON_NEGATIVE | NONE,
    "overfit_rounds": integer(1),
    "n_bags": integer(1),
    "query_fraction": UP_TO_ONE,
    "combine": choice("mean", "minmax", "borda"),
    "validation_fraction": BELOW_ONE | NONE,
    "qid_column": Rule("the name of a column", _parse_name) | NONE,
    "verbose": Rule("True, False or an integer >= 0", _parse_verbose),
    "truncation": integer(1) | NONE,
    "sigma": POSITIVE,
    "lambda_norm": choice("none", "log", "gap", "gap_log"),
    "leaf": choice("newton", "mean"),
    "pair_weighting": choice("mean", "product") | Rule("a function", _parse_callback),
    "position_bias_regularization": NON_NEGATIVE | NONE,
    "drop_rate": FROM_ZERO_TO_ONE,
    "skip_drop": FROM_ZERO_TO_ONE,
    "one_drop": FLAG,
    "max_drop": integer(1) | NONE,
    "drop_selection": choice("uniform", "weighted"),
    "drop_normalization": choice("tree", "forest"),
    "objective": choice(*OBJECTIVES) | _CALLABLE | NONE,
    "variant": choice("gradient", "absolute", "median", "height"),
    "max_iter": integer(1),
    "initial_weights": choice("uniform", "random") | _CALLABLE,
    "examples": choice("identity", "residue") | _CALLABLE | NONE,
    "validation_set": choice("out_of_bag", "train") | _CALLABLE,
    "errors": choice("absolute", "median", "height") | _CALLABLE | NONE,
    "error_normalization": choice("max", "none"),
    "learner_weight": choice("log_inverse_beta", "beta", "constant") | _CALLABLE | NONE,
    "example_weights": choice("out_of_bag", "train", "constant") | _CALLABLE | NONE,
    "C": POSITIVE,
    "tolerance": NON_NEGATIVE,
    "max_iterations": integer(1),
    "query_normalization": choice("sum", "minmax", "zscore") | NONE,
    "n_restarts": integer(1),
    "steps": choice("doubling", "even"),
    "n_points": integer(2),
    "window": POSITIVE,
    "shrink": UP_TO_ONE,
    "n_iter_no_change": integer(1),
    "max_repeats": integer(1) | NONE,
    "n_thresholds": integer(1) | NONE,
    "n_permutations": integer(1),
    "noise": NON_NEGATIVE,
    "decay": UP_TO_ONE,
    "mu": NON_NEGATIVE,
    "callbacks": Rule("a callable or a sequence of callables", _parse_callbacks),
    "random_state": Rule(
        "None, an integer in [0, 2**64) or a numpy.random.RandomState", _parse_random_state
    ),
    "n_jobs": Rule("None or an integer other than 0", _parse_n_jobs, "INT"),
}


class Problems:
    """Collects what is wrong with the arguments of one call, to report all of it at once."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        """Note one more problem."""
        self._lines.append(line)

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Note what the block says is wrong, if anything, and go on after the block."""
        try:
            yield
        except (TypeError, ValueError) as error:
            self.add(str(error))

    def raise_if_any(self) -> None:
        """Raise one ValueError that lists every problem."""
        if len(self._lines) == 1:
            raise ValueError(f"{self._owner}: {self._lines[0]}")
        if self._lines:
            lines = "".join(f"\n  {line}" for line in self._lines)
            raise ValueError(f"{self._owner}: {len(self._lines)} arguments are unusable:{lines}")


def parse_parameters(
    values: Mapping[str, object],
    problems: Problems,
    prefix: str = "",
    rules: Mapping[str, Rule] = RULES,
) -> dict[str, Any]:
    """Return the parameters that fit the rules of their names, in plain form.

    NumPy scalars become Python's, and a real parameter becomes a float. What does not fit is left
    out and added to `problems`, with `prefix` before its name.
    """
    plain: dict[str, Any] = {}
    for name, value in values.items():
        with problems.collected():
            plain[name] = rules[name].check(prefix + name, value)
    return plain


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return the seed that `random_state` stands for; a fresh one for None."""
    if random_state is None:
        return secrets.randbits(63)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**63 - 1, dtype=np.int64))
    return random_state


def thread_count(n_jobs: object) -> int:
    """Return the number of threads that `n_jobs` stands for, at least 1.

    None and -1 are every core that the process may use: its processor affinity, the limits of
    its container and OMP_NUM_THREADS count. -2 is one fewer, and so on.
    """
    if type(n_jobs) is int and n_jobs > 0:  # at once: it is asked for every document
        return n_jobs
    count = RULES["n_jobs"].check("n_jobs", n_jobs)
    if count is not None and count > 0:
        return int(count)
    available = int(joblib.cpu_count())
    limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if limit.isdecimal() and int(limit) > 0:
        available = min(available, int(limit))
    return max(1, available + 1 + (count or -1))
