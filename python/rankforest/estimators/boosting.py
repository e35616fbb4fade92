"""Boosted trees: sums in which each tree corrects those before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.random import RandomState

from rankforest._data.levels import ColumnsLike
from rankforest._settings.parameters import OBJECTIVES, Problems
from rankforest.estimators.classification import is_ordinal
from rankforest.estimators.constraining import FeatureSets, PerFeature
from rankforest.estimators.custom import Callback, Objective
from rankforest.estimators.ordinal import OrdinalRanker
from rankforest.estimators.paying import Costs
from rankforest.estimators.watches import MetricLike, Metrics


class MART(OrdinalRanker):
    """Gradient-boosted regression trees on the grades (MART, GBRT).

    Each round fits a tree to the residuals of the grades and adds it, shrunk, to the scores
    [1]_. With `subsample` below 1 it is SGBRT, with `max_features` as well kSGBRT [2]_.

    Parameters
    ----------
    n_estimators : int, default=500
        Most rounds of boosting, each of which adds one tree (with `ordinal`, one to each problem).
    learning_rate : float, default=0.1
        Factor on the values of each tree, in (0, 1].
    max_depth : int or None, default=3
        Longest path from the root to a leaf, in edges: 3 allows 8 leaves. None sets no limit.
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree. None sets no limit.
    min_samples_leaf : int or float, default=1
        Fewest documents in a leaf: a count, or a share in (0, 1) of the documents that the tree
        drew.
    min_gain : float, default=0.0
        A node is split only if that gains more than this, >= 0.
    max_features : int, float, {"sqrt", "log2", "breiman"} or None, default=None
        How many features each split may choose from, drawn at random: a count, a share in (0, 1] of
        the M features, "sqrt" for the square root of M, "log2" for its binary logarithm, "breiman"
        for one more than that, or None for all. Fractions are rounded down.
    grow_policy : {"best_first", "depth_wise", "oblivious"}, default="best_first"
        Which node is split next: the one that gains most ("best_first"), or the one nearest to the
        root ("depth_wise"); these differ only where `max_leaf_nodes` ends the growth. With
        "oblivious" all nodes of a level are split alike, by the feature and threshold that gain
        most in all of them together. Such trees are full: depth d has 2^d leaves, so
        `max_leaf_nodes` must be None or a power of two up to 65,536, and `max_depth` at most 16;
        with neither, depth is 6. A node that a level would leave too small a side of stays whole,
        and all leaves below it predict the same. They score fast, train about as fast as other
        trees, and overfit less.
    tree_method : {"auto", "exact", "hist"}, default="auto"
        How thresholds are found. "exact" tries all that separate two neighbouring values of a
        feature. "hist" first puts the values into at most 255 bins, which is faster on large data
        and grows the same trees where no feature has more values. "auto" is "exact" up to 50,000
        documents and "hist" beyond.
    missing : {"learn", "third", "mean", "median", "inf", "-inf"} or float, default="learn"
        Where documents without a value (NaN) go: to the left or right child, as each split learned
        ("learn"), to a third child of their own ("third"), or where another value would go. That is
        a number such as 0, "inf" or "-inf" for one above or below all others, or the "mean" or
        "median" of the feature's values in the training data. `model_.fill_values` has it for each
        feature. `MissingFiller` predicts missing values by the other features.
    categorical_features : "from_dtype", str, array_like or None, default=None
        Features that are texts, categories or ids: their names or numbers, or a mask. "from_dtype"
        is the columns of text and category of a data frame or table. Each level counts as the mean
        grade of its documents, drawn towards the mean of all as these are few; in training, as that
        of the documents in other folds of the queries. Unseen levels count as the mean of all.
        `model_.categories` has these numbers.
    monotonic_cst : dict, array_like of shape (n_features,) or None, default=None
        Direction of features: 1, a score never falls as the feature rises; -1, it never rises; 0,
        either. A dict names features, and the others are free; text names them as in
        ``bm25:1,length:-1``. Splits against the direction are not made, and leaves keep to bounds
        half-way between the two sides of a split. Missing values have no direction.
    interaction_cst : sequence of sequences, {"pairwise", "no_interactions"} or None, default=None
        Sets of features, by name or by number from 0 on, that may stand on one path of a tree, as
        in ``bm25,length;clicks``. Features that are in no set make one more set. "pairwise" is
        every set of two features, "no_interactions" every set of one.
    max_features_used : int or None, default=None
        Most different features that the model may ask for, of which the first splits decide. Trees
        of a forest are then grown one after the other. Each member of a bag counts for itself.
    feature_weights : dict, array_like of shape (n_features,) or None, default=None
        How likely `max_features` draws each feature, beside others, >= 0: 0 is never. A dict names
        features, and the others weigh 1.
    feature_costs : FeatureCosts, array_like, mapping or None, default=None
        What it costs to compute each feature of a document: a number for each column, or a mapping
        of features to costs, the others being free. `FeatureCosts` also has groups of features that
        are paid together. None: nothing.
    cost_weight : float, default=0.0
        How much costs count, >= 0: the lambda of Mohan's thesis (2010, section 6.1). A split is
        worth what it gains less `cost_weight` times the cost of its feature, until an earlier tree
        or an earlier split of its own tree uses the feature or one that is paid with it. By what
        it is worth splits are compared, also with `min_gain`. Needs `feature_costs`.
    cost_normalization : {"root_impurity", "none"}, default="root_impurity"
        What `cost_weight` is in. With "root_impurity", costs are shares of the sum of all costs and
        gains are shares of the impurity of the tree's root, so that it means the same on data of
        any size. With "none" costs are in the unit of the gain, as in the thesis.
    tree_cost : float, default=1.0
        What it costs to evaluate one tree for a document, >= 0, beside `feature_costs`: reports of
        costs count it, training does not.
    subsample : float, default=1.0
        Share in (0, 1] of the documents or queries that each tree draws, without replacement.
    subsample_unit : {"document", "query"}, default="document"
        Whether each tree draws single documents or whole queries.
    init : {"mean", "zero"}, default="mean"
        The score that boosting starts from: the mean grade ("mean"), or 0 as in the thesis
        ("zero").
    ordinal : bool, default=False
        Whether to learn by classification [2]_: for each distinct grade but the highest, how likely
        a document's grade is at most that. Each of these problems has targets of 1 and 0 and
        `n_estimators` trees, which draw the same samples and features in all problems. The score is
        a weighted sum, as `ordinal_scoring` says, and `predict_proba` gives the probability of each
        grade.
    ordinal_scoring : {"expected", "square", "exp2", "ols_train", "ols_valid", "ols_both"}, default="expected"
        How `ordinal` makes a score. A grade counts itself, so that the score is the expected grade
        ("expected"), its square ("square"), or 2^grade ("exp2"). Or least squares find the weights
        of the problems that come nearest to the grades of the training data ("ols_train"), of the
        evaluation set that decides ("ols_valid"), or of both ("ols_both"). They do so when the trees
        are there: while these grow, "expected" is measured and decides early stopping.
    objective : callable or None, default=None
        The loss, in place of squared error: a function (grades, scores, offsets, rows) ->
        (gradients, hessians); see `LambdaMART`.
    metric : str, Metric, CustomMetric, measure of ir_measures or sequence of these, default="ndcg@10"
        What `fit` measures on its evaluation sets after each round. The first one decides early
        stopping, and is what `score` measures.
    early_stopping_rounds : int or None, default=None
        Training ends once the first metric on `early_stopping_set` has not improved for so many
        rounds, and the rounds after the first best one are dropped.
    early_stopping_set : str or None, default=None
        The name of the evaluation set that decides early stopping: "valid" for a single one. None
        is the last set that is not the training data.
    min_delta : float, default=0.0
        A value counts as improved if it is better than the best so far by more than this, >= 0.
    overfit_tolerance : float or None, default=None
        Keep rounds behind the best one, too: those before the first whose value is worse by more
        than this share of the best value, >= 0. `early_stopping_rounds` must be set, and alone
        decides which round is the best; training then goes on without looking for a better one.
        Meant for members of a bag, where 0.02 is the value of the paper [3]_. None keeps none.
    overfit_rounds : int, default=250
        Most rounds that `overfit_tolerance` keeps behind the best one.
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
        Equal seeds give equal models, bit for bit. None draws a seed; `random_state_` has it.
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
        Value of the first metric on that set after the rounds that are kept; only where there is
        one.
    frame_columns_ : FrameColumns or None
        The columns of the training data that were no features: `y`, `qid`, `sample_weight`.
    random_state_ : int
        The seed that was used.
    classes_ : ndarray of float64, shape (n_grades,)
        With `ordinal`: the grades that `predict_proba` gives the probabilities of, ascending.
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the total gain of all splits.
    charged_features_ : ndarray of bool, shape (n_features,)
        Whether any split uses the feature, so that whoever computes a score pays for it.
    n_features_in_ : int
        Columns of the training data.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only where the training data names its columns.

    References
    ----------
    .. [1] J. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of
       Statistics 29, 2001.
    .. [2] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       section 2.3 and chapter 3.
    .. [3] Y. Ganjisaffar, R. Caruana and C. Lopes, "Bagging gradient-boosted trees for high
       precision, low variance ranking models", SIGIR 2011, section 3.5.2.

    Examples
    --------
    >>> from rankforest import MART
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=40, random_state=0).train_test_split(0.5)
    >>> model = MART(n_estimators=50, metric="rmse", early_stopping_rounds=10)
    >>> model.fit(train, eval_set=test).best_iteration_ <= 50
    True
    """

    _algorithm = "mart"

    def __init__(
        self,
        *,
        n_estimators: int = 500,
        learning_rate: float = 0.1,
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        max_features: float | str | None = None,
        grow_policy: str = "best_first",
        tree_method: str = "auto",
        missing: str | float = "learn",
        categorical_features: ColumnsLike = None,
        monotonic_cst: PerFeature = None,
        interaction_cst: FeatureSets = None,
        max_features_used: int | None = None,
        feature_weights: PerFeature = None,
        feature_costs: Costs = None,
        cost_weight: float = 0.0,
        cost_normalization: str = "root_impurity",
        tree_cost: float = 1.0,
        subsample: float = 1.0,
        subsample_unit: str = "document",
        init: str = "mean",
        ordinal: bool = False,
        ordinal_scoring: str = "expected",
        objective: Objective | None = None,
        metric: MetricLike | Sequence[MetricLike] = "ndcg@10",
        early_stopping_rounds: int | None = None,
        early_stopping_set: str | None = None,
        min_delta: float = 0.0,
        overfit_tolerance: float | None = None,
        overfit_rounds: int = 250,
        validation_fraction: float | None = None,
        qid_column: str | None = None,
        warm_start: bool = False,
        callbacks: Callback | Sequence[Callback] = (),
        verbose: bool | int = 0,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_features = max_features
        self.grow_policy = grow_policy
        self.tree_method = tree_method
        self.missing = missing
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.max_features_used = max_features_used
        self.feature_weights = feature_weights
        self.feature_costs = feature_costs
        self.cost_weight = cost_weight
        self.cost_normalization = cost_normalization
        self.tree_cost = tree_cost
        self.subsample = subsample
        self.subsample_unit = subsample_unit
        self.init = init
        self.ordinal = ordinal
        self.ordinal_scoring = ordinal_scoring
        self.objective = objective
        self.metric = metric
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_set = early_stopping_set
        self.min_delta = min_delta
        self.overfit_tolerance = overfit_tolerance
        self.overfit_rounds = overfit_rounds
        self.validation_fraction = validation_fraction
        self.qid_column = qid_column
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_together(
        self, settings: dict[str, Any], metrics: Metrics, problems: Problems
    ) -> None:
        if isinstance(self.objective, str) and self.objective in OBJECTIVES:
            problems.add(
                f"objective must be a callable or None, got {self.objective!r}, an objective of "
                "LambdaMART"
            )
        if self.objective is not None and is_ordinal(settings):
            problems.add(
                "objective must be None where ordinal=True: each problem minimises the squared "
                "error of its probabilities"
            )
        draws_documents = settings.get("subsample_unit") == "document"
        if self.objective is not None and draws_documents and settings.get("subsample", 1) < 1:
            problems.add(
                'objective gets whole queries: subsample below 1 needs subsample_unit="query"'
            )
