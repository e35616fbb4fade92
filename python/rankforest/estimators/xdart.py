"""DART that leaves dropped trees out for good where that does no harm (X-DART)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankforest._settings.parameters import Problems
from rankforest.estimators.dart import DART
from rankforest.estimators.watches import Metrics


class XDART(DART):
    """LambdaMART with dropout and pruning of trees (X-DART).

    As `DART`, but the trees that a round dropped do not always come back. Once the round has its
    new tree, the first metric is measured on the evaluation set that decides, for two models: that
    of `DART`, and the one of the other trees and the new one at the full learning rate. If the
    latter ranks at least as well, the dropped trees stay out for good. So the model has fewer trees
    [1]_.

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
        The loss; `LambdaMART` names the papers. None is the default, too.

        - "lambdarank": pairs of different grades, weighed by how much `metric` would change if the
          two swapped ranks.
        - "yetirank": neighbours in rankings that each round draws by the scores plus noise, weighed
          by the difference of their grades, less far down.
        - "yetiloss": the same neighbours, weighed by how much `metric` changes if they swap.
        - "xe_ndcg": cross entropy between the softmax of the scores and a distribution of the
          grades that each round draws.
        - "ndcg_loss2++": pairs as in "lambdarank", for `metric` "ndcg" or "dcg", with weights that
          bound the loss of NDCG more tightly.

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
    drop_rate : float, default=0.1
        Share of the trees that a round does without on average, from 0 to 1. With 0 the model is
        that of `LambdaMART`.
    skip_drop : float, default=0.0
        Share of the rounds that drop no tree, from 0 to 1.
    one_drop : bool, default=False
        Whether a round whose draw chose no tree drops one all the same, as in the paper. Rounds
        that `skip_drop` excepts do not.
    max_drop : int or None, default=50
        Most trees that a round drops; of more that were drawn, so many at random. None sets no
        limit.
    drop_selection : {"uniform", "weighted"}, default="uniform"
        Whether all trees are equally likely to be dropped, or in proportion to their weights.
    drop_normalization : {"tree", "forest"}, default="tree"
        What trees weigh after a round that dropped k of them, with the learning rate r. "tree": the
        dropped ones k / (k + r) of what they did, the new one r / (k + r), about as much as one of
        them. "forest": the dropped ones 1 / (1 + r), the new one r / (1 + r), about as much as all of
        them together. With r = 1, "tree" is the paper's.
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
        Meant for members of a bag. None keeps none.
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
        Must be False: the trees that are left do not tell how many rounds there were.
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
        Number of rounds kept; the model has fewer trees, by those that were dropped for good.
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

    Notes
    -----
    Trees are dropped for good by what the evaluation set shows, so `fit` needs an `eval_set`, or
    `validation_fraction`. What is measured on that set says more about it than about other data,
    as with early stopping.

    The paper drops trees for good by the metric on the validation set, too. That the comparison is
    with the model of `DART` after the same round, and that equal values drop them, is decided here.

    What `DART` says of the model after k rounds, of memory and of bits holds here, too.

    References
    ----------
    .. [1] C. Lucchese, F. M. Nardini, S. Orlando, R. Perego and S. Trani, "X-DART: Blending dropout
       and pruning for efficient learning to rank", SIGIR 2017.

    Examples
    --------
    >>> from rankforest import XDART
    >>> from rankforest.datasets import make_ranking
    >>> train, valid = make_ranking(n_queries=60, random_state=0).train_test_split(0.5)
    >>> model = XDART(n_estimators=50, max_leaf_nodes=7).fit(train, eval_set=valid)
    >>> model.model_.n_trees < model.best_iteration_ == 50
    True
    """

    _algorithm = "xdart"

    _rounds_kept: int

    @property
    def best_iteration_(self) -> int:
        """Number of rounds kept; the model has fewer trees."""
        self._require_fitted("best_iteration_")
        return self._rounds_kept

    def _check_together(
        self, settings: dict[str, Any], metrics: Metrics, problems: Problems
    ) -> None:
        super()._check_together(settings, metrics, problems)
        if self.warm_start:
            problems.add(
                "warm_start must be False: the trees that are left do not tell how many rounds "
                "there were"
            )

    def _check_sets(
        self,
        settings: Mapping[str, Any],
        plain: Mapping[str, Any],
        names: Sequence[str],
        problems: Problems,
    ) -> None:
        super()._check_sets(settings, plain, names, problems)
        if not names:
            problems.add(
                "X-DART drops trees for good by what an evaluation set shows: it needs eval_set "
                "or validation_fraction, and fit got neither"
            )
