"""SelGB: LambdaMART on the negatives that matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.random import RandomState

from rankforest._data.levels import ColumnsLike
from rankforest._settings.parameters import Problems
from rankforest.data import Dataset
from rankforest.estimators.constraining import FeatureSets, PerFeature
from rankforest.estimators.custom import Callback, PairWeighting
from rankforest.estimators.lambdamart import LambdaMART
from rankforest.estimators.paying import Costs
from rankforest.estimators.watches import MetricLike, Metrics


class SelGB(LambdaMART):
    """LambdaMART on all positives and a few, well-chosen negatives of each query (SelGB).

    For queries with hundreds or thousands of documents, of which few are relevant. Each tree is
    trained on the documents of a grade above 0 (the positives), and on those negatives that
    the trees so far rank highest: the ones that push positives down [1]_. A round takes a fraction
    of the time of one on all documents, and the models often rank better.

    Parameters
    ----------
    n_estimators : int, default=300
        Most rounds of boosting, each of which adds one tree.
    learning_rate : float, default=0.1
        Factor on the values of each tree, in (0, 1].
    max_depth : int or None, default=None
        Longest path from the root to a leaf, in edges: 3 allows 8 leaves. None sets no limit.
    max_leaf_nodes : int or None, default=31
        Most leaves of a tree. None sets no limit.
    min_samples_leaf : int or float, default=20
        Fewest documents in a leaf: a count, or a share in (0, 1) of the documents that the tree
        drew.
    min_gain : float, default=0.0
        A node is split only if that gains more than this, >= 0.
    min_hessian : float, default=0.001
        Smallest sum of hessians in a leaf, >= 0.
    l2_regularization : float, default=0.0
        Added to the sum of hessians that the value of a leaf is divided by, >= 0. It makes values
        smaller.
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
        Share in (0, 1] of the documents or queries that each selection is made from, drawn without
        replacement. 1 is all of them.
    subsample_unit : {"document", "query"}, default="query"
        Whether `subsample` draws single documents or whole queries.
    negative_fraction : float, default=0.01
        The share p of the negatives of each query that trees are trained on, in (0, 1]. p times
        their number is rounded up, so every query with negatives keeps one at least.
    reselect_every : int, default=1
        Rounds from one selection to the next: negatives are selected in each round that this number
        divides, rounds counted from 1, and kept until the next selection. Before the first one, and
        in round 1, trees are trained on all documents.
    selection : {"top", "random", "gradient", "mixed", "adaptive", "fixed_random", "fixed_feature"}, default="top"
        Which negatives of a query are selected. "top" takes those that the trees so far score
        highest (SelGB). "random" draws them anew for each selection (NegSGB). "gradient" takes those
        with the largest absolute gradients. "mixed" takes a `top_share` of them from the top and
        draws the others. "adaptive" takes the top, but fewer from easy queries and more from hard
        ones. "fixed_random" draws them once, before the first round. "fixed_feature" takes those
        with the largest values of `base_feature`, once.
    top_share : float, default=0.5
        The share of the selected negatives that "mixed" takes from the top, from 0 to 1, rounded up.
    base_feature : int, str or None, default=None
        The feature that "fixed_feature" ranks by, highest values first, such as BM25: its column,
        counted from 0, or its name. Documents without a value come last.
    metric : str, Metric, CustomMetric, measure of ir_measures or sequence of these, default="ndcg@10"
        What `fit` measures on its evaluation sets after each round. The first one decides early
        stopping, and is what `score` measures. The first that is not a `CustomMetric` also weighs
        the pairs.
    truncation : int or None, default=30
        Only pairs with a document among this many best-ranked ones of their query count. None
        counts all pairs.
    sigma : float, default=1.0
        Steepness of the logistic loss, > 0.
    lambda_norm : {"none", "log", "gap", "gap_log"}, default="log"
        How lambdas are scaled. "log" turns their sum S over a query into log2(1 + S), so that long
        queries count less. "gap" divides the lambda of a pair by 0.01 plus the difference of its
        scores. "gap_log" does both, "none" neither.
    leaf : {"newton", "mean"}, default="newton"
        The value of a leaf: one Newton step ("newton"), or the mean gradient as in QuickRank and
        RankLib ("mean").
    pair_weighting : {"mean", "product"} or callable, default="mean"
        What a pair weighs where documents have weights: the mean or the product of its two. With
        "mean", the pairs of a query whose documents all have one weight have that weight, too. With
        "product", a document of weight 0 takes part in no pair. The weight of a pair multiplies its
        lambda after `lambda_norm` has scaled it; ranks and the metric do not depend on weights.

        A callable is a function (grades_better, grades_worse, rows_better, rows_worse) -> weights.
        Before the first round it is called once for each query, with arrays over the query's pairs
        of different grades: the grades of the better and of the worse document, and their rows in
        the data that `fit` got. It returns a number from 0 to 1e30 for each pair, which multiplies
        the mean of the documents' weights. The answers are kept: 8 bytes for every two documents of
        a query.
    objective : {"lambdarank", "yetirank", "yetiloss", "xe_ndcg", "ndcg_loss2++"}, default="lambdarank"
        The loss, on the selected documents: see `LambdaMART`.
    n_permutations : int, default=10
        How many rankings of a query "yetirank" and "yetiloss" draw in each round, >= 1. More make
        less noisy gradients and take longer.
    noise : float, default=1.0
        Scale of the logistic noise that "yetirank" and "yetiloss" add to the scores to draw a
        ranking, >= 0. With 0 every ranking is that of the scores.
    decay : float, default=0.85
        What the weight of a pair is multiplied by from one rank to the next in "yetirank", in
        (0, 1].
    mu : float, default=10.0
        What the distance of two ranks counts in the weights of NDCG-Loss2++, >= 0. With 0 they are
        those of "lambdarank".
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
        Meant for members of a bag, where 0.02 is usual. None keeps none.
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
    LambdaMART : On all documents; with ``subsample=p, subsample_unit="document"`` it is the paper's SGB.

    Notes
    -----
    The lambdas of a tree are computed on the selected documents, as if no others were there. Equal
    scores are ranked as in `LambdaMART`. With ``negative_fraction=1`` the model is LambdaMART's, bit
    for bit, except for "adaptive".

    "adaptive" selects no more negatives than "top" does, all queries together. A query wants the
    negatives that rank above the last of its positives, and the first one below it; a query without
    positives wants one. Each gets what it wants up to a limit, the same for all queries: the largest
    that keeps the total.

    Between two selections only the scores of the selected documents are kept up to date. The trees
    of these rounds are added to the others together, before the next selection.

    References
    ----------
    .. [1] C. Lucchese, F. M. Nardini, R. Perego, S. Orlando, S. Trani, "Selective gradient boosting
       for effective learning to rank", SIGIR 2018, sections 4 and 5.

    Examples
    --------
    >>> from rankforest import SelGB
    >>> from rankforest.datasets import make_long_lists
    >>> data = make_long_lists(n_queries=60, n_documents=300, random_state=0)
    >>> train, valid = data.train_test_split(0.5)
    >>> model = SelGB(n_estimators=30, negative_fraction=0.05, max_leaf_nodes=7)
    >>> model = model.fit(train, eval_set=valid)
    >>> model.score(valid) > 0.2
    True
    """

    _algorithm = "selgb"

    def __init__(  # noqa: PLR0915  # one for each parameter
        self,
        *,
        n_estimators: int = 300,
        learning_rate: float = 0.1,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = 31,
        min_samples_leaf: float = 20,
        min_gain: float = 0.0,
        min_hessian: float = 0.001,
        l2_regularization: float = 0.0,
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
        subsample_unit: str = "query",
        negative_fraction: float = 0.01,
        reselect_every: int = 1,
        selection: str = "top",
        top_share: float = 0.5,
        base_feature: int | str | None = None,
        metric: MetricLike | Sequence[MetricLike] = "ndcg@10",
        truncation: int | None = 30,
        sigma: float = 1.0,
        lambda_norm: str = "log",
        leaf: str = "newton",
        pair_weighting: str | PairWeighting = "mean",
        objective: str = "lambdarank",
        n_permutations: int = 10,
        noise: float = 1.0,
        decay: float = 0.85,
        mu: float = 10.0,
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
        self.min_hessian = min_hessian
        self.l2_regularization = l2_regularization
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
        self.negative_fraction = negative_fraction
        self.reselect_every = reselect_every
        self.selection = selection
        self.top_share = top_share
        self.base_feature = base_feature
        self.metric = metric
        self.truncation = truncation
        self.sigma = sigma
        self.lambda_norm = lambda_norm
        self.leaf = leaf
        self.pair_weighting = pair_weighting
        self.objective = objective
        self.n_permutations = n_permutations
        self.noise = noise
        self.decay = decay
        self.mu = mu
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
        super()._check_together(settings, metrics, problems)
        if callable(self.objective) or self.objective is None:
            problems.add(
                "objective must be a name: a function gets whole queries, and SelGB has none"
            )
        if settings.get("selection") == "fixed_feature" and self.base_feature is None:
            problems.add('selection="fixed_feature" needs a base_feature')

    def _settled(self, settings: dict[str, Any], data: Dataset) -> dict[str, Any]:
        return {**settings, "base_feature": self._column(settings["base_feature"], data)}

    def _column(self, feature: int | str | None, data: Dataset) -> int | None:
        """Return the column of the base feature."""
        if isinstance(feature, str):
            names = list(data.feature_names or ())
            if feature not in names:
                there_are = f"; it has {', '.join(map(repr, names[:5]))}, ..." if names else ""
                raise ValueError(
                    f"{self._name}: base_feature={feature!r} is no feature of the training data"
                    f"{there_are}"
                )
            return names.index(feature)
        if feature is not None and feature >= data.n_features:
            raise ValueError(
                f"{self._name}: base_feature must be below the number of features, "
                f"{data.n_features}, got {feature}"
            )
        return feature
