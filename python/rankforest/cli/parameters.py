"""The estimators' parameters, read from their signatures and docstrings.

One that an estimator gains is an option of `ltr-train` at once. Python that drops docstrings (-OO)
leaves the options as they are, without an explanation.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankforest import (
    BROOF,
    DART,
    IGBRT,
    MART,
    XDART,
    AdaRank,
    BaggedLambdaMART,
    CoordinateAscent,
    ExtraTrees,
    LambdaMART,
    RandomForest,
    RankBoost,
    RankSVM,
    SelGB,
)
from rankforest._settings.constraints import PARAMETERS as CONSTRAINTS
from rankforest._settings.parameters import NONE, OBJECTIVES, RULES, Rule, choice
from rankforest.cli import prose
from rankforest.cli.costs import COST_FILE, costs_in

ALGORITHMS: Mapping[str, type] = {
    "random_forest": RandomForest,
    "extra_trees": ExtraTrees,
    "mart": MART,
    "igbrt": IGBRT,
    "lambdamart": LambdaMART,
    "bagged_lambdamart": BaggedLambdaMART,
    "selgb": SelGB,
    "dart": DART,
    "xdart": XDART,
    "broof": BROOF,
    "rankboost": RankBoost,
    "adarank": AdaRank,
    "coordinate_ascent": CoordinateAscent,
    "ranksvm": RankSVM,
}

# Parameters that are estimators themselves: theirs become options with this name as a prefix.
NESTED: Mapping[str, type] = {"forest": RandomForest}

# What only Python code can give.
_PYTHON_ONLY = frozenset(
    {
        "callbacks",
        "early_stopping_set",
        "oob_score",
        "qid_column",
        "verbose",
        "warm_start",
    }
)

# What only Python code can give to one estimator, and text to another.
_PYTHON_ONLY_OF: Mapping[type, frozenset[str]] = {MART: frozenset({"objective"})}

# What a run has once, so that estimators within an estimator have no option for it.
_ONCE = frozenset(
    {
        "validation_fraction",
        "categorical_features",
        "feature_costs",
        "tree_cost",
        "ordinal",
        "ordinal_scoring",
        *CONSTRAINTS,
    }
)

# What docstrings mention and the command line calls something else.
_TERMS: Mapping[str, str] = {
    "eval_set": "--valid",
    **{estimator.__name__: algorithm for algorithm, estimator in ALGORITHMS.items()},
}

# What the command line says in its own words, since a docstring speaks of the arguments of `fit`,
# or of more than the command allows.
_OWN_WORDS: Mapping[str, tuple[str, ...]] = {
    "objective": (
        "The loss.",
        "lambdarank: pairs of different grades, weighed by the change of --metric if they swap.",
        "yetirank: neighbours in rankings drawn by noisy scores, weighed by their grades.",
        "yetiloss: the same neighbours, weighed by the change of --metric if they swap.",
        "xe_ndcg: cross entropy of scores to a drawn distribution of grades.",
        "ndcg_loss2++: pairs as in lambdarank, by a tighter bound of ndcg or dcg.",
    ),
    "tree_weights": (
        "Weight of each tree in the mean: the same for all (equal), or its expected NDCG.",
        "It is measured on --valid, or on what --validation-fraction holds out.",
        "That is the NDCG of whole lists, with documents of equal scores in random order.",
    ),
    "feature_costs": (
        "A file of what it costs to compute each feature of a document.",
        COST_FILE,
        "Features that the file leaves out are free.",
    ),
    "forest_tree_weights": ("Weight of each tree in the mean: boosting takes equal alone.",),
    "position_bias_regularization": (
        "For clicks as grades, with --position or --position-file.",
        "Training adds an effect of each position to scores, so that trees need not explain it.",
        "The model's scores do not contain it; the larger this number, the smaller it stays.",
        "Where users stop at the first document that satisfies them, try 0.01.",
        "none leaves positions out.",
    ),
    "early_stopping_rounds": (
        "End training once the first --metric has not improved for so many rounds.",
        "It is measured on --valid, or on what --validation-fraction holds out.",
        "The model keeps the rounds up to the best one, and behind it those of --overfit-tolerance.",
        "none trains all rounds.",
    ),
}

# What text can give, where Python takes more.
_TEXT_RULES: Mapping[str, Rule] = {
    "objective": choice(*OBJECTIVES),
    "pair_weighting": choice("mean", "product"),
    "initial_weights": choice("uniform", "random"),
    "examples": choice("identity", "residue") | NONE,
    "validation_set": choice("out_of_bag", "train"),
    "errors": choice("absolute", "median", "height") | NONE,
    "learner_weight": choice("log_inverse_beta", "beta", "constant") | NONE,
    "example_weights": choice("out_of_bag", "train", "constant") | NONE,
}

# What means more to the command than to an estimator, so that the command declares it.
DECLARED_BY_COMMAND = frozenset({"metric", "n_jobs", "random_state"})


@dataclass(frozen=True)
class Documented:
    """A parameter as one estimator has it."""

    default: object
    sentences: tuple[str, ...]  # for the help; none where Python has dropped docstrings


@dataclass
class Parameter:
    """A parameter with what each algorithm that has it says about it."""

    name: str
    owner: str | None = None  # the parameter that it is nested in
    by_algorithm: dict[str, Documented] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name among all options, and in a configuration file."""
        return f"{self.owner}_{self.name}" if self.owner else self.name

    @property
    def rule(self) -> Rule:
        """What a value must be, for the algorithm that takes most."""
        for algorithm in self.by_algorithm:
            own: Mapping[str, Rule] = getattr(ALGORITHMS[algorithm], "_rules", {})
            if self.name in own:
                return own[self.name]
        return _TEXT_RULES.get(self.name, RULES[self.name])

    @property
    def flag(self) -> str:
        """The option as a user writes it."""
        return _flag(self.key)


def all_parameters() -> list[Parameter]:
    """List every parameter that is an option of its own.

    The order is that of the signatures: what only one algorithm has stands behind what precedes it
    there.
    """
    order: list[Parameter] = []
    found: dict[str, Parameter] = {}
    for algorithm, estimator in ALGORITHMS.items():
        behind = 0
        for owner, name, documented in _parameters_of(estimator):
            parameter = Parameter(name, owner)
            if parameter.key not in found:
                found[parameter.key] = parameter
                order.insert(behind, parameter)
            parameter = found[parameter.key]
            parameter.by_algorithm[algorithm] = documented
            behind = order.index(parameter) + 1
    return order


def build_estimator(algorithm: str, given: Mapping[str, object]) -> Any:
    """Make the algorithm's estimator, unfitted.

    Parameters
    ----------
    algorithm : str
        A key of `ALGORITHMS`.
    given : mapping of str to object
        Parameters by key; the others keep their defaults.
    """
    arguments = dict(given)
    if isinstance(arguments.get("feature_costs"), str):
        arguments["feature_costs"] = costs_in(str(arguments["feature_costs"]))
    for owner, estimator in NESTED.items():
        prefix = f"{owner}_"
        inner = {key: arguments.pop(key) for key in given if key.startswith(prefix)}
        if inner:
            arguments[owner] = estimator(
                **{key.removeprefix(prefix): value for key, value in inner.items()}
            )
    return ALGORITHMS[algorithm](**arguments)


def _parameters_of(estimator: type) -> Iterator[tuple[str | None, str, Documented]]:
    """List owner, name and documentation of what text can give to an estimator."""
    for name, documented in _documented(estimator):
        if name in NESTED:
            for inner, inner_documented in _documented(NESTED[name], prefix=f"{name}_"):
                yield name, inner, inner_documented
        else:
            yield None, name, documented


def _documented(estimator: type, prefix: str = "") -> Iterator[tuple[str, Documented]]:
    texts = prose.descriptions(inspect.getdoc(estimator) or "")
    parameters = inspect.signature(estimator).parameters
    not_by_text = _PYTHON_ONLY | _PYTHON_ONLY_OF.get(estimator, frozenset())
    by_text = [name for name in parameters if name not in not_by_text]
    of_the_run = DECLARED_BY_COMMAND | _ONCE
    terms = dict(_TERMS)
    for name in by_text:
        terms[name] = _flag(name if name in of_the_run else prefix + name)
    left_out = of_the_run if prefix else DECLARED_BY_COMMAND
    for name in by_text:
        if name not in left_out:
            said = _OWN_WORDS.get(prefix + name) or prose.sentences(texts.get(name, ""), terms)
            yield name, Documented(parameters[name].default, tuple(said))


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-")
