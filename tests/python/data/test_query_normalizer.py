"""Features normalised within queries."""

import numpy as np
import pytest
import sklearn
from sklearn.pipeline import make_pipeline

import rankforest as rf
from rankforest import QueryNormalizer

NAN = np.nan


def naive(kind, X, qid):
    made = np.full(X.shape, NAN)
    for query in np.unique(qid):
        for f in range(X.shape[1]):
            x = np.asarray(X[qid == query, f], dtype=np.float64)
            if kind == "sum":
                total = np.nansum(np.abs(x))
                z = x / total if total > 0 else np.where(np.isnan(x), NAN, 0.0)
            elif np.nanmin(x) == np.nanmax(x):
                z = np.where(np.isnan(x), NAN, 0.0)
            elif kind == "minmax":
                z = (x - np.nanmin(x)) / (np.nanmax(x) - np.nanmin(x))
            else:
                z = (x - np.nanmean(x)) / np.nanstd(x)
            made[qid == query, f] = z
    return made


@pytest.mark.parametrize("kind", ["sum", "minmax", "zscore"])
def test_values_are_those_of_the_definition(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)).astype(np.float32)
    X[rng.random(X.shape) < 0.1] = NAN
    X[:, 3] = np.repeat(np.arange(6), 10)  # constant within queries
    qid = np.repeat(np.arange(6), 10)
    order = rng.permutation(60)
    X, qid = X[order], qid[order]
    made = QueryNormalizer(kind, n_jobs=2).fit_transform(X, qid=qid)
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, naive(kind, X, qid), rtol=1e-6, atol=1e-7)


def test_a_pipeline_passes_the_queries_on():
    data = rf.datasets.make_ranking(n_queries=30, random_state=0)
    X, y, qid = data.X, data.y, data.qid
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            QueryNormalizer("zscore").set_transform_request(qid=True),
            rf.MART(n_estimators=3).set_fit_request(qid=True).set_predict_request(qid=False),
        )
        pipeline.fit(X, y, qid=qid)
        scores = pipeline.predict(X, qid=qid)
    normal = QueryNormalizer("zscore").fit_transform(X, qid=qid)
    expected = rf.MART(n_estimators=3).fit(normal, y, qid=qid).predict(normal)
    assert scores.tolist() == expected.tolist()


def test_what_does_not_fit_is_an_error():
    X = np.ones((4, 2), np.float32)
    with pytest.raises(ValueError, match="kind must be"):
        QueryNormalizer("rank").fit(X)
    normalizer = QueryNormalizer().fit(X)
    with pytest.raises(ValueError, match="has 3 features, expected the 2"):
        normalizer.transform(np.ones((4, 3), np.float32))
    with pytest.raises(ValueError, match="each of the 4 rows of X; it has 3"):
        normalizer.transform(X, qid=[1, 1, 2])
