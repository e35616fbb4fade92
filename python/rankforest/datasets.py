"""Made-up data for tests, examples and experiments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rankforest._data.click_models import Clicks, simulate_clicks
from rankforest._support.draws import Draw, Values, require_count
from rankforest.data import Dataset

__all__ = ["Clicks", "make_long_lists", "make_ranking", "simulate_clicks"]


def make_ranking(
    n_queries: int = 100,
    n_documents: int | tuple[int, int] = (5, 40),
    n_features: int = 20,
    *,
    n_grades: int = 5,
    noise: float = 0.5,
    missing_fraction: float = 0.0,
    random_state: int | None = 0,
    n_jobs: int | None = None,
) -> Dataset:
    """Make a random ranking problem.

    Each document has four hidden qualities, and each query a hidden level. The grade of a document
    grows with its qualities, two of which also act together and one by a threshold, with the level
    of its query, and with noise. Each feature is one of five kinds, in turn, and named after it:

    - ``score``: one of the qualities, scaled and shifted differently for each query;
    - ``match``: one of the qualities, squeezed into (-1, 1);
    - ``count``: one of the qualities, as a small whole number >= 0;
    - ``noise``: random, without any information;
    - ``query``: the level of the query, the same for all its documents.

    ``score_0`` is the first of its kind, ``score_1`` the second. Each grade is half as frequent as
    the grade below it, except the highest, which is as frequent as the one below it.

    Parameters
    ----------
    n_queries : int, default=100
        Number of queries, >= 1.
    n_documents : int or tuple of int, default=(5, 40)
        Documents of each query, >= 1. A pair (fewest, most) draws each number in this range with
        the same probability.
    n_features : int, default=20
        Number of features, >= 1.
    n_grades : int, default=5
        Grades are 0, 1, ..., n_grades - 1; >= 2.
    noise : float, default=0.5
        Standard deviation of the noise in the grade, >= 0. That of each quality is 1.
    missing_fraction : float, default=0.0
        The probability in [0, 1] that a feature's value is missing. Grades and the other values
        stay the same.
    random_state : int or None, default=0
        The seed, >= 0. None draws one.
    n_jobs : int, optional
        As for `Dataset`.

    Returns
    -------
    Dataset
        Its query ids are 1, 2, ..., n_queries, in this order. The same arguments give exactly the
        same data with any version of NumPy and on any processor.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> from rankforest.datasets import make_ranking
    >>> make_ranking(n_queries=10)
    Dataset(242 documents in 10 queries, 20 features, grades 0 to 4)
    """
    require_count("n_queries", n_queries, 1)
    require_count("n_features", n_features, 1)
    require_count("n_grades", n_grades, 2)
    fewest, most = _range_of(n_documents)
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise must be finite and >= 0, got {noise!r}")
    if not 0 <= missing_fraction <= 1:
        raise ValueError(f"missing_fraction must be in [0, 1], got {missing_fraction!r}")

    draw = Draw(random_state)
    sizes = fewest + np.floor(draw.uniform(n_queries) * (most - fewest + 1)).astype(np.int64)
    codes = np.repeat(np.arange(n_queries, dtype=np.uint32), sizes)
    world = _World(draw, n_queries, codes)
    grades = _graded(world.utility + noise * draw.normal(len(codes)), n_grades)
    features = np.empty((len(codes), n_features), dtype=np.float32)
    names = world.fill(features)
    if missing_fraction > 0:
        for column in range(n_features):
            features[draw.uniform(len(codes)) < missing_fraction, column] = np.nan
    return Dataset(features, grades, qid=codes + 1, feature_names=names, n_jobs=n_jobs)


def make_long_lists(
    n_queries: int = 1000,
    n_documents: int | tuple[int, int] = 2000,
    n_features: int = 50,
    *,
    positive_fraction: float = 0.003,
    hard_fraction: float = 0.05,
    noise: float = 0.5,
    random_state: int | None = 0,
    n_jobs: int | None = None,
) -> Dataset:
    """Make long lists with few relevant documents, as a first stage of retrieval hands them on.

    Such lists are what `SelGB` is for [1]_. Few documents of a query are *near*: about its topic, to
    some degree. The others are far from it, and easy to tell apart. The positives of a query are
    its most useful near documents; its other near documents are hard negatives. What is useful is
    about the topic and of high quality, each of which helps the other, and is no spam.

    Feature 0, ``bm25``, is a ranking by topic alone, and as coarse as one: sorted by it, most
    positives are among the first documents of their query, behind many hard negatives, and some are
    far down. The other features are of five kinds, in turn, and named after them:

    - ``match``: how well a document matches the topic, squeezed into (-1, 1);
    - ``quality``: of the document, scaled and shifted differently for each query;
    - ``spam``: signs of spam, as a small whole number >= 0;
    - ``noise``: random, without any information;
    - ``query``: how many documents near the topic there are, the same for all of a query.

    Grades are 0 and, for positives, 1 to 4, each half as frequent as the grade below it, except 4,
    which is as frequent as 3.

    Parameters
    ----------
    n_queries : int, default=1000
        Number of queries, >= 1.
    n_documents : int or tuple of int, default=2000
        Documents of each query, >= 1. A pair (fewest, most) draws each number in this range with
        the same probability.
    n_features : int, default=50
        Number of features, >= 1.
    positive_fraction : float, default=0.003
        Share of the documents that are positive, in (0, 1). The number in a query is drawn evenly
        from 1 up to what makes this the mean.
    hard_fraction : float, default=0.05
        The probability that a document is near, in (0, 1], on average over the queries.
    noise : float, default=0.5
        Standard deviation of the noise in the usefulness that decides grades, >= 0. Those of topic
        and quality are 1.
    random_state : int or None, default=0
        The seed, >= 0. None draws one.
    n_jobs : int, optional
        As for `Dataset`.

    Returns
    -------
    Dataset
        Of float32 features, 400 MB for the defaults. Its query ids are 1, 2, ..., n_queries, in this
        order. The same arguments give exactly the same data with any version of NumPy and on any
        processor.

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    .. [1] C. Lucchese, F. M. Nardini, R. Perego, S. Orlando, S. Trani, "Selective gradient boosting
       for effective learning to rank", SIGIR 2018, section 5.1: Istella-X has 2,679 documents a
       query, 0.17 % of them positive.

    Examples
    --------
    >>> from rankforest.datasets import make_long_lists
    >>> make_long_lists(n_queries=10, n_documents=500)
    Dataset(5000 documents in 10 queries, 50 features, grades 0 to 4)
    """
    require_count("n_queries", n_queries, 1)
    require_count("n_features", n_features, 1)
    fewest, most = _range_of(n_documents)
    if not 0 < positive_fraction < 1:
        raise ValueError(f"positive_fraction must be in (0, 1), got {positive_fraction!r}")
    if not 0 < hard_fraction <= 1:
        raise ValueError(f"hard_fraction must be in (0, 1], got {hard_fraction!r}")
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise must be finite and >= 0, got {noise!r}")

    draw = Draw(random_state)
    sizes = fewest + np.floor(draw.uniform(n_queries) * (most - fewest + 1)).astype(np.int64)
    codes = np.repeat(np.arange(n_queries, dtype=np.uint32), sizes)
    retrieved = _Retrieved(draw, n_queries, codes, hard_fraction)
    useful = retrieved.utility + noise * draw.normal(len(codes))
    most_positive = np.maximum(2.0 * positive_fraction * sizes - 1.0, 1.0)
    n_positive = 1 + np.floor(draw.uniform(n_queries) * most_positive).astype(np.int64)
    is_positive = _rank_within(codes, sizes, useful) < n_positive[codes]
    grades = np.zeros(len(codes))
    grades[is_positive] = 1.0 + _graded(useful[is_positive], 4)
    features = np.empty((len(codes), n_features), dtype=np.float32)
    names = retrieved.fill(features)
    return Dataset(features, grades, qid=codes + 1, feature_names=names, n_jobs=n_jobs)


class _World:
    """What is hidden behind the features."""

    def __init__(self, draw: Draw, n_queries: int, codes: npt.NDArray[np.uint32]) -> None:
        self._draw = draw
        self._codes = codes
        self._n = len(codes)
        self._richness = draw.normal(n_queries)
        self._scale = 0.5 + 1.5 * draw.uniform(n_queries)
        self._offset = 2.0 * draw.normal(n_queries)
        self._qualities = [draw.normal(self._n) for _ in range(4)]
        self._n_informative = 0

    @property
    def utility(self) -> Values:
        """What the grade follows, but for noise."""
        a, b, c, d = self._qualities
        return a + 0.7 * b + 0.5 * b * c + 0.8 * (d > 0.5) + self._richness[self._codes]

    def fill(self, features: npt.NDArray[np.float32]) -> list[str]:
        """Write the columns and return their names."""
        kinds: list[tuple[str, Callable[[], Values]]] = [
            ("score", self._score),
            ("match", self._match),
            ("count", self._count),
            ("noise", lambda: self._draw.normal(self._n)),
            ("query", self._query),
        ]
        names = []
        for column in range(features.shape[1]):
            name, values = kinds[column % len(kinds)]
            features[:, column] = values()
            names.append(f"{name}_{column // len(kinds)}")
        return names

    def _seen(self) -> Values:
        """Return the next quality, not quite as it is."""
        quality = self._qualities[self._n_informative % len(self._qualities)]
        self._n_informative += 1
        return quality + 0.3 * self._draw.normal(self._n)

    def _score(self) -> Values:
        return self._seen() * self._scale[self._codes] + self._offset[self._codes]

    def _match(self) -> Values:
        seen = self._seen()
        return seen / (1.0 + np.abs(seen))

    def _count(self) -> Values:
        return np.floor(np.maximum(2.0 * self._seen() + 1.0, 0.0))

    def _query(self) -> Values:
        about = self._richness + 0.5 * self._draw.normal(len(self._richness))
        return about[self._codes]


class _Retrieved:
    """What is hidden behind the features of long lists."""

    def __init__(
        self, draw: Draw, n_queries: int, codes: npt.NDArray[np.uint32], hard_fraction: float
    ) -> None:
        self._draw = draw
        self._codes = codes
        self._n = len(codes)
        self._share = hard_fraction * (0.5 + draw.uniform(n_queries))  # of near documents
        self._scale = 0.5 + 1.5 * draw.uniform(n_queries)
        self._offset = 2.0 * draw.normal(n_queries)
        is_near = draw.uniform(self._n) < self._share[codes]
        self._topic = draw.normal(self._n) - np.where(is_near, 0.0, 3.0)
        self._quality = draw.normal(self._n)
        self._spam = draw.normal(self._n)

    @property
    def utility(self) -> Values:
        """What the grade follows, but for noise."""
        both = np.minimum(self._topic, self._quality)
        return self._topic + 0.7 * self._quality + both - 2.0 * (self._spam > 0.8)

    def fill(self, features: npt.NDArray[np.float32]) -> list[str]:
        """Write the columns and return their names."""
        kinds: list[tuple[str, Callable[[], Values]]] = [
            ("match", self._match),
            ("quality", self._seen_quality),
            ("spam", self._signs_of_spam),
            ("noise", lambda: self._draw.normal(self._n)),
            ("query", self._query),
        ]
        features[:, 0] = self._bm25()
        names = ["bm25"]
        for column in range(1, features.shape[1]):
            name, values = kinds[(column - 1) % len(kinds)]
            features[:, column] = values()
            names.append(f"{name}_{(column - 1) // len(kinds)}")
        return names

    def _blurred(self, hidden: Values, by: float) -> Values:
        return hidden + by * self._draw.normal(self._n)

    def _bm25(self) -> Values:
        return 10.0 + 2.0 * self._scale[self._codes] * self._blurred(self._topic, 1.5)

    def _match(self) -> Values:
        seen = self._blurred(self._topic, 1.0)
        return seen / (1.0 + np.abs(seen))

    def _seen_quality(self) -> Values:
        seen = self._blurred(self._quality, 1.0)
        return seen * self._scale[self._codes] + self._offset[self._codes]

    def _signs_of_spam(self) -> Values:
        return np.floor(np.maximum(2.0 * self._blurred(self._spam, 1.0) + 1.0, 0.0))

    def _query(self) -> Values:
        about = self._share + 0.02 * self._draw.normal(len(self._share))
        return about[self._codes]


def _rank_within(
    codes: npt.NDArray[np.uint32], sizes: npt.NDArray[np.int64], values: Values
) -> npt.NDArray[np.int64]:
    """Return the rank of each document in its query, from 0 for the largest value."""
    order = np.lexsort((-values, codes))  # stable
    rank = np.empty(len(codes), dtype=np.int64)
    rank[order] = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank


def _graded(utility: Values, n_grades: int) -> Values:
    """Give the best half grade 1 or more, the best quarter 2 or more, and so on."""
    n = len(utility)
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(-utility, kind="stable")] = np.arange(n)
    grades = np.zeros(n)
    for grade in range(1, n_grades):
        grades += rank < n >> grade
    return grades


def _range_of(n_documents: int | tuple[int, int]) -> tuple[int, int]:
    pair = n_documents if isinstance(n_documents, tuple) else (n_documents, n_documents)
    for bound in pair:
        require_count("n_documents", bound, 1)
    if len(pair) != 2 or pair[0] > pair[1]:
        raise ValueError(f"n_documents must be a number or (fewest, most), got {n_documents!r}")
    return pair
