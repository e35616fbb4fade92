"""Extremely randomised trees: forests whose thresholds are drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.random import RandomState

from rankforest._data.levels import ColumnsLike
from rankforest._settings.parameters import Problems
from rankforest.estimators.constraining import FeatureSets, PerFeature
from rankforest.estimators.custom import Callback
from rankforest.estimators.forests import Forest
from rankforest.estimators.paying import Costs
from rankforest.estimators.watches import MetricLike


class ExtraTrees(Forest):
    """Extremely randomised trees on the grades.

    As `RandomForest`, but a split draws one threshold at random for each feature it looks at
    and takes the best of these; by default every tree sees all documents [1]_.

    Parameters
    ----------
    n_estimators : int, default=500
        Number of trees. More trees never change the first ones.
    criterion : {"squared_error", "entropy", "random", "pairwise", "listwise"}, default="squared_error"
        How splits are chosen [2]_. "squared_error": by the largest drop in squared error.
        "entropy": by the largest drop in the entropy of the grades, taken as classes. "pairwise":
        by the number of document pairs of a query that they put in the right order. "listwise": by
        the rise in the expected NDCG of the whole tree, which grows level by level. "random": at
        random. A leaf always predicts the mean relevance of its documents.
    pair_weight : {"one", "difference"}, default="one"
        What each pair counts under `criterion="pairwise"`: 1 ("one"), or the difference of its
        grades ("difference").
    listwise_cutoff : int or None, default=None
        The k of the NDCG@k that `criterion="listwise"` raises; None for whole lists. A split that
        changes no rank up to k gains nothing, so a small k makes small trees.
    listwise_levels : int or None, default=None
        How many levels of nodes, from the root on, `criterion="listwise"` splits; None for all.
        Nodes further down are split by `criterion_below` (hybrid trees).
    criterion_below : {"entropy", "squared_error"}, default="entropy"
        How nodes below the first `listwise_levels` levels are split.
    relevance : {"grade", "exp2"}, default="grade"
        What the trees predict [2]_: the grade of a document ("grade"), or 2^grade - 1 ("exp2").
        Under `criterion="entropy"` and `criterion="random"` it changes the values of leaves, not
        the splits.
    tree_weights : {"equal", "expected_ndcg"}, default="equal"
        Weight of each tree in the mean [2]_: the same for all ("equal"), or its expected NDCG on
        the last evaluation set that is not the training data ("expected_ndcg"). That is the NDCG
        of whole lists, with documents of equal scores in random order. `history_` weighs all
        trees alike.
    ordinal : bool, default=False
        Whether to learn by classification [3]_: for each distinct grade but the highest, how likely
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
    bootstrap : bool, default=False
        Whether the documents of each tree's sample are drawn with replacement.
    subsample : float, default=1.0
        Size of each tree's sample, as a share in (0, 1] of the documents or queries.
    subsample_unit : {"document", "query"}, default="document"
        Whether each tree draws single documents or whole queries. Queries are drawn without
        replacement, so the samples differ only if `subsample` is below 1 [2]_.
    oob_score : bool, default=False
        Whether to score each training document by the trees that did not draw it.
    max_features : int, float, {"sqrt", "log2", "breiman"} or None, default="breiman"
        How many features each split may choose from, drawn at random: a count, a share in (0, 1] of
        the M features, "sqrt" for the square root of M, "log2" for its binary logarithm, "breiman"
        for one more than that, or None for all. Fractions are rounded down. `criterion="random"`
        always draws from all.
    max_depth : int or None, default=None
        Longest path from the root to a leaf, in edges: 3 allows 8 leaves. None sets no limit.
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree. None sets no limit.
    min_samples_leaf : int or float, default=1
        Fewest documents in a leaf: a count, or a share in (0, 1) of the documents that the tree
        drew. A document drawn twice counts twice.
    min_gain : float, default=0.0
        A node is split only if that gains more than this, >= 0.
    grow_policy : {"best_first", "depth_wise"}, default="best_first"
        Which node is split next: the one that gains most ("best_first"), or the one nearest to the
        root ("depth_wise"). It matters only where `max_leaf_nodes` ends the growth. The "oblivious"
        trees of other estimators have no random thresholds.
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
        "third" needs `criterion="squared_error"`.
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
        worth what it gains less `cost_weight` times the cost of its feature, until a tree of an earlier stage
        or an earlier split of its own tree uses the feature or one that is paid with it. By what
        it is worth splits are compared, also with `min_gain`. Needs `feature_costs`.
    cost_normalization : {"root_impurity", "none"}, default="root_impurity"
        What `cost_weight` is in. With "root_impurity", costs are shares of the sum of all costs and
        gains are shares of the impurity of the tree's root, so that it means the same on data of
        any size. With "none" costs are in the unit of the gain, as in the thesis.
    tree_cost : float, default=1.0
        What it costs to evaluate one tree for a document, >= 0, beside `feature_costs`: reports of
        costs count it, training does not.
    cost_stage : int, default=8
        Trees in a stage, grown side by side: each is charged for what those of earlier stages do
        not use, and does not know what the others of its stage pay.
    metric : str, Metric, CustomMetric, measure of ir_measures or sequence of these, default="ndcg@10"
        What `fit` measures on its evaluation sets while trees are added; the first one is also
        what `score` measures. It never changes a forest.
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
        Called after each tree with a dict of "round", "n_rounds" and "values" (set name ->
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
        Number of trees kept.
    history_ : dict
        Set name -> metric -> list of its values, one for each of `history_rounds_`; NaN where it
        was not measured. `history_frame` has them as a data frame.
    history_rounds_ : list of int
        The numbers of trees with which the sets were measured: 1, 2, 5, 10, 20, 50, ... and all.
    deciding_set_ : str or None
        The evaluation set that `best_score_` and `tree_weights` go by: the last one that is not
        the training data.
    best_score_ : float
        Value of the first metric on that set, with all trees; only where there is one.
    frame_columns_ : FrameColumns or None
        The columns of the training data that were no features: `y`, `qid`, `sample_weight`.
    random_state_ : int
        The seed that was used.
    oob_prediction_ : ndarray of float64, shape (n_documents,)
        With `oob_score`: the mean of the trees that did not draw a training document, each of
        the same weight; NaN where all drew it, and where `validation_fraction` holds it out.
    oob_score_ : float
        With `oob_score`: textbook NDCG@10 of `oob_prediction_`, in which queries without a
        relevant document count 0. `score` measures `metric` instead.
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

    See Also
    --------
    RandomForest : Takes the best threshold of each feature.

    References
    ----------
    .. [1] P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning
       63, 2006.
    .. [2] M. Ibrahim, "An empirical comparison of random forest-based and other
       learning-to-rank algorithms", Pattern Analysis and Applications 23, 2020, section 6.
    .. [3] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       chapter 3.

    Examples
    --------
    >>> from rankforest import ExtraTrees
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=40, random_state=0).train_test_split(0.5)
    >>> trees = ExtraTrees(n_estimators=20).fit(train)
    >>> trees.predict(test).shape == (test.n_documents,)
    True
    """

    _algorithm = "extra_trees"

    def __init__(
        self,
        *,
        n_estimators: int = 500,
        criterion: str = "squared_error",
        pair_weight: str = "one",
        listwise_cutoff: int | None = None,
        listwise_levels: int | None = None,
        criterion_below: str = "entropy",
        relevance: str = "grade",
        tree_weights: str = "equal",
        ordinal: bool = False,
        ordinal_scoring: str = "expected",
        bootstrap: bool = False,
        subsample: float = 1.0,
        subsample_unit: str = "document",
        oob_score: bool = False,
        max_features: float | str | None = "breiman",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
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
        cost_stage: int = 8,
        metric: MetricLike | Sequence[MetricLike] = "ndcg@10",
        validation_fraction: float | None = None,
        qid_column: str | None = None,
        warm_start: bool = False,
        callbacks: Callback | Sequence[Callback] = (),
        verbose: bool | int = 0,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.pair_weight = pair_weight
        self.listwise_cutoff = listwise_cutoff
        self.listwise_levels = listwise_levels
        self.criterion_below = criterion_below
        self.relevance = relevance
        self.tree_weights = tree_weights
        self.ordinal = ordinal
        self.ordinal_scoring = ordinal_scoring
        self.bootstrap = bootstrap
        self.subsample = subsample
        self.subsample_unit = subsample_unit
        self.oob_score = oob_score
        self.max_features = max_features
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
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
        self.cost_stage = cost_stage
        self.metric = metric
        self.validation_fraction = validation_fraction
        self.qid_column = qid_column
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _settings(self, problems: Problems, prefix: str = "") -> dict[str, Any]:
        settings = super()._settings(problems, prefix)
        if settings.get("grow_policy") == "oblivious":
            problems.add(
                'grow_policy must be "best_first" or "depth_wise", got "oblivious": that searches '
                "the best threshold of a level, and here nodes draw theirs"
            )
        return settings
