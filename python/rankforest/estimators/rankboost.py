"""RankBoost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.random import RandomState

from rankforest._data.levels import ColumnsLike
from rankforest._support.warnings import warn
from rankforest.data import Dataset
from rankforest.estimators.base import Ranker
from rankforest.estimators.custom import Callback
from rankforest.estimators.data import require_pairs
from rankforest.estimators.watches import MetricLike


class RankBoost(Ranker):
    """Boosting of thresholds on features, by pairs of documents (RankBoost).

    Each round adds the threshold that puts most pairs of documents of different grades in order,
    pairs weighed by how much the model so far has them out of order [1]_. The result is a sum of trees
    of one split each.

    Parameters
    ----------
    n_estimators : int, default=300
        Most rounds of boosting, each of which adds one tree.
    n_thresholds : int or None, default=None
        Most thresholds tried of each feature, at equal distances among all. None tries all.
    tree_method : {"auto", "exact", "hist"}, default="auto"
        How thresholds are found. "exact" tries all that separate two neighbouring values of a
        feature. "hist" first puts the values into at most 255 bins, which is faster on large data
        and grows the same trees where no feature has more values. "auto" is "exact" up to 50,000
        documents and "hist" beyond.
    categorical_features : "from_dtype", str, array_like or None, default=None
        Features that are texts, categories or ids: their names or numbers, or a mask. "from_dtype"
        is the columns of text and category of a data frame or table. Each level counts as the mean
        grade of its documents, drawn towards the mean of all as these are few; in training, as that
        of the documents in other folds of the queries. Unseen levels count as the mean of all.
        `model_.categories` has these numbers.
    metric : str, Metric, CustomMetric, measure of ir_measures or sequence of these, default="ndcg@10"
        What `fit` measures on its evaluation sets after each round. The first one decides early
        stopping, and is what `score` measures.
    early_stopping_rounds : int or None, default=None
        End training once the first `metric` of the evaluation set that decides has not improved
        for so many rounds; the model keeps the trees up to the best one.
    early_stopping_set : str or None, default=None
        The evaluation set that decides. None: the last one of `eval_set` that is not the training
        data.
    min_delta : float, default=0.0
        A value counts as improved if it is better than the best so far by more than this, >= 0.
    validation_fraction : float or None, default=None
        Share of the queries, in (0, 1), that are held out where there is no `eval_set`: they are
        measured, as the set "validation", and not trained on. `random_state` draws them.
    qid_column : str or None, default=None
        The column of a data frame that has the queries, and is no feature. None is a column called
        "qid", where `fit` gets neither `qid` nor `group`. With such frames scikit-learn's searches
        need no metadata routing, but folds of whole queries:
        ``GridSearchCV(model, grid, cv=GroupKFold(5)).fit(X, y, groups=X["query_id"])``.
    warm_start : bool, default=False
        Whether `fit` goes on from the model of the last `fit`, adding what a larger
        `n_estimators` asks for. The result is that of training with this `n_estimators` at once,
        bit for bit; data and other parameters must be those of the last `fit`.
    callbacks : callable or sequence of callables, default=()
        Called after each round with a dict of "round", "n_rounds" and "values" (set name ->
        metric -> value); training ends where one returns True.
    verbose : bool or int, default=0
        A line with the values is printed every so many rounds; 0 for none, True for each round.
    random_state : int, RandomState or None, default=0
        Draws what `validation_fraction` holds out, and nothing else. None draws a seed;
        `random_state_` has it.
    n_jobs : int or None, default=None
        Threads; None for every core that the process may use (processor affinity, container
        limits and OMP_NUM_THREADS count), -1 likewise, -2 for all but one. Never changes a
        result.

    Attributes
    ----------
    model_ : Model
        The trained ensemble.
    best_iteration_ : int
        Number of rounds kept.
    history_ : dict
        Set name -> metric -> list of its values, one for each of `history_rounds_`; NaN where it
        was not measured. `history_frame` has them as a data frame.
    history_rounds_ : list of int
        The rounds after which the sets were measured: 1, 2, 3, ...
    deciding_set_ : str or None
        The evaluation set that decided: `early_stopping_set`, or what it stands for.
    best_score_ : float
        Value of the first metric on that set after the round that is kept; only where there is
        one.
    frame_columns_ : FrameColumns or None
        The columns of the training data that were no features: `y`, `qid`, `sample_weight`.
    random_state_ : int
        The seed that was used.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the total gain of all splits.
    n_features_in_ : int
        Columns of the training data.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only where the training data names its columns.

    See Also
    --------
    AdaRank : Boosting of features, by a metric.

    Notes
    -----
    The weight of a pair is e^(s_worse - s_better), with s the scores so far, times the weight of the
    query, the mean of those of its documents. It is a product of two numbers, so the pairs of all
    documents of a grade are summed up at once, and a round takes time in proportion to the number of
    documents for any number of grades. Documents without a value of the feature go where the gain is
    larger. Training ends early where no threshold has a gain, or one puts every pair in order.

    References
    ----------
    .. [1] Y. Freund, R. Iyer, R. E. Schapire and Y. Singer, "An efficient boosting algorithm for
       combining preferences", JMLR 4, 2003.

    Examples
    --------
    >>> from rankforest import RankBoost
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=60, random_state=0).train_test_split(0.5)
    >>> ranker = RankBoost(n_estimators=50).fit(train)
    >>> ranker.predict(test).shape == (test.n_documents,)
    True
    """

    _algorithm = "rankboost"

    def __init__(
        self,
        *,
        n_estimators: int = 300,
        n_thresholds: int | None = None,
        tree_method: str = "auto",
        categorical_features: ColumnsLike = None,
        metric: MetricLike | Sequence[MetricLike] = "ndcg@10",
        early_stopping_rounds: int | None = None,
        early_stopping_set: str | None = None,
        min_delta: float = 0.0,
        validation_fraction: float | None = None,
        qid_column: str | None = None,
        warm_start: bool = False,
        callbacks: Callback | Sequence[Callback] = (),
        verbose: bool | int = 0,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.n_thresholds = n_thresholds
        self.tree_method = tree_method
        self.categorical_features = categorical_features
        self.metric = metric
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_set = early_stopping_set
        self.min_delta = min_delta
        self.validation_fraction = validation_fraction
        self.qid_column = qid_column
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        return "it learns from pairs of documents of a query"

    def _check_data(self, data: Dataset) -> None:
        require_pairs(self._name, data)

    def _warn_if_constant(self, data: Dataset, settings: dict[str, Any]) -> None:
        if self.model_.n_trees == 0:
            warn(f"{self._name}: the model is constant, no threshold puts more pairs in order")
