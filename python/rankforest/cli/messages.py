"""Messages of the library, in the words of the command line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

#: The algorithm of each estimator, by name: most commands never import estimators.
ALGORITHM_OF = {
    "RandomForest": "random_forest",
    "ExtraTrees": "extra_trees",
    "MART": "mart",
    "IGBRT": "igbrt",
    "LambdaMART": "lambdamart",
    "BaggedLambdaMART": "bagged_lambdamart",
    "SelGB": "selgb",
    "DART": "dart",
    "XDART": "xdart",
    "BROOF": "broof",
    "RankBoost": "rankboost",
    "AdaRank": "adarank",
    "CoordinateAscent": "coordinate_ascent",
    "RankSVM": "ranksvm",
}

# Whom a message comes from. The command names itself before each message.
_OWNER = re.compile(rf"(?:(?:{'|'.join(ALGORITHM_OF)})(?:\.\w+)?|evaluate|compare|tune): ")

# What the library says of its arguments that is no name of an option.
_PHRASES = (
    (re.compile(r"eval_set: 'valid': "), "--valid: "),
    (re.compile(r"eval_init_score of 'valid'"), "--valid-init-score"),
    (re.compile(r" \(n_features=\d+\)"), ", the number of features"),
    (re.compile(r"\bzero_based is for"), "--zero-based true is for"),
    (re.compile(r"\bX has (?=\d+ features)"), "the data has "),
    (re.compile(rf"but (?:Model|{'|'.join(ALGORITHM_OF)}) is expecting"), "but the model takes"),
    (re.compile(r"(?<=\d features) as input\b"), ""),
    (re.compile(r"that were passed during fit"), "of the training data"),
    (re.compile(r"as they were in fit"), "as in the training data"),
    (re.compile(r"(unseen at|seen at) fit time"), r"\1 training"),
    (re.compile(r"\nWith the names of the training data, X\[names\][^\n]*"), ""),
)

# A quoted text, which stays as it is, or a name with the value that it has or should have. What
# is part of a path or of an option is no name.
_NAMED = re.compile(
    r"""(?<!\w)'[^'\n]*'(?!\w)
    | (?<![\w./\\-]) (?P<inner>forest\.)? (?P<name>[A-Za-z]\w*)
      (?: = (?: "(?P<quoted>[^"\n]*)" | (?P<bare>[\w@.]*\w) ) )? (?![\w/\\-]|\.\w)
    """,
    re.VERBOSE,
)


def in_options(message: str, flags: Mapping[str, str]) -> str:
    """Return a message of the library as a user of the command line should read it.

    Parameters
    ----------
    message : str
        Of an error or a warning; it speaks of Python's arguments.
    flags : mapping of str to str
        The option of each argument. Words such as "missing" are arguments only with a value.
    """
    message = _OWNER.sub("", message, count=1) if _OWNER.match(message) else message
    for phrase, words in _PHRASES:
        message = phrase.sub(words, message)

    def plain(match: re.Match[str]) -> str:
        name = match["name"]
        if name in ALGORITHM_OF:
            return ALGORITHM_OF[name]
        value = match["quoted"] or match["bare"]
        flag = flags.get(f"forest_{name}" if match["inner"] else name)
        if flag is None or not (value or "_" in name or match["inner"]):
            return match[0]
        words = {"None": "none", "True": "true", "False": "false"}
        return f"{flag} {words.get(value, value)}" if value else flag

    return _NAMED.sub(plain, message).rstrip("\n")


@contextmanager
def speaking_of_options(flags: Mapping[str, str]) -> Iterator[None]:
    """Turn the library's errors and warnings in the block into those of the command line."""
    shown = warnings.showwarning

    def show(message: Warning | str, *place: Any, **more: Any) -> None:
        shown(in_options(str(message), flags), *place, **more)

    with warnings.catch_warnings():
        warnings.showwarning = show
        try:
            yield
        except ValueError as error:
            raise ValueError(in_options(str(error), flags)) from error
