"""Linear support vectors for ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.random import RandomState

from rankforest._data.levels import ColumnsLike
from rankforest.data import Dataset
from rankforest.estimators.custom import Callback
from rankforest.estimators.linear import LinearRanker
from rankforest.estimators.run import Run
from rankforest.estimators.watches import MetricLike


class RankSVM(LinearRanker):
    """Linear ranker with the largest margins between documents of different grades (RankSVM).

    The weights w of the features minimise |w|^2 / 2 plus `C` times the sum of
    max(0, 1 - w (x_better - x_worse))^2 over all pairs of documents of a query that have different
    grades [1]_. Pairs are counted, not listed, so training takes time in proportion to n log n for n
    documents [2]_.

    Parameters
    ----------
    C : float, default=1.0
        How much a pair out of order counts against small weights, > 0. There is no division by the
        number of pairs: the more there are, the smaller `C` should be. Try powers of ten on
        validation data; 0.0001 ranks best on OHSUMED, 0.001 to 1 on MQ2008.
    tolerance : float, default=1e-06
        A step that would lower the objective by less than this share of it is the last one, >= 0.
    max_iterations : int, default=100
        Most Newton steps. Each is a round.
    categorical_features : "from_dtype", str, array_like or None, default=None
        Features that are texts, categories or ids: their names or numbers, or a mask. "from_dtype"
        is the columns of text and category of a data frame or table. Each level counts as the mean
        grade of its documents, drawn towards the mean of all as these are few; in training, as that
        of the documents in other folds of the queries. Unseen levels count as the mean of all.
        `model_.categories` has these numbers.
    query_normalization : {"sum", "minmax", "zscore"} or None, default=None
        What the values of a feature are replaced by within each query, in training and in
        scoring: their share in the sum of absolute values ("sum"), their place between the
        smallest and the largest ("minmax"), or the number of standard deviations above the mean
        ("zscore"). A feature that is the same all over a query counts 0. The model remembers it,
        and scores depend on whole queries then.
    metric : str, Metric, CustomMetric, measure of ir_measures or sequence of these, default="ndcg@10"
        What `fit` measures on its evaluation sets after each step. The first one decides early
        stopping, and is what `score` measures.
    early_stopping_rounds : int or None, default=None
        End training once the first `metric` of the evaluation set that decides has not improved
        for so many steps; the model keeps the weights after the best one.
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
    callbacks : callable or sequence of callables, default=()
        Called after each step with a dict of "round", "n_rounds" and "values" (set name ->
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
        The trained linear model.
    best_iteration_ : int
        Number of the step whose weights are kept.
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
    objective_ : float
        The value of what is minimised, at the weights of the model.
    n_iter_ : int
        Number of steps taken.
    coef_ : ndarray of float32, shape (n_features,)
        The weight of each feature, or of what `query_normalization` makes of it.
    n_features_in_ : int
        Columns of the training data.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only where the training data names its columns.

    See Also
    --------
    CoordinateAscent : Linear, too; maximises a metric itself.

    Notes
    -----
    A missing value (NaN) counts as 0, after `query_normalization`, and an infinity as the largest
    float32 of its sign. Weights are float32, so that scores have the same bits in every program.

    The pairs of a query count by its weight, the mean of those of its documents. Scale features, or
    use `query_normalization`: large weights are avoided, and a feature of small values needs one.

    References
    ----------
    .. [1] T. Joachims, "Optimizing search engines using clickthrough data", KDD 2002.
    .. [2] C.-P. Lee and C.-J. Lin, "Large-scale linear RankSVM", Neural Computation 26, 2014.

    Examples
    --------
    >>> from rankforest import RankSVM
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=60, random_state=0).train_test_split(0.5)
    >>> ranker = RankSVM(C=0.01, query_normalization="zscore").fit(train)
    >>> ranker.predict(test).shape == (test.n_documents,)
    True
    """

    _algorithm = "ranksvm"

    objective_: float
    n_iter_: int

    def __init__(
        self,
        *,
        C: float = 1.0,
        tolerance: float = 1e-6,
        max_iterations: int = 100,
        categorical_features: ColumnsLike = None,
        query_normalization: str | None = None,
        metric: MetricLike | Sequence[MetricLike] = "ndcg@10",
        early_stopping_rounds: int | None = None,
        early_stopping_set: str | None = None,
        min_delta: float = 0.0,
        validation_fraction: float | None = None,
        qid_column: str | None = None,
        callbacks: Callback | Sequence[Callback] = (),
        verbose: bool | int = 0,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.categorical_features = categorical_features
        self.query_normalization = query_normalization
        self.metric = metric
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_set = early_stopping_set
        self.min_delta = min_delta
        self.validation_fraction = validation_fraction
        self.qid_column = qid_column
        self.callbacks = callbacks
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _take_members(
        self, trained: Mapping[str, Any], data: Dataset, run: Run, *, goes_on: bool
    ) -> None:
        self.objective_ = trained["figures"]["objective"]
        self.n_iter_ = int(trained["figures"]["n_iterations"])
