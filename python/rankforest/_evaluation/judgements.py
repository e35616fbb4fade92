"""What scores are measured against: grades and queries of rows, and of judged documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.arguments import weight_of_rows
from rankforest._data.odd_queries import OF_GRADES, refuse_fractions, warn_of_odd_queries
from rankforest._data.queries import Queries, query_codes
from rankforest._evaluation.gains import warn_of_steep_gains
from rankforest._evaluation.metric_arguments import ranks_documents
from rankforest._evaluation.scores import scores_by
from rankforest._support.vectors import as_numbers, as_vector, check_length, column_as_vector
from rankforest._support.wording import described
from rankforest.data import Dataset

#: As for training: sums of products with far smaller weights would be 0.
_LEAST_WEIGHT = 1e-30

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Judged:
    """Grades and queries of rows. The core checks the values, which saves a pass over them."""

    y: Floats
    codes: Codes
    query_ids: npt.NDArray[Any]
    weight: Floats | None
    data: Dataset | None
    members: tuple[Any, ...] = ()  #: the tuple as it was given; none of a Dataset

    @classmethod
    def of(cls, data: object) -> Judged:
        """Return what `data` holds, a Dataset, (y, qid) or (y, qid, weight).

        Raises
        ------
        ValueError
            If it is something else, if lengths differ, or if no weight is large enough.
        """
        if isinstance(data, Dataset):
            if data.y is None:
                raise ValueError("data has no grades y, and nothing can be measured without them")
            _require_some_weight(data.weight)
            return cls(data.y, data.query_codes, data.query_ids, data.weight, data)
        if not isinstance(data, tuple) or len(data) not in (2, 3):
            got = f"a tuple of {len(data)}" if isinstance(data, tuple) else described(data)
            is_qrels = type(data).__name__ == "Qrels"
            hint = "; rankforest.trec.evaluate measures a Run by Qrels" if is_qrels else ""
            raise ValueError(
                f"data must be a Dataset or a tuple (y, qid) or (y, qid, weight), got {got}{hint}"
            )
        _refuse_features(data)
        y = as_numbers("y", column_as_vector(data[0]), check=False)
        if len(y) == 0:
            raise ValueError("y must have at least one grade, got none")
        refuse_fractions(data[1], OF_GRADES)
        codes, ids = query_codes(data[1])
        check_length("qid", codes, len(y))
        weight = None
        if len(data) == 3 and data[2] is not None:
            weight = weight_of_rows(data[2], Queries(codes, ids))
            _require_some_weight(weight)
        return cls(y, codes, ids, weight, None, data)

    def warn(self, owner: str, metrics: Iterable[object]) -> None:
        """Warn of what makes metrics say little: queries of one document, or gains far apart.

        Parameters
        ----------
        owner : str
            The function that the user called.
        metrics : iterable
            What it measures.
        """
        metrics = list(metrics)
        if self.members and any(map(ranks_documents, metrics)):
            warn_of_odd_queries(
                owner,
                self.members[1],
                len(self.y),
                len(self.query_ids),
                OF_GRADES if len(self.members) == 2 else None,
            )
        warn_of_steep_gains(owner, metrics, self.y)

    def scores(self, scores_or_model: Any) -> Floats:
        """Return the scores, or those that the model gives, as float64."""
        if hasattr(scores_or_model, "predict") and not isinstance(scores_or_model, type):
            if self.data is None:
                raise ValueError("a model needs features to score: data must be a Dataset")
            scores_or_model = scores_by(scores_or_model, self.data)
        elif np.ndim(scores_or_model) == 0:
            raise ValueError(_no_scores(scores_or_model))
        scores = as_vector("scores", scores_or_model)
        if scores.dtype.kind not in "biuf":
            raise ValueError(f"scores must hold numbers; its dtype is {scores.dtype}")
        check_length("scores", scores, len(self.y))
        return np.ascontiguousarray(scores, dtype=np.float64)

    def canonical_ranks(self) -> Codes | None:
        """Return the place of each row in canonical order, where there are features."""
        return None if self.data is None else _places(self.data._core.order)

    def docno_ranks(self, document_ids: Iterable[object] | None) -> Codes | None:
        """Return the place of each row when ids descend, as C's strcmp orders them."""
        if document_ids is None and self.data is not None:
            document_ids = self.data.document_ids
        if document_ids is None:
            return None
        names = [_as_bytes(each) for each in document_ids]
        check_length("document_ids", names, len(self.y))
        order = sorted(range(len(names)), key=names.__getitem__, reverse=True)
        return _places(np.array(order, dtype=np.uint32))

    def pool(self, judgements: object) -> tuple[Floats | None, Codes | None]:
        """Return grades and query codes of all judged documents."""
        if judgements is None:
            return None, None
        if isinstance(judgements, Dataset):
            judgements = (judgements.y, judgements.qid)
        if not isinstance(judgements, tuple) or len(judgements) != 2 or judgements[0] is None:
            raise ValueError("judgements must be a tuple (y, qid) or a Dataset with grades")
        y = as_numbers("judgements", judgements[0], check=False)
        codes, ids = query_codes(judgements[1], "qid of judgements")
        check_length("qid of judgements", codes, len(y))
        code_of = {each: code for code, each in enumerate(self.query_ids.tolist())}
        own = np.array([code_of.get(each, -1) for each in ids.tolist()], dtype=np.int64)
        if (own < 0).all():
            raise ValueError(
                f"judgements must be of queries of data, such as {self.query_ids.tolist()[0]!r}; "
                f"all of them are of other queries, such as {ids.tolist()[0]!r}"
            )
        own[own < 0] = len(code_of)  # no query of ours: the core ignores it
        return y, own.astype(np.uint32)[codes]

    def measure(
        self,
        metrics: list[_core.Metric],
        scores: Floats,
        *,
        judgements: object,
        document_ids: Iterable[object] | None,
        n_threads: int,
    ) -> list[_core.Evaluation]:
        """Evaluate metrics of the core."""
        by_canon = any(metric.needs_canonical_order for metric in metrics)
        by_docno = any(metric.needs_document_ids for metric in metrics)
        pool_grades, pool_codes = self.pool(judgements)
        return _core.evaluate(
            metrics,
            grades=np.ascontiguousarray(self.y),
            scores=scores,
            query_codes=np.ascontiguousarray(self.codes),
            weights=None if self.weight is None else np.ascontiguousarray(self.weight),
            canonical_ranks=self.canonical_ranks() if by_canon else None,
            docno_ranks=self.docno_ranks(document_ids) if by_docno else None,
            pool_grades=pool_grades,
            pool_codes=pool_codes,
            n_jobs=n_threads,
        )

    def grouped(self) -> tuple[Codes, Codes, Codes]:
        """Return rows with those of a query together, where queries begin, and their codes."""
        if self.data is not None:
            core = self.data._core
            return core.order, core.offsets, core.query_codes
        sizes = np.bincount(self.codes)
        offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.uint32)
        order = np.argsort(self.codes, kind="stable").astype(np.uint32)
        return order, offsets, np.arange(len(sizes), dtype=np.uint32)


def _refuse_features(data: tuple[Any, ...]) -> None:
    """Raise a ValueError if the first member of a tuple is features in place of grades."""
    shape = getattr(data[0], "shape", None) or np.shape(data[0])
    if len(shape) == 2 and shape[1] != 1:
        raise ValueError(
            f"data must be a tuple (y, qid) or (y, qid, weight), whose y is one-dimensional; the "
            f"shape of its first member is {tuple(shape)}, as of features. Leave them out, or pass "
            "rankforest.Dataset(X, y, qid=qid) to score them by a model"
        )


def _no_scores(value: object) -> str:
    """Return what to say of something that is neither scores nor a model."""
    hint = ""
    if isinstance(value, (str, PathLike)):
        hint = f"; rankforest.load({str(value)!r}) gives a model, if that is the file of one"
    elif isinstance(value, type):
        hint = ", which is to be fitted first"
    elif callable(value):
        hint = ", which can be called to get the scores"
    return (
        "scores must be one number for each document, or a model with a method predict; got "
        f"{described(value)}{hint}"
    )


def _require_some_weight(weight: Floats | None) -> None:
    """Raise a ValueError where training does, too: if all weights are 0 or nearly so."""
    if weight is None or weight.max() >= _LEAST_WEIGHT:
        return
    if weight.max() == 0.0:
        raise ValueError("weights must not be 0 for every document that is measured")
    raise ValueError(
        f"weights must not all be below {_LEAST_WEIGHT:g} to measure; the largest is "
        f"{weight.max():g}: multiply all of them by the same number"
    )


def _places(order: Codes) -> Codes:
    """Return the place of each row in an order of rows."""
    places = np.empty(len(order), dtype=np.uint32)
    places[order] = np.arange(len(order), dtype=np.uint32)
    return places


def _as_bytes(document_id: object) -> bytes:
    if isinstance(document_id, bytes):
        return document_id
    return str(document_id).encode("utf-8", "surrogateescape")
