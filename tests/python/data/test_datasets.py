"""Generated data: the same bits everywhere, and worth ranking."""

import hashlib

import numpy as np
import pytest

from rankforest.datasets import make_long_lists, make_ranking


def digest(data):
    parts = (data.X.tobytes(), data.y.tobytes(), data.query_codes.tobytes())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def test_a_seed_means_the_same_bits_for_ever():
    assert digest(make_ranking(n_queries=20, random_state=3)) == "d837a5381e65f388"
    assert (
        digest(make_ranking(n_queries=20, missing_fraction=0.2, n_grades=3)) == "4605502f59d07b8f"
    )


def test_other_seeds_are_other_data():
    seeds = [0, 0, 1, None, None]
    digests = [digest(make_ranking(n_queries=5, random_state=seed)) for seed in seeds]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


def test_shapes_are_as_asked():
    data = make_ranking(n_queries=50, n_documents=(2, 6), n_features=7, n_grades=3)
    assert (data.n_queries, data.n_features) == (50, 7)
    assert data.query_ids.tolist() == list(range(1, 51))
    assert set(np.bincount(data.query_codes)) == {2, 3, 4, 5, 6}
    assert (np.diff(data.query_codes.astype(int)) >= 0).all()
    assert set(data.y) == {0, 1, 2}
    assert make_ranking(n_queries=3, n_documents=4).n_documents == 12


def test_each_grade_is_half_as_frequent_as_the_one_below():
    data = make_ranking(n_queries=80, n_documents=100, n_features=1)
    assert np.bincount(data.y.astype(int)).tolist() == [4000, 2000, 1000, 500, 500]


def test_columns_are_of_the_kinds_they_are_named_after():
    data = make_ranking(n_queries=60, n_features=12)
    names = data.feature_names
    assert names[:6] == ("score_0", "match_0", "count_0", "noise_0", "query_0", "score_1")
    column = {name: data.X[:, j] for j, name in enumerate(names)}
    assert (np.abs(column["match_0"]) < 1).all()
    assert set(column["count_0"]) <= set(range(12))
    for query in range(60):
        assert len(set(column["query_0"][data.query_codes == query])) == 1
    assert len(set(column["score_0"])) > 0.99 * data.n_documents


def mean_difference(data, name):
    """By how much relevant documents exceed the others of their query, in deviations."""
    values = data.X[:, data.feature_names.index(name)].astype(float)
    differences = []
    for query in range(data.n_queries):
        inside = data.query_codes == query
        relevant, others = values[inside & (data.y > 0)], values[inside & (data.y == 0)]
        if len(relevant) and len(others) and values[inside].std() > 0:
            differences.append((relevant.mean() - others.mean()) / values[inside].std())
    return np.mean(differences)


def test_informative_features_rank_and_noise_does_not():
    data = make_ranking(n_queries=300, n_features=5)
    assert mean_difference(data, "score_0") > 0.5
    assert mean_difference(data, "match_0") > 0.3
    assert abs(mean_difference(data, "noise_0")) < 0.1


def test_noise_hides_what_the_features_say():
    clear, blurred = (make_ranking(n_queries=200, n_features=1, noise=n) for n in (0.0, 5.0))
    assert mean_difference(clear, "score_0") > 2 * mean_difference(blurred, "score_0")


def test_rows_are_in_no_order_of_relevance():
    data = make_ranking(n_queries=200, n_documents=20, n_features=1)
    by_place = data.y.reshape(200, 20).mean(axis=0)
    assert abs(np.corrcoef(by_place, np.arange(20))[0, 1]) < 0.5


def test_some_queries_have_no_relevant_document():
    summary = make_ranking(n_queries=500, n_features=1).summary()
    assert 0 < summary.n_empty < 100


def test_missing_values_hide_values_and_change_nothing_else():
    whole = make_ranking(n_queries=50)
    holes = make_ranking(n_queries=50, missing_fraction=0.3)
    missing = np.isnan(holes.X)
    assert 0.27 < missing.mean() < 0.33
    np.testing.assert_array_equal(holes.X[~missing], whole.X[~missing])
    np.testing.assert_array_equal(holes.y, whole.y)
    assert np.isnan(make_ranking(n_queries=2, missing_fraction=1).X).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_queries": 0}, "n_queries must be an integer >= 1, got 0"),
        ({"n_queries": 2.5}, "n_queries must be an integer >= 1, got 2.5"),
        ({"n_features": 0}, "n_features must be an integer >= 1, got 0"),
        ({"n_grades": 1}, "n_grades must be an integer >= 2, got 1"),
        ({"n_documents": 0}, "n_documents must be an integer >= 1, got 0"),
        ({"n_documents": (5, 4)}, r"must be a number or \(fewest, most\), got \(5, 4\)"),
        ({"n_documents": (1, 2, 3)}, r"must be a number or \(fewest, most\), got \(1, 2, 3\)"),
        ({"noise": -1}, "noise must be finite and >= 0, got -1"),
        ({"noise": float("nan")}, "noise must be finite and >= 0, got nan"),
        ({"missing_fraction": 1.5}, r"missing_fraction must be in \[0, 1\], got 1.5"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_ranking(**arguments)


def long_lists(**parameters):
    return make_long_lists(**{"n_queries": 40, "n_documents": 500, "n_features": 12, **parameters})


class TestLongLists:
    def test_a_seed_means_the_same_bits_for_ever(self):
        assert digest(long_lists(n_queries=5, random_state=3)) == "a9562f78154e323d"
        assert digest(long_lists(n_queries=5, n_documents=(20, 90))) == "c6b49b593c4bc88e"
        assert digest(long_lists(random_state=None)) != digest(long_lists(random_state=None))

    def test_shapes_and_names_are_as_asked(self):
        data = long_lists(n_documents=(20, 30))
        assert (data.n_queries, data.n_features) == (40, 12)
        assert data.X.dtype == np.float32
        assert data.query_ids.tolist() == list(range(1, 41))
        sizes = np.bincount(data.query_codes)
        assert (sizes.min() >= 20) & (sizes.max() <= 30) & (len(set(sizes)) > 5)
        assert data.feature_names[:7] == (
            *("bm25", "match_0", "quality_0", "spam_0", "noise_0", "query_0", "match_1"),
        )
        for query in range(40):
            assert len(set(data.X[data.query_codes == query, 5])) == 1

    def test_few_documents_are_positive_but_some_of_every_query(self):
        data = long_lists(n_queries=300, n_features=1, positive_fraction=0.01)
        positives = np.bincount(data.query_codes[data.y > 0], minlength=300)
        assert positives.min() == 1
        assert positives.max() == 9  # 1 to 2 x 5 - 1
        assert positives.mean() == pytest.approx(5, abs=0.5)
        counts = np.bincount(data.y.astype(int))
        assert counts[1] == pytest.approx(2 * counts[2], abs=2)
        assert counts[2] == pytest.approx(2 * counts[3], abs=2)
        assert counts[3] == pytest.approx(counts[4], abs=2)

    def test_the_first_stage_finds_most_positives_behind_hard_negatives(self):
        data = long_lists(n_queries=100, n_documents=1000)
        ranks = []
        for query in range(100):
            rows = np.flatnonzero(data.query_codes == query)
            order = np.argsort(-data.X[rows, 0], kind="stable")
            ranks += np.flatnonzero(data.y[rows][order] > 0).tolist()
        assert 5 < np.median(ranks) < 100
        assert np.mean(np.array(ranks) < 250) > 0.9
        assert max(ranks) > 250

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"n_queries": 0}, "n_queries must be an integer >= 1, got 0"),
            ({"n_documents": (5, 2)}, r"n_documents must be a number or \(fewest, most\)"),
            ({"n_features": 1.5}, "n_features must be an integer >= 1"),
            ({"positive_fraction": 0.0}, r"positive_fraction must be in \(0, 1\), got 0.0"),
            ({"hard_fraction": 1.1}, r"hard_fraction must be in \(0, 1\], got 1.1"),
            ({"noise": -1.0}, "noise must be finite and >= 0, got -1.0"),
        ],
    )
    def test_unusable_arguments_are_named(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            long_lists(**parameters)
