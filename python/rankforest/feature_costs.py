"""What features cost: by name or number, one by one or in groups that are paid together."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankforest._data.compression import opened
from rankforest._support.paths import StrPath, expanded
from rankforest._support.vectors import as_numbers
from rankforest._support.wording import described, first_of, names_of, nearest

__all__ = ["FeatureCosts", "ResolvedCosts", "read_feature_costs"]

#: A name, or the number of a column, counted from 0.
Feature = str | int

_NEEDED = ("feature", "cost")
_COLUMNS = (*_NEEDED, "group")
_MOST_SHOWN = 10


class ResolvedCosts(NamedTuple):
    """Costs of the columns of one data set: what `FeatureCosts.resolve` returns.

    A *unit* is what is paid at once: a group, or a feature that is in none. Units are numbered in
    the order of their first features; without groups, unit f is feature f.
    """

    #: float64, by unit: what it costs.
    costs: npt.NDArray[np.float64]
    #: uint32, by feature: the unit that has it.
    units: npt.NDArray[np.uint32]

    def of(self, features: npt.ArrayLike) -> float:
        """Return what features cost together, each unit once."""
        paid = np.unique(self.units[np.asarray(features, dtype=np.int64)])
        return float(self.costs[paid].sum())


@dataclass(frozen=True, init=False)
class FeatureCosts:
    """What it costs to compute the features of a document, and to evaluate a tree for it [1]_.

    Parameters
    ----------
    costs : array_like of shape (n_features,), or mapping
        Cost of each column; or of features by their names, the others being free. A feature without
        a name has the number of its column, counted from 0, as an int. A str is what reports call a
        feature: its name, or the number that LETOR text has for it. Groups have their costs by the
        names of the groups, or by those of their features, which must then be equal. Costs are
        finite and >= 0.
    groups : mapping of str to sequence of str or int, optional
        Features that are paid together: one field's statistics may give ten features. As soon as
        one of a group is paid, the others are free.
    tree_cost : float, default=1
        Cost of evaluating one tree for one document, finite, >= 0.

    Raises
    ------
    ValueError
        If a cost is out of its range, or a feature is named twice or is in two groups.

    See Also
    --------
    read_feature_costs : costs out of a CSV file.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", 2010, section 6.1.

    Examples
    --------
    >>> import rankforest as rf
    >>> costs = rf.FeatureCosts(
    ...     {"pagerank": 1, "body": 20}, groups={"body": ["bm25", "tf_idf"]}, tree_cost=0.5
    ... )
    >>> resolved = costs.resolve(4, ["pagerank", "bm25", "clicks", "tf_idf"])
    >>> resolved.costs.tolist(), resolved.units.tolist()
    ([1.0, 20.0, 0.0], [0, 1, 2, 1])
    >>> resolved.of([0, 1, 3])
    21.0
    """

    costs: tuple[float, ...] | Mapping[Feature, float]
    groups: Mapping[str, tuple[Feature, ...]]
    tree_cost: float

    def __init__(
        self,
        costs: npt.ArrayLike | Mapping[Any, float],
        groups: Mapping[str, Sequence[Feature]] | None = None,
        tree_cost: float = 1.0,
    ) -> None:
        own: tuple[float, ...] | dict[Feature, float]
        if isinstance(costs, Mapping):
            own = _mapping_of(costs)
        else:
            own = tuple(as_numbers("costs", costs).tolist())
        object.__setattr__(self, "costs", own)
        object.__setattr__(self, "groups", _groups_of(groups))
        object.__setattr__(self, "tree_cost", _cost("tree_cost", tree_cost))

    @classmethod
    def of(cls, costs: object, tree_cost: float | None = None) -> FeatureCosts:
        """Return costs out of whatever a user may give for them.

        Parameters
        ----------
        costs : FeatureCosts, array_like, mapping or None
            A mapping is one of features to costs, or what `to_dict` returns. None: all are free.
        tree_cost : float, optional
            In place of the one of `costs`.

        Raises
        ------
        ValueError
            As for the class.
        """
        if costs is None:
            costs = cls({})
        elif isinstance(costs, Mapping) and set(costs) == {"costs", "groups", "tree_cost"}:
            costs = cls.from_dict(costs)
        elif not isinstance(costs, cls):
            costs = cls(costs)  # type: ignore[arg-type]
        if tree_cost is None:
            return costs
        return cls(costs.costs, costs.groups, tree_cost)

    def resolve(self, n_features: int, feature_names: Sequence[str] | None = None) -> ResolvedCosts:
        """Find the costs of columns.

        Parameters
        ----------
        n_features : int
            Number of columns.
        feature_names : sequence of str, optional
            What a str of these costs may name; None: the columns' numbers, from 0.

        Returns
        -------
        ResolvedCosts
            (costs, units).

        Raises
        ------
        ValueError
            For a name or number that no column has, a number of costs that is not that of the
            columns, a feature that is in two groups, and features of a group with different costs.
        """
        names = list(map(str, range(n_features)) if feature_names is None else feature_names)
        place_of = {name: column for column, name in enumerate(names)}
        group_of: dict[int, str] = {}
        for group, features in self.groups.items():
            for feature in features:
                column = _column("groups", feature, place_of, n_features)
                if column in group_of:
                    raise ValueError(
                        f"groups must not share features: {names[column]!r} is in "
                        f"{group_of[column]!r} and {group!r}"
                        if group_of[column] != group
                        else f"groups: {group!r} names feature {names[column]!r} twice"
                    )
                group_of[column] = group
        of_columns, of_groups = self._split_costs(names, place_of, group_of)
        return _units(n_features, names, of_columns, group_of, of_groups)

    def _split_costs(
        self, names: list[str], place_of: dict[str, int], group_of: dict[int, str]
    ) -> tuple[dict[int, float], dict[str, float]]:
        """Return costs by column, and those given by the names of groups."""
        n_features = len(names)
        if not isinstance(self.costs, Mapping):
            if len(self.costs) != n_features:
                raise ValueError(
                    f"costs must have one value for each of the {n_features} features; it has "
                    f"{len(self.costs)}"
                )
            return dict(enumerate(self.costs)), {}
        of_columns: dict[int, float] = {}
        of_groups: dict[str, float] = {}
        for key, cost in self.costs.items():
            if isinstance(key, str) and key in self.groups:
                if key in place_of and group_of.get(place_of[key]) != key:
                    raise ValueError(
                        f"costs: {key!r} is both a group and a feature outside it; give the group "
                        "another name"
                    )
                of_groups[key] = cost
                continue
            column = _column("costs", key, place_of, n_features, self.groups)
            if column in of_columns:
                raise ValueError(f"costs: feature {names[column]!r} has a cost twice")
            of_columns[column] = cost
        return of_columns, of_groups

    def to_dict(self) -> dict[str, Any]:
        """Return what `from_dict` and JSON take; equal costs give the same."""
        if isinstance(self.costs, Mapping):
            costs: list[Any] = [[feature, cost] for feature, cost in self.costs.items()]
        else:
            costs = list(self.costs)
        groups = {name: list(features) for name, features in self.groups.items()}
        return {"costs": costs, "groups": groups, "tree_cost": self.tree_cost}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> FeatureCosts:
        """Return costs out of what `to_dict` returns.

        Raises
        ------
        ValueError
            If it is something else.
        """
        if not isinstance(values, Mapping) or set(values) != {"costs", "groups", "tree_cost"}:
            raise ValueError(
                f'feature costs must be an object of "costs", "groups" and "tree_cost", got '
                f"{values!r}"
            )
        costs = values["costs"]
        if isinstance(costs, list) and any(isinstance(each, list) for each in costs):
            if not all(isinstance(each, list) and len(each) == 2 for each in costs):
                raise ValueError(f"costs must be pairs of a feature and its cost, got {costs!r}")
            _require_different([feature for feature, _ in costs])
            costs = dict(costs)
        elif costs == []:
            costs = {}
        return cls(costs, values["groups"], values["tree_cost"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FeatureCosts):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __repr__(self) -> str:
        given = dict(self.costs) if isinstance(self.costs, Mapping) else list(self.costs)
        parts = [repr(given)]
        if self.groups:
            shown = {name: list(features) for name, features in self.groups.items()}
            parts.append(f"groups={shown!r}")
        if self.tree_cost != 1.0:
            parts.append(f"tree_cost={self.tree_cost:g}")
        return f"FeatureCosts({', '.join(parts)})"


def read_feature_costs(path: StrPath, *, tree_cost: float = 1.0) -> FeatureCosts:
    r"""Read costs of features from a CSV file.

    Its first line names the columns: ``feature`` and ``cost``, and ``group`` where features are
    paid together. A feature is called by its name, or by its number in LETOR text. Features that
    the file leaves out are free. Those of a group have the same cost, which is that of the group.

    Parameters
    ----------
    path : str or path-like
        A CSV file, which may be compressed.
    tree_cost : float, default=1
        Cost of evaluating one tree for one document, finite, >= 0.

    Returns
    -------
    FeatureCosts

    Raises
    ------
    ValueError
        For a line that is not as it should be; the message has its number.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> path = pathlib.Path(tempfile.mkdtemp(), "costs.csv")
    >>> lines = ["feature,cost,group", "pagerank,1,", "bm25,20,body", "tf_idf,20,body"]
    >>> _ = path.write_text("\n".join(lines))
    >>> costs = rf.read_feature_costs(path)
    >>> costs.resolve(3, ["bm25", "pagerank", "tf_idf"]).of([0, 1, 2])
    21.0
    """
    costs: dict[str, float] = {}
    groups: dict[str, list[str]] = {}
    for place, feature, text, group in _lines_of(expanded(path)):
        if not feature:
            raise ValueError(f"{place}: the feature has no name")
        if feature in costs:
            raise ValueError(f"{place}: feature {feature!r} has a cost on an earlier line")
        cost = _cost(f"{place}: cost", _number(text))
        if group:
            members = groups.setdefault(group, [])
            if members and costs[members[0]] != cost:
                raise ValueError(
                    f"{place}: features of a group are paid together and have one cost; group "
                    f"{group!r} has {costs[members[0]]:g} on an earlier line, got {cost:g}"
                )
            members.append(feature)
        costs[feature] = cost
    return FeatureCosts(costs, groups, tree_cost)


def _lines_of(path: str) -> Iterator[tuple[str, str, str, str]]:
    """Read each line behind the first: where it stands, its feature, cost and group."""
    with io.TextIOWrapper(opened(path), encoding="utf-8-sig", newline="") as file:
        try:
            lines = csv.reader(file)
            places = _places(path, next(lines, []))
            for given in lines:
                fields = [field.strip() for field in given]
                if not any(fields):
                    continue
                place = f"{path}:{lines.line_num}"
                if len(fields) > len(places) or len(fields) <= max(places[n] for n in _NEEDED):
                    raise ValueError(f"{place}: must have {len(places)} fields, got {len(fields)}")
                fields.append("")  # the group of a line that ends before it
                feature, cost = (fields[places[name]] for name in _NEEDED)
                yield place, feature, cost, fields[places.get("group", -1)]
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: a CSV file must be UTF-8 text; {error}") from None


def _places(path: str, header: list[str]) -> dict[str, int]:
    """Return where the columns stand that the first line names."""
    names = [name.strip().casefold() for name in header]
    odd = [name for i, name in enumerate(names) if name not in _COLUMNS or name in names[:i]]
    if odd or not set(_NEEDED) <= set(names):
        raise ValueError(
            f"{path}:1: the first line must name the columns feature, cost and, if wanted, group; "
            f"got {', '.join(header) or 'nothing'}"
        )
    return {name: place for place, name in enumerate(names)}


def _number(text: str) -> object:
    """Return the number that a text is, else the text."""
    try:
        return float(text)
    except ValueError:
        return text


def _cost(name: str, cost: object) -> float:
    is_number = isinstance(cost, Real) and not isinstance(cost, bool)
    if not is_number or not 0 <= float(cost) < float("inf"):  # type: ignore[arg-type]
        raise ValueError(f"{name} must be finite and >= 0, got {cost!r}")
    return float(cost)  # type: ignore[arg-type]


def _feature(name: str, feature: object) -> Feature:
    """Return what names a feature, or raise a ValueError that calls the argument `name`."""
    if isinstance(feature, str):
        return feature
    if isinstance(feature, Integral) and not isinstance(feature, bool) and int(feature) >= 0:
        return int(feature)
    raise ValueError(
        f"{name} must name features, or number columns from 0; got {described(feature)}: "
        f"{feature!r}"
    )


def _mapping_of(costs: Mapping[Any, float]) -> dict[Feature, float]:
    own = {
        _feature("costs", feature): _cost(f"the cost of {feature!r}", cost)
        for feature, cost in costs.items()
    }
    return {feature: own[feature] for feature in _sorted(own)}


def _sorted(features: Iterable[Feature]) -> list[Feature]:
    """Return numbers, then names, so that equal costs are written alike."""
    return sorted(features, key=lambda each: (isinstance(each, str), each))


def _groups_of(groups: object) -> dict[str, tuple[Feature, ...]]:
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise ValueError(f"groups must map names to features, got {described(groups)}")  # noqa: TRY004
    own: dict[str, tuple[Feature, ...]] = {}
    group_of: dict[Feature, str] = {}
    for name, features in groups.items():
        if not isinstance(name, str):
            raise ValueError(f"groups must have names that are texts, got {name!r}")  # noqa: TRY004
        own[name] = tuple(_feature("groups", each) for each in _several(name, features))
        for feature in own[name]:
            if feature in group_of:
                twice = f"{name!r} names feature {feature!r} twice"
                two = f"feature {feature!r} is in {group_of[feature]!r} and {name!r}"
                raise ValueError(f"groups: {twice if group_of[feature] == name else two}")
            group_of[feature] = name
        if not own[name]:
            raise ValueError(f"groups: {name!r} must have at least one feature, got none")
    return {name: tuple(_sorted(own[name])) for name in sorted(own)}


def _several(name: str, features: object) -> list[Any]:
    """Return the features of a group; one may stand alone."""
    if isinstance(features, (str, Sequence, np.ndarray)):
        return names_of(features)
    raise ValueError(f"groups: {name!r} must have a list of features, got {described(features)}")


def _require_different(features: list[Any]) -> None:
    for place, feature in enumerate(features):
        if feature in features[:place]:
            raise ValueError(f"costs: feature {feature!r} has a cost twice")


def _column(
    argument: str,
    feature: Feature,
    place_of: dict[str, int],
    n_features: int,
    others: Mapping[str, Any] | None = None,
) -> int:
    """Return the column of a feature; `others` are names that could be meant, too."""
    if isinstance(feature, int):
        if feature < n_features:
            return feature
        raise ValueError(
            f"{argument}: there is no column {feature}; there are {n_features}, counted from 0"
        )
    if feature in place_of:
        return place_of[feature]
    near = nearest(feature, [*place_of, *(others or ())])
    shown = first_of([repr(name) for name in place_of], _MOST_SHOWN)
    hint = f"did you mean {near!r}?" if near else f"features are {shown}"
    raise ValueError(f"{argument}: there is no feature {feature!r}; {hint}")


def _units(
    n_features: int,
    names: list[str],
    of_columns: dict[int, float],
    group_of: dict[int, str],
    of_groups: dict[str, float],
) -> ResolvedCosts:
    """Give numbers to what is paid at once and find its costs."""
    costs: list[float] = []
    units = np.zeros(n_features, dtype=np.uint32)
    unit_of: dict[str, int] = {}
    known = dict(of_groups)
    for column in range(n_features):
        group = group_of.get(column)
        if group is not None and column in of_columns:
            cost = known.setdefault(group, of_columns[column])
            if cost != of_columns[column]:
                raise ValueError(
                    f"costs: features of a group are paid together and have one cost; group "
                    f"{group!r} has {cost:g}, its feature {names[column]!r} "
                    f"{of_columns[column]:g}"
                )
    for column in range(n_features):
        group = group_of.get(column)
        if group in unit_of:
            units[column] = unit_of[group]
            continue
        units[column] = len(costs)
        if group is None:
            costs.append(of_columns.get(column, 0.0))
        else:
            unit_of[group] = len(costs)
            costs.append(known.get(group, 0.0))
    return ResolvedCosts(np.array(costs, dtype=np.float64), units)
