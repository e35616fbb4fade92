"""`rankforest.compare` tests what `rankforest.evaluate` measures, and shows it in every form."""

import json
import math
import re

import numpy as np
import pytest
import scipy.stats

import rankforest as rf
from rankforest import CustomMetric, compare, evaluate

N_QUERIES = 40


def value_of_query(y, scores, offsets):
    """Take the score of its one document, so that a test can give queries any value."""
    return float(scores[0])


VALUE = CustomMetric("value", value_of_query)


def compare_values(systems, weight=None, metric=VALUE, **options):
    """Compare systems that have these values on queries of one document each."""
    n = len(next(iter(systems.values())))
    data = (np.ones(n), np.arange(n), weight)
    return compare(data, systems, metric, **{"n_permutations": 200, "n_resamples": 200} | options)


@pytest.fixture(scope="module")
def judged():
    """Grades and queries, some without a relevant document."""
    rng = np.random.default_rng(0)
    qid = np.repeat(np.arange(N_QUERIES), rng.integers(2, 12, N_QUERIES))
    y = rng.integers(0, 3, len(qid)) * (qid % 8 != 3)
    return y, qid


@pytest.fixture(scope="module")
def systems(judged):
    y = judged[0]
    rng = np.random.default_rng(1)
    noise = {"good": 0.5, "fair": 1.0, "poor": 3.0}
    return {name: y + rng.normal(0, scale, len(y)) for name, scale in noise.items()}


class TestValues:
    METRICS = ("ndcg@5", "map(empty=0)", "err")

    def test_are_those_of_evaluate(self, judged, systems):
        found = compare(judged, systems, self.METRICS, n_permutations=500, n_resamples=100)
        assert [each.metric for each in found.metrics] == list(self.METRICS)
        for metric in self.METRICS:
            for name, scores in systems.items():
                assert found[metric].means[name] == pytest.approx(
                    evaluate(judged, scores, metric)[metric], rel=1e-14
                )

    def test_give_the_p_values_of_scipy(self, judged, systems):
        found = compare(judged, systems, "ndcg@5", n_permutations=2000)["ndcg@5"]
        values = {
            name: evaluate(judged, scores, "ndcg@5", per_query=True)["ndcg@5"]
            for name, scores in systems.items()
        }
        for pair in found.pairs:
            a, b = (values[name][~np.isnan(values[name])] for name in (pair.a, pair.b))
            expected = scipy.stats.ttest_rel(a, b)
            assert pair.t.statistic == pytest.approx(expected.statistic, rel=1e-10)
            assert pair.t.p_value == pytest.approx(expected.pvalue, rel=1e-9)
            expected = scipy.stats.wilcoxon(a - b)
            assert pair.wilcoxon.statistic == expected.statistic
            assert pair.wilcoxon.p_value == pytest.approx(expected.pvalue, rel=1e-12)

    def test_of_queries_that_a_metric_skips_do_not_count(self, judged, systems):
        found = compare(judged, systems, ["ndcg@5", "ndcg@5(empty=0)"], n_permutations=100)
        n_empty = evaluate(judged, systems["good"], "map").n_empty["map"]
        assert n_empty > 1
        assert found["ndcg@5"].n_queries == N_QUERIES - n_empty
        assert (found["ndcg@5"].n_skipped, found["ndcg@5(empty=0)"].n_skipped) == (n_empty, 0)
        pair, with_zeros = found["ndcg@5"].pairs[0], found["ndcg@5(empty=0)"].pairs[0]
        assert with_zeros.ties == pair.ties + n_empty

    def test_of_weighted_queries_give_weighted_means(self, judged, systems):
        y, qid = judged
        weight = np.random.default_rng(3).uniform(0.5, 2, len(y))
        found = compare((y, qid, weight), systems, "ndcg@5", n_permutations=100)["ndcg@5"]
        for name, scores in systems.items():
            expected = evaluate((y, qid, weight), scores, "ndcg@5")["ndcg@5"]
            assert found.means[name] == pytest.approx(expected, rel=1e-13)
        pair = found.pairs[0]
        assert pair.difference == pytest.approx(found.means[pair.a] - found.means[pair.b])

    def test_of_queries_of_weight_zero_do_not_count(self):
        systems = {"a": [1.0, 2, 9, 4], "b": [0.5, 2.5, 0, 1]}
        found = compare_values(systems, weight=[1, 1, 0, 1])["value"]
        without = {name: np.delete(values, 2) for name, values in systems.items()}
        expected = compare_values(without)["value"]
        assert (found.n_queries, found.n_skipped) == (3, 1)
        assert found.pairs == expected.pairs

    def test_go_by_separate_judgements_and_document_ids(self, judged, systems):
        y, qid = judged
        pool = (np.concatenate([y, [2, 2, 1]]), np.concatenate([qid, [0, 1, 3]]))
        # An iterator, which could be read once only.
        ids = [f"d{row * 7 % 1000}" for row in range(len(y))]
        tied = {name: np.round(scores) for name, scores in systems.items()}
        metric = "ndcg@5(preset=trec_eval)"
        found = compare(
            judged, tied, metric, judgements=pool, document_ids=iter(ids), n_permutations=9
        )[metric]
        for name, scores in tied.items():
            expected = evaluate(judged, scores, metric, judgements=pool, document_ids=ids)[metric]
            assert found.means[name] == pytest.approx(expected, rel=1e-13)
            assert found.means[name] != pytest.approx(evaluate(judged, scores, "ndcg@5")["ndcg@5"])

    def test_of_models_are_those_of_their_scores(self):
        train, test = rf.datasets.make_ranking(n_queries=60, random_state=2).train_test_split(0.5)
        models = {"mart": rf.MART(n_estimators=9), "forest": rf.RandomForest(n_estimators=3)}
        for model in models.values():
            model.fit(train)
        scores = {name: model.predict(test) for name, model in models.items()}
        options = {"n_permutations": 100, "n_resamples": 100}
        assert compare(test, models, "ndcg@5", **options) == compare(
            test, scores, "ndcg@5", **options
        )


class TestInvariants:
    def test_neither_row_order_nor_query_ids_change_a_bit(self, judged, systems):
        y, qid = judged
        options = {"metrics": ["ndcg@5", "map"], "n_permutations": 500, "n_resamples": 300}
        weight = np.random.default_rng(3).uniform(0.5, 2, len(y))
        one = compare((y, qid, weight), systems, **options)
        order = np.random.default_rng(4).permutation(len(y))
        names = np.array([f"query {17 * q % 101}" for q in qid])
        other = compare(
            (y[order], names[order], weight[order]),
            {name: scores[order] for name, scores in systems.items()},
            **options,
        )
        assert other == one

    def test_threads_change_no_bit(self, judged, systems):
        one, *others = (compare(judged, systems, "ndcg@5", n_jobs=n) for n in (1, 2, 3))
        assert all(other == one for other in others)

    def test_a_pair_is_the_same_whoever_else_is_compared(self, judged, systems):
        options = {"n_permutations": 500, "n_resamples": 300}
        pair = compare(judged, systems, "map", **options)["map"].pairs[0]
        two = {name: systems[name] for name in (pair.a, pair.b)}
        alone = compare(judged, two, "map", **options)["map"].pairs[0]
        for test in ("t", "wilcoxon", "randomisation"):
            assert alone.test(test).p_value == pair.test(test).p_value
            assert alone.test(test).p_holm == alone.test(test).p_value
        assert (alone.difference, alone.interval) == (pair.difference, pair.interval)

    def test_seeds_are_recorded_and_reproduce(self, judged, systems):
        drawn = compare(judged, systems, "map", random_state=None, n_permutations=500)
        again = compare(judged, systems, "map", random_state=drawn.random_state, n_permutations=500)
        assert again == drawn


class TestPairs:
    def test_are_all_without_a_baseline(self, judged, systems):
        found = compare(judged, systems, "map", n_permutations=10)["map"]
        names = [(pair.a, pair.b) for pair in found.pairs]
        assert names == [("good", "fair"), ("good", "poor"), ("fair", "poor")]

    def test_are_each_system_against_the_baseline(self, judged, systems):
        found = compare(judged, systems, "map", baseline="fair", n_permutations=10)["map"]
        assert [(pair.a, pair.b) for pair in found.pairs] == [("good", "fair"), ("poor", "fair")]

    def test_have_p_values_corrected_for_their_number(self, judged, systems):
        found = compare(judged, systems, "map", baseline="fair")["map"]
        low, high = sorted(found.pairs, key=lambda pair: pair.t.p_value)
        assert low.t.p_holm == 2 * low.t.p_value
        assert high.t.p_holm == max(high.t.p_value, low.t.p_holm)

    def test_are_won_by_the_lower_value_where_less_is_better(self):
        systems = {"a": [1.0, 2, 3, 4, 5], "b": [2.0, 3, 4, 4, 4]}
        cost = CustomMetric("cost", value_of_query, maximize=False)
        found = compare_values(systems, metric=cost)["cost"]
        assert (found.maximize, found.best) == (False, 3.0)
        pair = found.pairs[0]
        assert (pair.difference, pair.wins, pair.ties, pair.losses) == (-0.4, 3, 1, 1)


class TestUnusableArguments:
    @pytest.mark.parametrize(
        ("systems", "options", "message"),
        [
            ({"a": [1, 2]}, {}, "systems must map at least two names to scores or models, got 1"),
            ({"a": [1, 2], "": [1, 2]}, {}, "systems must have names of printable text, got ''"),
            ({"a": [1, 2], 3: [1, 2]}, {}, "systems must have names of printable text, got 3"),
            ({"a": [1, 2], "b\n": [1, 2]}, {}, r"printable text, got 'b\\n'"),
            ({}, {"baseline": "c"}, "baseline must be one of the systems 'a', 'b', got 'c'"),
            ({}, {"n_permutations": 0}, "n_permutations must be an integer >= 1, got 0"),
            ({}, {"n_resamples": 1.5}, "n_resamples must be an integer >= 1, got 1.5"),
            ({}, {"confidence_level": 1}, r"confidence_level must be in \(0, 1\), got 1"),
            ({}, {"confidence_level": 95}, r"confidence_level must be in \(0, 1\), got 95"),
            ({}, {"random_state": -1}, "random_state must be None, an integer"),
            ({}, {"n_jobs": 0}, "n_jobs must be None or an integer other than 0, got 0"),
            ({"a": [1], "b": [2]}, {}, "value: a comparison needs at least 2 queries that count"),
            ({"a": [1, 2], "b": [1]}, {}, "system 'b': scores must have one value for each"),
            ({"a": [1, np.nan], "b": [1, 2]}, {"metric": "map"}, "system 'a': .*(?i:nan)"),
            ({}, {"metric": "ndgc"}, "ndgc"),
            ({}, {"metric": []}, "metrics must name at least one metric"),
            ({}, {"metric": "map", "weight": [0, 0]}, "weight must not be zero everywhere"),
        ],
    )
    def test_are_named_with_what_was_expected(self, systems, options, message):
        with pytest.raises(ValueError, match=message):
            compare_values(systems or {"a": [1, 2], "b": [2, 1]}, **options)

    def test_are_reported_together(self):
        with pytest.raises(ValueError, match="3 arguments are unusable") as error:
            compare(([1], [1]), {"a": [1]}, "map", n_resamples=0, n_permutations=0)
        assert len(str(error.value).splitlines()) == 4

    @pytest.mark.parametrize("systems", [[("a", [1]), ("b", [1])], None])
    def test_are_systems_without_names(self, systems):
        with pytest.raises(ValueError, match="systems must map at least two names"):
            compare(([1], [1]), systems, "map")

    def test_are_queries_that_count_for_one_system_only(self):
        class Partial:
            name = "partial"

            def __call__(self, y, scores, offsets):
                return scores[0] if scores[0] > 0 else math.nan

        with pytest.raises(
            ValueError, match=r"partial must have .* query 1 has one for 'b', none for 'a'"
        ):
            compare_values({"a": [1, 0, 2], "b": [1, 2, 3]}, metric=Partial())
        found = compare_values({"a": [1, 0, 2], "b": [2, 0, 3]}, metric=Partial())["partial"]
        assert (found.n_queries, found.n_skipped) == (2, 1)

    def test_are_infinite_values(self):
        class Infinite:
            name = "infinite"

            def __call__(self, y, scores, offsets):
                return scores[0]

        with pytest.raises(
            ValueError, match=r"infinite must be finite .* system 'b' has inf on query 2"
        ):
            compare_values({"a": [1, 0, 2], "b": [1, 2, np.inf]}, metric=Infinite())


# Three systems on 30 queries: a and b are much better than c, and a is hardly better than b.
BASE = np.linspace(0.2, 0.4, 30)
WAVE = 0.01 * (-1.0) ** np.arange(30)
THREE = {"a_1": BASE + 0.3, "b": BASE + 0.299 + WAVE, "c": BASE}


class TestForms:
    @pytest.fixture(scope="class")
    @classmethod
    def found(cls):
        return compare_values(THREE)

    @pytest.fixture(scope="class")
    @classmethod
    def against_c(cls):
        return compare_values(THREE, baseline="c")

    def test_text_has_means_pairs_and_notes(self, found):
        means, pairs, notes = str(found).split("\n\n")
        assert means.splitlines() == [
            "system   value",
            "a a_1   0.6000c",
            "b b     0.5990c",
            "c c     0.3000",
        ]
        heading, *rows = pairs.splitlines()
        assert re.split(r"\s{2,}", heading) == [
            "metric", "pair", "difference", "interval", "t", "Wilcoxon", "randomisation", "d",
            "W/T/L",
        ]  # fmt: skip
        assert re.split(r"\s{2,}", rows[0])[:4] == [
            "value", "a_1 - b", "+0.0010 (+0.2%)", "-0.0023 to +0.0043",
        ]  # fmt: skip
        assert re.split(r"\s{2,}", rows[1])[2] == "+0.3000 (+100.0%)"
        assert rows[1].endswith("30/0/0")
        assert "corrected by Holm's method for 3 pairs" in notes
        assert "significantly better than (p <= 0.05, randomisation test)" in notes
        assert notes.endswith("30 queries count.")

    @pytest.mark.parametrize(
        ("marks", "expected"),
        [
            ("auto", ["0.6000▲", "0.5990▲", "0.3000"]),
            ("triangles", ["0.6000▲", "0.5990▲", "0.3000"]),
            ("star", ["0.6000*", "0.5990*", "0.3000"]),
            ("tests", ["0.6000+*†", "0.5990+*†", "0.3000"]),
            ("letters", ["0.6000c", "0.5990c", "0.3000"]),
            ("none", ["0.6000", "0.5990", "0.3000"]),
        ],
    )
    def test_marks_against_a_baseline(self, against_c, marks, expected):
        means = against_c.to_text(marks=marks).split("\n\n")[0]
        assert [line.split()[-1] for line in means.splitlines()[1:]] == expected

    def test_a_worse_system_points_down(self):
        text = compare_values(THREE, baseline="b").to_text()
        assert [line.split()[-1] for line in text.splitlines()[1:4]] == [
            "0.6000", "0.5990", "0.3000▼",
        ]  # fmt: skip

    def test_marks_follow_the_chosen_test_and_level(self):
        # Four queries: t is decided, but of 16 assignments of signs 2 are as extreme.
        systems = {"a": [0.51, 0.52, 0.5, 0.53], "b": [0.1, 0.12, 0.1, 0.11]}
        found = compare_values(systems, baseline="b")
        assert found["value"].pairs[0].randomisation.p_value == 0.125
        assert "▲\n" not in found.to_text()
        assert "▲\n" in found.to_text(test="t")
        assert "0.5150+\n" in found.to_text(marks="tests")
        lenient = compare_values(systems, baseline="b", confidence_level=0.8)
        assert lenient.alpha == 0.2
        assert "▲\n" in lenient.to_text()

    def test_a_p_value_at_the_level_is_significant(self):
        systems = {"a": [1.0, 2, 3], "b": [0.0, 0, 0]}
        found = compare_values(systems, baseline="b", confidence_level=0.75)
        assert found["value"].pairs[0].randomisation.p_value == 0.25
        assert "▲\n" in found.to_text()

    def test_markdown_has_bold_bests_and_superscripts(self, found):
        means, pairs, _ = found.to_markdown().split("\n\n")
        assert means.splitlines() == [
            "| system | value |",
            "| --- | ---: |",
            r"| a a\_1 | **0.6000**<sup>c</sup> |",
            "| b b | 0.5990<sup>c</sup> |",
            "| c c | 0.3000 |",
        ]
        widths = {line.count(" | ") for line in pairs.splitlines()}
        assert widths == {8}

    def test_latex_has_bold_bests_and_escaped_names(self, against_c):
        means, pairs, notes = against_c.to_latex().split("\n\n")
        assert r"a\_1 & \textbf{0.6000}$^{\blacktriangle}$ \\" in means.splitlines()
        assert r"+0.3000 (+100.0\%)" in pairs
        assert means.count(r"\begin{tabular}") == means.count(r"\end{tabular}") == 1
        assert all(line.startswith("% ") for line in notes.splitlines())

    def test_json_has_everything_and_null_for_infinities(self, found):
        record = json.loads(found.to_json())
        assert record["systems"] == ["a_1", "b", "c"]
        assert (record["alpha"], record["confidence_level"]) == (0.05, 0.95)
        (by_value,) = record["metrics"]
        assert by_value["means"] == dict(found["value"].means)
        pair = by_value["pairs"][1]
        expected = found["value"].pairs[1]
        assert pair["interval"] == list(expected.interval)
        assert pair["wilcoxon"]["p_value"] == expected.wilcoxon.p_value
        constant = compare_values({"a": [0.75] * 4, "b": [0.5] * 4})
        assert json.loads(constant.to_json())["metrics"][0]["pairs"][0]["effect_size"] is None
        assert constant.to_dict()["metrics"][0]["pairs"][0]["effect_size"] == math.inf

    def test_a_frame_has_a_row_for_each_metric_and_pair(self, judged, systems):
        found = compare(judged, systems, ["map", "err"], n_permutations=50)
        frame = found.to_frame()
        assert list(frame["metric"]) == ["map"] * 3 + ["err"] * 3
        for row, pair in zip(
            frame.itertuples(), [p for m in found.metrics for p in m.pairs], strict=True
        ):
            assert (row.a, row.b, row.low, row.t_p_holm) == (
                pair.a, pair.b, pair.interval[0], pair.t.p_holm,
            )  # fmt: skip

    def test_a_metric_is_found_by_its_spelling(self, found):
        assert found["value"] is found.metrics[0]
        with pytest.raises(KeyError, match="no metric 'map'; there are 'value'"):
            found["map"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"marks": "stars"}, 'marks must be "auto" or "triangles" .* got \'stars\''),
            ({"test": "z"}, 'test must be "t" or "wilcoxon" or "randomisation", got \'z\''),
            ({"marks": "star"}, "marks 'star' need a baseline"),
            ({"marks": "triangles"}, "marks 'triangles' need a baseline"),
            ({"marks": "tests"}, "marks 'tests' need a baseline"),
        ],
    )
    def test_styles_that_do_not_exist_are_refused(self, found, options, message):
        for form in (found.to_text, found.to_markdown, found.to_latex):
            with pytest.raises(ValueError, match=message):
                form(**options)

    def test_counts_of_queries_are_shown_by_metric_where_they_differ(self, judged, systems):
        text = str(compare(judged, systems, ["map", "err", "p@3(empty=0)"], n_permutations=9))
        assert "34 queries count, 6 do not: map, err." in text
        assert "40 queries count: p@3(empty=0)." in text

    def test_many_systems_have_letters_of_their_own(self):
        rng = np.random.default_rng(0)
        systems = {f"s{i}": rng.uniform(size=5) for i in range(28)}
        text = compare_values(systems, n_permutations=1, n_resamples=1).to_text()
        names = [line.split()[:2] for line in text.splitlines()[25:29]]
        assert names == [["y", "s24"], ["z", "s25"], ["aa", "s26"], ["ab", "s27"]]
