"""LambdaMART: boosting that learns the order of the documents of a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.random import RandomState

from rankforest import _core
from rankforest._data.levels import ColumnsLike
from rankforest._settings.parameters import Problems
from rankforest.data import Dataset
from rankforest.estimators.base import Ranker
from rankforest.estimators.constraining import FeatureSets, PerFeature
from rankforest.estimators.custom import Callback, Objective, PairWeighting
from rankforest.estimators.data import require_pairs
from rankforest.estimators.objectives import WEIGHED_BY_METRIC, name_of, only_used
from rankforest.estimators.paying import Costs
from rankforest.estimators.watches import MetricLike, Metrics


class LambdaMART(Ranker):
    """Gradient-boosted trees on LambdaRank gradients (LambdaMART), or on another ranking objective.

    Each round takes, for every pair of documents of a query with different grades, the gradient
    of the logistic loss of their order, weighted by how much the metric would change if the two
    swapped ranks, and fits a tree with Newton leaf values to the sums [1]_. `objective` names
    other losses.

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
        Share in (0, 1] of the documents or queries that each tree draws, without replacement.
    subsample_unit : {"document", "query"}, default="query"
        Whether each tree draws single documents or whole queries.
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
    objective : {"lambdarank", "yetirank", "yetiloss", "xe_ndcg", "ndcg_loss2++"} or callable, default="lambdarank"
        The loss. None is the default, too.

        - "lambdarank": pairs of different grades, weighed by how much `metric` would change if the
          two swapped ranks [1]_.
        - "yetirank": neighbours in rankings that each round draws by the scores plus noise, weighed
          by the difference of their grades, less far down [2]_.
        - "yetiloss": the same neighbours, weighed by how much `metric` changes if they swap [3]_.
        - "xe_ndcg": cross entropy between the softmax of the scores and a distribution of the
          grades that each round draws [4]_.
        - "ndcg_loss2++": pairs as in "lambdarank", for `metric` "ndcg" or "dcg", with weights that
          bound the loss of NDCG more tightly [5]_.

        A callable is a function (grades, scores, offsets, rows) -> (gradients, hessians). Query i holds the documents [offsets[i], offsets[i + 1]);
        only the queries that the round drew are there, whole, in an order that does not depend
        on how the data was sorted; `rows` has the row of each document in the data that `fit` got.
        Arguments are copies. Both results are float64, one value for each document, finite;
        scores move against the gradients, and hessians are >= 0.
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
    position_bias_regularization : float or None, default=0.0
        For clicks as grades, with the `position` of each document in the `Dataset` or in `fit`:
        every position has an effect that training adds to the scores of the documents shown there,
        and that `predict` does not. So trees need not explain that users click what they look at.
        Effects begin at 0; after each round that of a position makes one Newton step on the
        gradients of its documents, times `learning_rate`. This number, >= 0, is the weight of half
        the squared effect of each document in the loss. Where users stop at the first document
        that satisfies them, the effect of a position takes some of what documents are worth: try
        0.01 there. None leaves positions out, as does data without any. With `init_model` or
        `warm_start`, effects go on from those that the model has; from 0 where it has none.
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
        Meant for members of a bag, where 0.02 is the value of the paper [6]_. None keeps none.
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
    position_bias_ : ndarray of float64, shape (last position,), or None
        The effect of each position, from 1 on, after the rounds that are kept; 0 where no document
        was shown. Only differences matter. None where there were no positions. The model has it as
        ``model_.parameters["position_bias"]``.
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

    Notes
    -----
    The order of the rows, the names of the queries, the number of threads, and whether data comes
    from text or from arrays change no bit of a tree.

    Nor does another scale of a feature, as long as the order of its values stays: doubling a
    feature, in training and in what is scored, changes no score. Before the first round all scores
    are equal, and equal scores are ranked by comparisons of feature values within the query.
    Three things do depend on the values themselves:

    - Thresholds lie halfway between two values of the training data. Under a change that is not
      linear, a new document whose value falls between the two may end up on the other side.
    - `subsample` draws from an order of documents that is a hash of their values.
    - ``tree_method="hist"`` takes the bins of features with more than 255 values from 65,536
      documents of that order, where there are more.

    The order of the columns may change a model, too. Where two features gain the same, the split is
    on the one further to the left; equal scores are ranked by the columns in their order; and the
    hash takes each column by its number.

    Which objective to begin with: try "lambdarank" and ``objective="yetirank", decay=1.0,
    truncation=None`` on a validation set. The first one learns most from the pairs
    that change the metric most: the top ranks and the highest grades. Where grades are noisy and
    the highest ones rare, it follows the noise there. The second one weighs the pairs of all
    ranks alike, by the difference of their grades; on such data it ranked best, with small trees
    (``max_depth=5, max_leaf_nodes=None, min_samples_leaf=300, l2_regularization=30.0,
    n_permutations=3``). If you stay with "lambdarank" there, ``metric="ndcg(gain=linear)",
    truncation=None, lambda_norm="gap"`` and such trees bring most of the difference.

    "yetirank", "yetiloss" and "xe_ndcg" draw numbers in the canonical order of queries and
    documents, which is a hash of feature values: with them another scale of a feature makes another
    model. Every objective takes Newton steps with the diagonal of its second derivatives. YetiRank's
    paper solves for all pairs at once, and XE-NDCG's adds further terms of the inverse. XE-NDCG
    counts a document of weight w as w documents, and takes no pair weights.

    References
    ----------
    .. [1] C. Burges, "From RankNet to LambdaRank to LambdaMART: an overview", MSR-TR-2010-82,
       2010, section 7.
    .. [2] A. Gulin, I. Kuralenok and D. Pavlov, "Winning the transfer learning track of Yahoo!'s
       learning to rank challenge with YetiRank", 2011.
    .. [3] I. Lyzhin, A. Ustimenko, A. Gulin and L. Prokhorenkova, "Which tricks are important for
       learning to rank?", ICML 2023.
    .. [4] S. Bruch, "An alternative cross entropy loss for learning-to-rank", WWW 2021.
    .. [5] X. Wang, C. Li, N. Golbandi, M. Bendersky and M. Najork, "The LambdaLoss framework for
       ranking metric optimization", CIKM 2018.
    .. [6] Y. Ganjisaffar, R. Caruana and C. Lopes, "Bagging gradient-boosted trees for high
       precision, low variance ranking models", SIGIR 2011, section 3.5.2.

    Examples
    --------
    >>> from rankforest import LambdaMART
    >>> from rankforest.datasets import make_ranking
    >>> train, valid = make_ranking(n_queries=60, random_state=0).train_test_split(0.5)
    >>> model = LambdaMART(n_estimators=50, max_leaf_nodes=7, early_stopping_rounds=20)
    >>> model = model.fit(train, eval_set=valid)
    >>> model.score(valid) == model.best_score_ > 0.5
    True

    The same from a data frame that has queries and grades in columns:

    >>> import pandas as pd
    >>> frame = pd.DataFrame(train.X, columns=train.feature_names)
    >>> frame = frame.assign(query_id=train.qid, label=train.y)
    >>> by_name = LambdaMART(**model.get_params())
    >>> by_name = by_name.fit(frame, y="label", qid="query_id", eval_set=valid)
    >>> by_name.model_ == model.model_
    True
    """

    _algorithm = "lambdamart"

    def __init__(
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
        metric: MetricLike | Sequence[MetricLike] = "ndcg@10",
        truncation: int | None = 30,
        sigma: float = 1.0,
        lambda_norm: str = "log",
        leaf: str = "newton",
        pair_weighting: str | PairWeighting = "mean",
        objective: str | Objective | None = "lambdarank",
        n_permutations: int = 10,
        noise: float = 1.0,
        decay: float = 0.85,
        mu: float = 10.0,
        position_bias_regularization: float | None = 0.0,
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
        self.position_bias_regularization = position_bias_regularization
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
        named = name_of(self.objective)
        of_core = [metric for metric in metrics.metrics if isinstance(metric, _core.Metric)]
        if of_core:
            settings["metric"] = str(of_core[0])
        elif metrics.metrics and named in WEIGHED_BY_METRIC:
            problems.add("metric must name one that can weigh pairs, beside each CustomMetric")
        if callable(self.pair_weighting) and named in (None, "xe_ndcg"):
            problems.add(
                "pair_weighting weighs the pairs of LambdaRank: leave it or objective out"
                if named is None
                else 'objective="xe_ndcg" has no pairs that pair_weighting could weigh'
            )
        used = only_used(settings, named)
        settings.clear()
        settings.update(used)

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        return "it learns from the documents of a query together"

    def _check_data(self, data: Dataset) -> None:
        if not callable(self.objective):
            require_pairs(self._name, data)
