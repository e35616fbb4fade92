"""What messages say to those who come from other rankers, or mean the model of an estimator."""

import copy
import pickle

import numpy as np
import pytest
from estimator_cases import make_data

from rankforest import MART, CustomMetric, LambdaMART, Model, RandomForest

X, Y, QID = make_data()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"eval_metric": "ndcg"}, r'eval_metric: write metric="ndcg@10" where the estimator is'),
        ({"eval_at": [1]}, r'eval_at: write metric=\["ndcg@1", "ndcg@5"\]'),
        ({"callbacks": []}, r"callbacks: it is a parameter .*, LambdaMART\(callbacks=...\)"),
        ({"early_stopping_rounds": 5}, r"estimator, LambdaMART\(early_stopping_rounds=...\)"),
        ({"feature_name": ["a"]}, "feature_name: name the columns of a data frame"),
        ({"sample_weight_eval_set": [Y]}, "sample_weight_eval_set: pass eval_sample_weight="),
        ({"xgb_model": "a", "base_margin": Y}, r"pass init_model=; base_margin: pass init_score="),
        ({"eval_sets": []}, r"eval_sets: did you mean eval_set\?"),
        ({"zzz": 1}, r"LambdaMART.fit got an unexpected argument: zzz$"),
    ],
)
def test_fit_says_what_to_use_in_place_of_an_argument_of_other_rankers(arguments, message):
    with pytest.raises(TypeError, match=message):
        LambdaMART().fit(X, Y, qid=QID, **arguments)


def test_an_estimator_points_at_what_its_model_has():
    model = MART(n_estimators=2)
    for estimator in (model, model.fit(X, Y, qid=QID)):
        with pytest.raises(
            AttributeError, match=r"^MART has no refit_leaves; .*refit_leaves\(...\)"
        ):
            _ = estimator.refit_leaves
        for name in ("metadata", "top_k", "predict_within", "profile"):
            assert not hasattr(estimator, name)
            with pytest.raises(AttributeError, match=rf"its model has: estimator.model_.{name}"):
                getattr(estimator, name)
    with pytest.raises(AttributeError, match="'MART' object has no attribute 'nothing'"):
        _ = model.nothing
    with pytest.raises(AttributeError, match="the training data had no feature names"):
        _ = model.feature_names_in_
    for same in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(same.predict(X), model.predict(X))


def test_functions_that_cannot_be_called_are_refused_with_how_they_are_called():
    order = r"is called with \(grades, scores, offsets, rows\); its parameters are \(y, s\)"
    with pytest.raises(ValueError, match=rf"LambdaMART: objective {order}"):
        LambdaMART(objective=lambda y, s: (y, s)).fit(X, Y, qid=QID)
    model = MART(n_estimators=2, objective=lambda *given: (given[1] - given[0], given[0] * 0 + 1))
    fitted: Model = model.fit(X, Y, qid=QID).model_
    with pytest.raises(TypeError, match=f"objective {order}"):
        fitted.refit_leaves(X, Y, qid=QID, objective=lambda y, s: (y, s))
    order = r"pair_weighting is called with \(grades_better, grades_worse, rows_better, rows_worse"
    with pytest.raises(ValueError, match=rf"{order}\); its parameters are \(a, b\)"):
        LambdaMART(pair_weighting=lambda a, b: a).fit(X, Y, qid=QID)
    with pytest.raises(ValueError, match=r"callbacks\[1\] is called with \(report\); .* \(\)"):
        RandomForest(callbacks=[print, lambda: None]).fit(X, Y)
    with pytest.raises(TypeError, match=r"function is called with \(grades, scores, offsets\)"):
        CustomMetric("mae", lambda y, s: 0.0)
