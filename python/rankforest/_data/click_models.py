"""Made-up clicks on the rankings of a ranker."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankforest._support.draws import Draw, Values, require_count
from rankforest._support.vectors import as_numbers, check_length
from rankforest.data import Dataset

Rows = npt.NDArray[np.intp]

_MODELS = ("position", "cascade", "dbn")


@dataclass(frozen=True)
class Clicks:
    """What `simulate_clicks` saw.

    Attributes
    ----------
    data : Dataset
        A query for each session, with ids from 1 on. Grades are 1 for a click, else 0; `position`
        says where each document was shown.
    propensity : ndarray of float64, shape (n_documents,)
        The probability that a user looks at the document where it was shown. It can be 0.
    attractiveness : ndarray of float64, shape (n_documents,)
        The probability that a user who looks at the document clicks it. That of a click is the
        product of both.
    rows : ndarray of int, shape (n_documents,)
        The row of each document in the data that was ranked.
    """

    data: Dataset
    propensity: Values
    attractiveness: Values
    rows: Rows


def simulate_clicks(
    data: Dataset,
    scores: npt.ArrayLike,
    model: str = "position",
    *,
    n_sessions: int = 10,
    n_shown: int | None = None,
    eta: float = 1.0,
    noise: float = 0.1,
    satisfaction: float = 0.9,
    continuation: float = 0.9,
    random_state: int | None = 0,
    n_jobs: int | None = None,
) -> Clicks:
    """Simulate users who click on rankings.

    In each session a user sees the documents of a query, best score first, and clicks on some. A
    document of grade y that is looked at is clicked with probability ``noise + (1 - noise) g(y)``,
    where ``g(y) = (2^y - 1) / (2^max - 1)`` and max is the highest grade of the data. How far down
    users look is what the models differ in:

    - "position": a user looks at position k with probability k^-eta, whatever else is shown [1]_;
    - "cascade": a user looks at one document after the other, from the top, until the first click
      [2]_;
    - "dbn", the dynamic Bayesian network: a click satisfies the user, who then leaves, with
      probability ``satisfaction x g(y)``; a user who is not satisfied looks at the next document
      with probability `continuation` [3]_.

    Parameters
    ----------
    data : Dataset
        Graded documents.
    scores : array_like of shape (n_documents,)
        Those of the ranker whose rankings are shown. Equal scores rank in the order of the rows.
    model : {"position", "cascade", "dbn"}, default="position"
        How users look at rankings.
    n_sessions : int, default=10
        Sessions of each query, >= 1.
    n_shown : int or None, default=None
        Documents that a session shows at most, >= 1; the others are not part of it. None shows all.
    eta : float, default=1.0
        How fast users lose sight of low positions in "position", >= 0. With 0 they look at all.
    noise : float, default=0.1
        The probability in [0, 1) that a user clicks on a document of grade 0 that is looked at.
    satisfaction : float, default=0.9
        For "dbn": the probability in [0, 1] that a click on a document of the highest grade ends
        the session.
    continuation : float, default=0.9
        For "dbn": the probability in [0, 1] that a user who is not satisfied goes on.
    random_state : int or None, default=0
        The seed, >= 0. None draws one.
    n_jobs : int, optional
        As for `Dataset`.

    Returns
    -------
    Clicks
        All sessions, those without a click, too, and the true probabilities. Features are copied
        for each session.

    Raises
    ------
    ValueError
        If an argument is out of range, or if the data has no grades or none above 0.

    References
    ----------
    .. [1] T. Joachims, A. Swaminathan and T. Schnabel, "Unbiased learning-to-rank with biased
       feedback", WSDM 2017.
    .. [2] N. Craswell, O. Zoeter, M. Taylor and B. Ramsey, "An experimental comparison of click
       position-bias models", WSDM 2008.
    .. [3] O. Chapelle and Y. Zhang, "A dynamic Bayesian network click model for web search
       ranking", WWW 2009.

    Examples
    --------
    >>> from rankforest.datasets import make_ranking, simulate_clicks
    >>> data = make_ranking(n_queries=20, n_documents=10)
    >>> clicks = simulate_clicks(data, scores=data.X[:, 0], n_sessions=5)
    >>> clicks.data
    Dataset(1000 documents in 100 queries, 20 features, grades 0 to 1)
    >>> clicks.propensity[clicks.data.position == 2][:1]
    array([0.5])
    """
    _check(model, n_sessions, n_shown, eta=eta, noise=noise)
    _check_shares(satisfaction=satisfaction, continuation=continuation)
    shown = _Shown.of(data, scores, n_shown)
    gain = _gains(data)[shown.rows]
    attractiveness = noise + (1.0 - noise) * gain
    sessions = shown.repeated(n_sessions)
    draw = Draw(random_state)
    if model == "position":
        propensity = shown.position.astype(np.float64) ** -eta
        clicks = np.tile(propensity * attractiveness, n_sessions)
        clicked = draw.uniform(len(clicks)) < clicks
    else:
        goes_on = continuation if model == "dbn" else 1.0
        stops = satisfaction * gain if model == "dbn" else np.ones(len(gain))
        propensity = shown.reached(goes_on * (1.0 - attractiveness * stops))
        clicked = draw.uniform(len(sessions.rows)) < np.tile(attractiveness, n_sessions)
        stopped = clicked & (draw.uniform(len(clicked)) < np.tile(stops, n_sessions))
        passed = ~stopped & (draw.uniform(len(clicked)) < goes_on)
        clicked &= sessions.reached(passed.astype(np.float64)) > 0
    return Clicks(
        data=sessions.dataset(data, clicked, n_jobs),
        propensity=np.tile(propensity, n_sessions),
        attractiveness=np.tile(attractiveness, n_sessions),
        rows=sessions.rows,
    )


def _check(model: str, n_sessions: int, n_shown: int | None, *, eta: float, noise: float) -> None:
    if model not in _MODELS:
        raise ValueError(f"model must be one of {', '.join(map(repr, _MODELS))}, got {model!r}")
    require_count("n_sessions", n_sessions, 1)
    if n_shown is not None:
        require_count("n_shown", n_shown, 1)
    if not 0 <= eta < np.inf:
        raise ValueError(f"eta must be finite and >= 0, got {eta!r}")
    if not 0 <= noise < 1:
        raise ValueError(f"noise must be in [0, 1), got {noise!r}")


def _check_shares(**shares: float) -> None:
    for name, value in shares.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be in [0, 1], got {value!r}")


@dataclass(frozen=True)
class _Shown:
    """Documents in the order in which they are shown, one list after the other."""

    rows: Rows
    lists: Rows  #: the number of each document's list, from 0
    position: Rows  #: from 1
    n_lists: int

    @classmethod
    def of(cls, data: Dataset, scores: npt.ArrayLike, n_shown: int | None) -> _Shown:
        values = as_numbers("scores", scores, check=False)
        check_length("scores", values, data.n_documents, "documents of data")
        if not np.isfinite(values).all():
            row = int((~np.isfinite(values)).argmax())
            raise ValueError(f"scores must be finite; that of row {row} is {values[row]}")
        codes = data.query_codes.astype(np.intp)
        rows = np.lexsort((-values, codes))  # stable
        sizes = np.bincount(codes, minlength=data.n_queries)
        position = 1 + np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        kept = slice(None) if n_shown is None else position <= n_shown
        return cls(rows[kept], codes[rows][kept], position[kept], data.n_queries)

    def repeated(self, n: int) -> _Shown:
        """Return the same lists n times."""
        first = np.repeat(np.arange(n) * self.n_lists, len(self.rows))
        return _Shown(
            np.tile(self.rows, n), first + np.tile(self.lists, n), np.tile(self.position, n),
            n * self.n_lists,
        )  # fmt: skip

    def reached(self, passed: Values) -> Values:
        """Return the probability that each document is reached, from those of being passed."""
        reached = np.ones(len(passed))
        by_position = np.argsort(self.position, kind="stable")
        for at in np.split(by_position, np.cumsum(np.bincount(self.position)[1:-1]))[1:]:
            reached[at] = reached[at - 1] * passed[at - 1]
        return reached

    def dataset(self, data: Dataset, clicked: npt.NDArray[np.bool_], n_jobs: int | None) -> Dataset:
        return Dataset(
            data.X[self.rows],
            clicked.astype(np.float64),
            qid=self.lists + 1,
            feature_names=data.feature_names,
            position=self.position,
            n_jobs=n_jobs,
        )._with(_levels=data._levels)


def _gains(data: Dataset) -> Values:
    """Return 2^grade - 1 as a share of that of the highest grade."""
    grades = data._required_grades()
    highest = grades.max()
    if not highest > 0:
        raise ValueError("data must have a grade above 0 for users to be attracted by")
    gains: Values = (np.exp2(grades - highest) - np.exp2(-highest)) / (1.0 - np.exp2(-highest))
    return gains
