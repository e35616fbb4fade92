"""What the estimators share: from scikit-learn's conventions to one call of the trainer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState

from rankforest import _core
from rankforest._settings.parameters import (
    RULES,
    Problems,
    Rule,
    parse_parameters,
    seed_of,
    thread_count,
)
from rankforest._support.paths import StrPath
from rankforest._support.warnings import warn
from rankforest.data import Dataset
from rankforest.estimators.broof_iteration import POINTS
from rankforest.estimators.checkpoint import Checkpoint
from rankforest.estimators.classification import is_ordinal, scoring_that_needs_a_set
from rankforest.estimators.constraining import check_constraints
from rankforest.estimators.custom import (
    ITERATION,
    PAIR_WEIGHTING,
    REPORT,
    SCORED,
    Callback,
    check_signature,
)
from rankforest.estimators.data import training_data, why_constant
from rankforest.estimators.documents import Documents
from rankforest.estimators.encoding import Encoding, check_categories
from rankforest.estimators.evaluation_sets import HELD_OUT, GivenSet, SetArguments
from rankforest.estimators.filling import Filling
from rankforest.estimators.fitted import FittedRanker
from rankforest.estimators.growth import check_growth
from rankforest.estimators.hints import with_hints
from rankforest.estimators.history import History
from rankforest.estimators.leaks import warn_of_index, warn_of_leaks
from rankforest.estimators.paying import check_costs
from rankforest.estimators.positions import (
    learned_positions,
    learns_positions,
    positions_noted,
    with_positions,
)
from rankforest.estimators.run import Material, Run
from rankforest.estimators.starting_point import StartingPoint
from rankforest.estimators.warm_start import Fingerprint, check_continues
from rankforest.estimators.watches import Metrics
from rankforest.model import Model

if TYPE_CHECKING:
    from typing_extensions import Self

#: Parameters that are no settings of the model, or reach the trainer beside these.
OF_THE_RUN = frozenset(
    {
        "callbacks",
        "early_stopping_set",
        "metric",
        "n_jobs",
        "objective",
        "oob_score",
        "position_bias_regularization",
        "qid_column",
        "random_state",
        "validation_fraction",
        "verbose",
        "warm_start",
    }
)

TEXTBOOK = "ndcg@10(empty=0)"


class Ranker(FittedRanker):
    """Base of the estimators: `fit`, and all that `FittedRanker` makes of it."""

    #: The core's name of the algorithm.
    _algorithm: ClassVar[str]
    #: What `evaluate` and its kin call `predict` with.
    _takes_datasets: ClassVar[bool] = True
    #: Parameters that are estimators themselves.
    _nested: ClassVar[frozenset[str]] = frozenset()
    #: Of parameters that may be something else than in other estimators.
    _rules: ClassVar[Mapping[str, Rule]] = {}

    callbacks: Callback | Sequence[Callback]
    random_state: int | RandomState | None
    warm_start: bool
    validation_fraction: float | None
    qid_column: str | None
    verbose: bool | int

    #: Of the data that `model_` was trained on.
    _trained_on: Fingerprint

    random_state_: int

    @with_hints
    def fit(
        self,
        X: object,
        y: npt.ArrayLike | str | None = None,
        *,
        qid: npt.ArrayLike | str | None = None,
        group: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | str | None = None,
        eval_set: object = None,
        eval_qid: object = None,
        eval_group: object = None,
        eval_sample_weight: object = None,
        eval_names: Sequence[str] | str | None = None,
        eval_X: object = None,
        eval_y: object = None,
        verbose: bool | int | None = None,
        init_model: object = None,
        init_score: npt.ArrayLike | None = None,
        eval_init_score: object = None,
        checkpoint: StrPath | None = None,
        checkpoint_every: int = 10,
        position: npt.ArrayLike | str | None = None,
    ) -> Self:
        """Train on graded documents.

        The arguments are those of LightGBM's and XGBoost's rankers.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features. NaN is a missing value; an infinity counts as the largest float32 of its
            sign, for no threshold lies between the two. float32 with contiguous rows is used in place, everything else is copied once.
            A Dataset brings its own y, queries and weights.
        y : array_like of shape (n_documents,) or str, optional
            Grades, >= 0; more is better. A string names a column of the data frame `X`, which is
            then no feature.
        qid : array_like of shape (n_documents,) or str, optional
            The query of each document: integers or strings, in any order; or the name of a
            column. Where neither `qid` nor `group` is given, a data frame's column
            `qid_column`, or else one called "qid", has the queries. `LambdaMART` and `SelGB` need
            queries; the other estimators take documents without any as one query.
        group : array_like of int, optional
            In place of `qid`: how many consecutive documents each query has.
        sample_weight : array_like of shape (n_documents,) or (n_queries,) or str, optional
            Weights of the documents or queries, from 0 to 1e30, told apart by their number; or the
            name of a column.
        eval_set : list, dict, tuple, data frame or Dataset, optional
            Sets to measure during training. Each is a Dataset; a tuple (X, y), (X, y, qid) or
            (X, y, qid, weight); or, where `y` names a column, a data frame. A list's are called
            "valid_0", "valid_1", ... or as `eval_names` says, a dict's by its keys, a single one
            "valid". Data frames may have the columns that those of the training data have.
            Measuring changes no model, unless a set decides when training ends:
            see `early_stopping_rounds`.
        eval_qid, eval_group, eval_sample_weight : list or dict, optional
            The `qid`, `group` and `sample_weight` of each set of `eval_set`, None for a set that
            brings its own: in a list for a list, in a dict for a dict. For a single set the values
            alone will do.
        eval_names : sequence of str, optional
            What the sets of a list are called.
        eval_X, eval_y : array_like or tuple of these, optional
            In place of `eval_set`, as in LightGBM: the features and the grades of one set, or
            those of each set in a tuple.
        verbose : bool or int, optional
            In place of the parameter `verbose`, for this call.
        init_model : Model, fitted estimator, str or path-like, optional
            A model that boosting starts from, or the path of its file; LightGBM's text will do.
            The data may be new, with the same features. The result holds the rounds of
            `init_model` first, unchanged, then up to `n_estimators` new ones. On the same data and
            with the same parameters it is what training all of them at once gives. Early stopping
            keeps the rounds of `init_model` at least. For MART, LambdaMART, SelGB and DART only; DART
            goes on from sums of single trees, which it may drop like its own.
        init_score : array_like of shape (n_documents,), optional
            Scores that boosting starts from, such as those of the ranker in use: the trees learn
            what to add to them, and `init="mean"` adds nothing. The model does not contain them:
            `predict` gives the sum of its trees, to be added to such scores again. For MART,
            LambdaMART, SelGB, DART and XDART only.
        eval_init_score : array_like, list or dict of these, optional
            The same for the sets of `eval_set`: for a single one its scores, else a list in the
            order of the sets, or a dict by name. Each set needs its scores where `init_score` is
            given.
        checkpoint : str or path-like, optional
            A file in which training saves how far it has come. Where the file is there when `fit`
            begins, training goes on from it, and ends in the very model and history of one that
            was never interrupted. It must be of the same data, parameters, evaluation sets and
            version of rankforest; `n_jobs`, `verbose` and `callbacks` may differ. A seed that is
            drawn is that of the file. The file is replaced as a whole, and is left at the end:
            delete it once the model is saved. Ctrl-C and errors of your own functions leave the rounds
            before them, as a rule, in the file. Forests save some 16 trees at a time, bags
            whole members; AdaRank, CoordinateAscent and RankSVM save nothing and begin again.
        checkpoint_every : int, default=10
            Rounds from one save to the next. Each writes the whole model and waits for the disk.
            Does nothing for bags.
        position : array_like of shape (n_documents,) or str, optional
            Where each document was shown when its clicks were seen, as for `Dataset`, or the column
            of `X` that says so. For `LambdaMART` only: see its `position_bias_regularization`.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            For an argument that there is not; those of LightGBM and XGBoost that have another name
            or place here are named with it.
        ValueError
            If a parameter or the data is unusable; all unusable parameters are named at once. With
            `warm_start`, also if `n_estimators` is smaller than the number of rounds that the
            model has, or another parameter or the data changed since it was trained. With
            `checkpoint`, also if the file is of another training, with all differences, or not
            whole.
        OSError
            If the checkpoint cannot be read or written; the last one that was written stays.

        Warns
        -----
        UserWarning
            If no tree has a split, with the reason; if a feature is the grades or the query ids
            themselves, or has no name, as the index of a data frame in a file; if grades of the
            training data or of an evaluation set are so far apart that 2^grade - 1 shows the
            highest ones only, to a metric with ``gain=exp2`` or to the trees; and by forests, that
            of `IGBRT` included, if
            grades are so close together that float32 leaf values cannot tell them apart.
        """
        given = SetArguments(
            eval_set=eval_set,
            eval_qid=eval_qid,
            eval_group=eval_group,
            eval_sample_weight=eval_sample_weight,
            eval_names=eval_names,
            eval_X=eval_X,
            eval_y=eval_y,
        )
        saved = Checkpoint.of(self._name, checkpoint, checkpoint_every)
        run = self._checked_run(given, verbose)
        if saved is not None:
            run = replace(run, checkpoint=saved, seed=self._seed_to_go_on(run, saved))
        start = StartingPoint.of(
            self._name_in_model,
            init_model=init_model,
            init_score=init_score,
            eval_init_score=eval_init_score,
            sets=list(run.sets),
            warm_start=self.warm_start,
            ordinal=is_ordinal(run.settings),
        )
        documents = Documents(X, y, qid, group, sample_weight, position)
        columns = documents.named_columns(self.qid_column)
        documents = documents.without_columns(columns)
        data = training_data(
            self._name,
            documents,
            why_queries=self._why_queries(run.settings),
            categorical_features=run.settings.get("categorical_features"),
            n_jobs=run.n_jobs,
        )
        data = with_positions(
            self._name,
            data,
            documents.position,
            are_learned=run.position_bias_regularization is not None,
        )
        data._warn_if_merged()
        warn_of_leaks(data, has_warned_of_qid=data is not X)
        warn_of_index(data)
        self._train(run, run.material(start.widened(data), columns, start))
        self.frame_columns_ = columns
        return self

    def _train(self, run: Run, material: Material) -> None:
        """Train, and take over what came of it."""
        encoding = Encoding.of(self._name, run.settings, material, run.seed)
        material = encoding.of_material(material)
        data = material.train
        self._check_data(data)
        run = replace(run, settings=self._settled(run.settings, data))
        run.refuse_ties_by_id(material)
        run.warn_of_steep_gains(material)
        learns = learns_positions(data, run.position_bias_regularization)
        fingerprint = Fingerprint.of(data, with_positions=learns)
        names = data.feature_names
        goes_on = self.warm_start and "model_" in vars(self)
        if goes_on:
            before = self._trained_on
            check_continues(
                self._name,
                self.model_,
                run.parameters_on(data),
                before=before,
                now=fingerprint,
                feature_names=names,
            )
            names = names or self.model_.feature_names
        start = material.start
        names = names or start.feature_names
        filling = Filling.of(run.settings.get("missing", "learn"), material, run.n_jobs)
        material = filling.of_material(material)
        so_far = (*self._so_far(), self.model_) if goes_on else ()
        trained = filling.of_trained(run.train(self._algorithm, material, *so_far))
        history = run.metrics.history(trained["history"])
        if goes_on:
            history = History(self.history_rounds_, self.history_).followed_by(history)
        self.history_, self.history_rounds_ = history.values, history.rounds
        self.deciding_set_ = material.deciding
        self._trained_on = fingerprint
        self._take_members(trained, material.train, run, goes_on=goes_on)
        effects = learned_positions(trained)
        if run.position_bias_regularization is not None:
            self.position_bias_ = effects
        noted = positions_noted(effects, run.position_bias_regularization)
        self._rounds_kept = trained["rounds_kept"]
        ensemble, ordinal = self._assembled(trained["ensemble"], trained["ordinal"])
        self.model_ = Model._trained(
            ensemble,
            self._name_in_model,
            {**run.parameters, **start.parameters(data), **noted},
            data if encoding.whole is None else encoding.whole,
            names,
            ordinal=ordinal,
            categories=encoding.tables,
            fill_values=filling.noted,
            n_jobs=run.n_jobs,
        )
        self.random_state_ = run.seed
        self._after_fit(material, run)
        if trained["stopped_early"] and run.is_verbose:
            print(f"stopped early: {self._name} keeps {self._kept}")
        self._warn_if_constant(material.train, run.settings)

    def _checked_run(self, given: SetArguments, verbose: object) -> Run:
        """Return what `fit` is asked to do, or raise one error that lists all that is wrong."""
        problems = Problems(self._name)
        values = self._values()
        settings = self._settings(problems)
        of_run = {name: values[name] for name in OF_THE_RUN - {"metric"} if name in values}
        if verbose is not None:
            of_run["verbose"] = verbose
        plain = parse_parameters(of_run, problems)
        metrics = Metrics(self.metric, problems)
        sets: dict[str, GivenSet] | None = None
        with problems.collected():
            sets = given.named()
        held_out = None if sets else plain.get("validation_fraction")
        if sets or (sets is not None and "validation_fraction" in plain):  # else one is unusable
            self._check_sets(settings, plain, [HELD_OUT] if held_out else list(sets), problems)
        objective = plain.get("objective")
        called = {"objective": (objective, SCORED)}
        called["pair_weighting"] = (settings.get("pair_weighting"), PAIR_WEIGHTING)
        called |= {name: (settings.get(name), ITERATION) for name in POINTS}
        called |= {f"callbacks[{i}]": (c, REPORT) for i, c in enumerate(plain.get("callbacks", ()))}
        for argument, (function, order) in called.items():
            with problems.collected():
                if callable(function):
                    check_signature(argument, function, order)
        if settings.get("overfit_tolerance") is not None and (
            settings.get("early_stopping_rounds", 0) is None
        ):
            problems.add(
                "overfit_tolerance keeps rounds behind the best one, which early_stopping_rounds "
                "finds: set both"
            )
        self._check_together(settings, metrics, problems)
        check_costs(settings, problems)
        check_constraints(settings, problems)
        check_categories(settings, problems)
        problems.raise_if_any()
        return Run(
            estimator=self._name,
            settings=settings,
            metrics=metrics,
            sets=sets or {},
            early_stopping_set=plain.get("early_stopping_set"),
            validation_fraction=held_out,
            callbacks=plain["callbacks"],
            verbose=plain["verbose"],
            objective=objective if callable(objective) else None,
            seed=self._seed(plain),
            n_jobs=thread_count(plain["n_jobs"]),
            position_bias_regularization=plain.get("position_bias_regularization"),
        )

    def _values(self) -> dict[str, Any]:
        """Return the parameters, those of the run among them."""
        return self.get_params(deep=False)  # type: ignore[no-any-return]

    @property
    def _name_in_model(self) -> str:
        """What a model says that trained it."""
        return self._algorithm

    @property
    def _kept(self) -> str:
        """What is left of a training that stopped early, in words."""
        return f"{self.best_iteration_} rounds"

    def _so_far(self) -> tuple[_core.Ensemble, _core.Ordinal | None]:
        """Return what `warm_start` goes on from, and what that keeps of its problems."""
        return self.model_._ensemble, self.model_._info.ordinal

    def _take_members(
        self, trained: Mapping[str, Any], data: Dataset, run: Run, *, goes_on: bool
    ) -> None:
        """Take over what is known of the members of a bag."""

    def _assembled(
        self, ensemble: _core.Ensemble, ordinal: _core.Ordinal | None
    ) -> tuple[_core.Ensemble, _core.Ordinal | None]:
        """Return the ensemble of the model, made of what was trained, and of its problems."""
        return ensemble, ordinal

    def _check_sets(
        self,
        settings: Mapping[str, Any],
        plain: Mapping[str, Any],
        names: Sequence[str],
        problems: Problems,
    ) -> None:
        """Note parameters that ask for evaluation sets which there are not."""
        scoring = scoring_that_needs_a_set(settings)
        if not names:
            needing = [
                name
                for name, asks in {
                    "early_stopping_rounds": settings.get("early_stopping_rounds") is not None,
                    'tree_weights="expected_ndcg"': settings.get("tree_weights") == "expected_ndcg",
                    f'ordinal_scoring="{scoring}"': scoring is not None,
                }.items()
                if asks
            ]
            for name in needing:
                problems.add(f"{name} needs eval_set or validation_fraction, and fit got neither")
        wanted = plain.get("early_stopping_set")
        if wanted is not None and wanted not in names:
            there_are = ", ".join(map(repr, names)) or "none"
            problems.add(
                f"early_stopping_set={wanted!r} is no evaluation set; there are {there_are}"
            )

    def _seed(self, plain: dict[str, Any]) -> int:
        """Return the seed of `random_state`; the model's own where training goes on from it."""
        is_drawn = not isinstance(plain["random_state"], int)
        if plain["warm_start"] and is_drawn and "model_" in vars(self):
            return self.random_state_
        return seed_of(plain["random_state"])

    def _seed_to_go_on(self, run: Run, checkpoint: Checkpoint) -> int:
        """Return the seed of a training that goes on; one that is drawn was drawn before."""
        is_given = isinstance(self.random_state, (int, np.integer))
        return run.seed if is_given or checkpoint.seed is None else checkpoint.seed

    def _settings(self, problems: Problems, prefix: str = "") -> dict[str, Any]:
        """Return the parameters that the model depends on, checked, in plain form."""
        values = self.get_params(deep=False)
        own = {k: v for k, v in values.items() if k not in OF_THE_RUN | self._nested}
        settings = parse_parameters(own, problems, prefix, rules={**RULES, **self._rules})
        check_growth(settings, problems, prefix)
        return settings

    def _settled(self, settings: dict[str, Any], data: Dataset) -> dict[str, Any]:
        """Return the settings as the trainer takes them, now that the data is known."""
        return settings

    def _check_together(
        self, settings: dict[str, Any], metrics: Metrics, problems: Problems
    ) -> None:
        """Note parameters that do not fit together, and add settings that follow from others."""

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        """Return why queries must be given; None where documents without any are one query."""
        if settings["subsample_unit"] == "query" and settings["subsample"] < 1.0:
            return 'subsample_unit="query" draws queries'
        return None

    def _after_fit(self, material: Material, run: Run) -> None:
        """Measure what only the training data can tell."""

    def _check_data(self, data: Dataset) -> None:
        """Refuse data that the algorithm cannot learn from."""

    def _warn_if_constant(self, data: Dataset, settings: dict[str, Any]) -> None:
        """Warn, with the reason, if every tree is a single leaf."""
        if self.model_._ensemble.has_linear:  # of a bag
            return
        if not self.model_.feature_importances("split").any():
            warn(
                f"{self._name}: the model is constant, no tree has a split: "
                f"{why_constant(data, settings)}",
            )
