"""BROOF: boosting of random forests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState

from rankforest._data.levels import ColumnsLike
from rankforest._settings.parameters import NONE, UP_TO_ONE, Rule
from rankforest.data import Dataset
from rankforest.estimators.base import Ranker
from rankforest.estimators.broof_iteration import Part, Weighing
from rankforest.estimators.constraining import FeatureSets, PerFeature
from rankforest.estimators.custom import Callback
from rankforest.estimators.data import warn_of_coarse_grades
from rankforest.estimators.paying import Costs
from rankforest.estimators.run import Run
from rankforest.estimators.watches import MetricLike


class BROOF(Ranker):
    """Boosting of random forests, led by what trees say of documents they did not draw (BROOF).

    Each iteration grows a forest. Its out-of-bag predictions say how wrong it is about each document;
    this decides what the forest counts, which documents the trees of the next one draw more often,
    or what it learns [1]_. The model is the sum of all trees.

    Parameters
    ----------
    variant : {"gradient", "absolute", "median", "height"}, default="gradient"
        The paper's instances. "gradient": each forest learns what the forests before it left over
        of the grades. The others learn the grades and draw documents with large errors more often:
        distances from the grade ("absolute"), from the median prediction of the same grade
        ("median"), or documents on the wrong side in the ranking of the query ("height").
    n_estimators : int, default=100
        Number of trees of each forest.
    max_iter : int, default=500
        Most iterations, each of which adds a forest.
    learning_rate : float or None, default=None
        The paper's eta, in (0, 1]: what a forest counts in "gradient", and a factor on beta in the
        other variants, where a larger one lets documents keep more of their weight, and training
        goes on for longer. None leaves it to `variant`: 0.1 for "gradient", 1 for the others.
    initial_weights : {"uniform", "random"} or callable, default="uniform"
        Weights of the documents before the first iteration: the same for all ("uniform"), or drawn
        uniformly from (0, 1] ("random"). Trees draw documents in proportion to their weights.

        A callable gets a `BroofIteration` and returns weights >= 0.
    examples : {"identity", "residue"}, callable or None, default=None
        What the next forest learns: the grades ("identity"), or what remains of its targets after
        `learning_rate` times the predictions ("residue"). None leaves it to `variant`.

        A callable gets the `BroofIteration` that has ended and returns targets.
    validation_set : {"out_of_bag", "train"} or callable, default="out_of_bag"
        Which predictions errors and residues are taken of: those of the trees that did not draw a
        document ("out_of_bag"), or of all trees ("train").

        A callable gets the `BroofIteration` and returns predictions, NaN to leave a document out.
    errors : {"absolute", "median", "height"}, callable or None, default=None
        How wrong a prediction is: the distance from the target ("absolute"), after a step where
        residues are learnt; the distance from the median prediction of documents of the same grade
        ("median"); or how many documents are on its wrong side in the ranking of the query, where
        grades above 0 should be above grades of 0 ("height"). None leaves it to `variant`.

        A callable gets the `BroofIteration` and returns errors >= 0, NaN to leave a document out.
    error_normalization : {"max", "none"}, default="max"
        What brings errors into the range from 0 to 1, outside of which updates of weights mean
        little: dividing by the largest error of the iteration, and heights by the number of
        documents that they could count ("max"), or nothing ("none"), as the paper has it.
    learner_weight : {"log_inverse_beta", "beta", "constant"}, callable or None, default=None
        What a forest of mean error e counts in the model. With beta =
        learning_rate e / (1 - e), it is ln(1 / beta), the more the better the forest
        ("log_inverse_beta"), or beta, the more the worse it is, as the paper has it ("beta"). Or
        all count `learning_rate` ("constant"). None leaves it to `variant`: "constant" for
        "gradient", "log_inverse_beta" for the others.

        A callable gets the `BroofIteration` and returns the weight of its forest.
    example_weights : {"out_of_bag", "train", "constant"}, callable or None, default=None
        How weights of documents change: w becomes w beta^(1 - e), where e is the error of the document,
        for those that some tree did not draw ("out_of_bag") or for all ("train"); or they stay as
        they are ("constant"). None leaves it to `variant`.

        A callable gets the `BroofIteration` that has ended and returns weights >= 0.
    subsample : float, default=1.0
        Size of each tree's sample, as a share in (0, 1] of the documents. They are drawn with
        replacement.
    max_features : int, float, {"sqrt", "log2", "breiman"} or None, default=0.3
        How many features each split may choose from, drawn at random: a count, a share in (0, 1] of
        the M features, "sqrt" for the square root of M, "log2" for its binary logarithm, "breiman"
        for one more than that, or None for all. Fractions are rounded down.
    max_depth : int or None, default=None
        Longest path from the root to a leaf, in edges: 3 allows 8 leaves. None sets no limit.
    max_leaf_nodes : int or None, default=100
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
        most in all of them together. `max_leaf_nodes` must then be None or a power of two.
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
    feature_costs : FeatureCosts, array_like, mapping or None, default=None
        What it costs to compute each feature of a document: a number for each column, or a mapping
        of features to costs, the others being free. `FeatureCosts` also has groups of features that
        are paid together. None: nothing.
    cost_weight : float, default=0.0
        How much costs count, >= 0: a split is worth what it gains less `cost_weight` times the cost of
        its feature, until an earlier forest or stage of trees, or an earlier split of its own tree,
        uses the feature or one that is paid with it. Needs `feature_costs`.
    cost_normalization : {"root_impurity", "none"}, default="root_impurity"
        What `cost_weight` is in. With "root_impurity", costs are shares of the sum of all costs and
        gains are shares of the impurity of the tree's root, so that it means the same on data of
        any size. With "none" costs are in the unit of the gain.
    tree_cost : float, default=1.0
        What it costs to evaluate one tree for a document, >= 0, beside `feature_costs`: reports of
        costs count it, training does not.
    cost_stage : int, default=8
        Trees of a forest in a stage, grown side by side: each is charged for what those of earlier
        stages do not use, and does not know what the others of its stage pay.
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
    metric : str, Metric, CustomMetric, measure of ir_measures or sequence of these, default="ndcg@10"
        What `fit` measures on its evaluation sets after each iteration. The first one decides early
        stopping, and is what `score` measures.
    early_stopping_rounds : int or None, default=None
        Training ends once the first metric on `early_stopping_set` has not improved for so many
        iterations, and the forests after the first best one are dropped.
    early_stopping_set : str or None, default=None
        The name of the evaluation set that decides early stopping: "valid" for a single one. None
        is the last set that is not the training data.
    min_delta : float, default=0.0
        A value counts as improved if it is better than the best so far by more than this, >= 0.
    validation_fraction : float or None, default=None
        Share of the queries, in (0, 1), that are held out where there is no `eval_set`: they are
        measured, as the set "validation", and not trained on. `random_state` draws them.
    qid_column : str or None, default=None
        The column of a data frame that has the queries, and is no feature. None is a column called
        "qid", where `fit` gets neither `qid` nor `group`.
    warm_start : bool, default=False
        Whether `fit` goes on from the model of the last `fit`, adding what a larger `max_iter` asks
        for. The result is that of training with this `max_iter` at once, bit for bit; data and
        other parameters must be those of the last `fit`.
    callbacks : callable or sequence of callables, default=()
        Called after each iteration with a dict of "round", "n_rounds" and "values" (set name ->
        metric -> value); training ends where one returns True.
    verbose : bool or int, default=0
        A line with the values is printed every so many iterations; 0 for none, True for each.
    random_state : int, RandomState or None, default=0
        Equal seeds give equal models, bit for bit. None draws a seed; `random_state_` has it.
    n_jobs : int or None, default=None
        Threads; None for every core that the process may use (processor affinity, container
        limits and OMP_NUM_THREADS count), -1 likewise, -2 for all but one. Never changes a
        result.

    Attributes
    ----------
    model_ : Model
        The trained ensemble: a round is an iteration, of `n_estimators` trees.
    best_iteration_ : int
        Number of iterations kept.
    estimator_errors_ : ndarray of float64, shape (n_iterations,)
        The mean error of each forest that is kept.
    estimator_weights_ : ndarray of float64, shape (n_iterations,)
        What each of them counts: the model is the sum of their means times these.
    history_ : dict
        Set name -> metric -> list of its values, one for each of `history_rounds_`; NaN where it
        was not measured. `history_frame` has them as a data frame.
    history_rounds_ : list of int
        The iterations after which the sets were measured: 1, 2, 3, ...
    deciding_set_ : str or None
        The evaluation set that decided: `early_stopping_set`, or what it stands for.
    best_score_ : float
        Value of the first metric on that set after the iterations that are kept; only where there
        is one.
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
    RandomForest : One forest.
    IGBRT : Boosting of single trees that starts from a forest.

    Notes
    -----
    Training ends with a forest whose mean error is 0.5 or more; it is left out, but for the first
    one, which then counts `learning_rate`. It also ends with a forest without any error, which is
    kept.

    The paper leaves some things open. Documents that all trees of a forest drew have no
    out-of-bag prediction: the mean error leaves them out, residues take the prediction of all
    trees, and weights under `example_weights="train"` change as if they had the mean error.
    Documents with the same prediction are above and below each other by half. `sample_weight` counts
    in trees and in the mean error; draws go by the weights of boosting alone.

    References
    ----------
    .. [1] C. de Sá, M. Gonçalves, D. Sousa and T. Salles, "Generalized BROOF-L2R: a general
       framework for learning to rank based on boosting and random forests", SIGIR 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from rankforest import BROOF
    >>> from rankforest.datasets import make_ranking
    >>> train, test = make_ranking(n_queries=40, random_state=0).train_test_split(0.5)
    >>> model = BROOF(n_estimators=10, max_iter=20, early_stopping_rounds=5)
    >>> model.fit(train, eval_set=test).best_iteration_ <= 20
    True

    Errors of one's own, here squares:

    >>> model = BROOF(
    ...     variant="absolute",
    ...     n_estimators=10,
    ...     max_iter=3,
    ...     errors=lambda now: (now.targets - now.predictions) ** 2,
    ... )
    >>> len(model.fit(train).estimator_errors_) <= 3
    True
    """

    _algorithm = "broof"
    _rules: ClassVar[Mapping[str, Rule]] = {"learning_rate": UP_TO_ONE | NONE}

    estimator_errors_: npt.NDArray[np.float64]
    estimator_weights_: npt.NDArray[np.float64]

    def __init__(
        self,
        *,
        variant: str = "gradient",
        n_estimators: int = 100,
        max_iter: int = 500,
        learning_rate: float | None = None,
        initial_weights: str | Part = "uniform",
        examples: str | Part | None = None,
        validation_set: str | Part = "out_of_bag",
        errors: str | Part | None = None,
        error_normalization: str = "max",
        learner_weight: str | Weighing | None = None,
        example_weights: str | Part | None = None,
        subsample: float = 1.0,
        max_features: float | str | None = 0.3,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = 100,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        grow_policy: str = "best_first",
        tree_method: str = "auto",
        missing: str | float = "learn",
        feature_costs: Costs = None,
        cost_weight: float = 0.0,
        cost_normalization: str = "root_impurity",
        tree_cost: float = 1.0,
        cost_stage: int = 8,
        categorical_features: ColumnsLike = None,
        monotonic_cst: PerFeature = None,
        interaction_cst: FeatureSets = None,
        max_features_used: int | None = None,
        feature_weights: PerFeature = None,
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
        self.variant = variant
        self.n_estimators = n_estimators
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.initial_weights = initial_weights
        self.examples = examples
        self.validation_set = validation_set
        self.errors = errors
        self.error_normalization = error_normalization
        self.learner_weight = learner_weight
        self.example_weights = example_weights
        self.subsample = subsample
        self.max_features = max_features
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.grow_policy = grow_policy
        self.tree_method = tree_method
        self.missing = missing
        self.feature_costs = feature_costs
        self.cost_weight = cost_weight
        self.cost_normalization = cost_normalization
        self.tree_cost = tree_cost
        self.cost_stage = cost_stage
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.max_features_used = max_features_used
        self.feature_weights = feature_weights
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
        if (settings["errors"] or settings["variant"]) == "height":
            return "heights are places in the ranking of a query"
        return None

    def _check_data(self, data: Dataset) -> None:
        warn_of_coarse_grades(self._name, data)

    def _take_members(
        self, trained: Mapping[str, Any], data: Dataset, run: Run, *, goes_on: bool
    ) -> None:
        kept = trained["rounds_kept"]
        self.estimator_errors_ = np.array(trained["series"]["errors"][:kept])
        self.estimator_weights_ = np.array(trained["series"]["weights"][:kept])
