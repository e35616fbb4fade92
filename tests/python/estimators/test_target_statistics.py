"""What stands for levels in training: means by hand, by scikit-learn, by a loop, and invariants."""

import numpy as np
import pytest
from category_cases import make_frame
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import TargetEncoder

import rankforest as rf
from rankforest.estimators.encoding import Encoding, folds_of, level_means
from rankforest.estimators.run import Material


def encoding_of(data, columns, seed=0):
    return Encoding.of("test", {"categorical_features": columns}, Material(data), seed)


def strength_of(codes, grades):
    """How much the mean of all weighs, by loops: noise within levels over the spread of their means."""
    groups = [grades[codes == level] for level in np.unique(codes)]
    n, k, mean = len(grades), len(groups), grades.mean()
    noise = sum(((g - g.mean()) ** 2).sum() for g in groups) / (n - k)
    between = sum(len(g) * (g.mean() - mean) ** 2 for g in groups)
    spread = (between - (k - 1) * noise) / (n - sum(len(g) ** 2 for g in groups) / n)
    return noise / spread if spread > 0 else np.inf


class TestMeans:
    def test_by_hand(self):
        # Levels 0: 0, 2; 1: 3, 5; 2: none. The mean is 2.5, within 2 + 2 = 4, noise 4 / 2 = 2,
        # between 2 * 1.5^2 * 2 = 9, spread (9 - 2) / (4 - 8 / 4) = 3.5, strength 2 / 3.5 = 4 / 7,
        # so each mean weighs 2 / (2 + 4 / 7) = 7 / 9.
        codes, grades = np.array([0, 0, 1, 1]), np.array([0.0, 2.0, 3.0, 5.0])
        means, n, prior = level_means(codes, grades, None, 3)
        assert prior == 2.5
        assert n.tolist() == [2, 2, 0]
        assert means == pytest.approx([2.5 - 1.5 * 7 / 9, 2.5 + 1.5 * 7 / 9, 2.5])

    def test_levels_that_differ_no_more_than_noise_does_are_all_the_mean(self):
        means, _, _ = level_means(np.array([0, 0, 1, 1]), np.array([0.0, 4.0, 1.0, 3.0]), None, 2)
        assert means.tolist() == [2.0, 2.0]

    def test_one_level_is_the_mean(self):
        means, _, _ = level_means(np.zeros(3, int), np.array([0.0, 1.0, 2.0]), None, 1)
        assert means.tolist() == [1.0]

    def test_levels_of_one_document_each_are_half_way(self):
        means, _, _ = level_means(np.arange(2), np.array([0.0, 4.0]), None, 2)
        assert means.tolist() == [1.0, 3.0]

    def test_levels_without_noise_keep_their_means(self):
        means, _, _ = level_means(np.array([0, 0, 1, 1]), np.array([1.0, 1, 3, 3]), None, 2)
        assert means.tolist() == [1.0, 3.0]

    def test_no_documents_have_a_mean_of_0(self):
        means, n, prior = level_means(np.empty(0, int), np.empty(0), None, 2)
        assert (means.tolist(), n.tolist(), prior) == ([0.0, 0.0], [0.0, 0.0], 0.0)

    @pytest.mark.parametrize("seed", range(5))
    def test_are_those_of_scikit_learn_with_this_strength(self, seed):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 12, 200)
        grades = np.round(rng.normal(size=12)[codes] + rng.normal(size=200), 2) + 4.0
        encoder = TargetEncoder(smooth=strength_of(codes, grades), target_type="continuous")
        expected = encoder.fit(codes[:, None], grades).encodings_[0]
        means, _, _ = level_means(codes, grades, None, 12)
        assert means == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize("factor", [1.0, 1000.0, 1e-6])
    def test_a_weight_counts_as_so_many_documents_whatever_the_scale(self, factor):
        codes, grades = np.array([0, 0, 1, 1, 1]), np.array([0.0, 1, 2, 4, 4])
        weights = np.array([1.0, 1, 1, 1, 1])
        means, _, prior = level_means(codes, grades, factor * weights, 2)
        plain, _, plain_prior = level_means(codes, grades, None, 2)
        assert means == pytest.approx(plain, rel=1e-12)
        assert prior == pytest.approx(plain_prior, rel=1e-12)

    def test_documents_of_weight_0_do_not_count(self):
        codes, grades = np.array([0, 0, 1, 1, 1]), np.array([0.0, 2.0, 3.0, 5.0, 100.0])
        means, n, _ = level_means(codes, grades, np.array([1.0, 1, 1, 1, 0]), 2)
        assert n.tolist() == [2, 2]
        assert means == pytest.approx([2.5 - 1.5 * 7 / 9, 2.5 + 1.5 * 7 / 9])


@pytest.fixture(scope="module")
def data():
    frame = make_frame(n_queries=13, seed=3)
    return rf.Dataset.from_frame(
        frame, label="grade", query="query", categorical_features=["site", "shop"]
    )


class TestCrossing:
    def test_documents_see_the_grades_of_other_folds_alone(self, data):
        found = encoding_of(data, "from_dtype", seed=5)
        folds = folds_of(found.whole, 5)
        assert sorted(set(folds)) == [0, 1, 2, 3, 4]
        for place in (0, 2):
            levels = [None if np.isnan(code) else int(code) for code in data.X[:, place]]
            for row in range(data.n_documents):
                others = [i for i in range(data.n_documents) if folds[i] != folds[row]]
                codes = np.array([-1 if levels[i] is None else levels[i] for i in others])
                grades = data.y[others]
                own = -1 if levels[row] is None else levels[row]
                expected = grades.mean()
                if (codes == own).any():
                    m, n = strength_of(codes, grades), (codes == own).sum()
                    share = 0.0 if np.isinf(m) else n / (n + m)
                    expected += share * (grades[codes == own].mean() - grades.mean())
                assert found.crossed.X[row, place] == pytest.approx(expected, rel=1e-6)

    def test_a_query_is_in_one_fold_and_folds_are_even(self, data):
        folds = folds_of(encoding_of(data, "from_dtype").whole, 0)
        of_query = [set(folds[data.query_codes == q]) for q in range(data.n_queries)]
        assert all(len(each) == 1 for each in of_query)
        assert sorted(np.bincount([each.pop() for each in of_query])) == [2, 2, 3, 3, 3]

    def test_the_seed_draws_the_folds(self, data):
        whole = encoding_of(data, "from_dtype").whole
        assert (folds_of(whole, 1) != folds_of(whole, 2)).any()

    def test_a_grade_of_its_own_tells_a_document_nothing(self):
        # Ids that occur once: whoever saw the own grade would rank perfectly.
        rng = np.random.default_rng(0)
        qid = np.repeat(np.arange(30), 6)
        data = rf.Dataset(np.arange(180)[:, None], rng.integers(0, 3, 180), qid=qid)
        found = encoding_of(data, [0])
        folds = folds_of(found.whole, 0)
        values = [set(found.crossed.X[folds == fold, 0]) for fold in range(5)]
        assert [len(each) for each in values] == [1] * 5

    def test_one_query_is_divided_by_documents(self):
        data = rf.Dataset([[i % 3, i] for i in range(20)], np.arange(20) % 4, group=[20])
        folds = folds_of(encoding_of(data, [0]).whole, 0)
        assert np.bincount(folds).tolist() == [4] * 5

    def test_equal_queries_alone_see_their_own_grades(self):
        data = rf.Dataset([[1, 0.5], [2, 0.5]] * 3, [0, 2] * 3, group=[2, 2, 2])
        found = encoding_of(data, [0])
        assert (found.crossed.X == found.whole.X).all()
        assert found.crossed.X[0, 0] < found.crossed.X[1, 0]

    def test_equal_queries_are_in_one_fold(self):
        part = [[1, 0.5], [2, 0.25], [1, 0.125]]
        other = [[2, 0.75], [1, 0.5]]
        data = rf.Dataset(part + other + part, [0, 1, 2, 1, 0, 0, 1, 2], group=[3, 2, 3])
        folds = folds_of(encoding_of(data, [0]).whole, 0)
        assert folds[:3].tolist() == folds[5:].tolist() == [folds[0]] * 3
        assert folds[3] != folds[0]


@st.composite
def documents(draw):
    """Few documents of few levels and grades, with many ties; grades may be any."""
    n_queries = draw(st.integers(2, 7))
    sizes = draw(st.lists(st.integers(1, 5), min_size=n_queries, max_size=n_queries))
    n = sum(sizes)
    levels = draw(st.lists(st.integers(0, 4) | st.none(), min_size=n, max_size=n))
    numbers = draw(st.lists(st.sampled_from([0.0, 1.5]), min_size=n, max_size=n))
    steps = draw(st.sampled_from([(0.0, 1.0, 2.0), (0.1, 0.7, 1.3)]))
    grades = draw(st.lists(st.sampled_from(steps), min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(st.sampled_from([0.1, 1.0, 3.0]), min_size=n, max_size=n))
    return levels, numbers, np.array(grades), np.repeat(np.arange(n_queries), sizes), weights


def trained(drawn, names=str, n_jobs=1):
    """Train on levels of these names."""
    levels, numbers, grades, qid, weights = drawn
    X = np.empty((len(levels), 2), dtype=object)
    X[:, 0] = [None if level is None else names(level) for level in levels]
    X[:, 1] = numbers
    data = rf.Dataset(X, grades, qid=qid, weight=weights, categorical_features=[0])
    ranker = rf.MART(n_estimators=3, categorical_features="from_dtype", n_jobs=n_jobs)
    return data, ranker.fit(data).model_


@pytest.mark.filterwarnings("ignore:MART. the model is constant")
class TestInvariants:
    @given(documents(), st.randoms(use_true_random=False))
    @settings(max_examples=60)
    def test_rows_and_names_of_queries_do_not_matter(self, drawn, random):
        levels, numbers, grades, qid, weights = drawn
        _, model = trained(drawn)
        order = list(range(len(levels)))
        random.shuffle(order)
        moved = (
            [levels[i] for i in order],
            [numbers[i] for i in order],
            grades[order],
            100 - qid[order],
            None if weights is None else [weights[i] for i in order],
        )
        assert trained(moved, n_jobs=3)[1].to_bytes() == model.to_bytes()

    @given(documents(), st.permutations(range(5)))
    @settings(max_examples=60)
    def test_names_of_levels_change_no_tree(self, drawn, permuted):
        data, model = trained(drawn)
        other, renamed = trained(drawn, names=lambda level: f"level {permuted[level]}")
        assert renamed.without_categories().to_bytes() == model.without_categories().to_bytes()
        assert (renamed.predict(other) == model.predict(data)).all()

    @given(documents())
    @settings(max_examples=30)
    def test_whole_numbers_are_as_good_as_texts(self, drawn):
        data, model = trained(drawn)
        other, numbers = trained(drawn, names=lambda level: 10**12 * (level - 2))
        assert numbers.without_categories().to_bytes() == model.without_categories().to_bytes()
        assert (numbers.predict(other) == model.predict(data)).all()

    @given(documents())
    @settings(max_examples=30)
    def test_scores_are_those_of_the_numbers_that_stand_for_levels(self, drawn):
        data, model = trained(drawn)
        expected = data.X.copy()
        [each] = model.categories
        value_of = dict(zip(each.levels, each.values, strict=True))
        expected[:, 0] = [
            each.missing if level is None else value_of[str(level)] for level in drawn[0]
        ]
        assert (model.encode(data) == expected).all()
        assert (model.without_categories().predict(expected) == model.predict(data)).all()
