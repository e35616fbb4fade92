"""Calls that were written for LGBMRanker, XGBRanker and PyTerrier, with rankforest in their place."""

import numpy as np
import pandas as pd
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

from rankforest import Dataset, LambdaMART, evaluate

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")


def ours():
    return LambdaMART(n_estimators=15, max_leaf_nodes=7, min_samples_leaf=2)


def lgbm_ranker():
    return lightgbm.LGBMRanker(
        n_estimators=15, num_leaves=7, min_child_samples=2, n_jobs=1, verbose=-1
    )


def xgb_ranker():
    return xgboost.XGBRanker(n_estimators=15, max_depth=3, n_jobs=1)


@pytest.fixture(scope="module")
def parts():
    """Three sets as (X, y, qid), sorted by query."""
    return [make_data(n_queries=n, seed=seed) for n, seed in ((20, 0), (8, 1), (6, 2))]


def sizes(qid):
    return np.unique(qid, return_counts=True)[1]


def ndcg(model, part):
    X, y, qid = part
    return evaluate((y, qid), np.asarray(model.predict(X)), "ndcg@10")["ndcg@10"]


#: LightGBM 4.7 wants eval_X and eval_y in its place, and takes it all the same.
takes_eval_set = pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")


def fitted_side_by_side(theirs, arguments):
    """Fit their ranker and ours by the same call."""
    return [model.fit(**arguments) for model in (theirs, ours())]


def test_a_call_for_lgbm_ranker_trains_and_names_its_sets_alike(parts):
    (X, y, qid), (Xv, yv, qv), (Xt, yt, qt) = parts
    weights = np.random.default_rng(0).random(20).round(2)[qid] + 0.5
    theirs, mine = fitted_side_by_side(
        lgbm_ranker(),
        {
            "X": X,
            "y": y,
            "group": sizes(qid),
            "sample_weight": weights,
            "eval_X": (Xv, Xt),
            "eval_y": (yv, yt),
            "eval_names": ["dev", "test"],
            "eval_group": [sizes(qv), sizes(qt)],
            "eval_sample_weight": [None, np.ones(len(yt))],
        },
    )
    assert list(mine.evals_result_) == list(theirs.evals_result_) == ["dev", "test"]
    of_theirs = theirs.evals_result_["dev"]
    assert {len(v) for v in of_theirs.values()} == {len(mine.evals_result_["dev"]["ndcg@10"])}
    for part in parts[1:]:
        assert ndcg(mine, part) == pytest.approx(ndcg(theirs, part), abs=0.1)


@takes_eval_set
def test_the_same_lgbm_call_without_names(parts):
    (X, y, qid), (Xv, yv, qv), _ = parts
    theirs, mine = fitted_side_by_side(
        lgbm_ranker(),
        {
            "X": X,
            "y": y,
            "group": sizes(qid).tolist(),
            "eval_set": [(Xv, yv)],
            "eval_group": [sizes(qv)],
        },
    )
    assert list(mine.evals_result_) == list(theirs.evals_result_) == ["valid_0"]
    by_parts = ours().fit(X, y, qid=qid, eval_X=Xv, eval_y=yv, eval_group=[sizes(qv)])
    assert by_parts.evals_result_ == mine.evals_result_


def test_a_call_for_xgb_ranker_with_query_ids_and_a_weight_for_each_query(parts):
    (X, y, qid), (Xv, yv, qv), _ = parts
    of_queries = np.linspace(0.5, 2.0, 20)
    theirs, mine = fitted_side_by_side(
        xgb_ranker(),
        {
            "X": X,
            "y": y.astype(int),
            "qid": qid,
            "sample_weight": of_queries,
            "eval_set": [(Xv, yv.astype(int))],
            "eval_qid": [qv],
            "verbose": False,
        },
    )
    assert ndcg(mine, parts[1]) == pytest.approx(ndcg(theirs, parts[1]), abs=0.1)
    by_document = ours().fit(X, y, qid=qid, sample_weight=of_queries[qid])
    assert mine.model_ == by_document.model_


def test_a_call_for_xgb_ranker_with_groups(parts):
    (X, y, qid), (Xv, yv, qv), _ = parts
    theirs, mine = fitted_side_by_side(
        xgb_ranker(),
        {
            "X": X,
            "y": y.astype(int),
            "group": sizes(qid),
            "eval_set": [(Xv, yv.astype(int))],
            "eval_group": [sizes(qv)],
            "verbose": False,
        },
    )
    assert mine.model_ == ours().fit(X, y, qid=qid).model_
    assert ndcg(mine, parts[1]) == pytest.approx(ndcg(theirs, parts[1]), abs=0.1)


def test_a_frame_with_a_column_called_qid_is_split_as_xgb_ranker_does(parts):
    X, y, qid = parts[0]
    frame = pd.DataFrame(X, columns=list("abcde")).assign(qid=qid)
    theirs, mine = fitted_side_by_side(xgb_ranker(), {"X": frame, "y": y.astype(int)})
    assert mine.model_.feature_names == tuple("abcde")
    assert theirs.n_features_in_ in (5, 6)  # as they count
    assert mine.score(frame, y) == evaluate((y, qid), mine.predict(X), "ndcg@10")["ndcg@10"]


@takes_eval_set
def test_every_estimator_takes_the_call_of_pyterrier(parts):
    # pt.ltr.apply_learned_model(learner, form="ltr") stacks the column "features" of a frame that
    # is sorted by query, and passes group sizes.
    frames = [
        pd.DataFrame({"qid": map(str, qid), "features": list(X), "label": y})
        for X, y, qid in parts[:2]
    ]
    train, valid = frames

    def call(learner):
        return learner.fit(
            np.stack(train["features"].values),
            train["label"].values,
            group=train.groupby("qid", sort=False).count()["label"].values,
            eval_set=[(np.stack(valid["features"].values), valid["label"].values)],
            eval_group=[valid.groupby("qid", sort=False).count()["label"].values],
        )

    call(lgbm_ranker())
    call(xgb_ranker())
    for name, estimator in ESTIMATORS.items():
        X, y, qid = parts[0]
        mine = call(clone(estimator))
        assert mine.model_ == clone(estimator).fit(X, y, qid=qid).model_, name
        values = mine.history_["valid_0"]["ndcg@10"]
        assert (
            values[-1]
            == evaluate(Dataset(*parts[1][:2], qid=parts[1][2]), mine, "ndcg@10")["ndcg@10"]
        )
