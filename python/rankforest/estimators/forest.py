"""Random forests: trees on samples of the documents, with random features at each split."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import RandomState

from rankforest.estimators.custom import Callback
from rankforest.estimators.extra_trees import ExtraTrees
from rankforest.estimators.forests import Forest
from rankforest.estimators.watches import MetricLike

__all__ = ["ExtraTrees", "RandomForest"]


class RandomForest(Forest):
    """Random forest of regression trees on the grades.

    Each tree is grown on its own bootstrap sample and looks at a random subset of the features
    at each split; the score is the mean of the trees [1]_. Grown point-wise, on the grades
    alone, it ranks well on small data, and it is what `IGBRT` starts from [2]_.

    Parameters
    ----------
    n_estimators : int, default=500
        Number of trees. More trees never change the first ones.
    criterion : {"squared_error", "entropy", "random", "pairwise", "listwise"}, default="squared_error"
        How splits are chosen [3]_. "squared_error": by the largest drop in squared error.
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
        What the trees predict [3]_: the grade of a document ("grade"), or 2^grade - 1 ("exp2").
        Under `criterion="entropy"` and `criterion="random"` it changes the values of leaves, not
        the splits.
    tree_weights : {"equal", "expected_ndcg"}, default="equal"
        Weight of each tree in the mean [3]_: the same for all ("equal"), or its expected NDCG on
        the last evaluation set that is not the training data ("expected_ndcg"). That is the NDCG
        of whole lists, with documents of equal scores in random order. `history_` weighs all
        trees alike.
    bootstrap : bool, default=True
        Whether the documents of each tree's sample are drawn with replacement.
    subsample : float, default=1.0
        Size of each tree's sample, as a share in (0, 1] of the documents or queries.
    subsample_unit : {"document", "query"}, default="document"
        Whether each tree draws single documents or whole queries. Queries are drawn without
        replacement, so the samples differ only if `subsample` is below 1 [3]_.
    oob_score : bool, default=False
        Whether to score each training document by the trees that did not draw it.
    max_features : int, float, {"sqrt", "log2", "breiman"} or None, default="breiman"
        How many features each split may choose from, drawn at random: a count, a share in (0, 1] of
        the M features, "sqrt" for the square root of M, "log2" for its binary logarithm, "breiman"
        for one more than that [1]_, or None for all. Fractions are rounded down.
        `criterion="random"` always draws from all.
    max_depth : int or None, default=None
        Longest path from the root to a leaf, in edges: 3 allows 8 leaves. None sets no limit.
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree. None sets no limit.
    min_samples_leaf : int or float, default=1
        Fewest documents in a leaf: a count, or a share in (0, 1) of the documents that the tree
        drew. A document drawn twice counts twice.
    min_gain : float, default=0.0
        A node is split only if that gains more than this, >= 0.
    grow_policy : {"best_first", "depth_wise", "oblivious"}, default="best_first"
        Which node is split next: the one that gains most ("best_first"), or the one nearest to the
        root ("depth_wise"); these differ only where `max_leaf_nodes` ends the growth. With
        "oblivious" all nodes of a level are split alike, by the feature and threshold that gain
        most in all of them together. Such trees are full: depth d has 2^d leaves, so
        `max_leaf_nodes` must be None or a power of two up to 65,536, and `max_depth` at most 16;
        with neither, depth is 6. A node that a level would leave too small a side of stays whole,
        and all leaves below it predict the same. They score fast, train about as fast as other
        trees, and overfit less; they need `criterion="squared_error"`.
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
    feature_importances_ : ndarray of float64, shape (n_features,)
        Share of each feature in the total gain of all splits.
    n_features_in_ : int
        Columns of the training data.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only where the training data names its columns.

    Notes
    -----
    The order of the rows, the names of the queries, the number of threads, and whether data comes
    from text or from arrays change no bit of a tree.

    Samples are drawn from an order of documents that is a hash of their values. So the values of a
    feature do matter, not their order alone: doubling a feature changes which documents each tree
    draws, and with them the forest. So does another order of the columns.

    See Also
    --------
    ExtraTrees : Draws thresholds at random.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45, 2001.
    .. [2] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       section 2.1.
    .. [3] M. Ibrahim, "An empirical comparison of random forest-based and other
       learning-to-rank algorithms", Pattern Analysis and Applications 23, 2020, section 6.

    Examples
    --------
    >>> from rankforest import RandomForest
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=40, random_state=0).train_test_split(0.5)
    >>> forest = RandomForest(n_estimators=20).fit(train)
    >>> forest.predict(test).shape == (test.n_documents,)
    True
    """

    _algorithm = "random_forest"

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
        bootstrap: bool = True,
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
        self.metric = metric
        self.validation_fraction = validation_fraction
        self.qid_column = qid_column
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
