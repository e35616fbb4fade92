"""Queries of documents that may be weights, or that leave nothing to rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankforest._support.warnings import warn


@dataclass(frozen=True)
class TupleForm:
    """Where a tuple has the query of each document."""

    text: str  #: the tuple without weights
    place: str  #: of the queries
    weights: str  #: where weights may be given
    kinds: str  #: of NumPy, of values that may be weights where all of them are the same


#: Whole numbers are what a single query is usually called.
OF_GRADES = TupleForm("(y, qid)", "second", "the third", "f")
OF_FEATURES = TupleForm("(X, y, qid)", "third", "the fourth", "biuf")


def refuse_fractions(qid: object, form: TupleForm) -> None:
    """Raise a ValueError if the queries in a tuple are fractions, as weights are."""
    if _kind(qid) == "f" and np.any(np.asarray(qid) != np.floor(np.asarray(qid))):
        raise ValueError(
            f"the {form.place} member of a tuple {form.text} is the query of each document, and it "
            f"holds fractions. Weights are {form.weights}"
        )


def warn_of_odd_queries(
    owner: str,
    qid: object,
    n_documents: int,
    n_queries: int,
    form: TupleForm | None,
) -> None:
    """Warn of queries that rank nothing, or that may be weights.

    Parameters
    ----------
    owner : str
        Who measures, or what has the documents, for the message.
    qid : array_like or None
        The query of each document, as it was given.
    n_documents, n_queries : int
        How many there are.
    form : TupleForm or None
        The tuple that has the queries. None where they are an argument of their own, so that
        nobody takes them for weights.
    """
    said = None
    if n_documents == n_queries > 1:
        said = f"each of its {n_documents} documents is a query of its own"
    elif n_documents > n_queries == 1 and form is not None and _kind(qid) in form.kinds:
        said = f"all of its {n_documents} documents are of one query"
    if said is None:
        return
    hint = (
        ""
        if form is None
        else f". The {form.place} member of a tuple {form.text} is the query of each document; "
        f"weights are {form.weights}"
    )
    warn(f"{owner}: {said}{hint}")


def _kind(values: object) -> str:
    return np.asarray(values).dtype.kind
