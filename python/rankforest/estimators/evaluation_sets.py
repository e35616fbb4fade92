"""The sets that `fit` measures while it trains: every form in which they may be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankforest._data.columns import check_columns
from rankforest._data.frame_columns import names_in
from rankforest._data.levels import FROM_DTYPE, Columns
from rankforest._data.odd_queries import OF_FEATURES, refuse_fractions, warn_of_odd_queries
from rankforest._support.wording import described
from rankforest.data import Dataset
from rankforest.estimators.documents import (
    Documents,
    FrameColumns,
    refuse_besides_dataset,
)

#: The name of a set that is given alone, and that of `validation_fraction`.
ONLY, HELD_OUT = "valid", "validation"

_NO_GRADES = "it has no grades y, and nothing can be measured without them"
_FORMS = "(X, y), (X, y, qid) or (X, y, qid, weight)"
_OF_SETS = replace(OF_FEATURES, weights="the fourth, or eval_sample_weight")


@dataclass(frozen=True)
class SetArguments:
    """The arguments of `fit` that describe evaluation sets, as they were given."""

    eval_set: object = None
    eval_qid: object = None
    eval_group: object = None
    eval_sample_weight: object = None
    eval_names: object = None
    eval_X: object = None  # noqa: N815  # as in LightGBM
    eval_y: object = None

    def named(self) -> dict[str, GivenSet]:
        """Return the sets by name, in order.

        A mapping names them itself. Members of a list are called by `eval_names`, or "valid_0",
        "valid_1", ...; a single set is "valid".

        Raises
        ------
        ValueError
            If names, queries or weights do not fit the sets, or there is no set.
        """
        beside = {
            "eval_qid": self.eval_qid,
            "eval_group": self.eval_group,
            "eval_sample_weight": self.eval_sample_weight,
        }
        if self.eval_X is not None or self.eval_y is not None:
            return self._paired().named()
        if isinstance(self.eval_set, tuple) and all(map(_is_whole_set, self.eval_set)):
            return replace(self, eval_set=list(self.eval_set)).named()
        if self.eval_set is None:
            extra = [
                k for k, v in {**beside, "eval_names": self.eval_names}.items() if v is not None
            ]
            if extra:
                raise ValueError(f"{', '.join(extra)} describe an eval_set, and fit got none")
            return {}
        sets = self._sets()
        if not sets:
            raise ValueError("eval_set must hold at least one set, got none; leave it out instead")
        per_set = {
            argument: self._per_set(argument, value, list(sets))
            for argument, value in beside.items()
        }
        return {
            name: GivenSet(name, each, *(per_set[argument][name] for argument in beside))
            for name, each in sets.items()
        }

    def _paired(self) -> SetArguments:
        """Return the same sets with `eval_X` and `eval_y` in a list of pairs."""
        if self.eval_set is not None:
            raise ValueError("eval_set, or eval_X and eval_y: give one of the two, got both")
        if self.eval_X is None or self.eval_y is None:
            missing = "eval_X" if self.eval_X is None else "eval_y"
            raise ValueError(f"eval_X and eval_y belong together; {missing} is missing")
        features = self.eval_X if isinstance(self.eval_X, tuple) else (self.eval_X,)
        grades = self.eval_y if isinstance(self.eval_y, tuple) else (self.eval_y,)
        if len(features) != len(grades):
            raise ValueError(
                f"eval_X and eval_y must have as many sets; they have {len(features)} and "
                f"{len(grades)}"
            )
        pairs = list(zip(features, grades, strict=True))
        return replace(self, eval_set=pairs, eval_X=None, eval_y=None)

    def _sets(self) -> dict[str, object]:
        if isinstance(self.eval_set, Mapping):
            if self.eval_names is not None:
                raise ValueError("eval_names: the keys of eval_set name its sets; leave it out")
            sets = dict(self.eval_set)
            for name in sets:
                if not isinstance(name, str) or not name:
                    raise ValueError(
                        f"eval_set must name its sets by non-empty strings, got {name!r}"
                    )
            return sets
        if isinstance(self.eval_set, list):
            usual = [f"valid_{i}" for i in range(len(self.eval_set))]
            return dict(zip(self._names(usual), self.eval_set, strict=True))
        return {self._names([ONLY])[0]: self.eval_set}

    def _names(self, usual: list[str]) -> list[str]:
        """Return `eval_names`, checked, or the usual names."""
        if self.eval_names is None:
            return usual
        names = [self.eval_names] if isinstance(self.eval_names, str) else self.eval_names
        if not isinstance(names, Sequence) or len(names) != len(usual):
            counted = len(names) if isinstance(names, Sequence) else repr(names)
            raise ValueError(
                f"eval_names must name each of the {len(usual)} sets of eval_set, got {counted}"
            )
        for i, name in enumerate(names):
            if not isinstance(name, str) or not name:
                raise ValueError(f"eval_names must be non-empty strings, got {name!r}")
            if name in names[:i]:
                raise ValueError(f"eval_names must be different; {name!r} occurs twice")
        return list(names)

    def _per_set(self, argument: str, value: object, names: list[str]) -> dict[str, object]:
        """Return what an argument holds for each set."""
        if value is None:
            return dict.fromkeys(names)
        if isinstance(self.eval_set, Mapping):
            if not isinstance(value, Mapping):
                raise TypeError(
                    f"{argument} must be a dict by the names of eval_set, got {described(value)}"
                )
            unknown = [name for name in value if name not in names]
            if unknown:
                raise ValueError(f"{argument} names {unknown[0]!r}, which is no set of eval_set")
            return {name: value.get(name) for name in names}
        is_alone = not isinstance(self.eval_set, list) and not _is_list_of_one(value)
        if is_alone or (len(names) == 1 and _is_flat(value)):
            return {names[0]: value}
        if not _is_list_of_vectors(value):
            raise ValueError(
                f"{argument} must be a list with one array for each set of eval_set, got "
                f"{_described(value)}"
            )
        entries = list(value)  # type: ignore[call-overload]
        if len(entries) != len(names):
            raise ValueError(
                f"{argument} must have one entry for each of the {len(names)} sets of eval_set; "
                f"it has {len(entries)}"
            )
        return dict(zip(names, entries, strict=True))


def _is_whole_set(member: object) -> bool:
    """Whether a member of a tuple is a set itself, not the features or grades of one."""
    if isinstance(member, tuple):
        return len(member) > 1 and len(getattr(member[0], "shape", ())) == 2
    return isinstance(member, Dataset)


def _is_list_of_vectors(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(each is None or isinstance(each, str) or np.ndim(each) == 1 for each in value)
    return isinstance(value, np.ndarray) and value.ndim == 2


def _is_flat(value: object) -> bool:
    """Whether an argument holds a value for each document or query of one set."""
    if not isinstance(value, (list, tuple)):
        return isinstance(value, str) or np.ndim(value) == 1  # type: ignore[arg-type]
    is_named = len(value) == 1 and isinstance(value[0], str)  # the column of the one set
    return len(value) > 0 and value[0] is not None and np.ndim(value[0]) == 0 and not is_named


def _is_list_of_one(value: object) -> bool:
    return _is_list_of_vectors(value) and len(value) == 1 and not isinstance(value[0], str)  # type: ignore[arg-type,index]


def _as_in(train: Dataset, categorical: Columns) -> Columns:
    """Return the columns that are categorical in the training data, in place of those by type."""
    if categorical != FROM_DTYPE:
        return categorical
    named = [train.feature_labels[place] for place in sorted(train._levels)]
    return None if not named else [*(named if train.feature_names else sorted(train._levels))]


def _described(value: object) -> str:
    of_numbers = " of numbers" if isinstance(value, (list, tuple, np.ndarray)) else ""
    return f"{described(value)}{of_numbers}"


@dataclass(frozen=True)
class GivenSet:
    """One evaluation set, and what stands beside it in lists of its own."""

    name: str
    each: object
    qid: object = None
    group: object = None
    sample_weight: object = None

    def to_dataset(
        self,
        *,
        train: Dataset,
        columns: FrameColumns | None,
        categorical: Columns,
        owner: str,
        n_jobs: int,
    ) -> Dataset:
        """Return the set, which has the columns of the training data.

        Parameters
        ----------
        train : Dataset
            The training data.
        columns : FrameColumns or None
            The columns of its data frame that are no features.
        categorical : Columns
            The columns of what is no Dataset that are categorical.
        owner : str
            The estimator, for messages.
        n_jobs : int
            Threads.

        Raises
        ------
        ValueError
            For what is wrong in the set, under its name.
        """
        try:
            data = self._dataset(columns, _as_in(train, categorical), n_jobs)._widened(
                train.n_features, train.missing, train.query_features, train.feature_names
            )
            check_columns(
                owner, data.n_features, data.feature_names, train.n_features, train.feature_names
            )
        except ValueError as error:
            raise ValueError(f"eval_set: {self.name!r}: {error}") from error
        return data

    def _dataset(self, columns: FrameColumns | None, categorical: Columns, n_jobs: int) -> Dataset:
        if isinstance(self.each, Dataset):
            beside = {
                "eval_qid": self.qid,
                "eval_group": self.group,
                "eval_sample_weight": self.sample_weight,
            }
            refuse_besides_dataset("eval_set", beside)
            if self.each.y is None:
                raise ValueError(_NO_GRADES)
            return self.each
        documents = self._documents(columns).without_columns(columns)
        if documents.y is None:
            raise ValueError(_NO_GRADES)
        if not documents.has_queries:
            raise ValueError(
                "it has no queries: pass eval_qid or eval_group, with one array for each set, or "
                "a tuple (X, y, qid)"
            )
        data = self._checked(documents, categorical, n_jobs)
        warn_of_odd_queries(
            f"eval_set: {self.name!r}",
            documents.qid,
            data.n_documents,
            data.n_queries,
            _OF_SETS if self._has_queries_inside else None,
        )
        return data

    def _documents(self, columns: FrameColumns | None) -> Documents:
        """Return the members of the tuple together with what stands beside it."""
        if columns is not None and columns.y is not None and names_in(self.each) is not None:
            return Documents(self.each, None, self.qid, self.group, self.sample_weight)
        if not isinstance(self.each, (tuple, list)) or not 2 <= len(self.each) <= 4:
            what = described(self.each)
            if isinstance(self.each, (tuple, list)):
                what += f" of {len(self.each)}"
            raise ValueError(f"a set must be a Dataset or a tuple {_FORMS}, got {what}")
        X, y, *others = self.each
        inside = dict(zip(("qid", "sample_weight"), others, strict=False))
        outside = {"qid": self.qid, "group": self.group, "sample_weight": self.sample_weight}
        if inside.get("qid") is not None and (self.qid is not None or self.group is not None):
            argument = "eval_qid" if self.qid is not None else "eval_group"
            raise ValueError(f"{argument}: the tuple (X, y, qid) has its queries; give them once")
        if inside.get("sample_weight") is not None and self.sample_weight is not None:
            raise ValueError("eval_sample_weight: the tuple has its weights; give them once")
        given = {k: v for k, v in inside.items() if v is not None}
        return Documents(X, y, **{**outside, **given})

    def _checked(self, documents: Documents, categorical: Columns, n_jobs: int) -> Dataset:
        if documents.qid is not None and documents.group is not None:
            raise ValueError("queries must be given by eval_qid or by eval_group, got both")
        if self._has_queries_inside:
            refuse_fractions(documents.qid, _OF_SETS)
        return documents.to_dataset(n_jobs, categorical_features=categorical)

    @property
    def _has_queries_inside(self) -> bool:
        return isinstance(self.each, (tuple, list)) and len(self.each) > 2
