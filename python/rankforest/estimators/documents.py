"""Documents as users hand them over: X with y, queries and weights beside it or as its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from rankforest._data.frame_columns import names_in, split_columns, without
from rankforest._data.levels import ColumnsLike
from rankforest._support.warnings import warn
from rankforest.data import Dataset

#: The column that has the queries where nothing else says so, as for XGBoost.
USUAL_QUERY_COLUMN = "qid"


@dataclass(frozen=True)
class FrameColumns:
    """The columns of a data frame that are no features.

    Attributes
    ----------
    y, qid, sample_weight, position : str or None
        The columns with the grades, queries, weights and positions; None for what is no column.
    """

    y: str | None = None
    qid: str | None = None
    sample_weight: str | None = None
    position: str | None = None

    def present_in(self, X: object) -> dict[str, str]:
        """Return what each of these columns is that a data frame has; nothing of anything else."""
        names = names_in(X)
        if names is None:
            return {}
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {role: name for role, name in named.items() if name in names}

    def features_of(self, X: object) -> object:
        """Return a data frame without these columns, and anything else as it is."""
        present = self.present_in(X)
        return without(X, list(present.values())) if present else X


@dataclass(frozen=True)
class Documents:
    """What is given of some documents; all but `group` may name columns of `X`."""

    X: object
    y: object = None
    qid: object = None
    group: object = None
    sample_weight: object = None
    position: object = None

    @property
    def has_queries(self) -> bool:
        """Whether queries are given in either form."""
        return self.qid is not None or self.group is not None

    @property
    def _named(self) -> dict[str, str]:
        """What names a column."""
        values = {field.name: getattr(self, field.name) for field in fields(FrameColumns)}
        return {role: value for role, value in values.items() if isinstance(value, str)}

    def named_columns(self, qid_column: str | None) -> FrameColumns | None:
        """Return which columns of `X` are no features; None where all are.

        Parameters
        ----------
        qid_column : str or None
            The column that has the queries where they are not given in another way. By default
            it is "qid", if there is one.
        """
        named = self._named
        names = names_in(self.X)
        if "qid" not in named and qid_column is not None:
            if not self.has_queries and not isinstance(self.X, Dataset):
                split_columns(self.X, {"qid_column": qid_column})  # says so where it is not there
            if qid_column in (names or ()):
                named["qid"] = qid_column
        elif not self.has_queries and USUAL_QUERY_COLUMN in (names or ()):
            named["qid"] = USUAL_QUERY_COLUMN
        if USUAL_QUERY_COLUMN in (names or ()) and USUAL_QUERY_COLUMN not in named.values():
            warn(
                "X has a column 'qid', which is trained on as a feature, for the queries are given "
                'in another way: write qid="qid" or drop the column',
            )
        return FrameColumns(**named) if named else None

    def without_columns(self, columns: FrameColumns | None) -> Documents:
        """Return the same documents with arrays in place of columns.

        Parameters
        ----------
        columns : FrameColumns or None
            The columns that are no features, apart from those that these documents name. They
            stand for what is not given in another way.
        """
        usual = {} if columns is None else columns.present_in(self.X)
        named = self._named
        roles = {**{r: name for r, name in usual.items() if name not in named.values()}, **named}
        if not roles:
            return self
        features, values = split_columns(self.X, roles)
        given = {
            role: array
            for role, array in values.items()
            if role in named or getattr(self, role) is None
        }
        if self.group is not None:
            given.pop("qid", None)
        return replace(self, X=features, **given)

    def to_dataset(
        self,
        n_jobs: int,
        feature_names: Sequence[str] | None = None,
        categorical_features: ColumnsLike = None,
    ) -> Dataset:
        """Return a data set, without positions; queries must be given.

        Parameters
        ----------
        n_jobs : int
            Threads.
        feature_names : sequence of str, optional
            By default those of a data frame.
        categorical_features : str or array_like, optional
            As for `Dataset`.
        """
        return Dataset(
            self.X,
            self.y,
            qid=self.qid,
            group=self.group,
            weight=self.sample_weight,
            feature_names=feature_names,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
        )


def refuse_besides_dataset(owner: str, given: Mapping[str, object]) -> None:
    """Raise a ValueError if arguments are given that a Dataset holds."""
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise ValueError(f"{owner}: a Dataset brings its own {', '.join(extra)}; leave them out")
