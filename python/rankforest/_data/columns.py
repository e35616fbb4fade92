"""Whether new data has the columns that a model was trained on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rankforest._data.frame_columns import is_frame, names_in, selected

_MOST_NAMES_SHOWN = 5
#: What `transfer.SourceFeatures` calls its features.
_OF_SOURCE = re.compile(r".+:(Q|[PC]-?\d[\d.e+-]*)")


def check_columns(
    owner: str,
    n_given: int,
    given: Sequence[str] | None,
    n_expected: int,
    expected: Sequence[str] | None,
) -> None:
    """Raise a ValueError unless new data has the columns of the training data.

    Columns are told apart by name where both sides name them, else by position. The messages
    begin as scikit-learn's do.

    Parameters
    ----------
    owner : str
        The estimator or model that expects the columns.
    n_given, n_expected : int
        Number of columns.
    given, expected : sequence of str or None
        Their names, if any.
    """
    if given is not None and expected is not None and list(given) != list(expected):
        raise ValueError(
            "The feature names should match those that were passed during fit.\n"
            + _difference(given, expected)
        )
    if n_given != n_expected:
        raise ValueError(
            f"X has {n_given} features, but {owner} is expecting {n_expected} features as input."
        )


def refuse_to_pad(names: Sequence[str]) -> None:
    """Raise a ValueError if features that text does not mention are those of a source's model."""
    of_source = [name for name in names if _OF_SOURCE.fullmatch(name)]
    if of_source:
        raise ValueError(
            f"the text lacks {', '.join(of_source)}, which transfer.SourceFeatures made in training; "
            "its transform adds them"
        )


def as_in_training(
    algorithm: str, given: tuple[str, ...], expected: tuple[str, ...] | None
) -> tuple[str, ...]:
    """Return names of columns as the system that trained a model spells them.

    LightGBM writes a blank in a name as an underscore, and refuses names that this makes equal.
    """
    if expected is None or given == expected or not algorithm.startswith("lightgbm"):
        return given
    renamed = tuple(name.replace(" ", "_") for name in given)
    return renamed if renamed == expected else given


def own_columns(X: Any, algorithm: str, expected: tuple[str, ...] | None) -> Any:
    """Return the columns of a data frame that a model was trained on, in their order.

    What is no data frame stays as it is, and so does a frame whose columns have no names that are
    strings, or a model that knows no names: then the place of a column tells what it is.

    Parameters
    ----------
    X : object
        Features in any form.
    algorithm : str
        What trained the model; see `as_in_training`.
    expected : tuple of str or None
        Names of the features that the model was trained on.

    Raises
    ------
    ValueError
        If the frame lacks some of these columns; they are listed.
    """
    if expected is None or not is_frame(X):
        return X
    given = tuple(names_in(X) or ())
    if given == expected:
        return X
    known = set(given)
    own = list(expected)
    if algorithm.startswith("lightgbm"):
        blanks = {name.replace(" ", "_"): name for name in given if isinstance(name, str)}
        own = [name if name in known else blanks.get(name, name) for name in expected]
    if known.issuperset(own):
        return selected(X, own)
    if all(isinstance(name, str) for name in given):
        check_columns("Model", len(given), given, len(expected), expected)
    return X


def _difference(given: Sequence[str], expected: Sequence[str]) -> str:
    unseen = sorted(set(given) - set(expected))
    missing = sorted(set(expected) - set(given))
    message = ""
    if unseen:
        message += "Feature names unseen at fit time:\n" + _listed(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    if not message:
        message = (
            "Feature names must be in the same order as they were in fit.\n"
            "With the names of the training data, X[names] puts the columns of a data frame in "
            "that order, and features=names those of Dataset.from_frame, read_parquet and "
            "read_csv. They are list(estimator.feature_names_in_), or list(model.feature_names) of "
            "a Model.\n"
        )
    return message


def _listed(names: Sequence[str]) -> str:
    lines = [f"- {name}" for name in names[:_MOST_NAMES_SHOWN]]
    if len(names) > _MOST_NAMES_SHOWN:
        lines.append(f"- ... and {len(names) - _MOST_NAMES_SHOWN} more")
    return "\n".join(lines) + "\n"
