"""Results say what they are in one short line, and notebooks show them as tables."""

import html.parser

import numpy as np
import pytest

import rankforest as rf
from rankforest._support.tables import Cell, Table


@pytest.fixture(scope="module")
def data():
    return rf.datasets.make_ranking(n_queries=60, random_state=0)


@pytest.fixture(scope="module")
def model(data):
    return rf.MART(n_estimators=30).fit(data).model_


@pytest.fixture(scope="module")
def found(data, model):
    systems = {"<b>ours</b>": model, "random & others": np.arange(data.n_documents)}
    return rf.compare(data, systems, ["map", "ndcg@10"], n_permutations=99, n_resamples=99)


class Cells(html.parser.HTMLParser):
    """Reads the text of cells out of HTML, row by row, and refuses tags that names bring in."""

    def __init__(self, text):
        super().__init__()
        self.rows = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert tag in {"table", "tr", "th", "td", "b", "sup", "p"}
        if tag == "tr":
            self.rows.append([])
        if tag in {"th", "td"}:
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def test_scores_say_of_how_many_documents_they_are_and_what_they_took(model, data):
    within = model.predict_within(data, early_exit=rf.EarlyExit(10, 0.3))
    counts = f"{within.n_evaluations:,} evaluations of trees, cost {within.cost:g}"
    assert repr(within) == f"LimitedScores(1,364 documents scored with 10 to 30 rounds, {counts})"
    nothing = model.predict_within(np.zeros((0, 20), dtype=np.float32))
    counts = "0 evaluations of trees, cost 0"
    assert repr(nothing) == f"LimitedScores(0 documents scored with no rounds, {counts})"
    top = model.top_k(data, 10)
    counts = f"{top.n_evaluations:,} evaluations of trees"
    assert repr(top) == f"TopDocuments({len(top.rows)} documents of 60 queries, {counts})"


def test_trec_files_say_of_how_many_documents_they_are(data, model):
    run = rf.trec.Run.of(data, model.predict(data), name="mine")
    assert repr(run) == "Run('mine', 1,364 documents of 60 queries)"
    assert repr(rf.trec.Qrels.of(data)) == "Qrels(1,364 judgements of 60 queries)"


def test_importances_say_what_they_are_of(data, model):
    found = rf.permutation_importance(model, data, n_repeats=2)
    about = "20 features, 2 losses each, in ndcg@10(empty=0); print it for the largest"
    assert repr(found) == f"PermutationImportance({about})"


def test_a_comparison_says_of_what_and_its_parts_what_they_found(found):
    names = "'<b>ours</b>', 'random & others'"
    assert repr(found) == f"Comparison(of {names} by map, ndcg@10; print it for the tables)"
    ours, others = found["map"].means.values()
    means = f"'<b>ours</b>' {ours:.4f}, 'random & others' {others:.4f}"
    assert repr(found["map"]) == f"MetricComparison(map: {means}, 58 queries)"
    pair = found["map"].pairs[0]
    low, high = pair.interval
    p_values = f"t {pair.t.p_holm:.4g}, wilcoxon {pair.wilcoxon.p_holm:.4g}, randomisation 0.01"
    assert repr(pair) == (
        f"PairComparison('<b>ours</b>' - 'random & others': {pair.difference:+.4g} "
        f"[{low:+.4g}, {high:+.4g}], p-values: {p_values})"
    )


def test_lazy_scores_say_what_they_asked_for(model):
    lazy = model.predict_lazily(3, lambda _feature, documents: np.zeros(len(documents)))
    assert repr(lazy) == (
        f"LazyScores(3 documents scored with 30 rounds, 90 evaluations of trees, cost 90, "
        f"{lazy.n_fetched.sum()} values fetched in {lazy.n_requests} requests)"
    )


def test_the_largest_importances_are_printed(data, model):
    found = rf.permutation_importance(model, data, n_repeats=2)
    title, headings, *lines = str(found).splitlines()
    assert (
        title == f"Loss in ndcg@10(empty=0) of {found.baseline:.4f} without what a feature knows."
    )
    assert headings.split() == ["feature", "mean", "std"]
    best = found.importances_mean.argmax()
    assert lines[0].split()[0] == found.feature_names[best]
    assert len(lines) == data.n_features
    rows = Cells(found._repr_html_()).rows
    assert [row[0] for row in rows[1:]] == [line.split()[0] for line in lines]


def test_many_features_are_cut_to_the_largest():
    data = rf.datasets.make_ranking(n_queries=20, n_features=30, random_state=0)
    found = rf.permutation_importance(rf.MART(n_estimators=5).fit(data), data, n_repeats=1)
    assert "the largest 20 of 30." in str(found)
    assert len(str(found).splitlines()) == 2 + 20


def test_a_comparison_is_two_tables_whose_names_are_text(found):
    rows = Cells(found._repr_html_()).rows
    assert rows[0] == ["system", "map", "ndcg@10"]
    assert rows[1][0] == "a <b>ours</b>"
    assert rows[2][0] == "b random & others"
    assert [row[1] for row in rows[4:]] == ["<b>ours</b> - random & others"] * 2


def test_an_evaluation_is_a_table_in_a_notebook_and_a_dictionary_elsewhere(data, model):
    values = rf.evaluate(data, model, ["map", "rmse"])
    rows = Cells(values._repr_html_()).rows
    assert rows[0] == ["metric", "value", "queries without a relevant document"]
    assert rows[1] == ["map", f"{values['map']:.4f}", "2"]
    assert repr(values) == repr(dict(values))


def test_a_summary_is_a_table(data):
    rows = dict(Cells(data.summary()._repr_html_()).rows)
    assert rows["documents"] == "1,364"
    assert rows["queries without a relevant document"] == "2"
    assert rows["grades"] == "0 to 4"


def test_the_best_documents_are_a_table_of_the_first(data, model):
    top = model.top_k(data, 3)
    rows = Cells(top._repr_html_()).rows
    assert rows[0] == ["query", "rank", "row", "score"]
    assert len(rows) == 21
    assert rows[4] == ["1", "1", str(top.rows[3]), f"{top.scores[3]:.6g}"]


def test_html_has_a_cell_for_each_of_the_table_in_its_place():
    table = Table(("a & b", "n"), ((Cell("<x>"), Cell("1", mark="*", bold=True)),))
    assert table.to_html() == (
        "<table>\n"
        '<tr><th style="text-align: left">a &amp; b</th><th style="text-align: right">n</th></tr>\n'
        '<tr><td style="text-align: left">&lt;x&gt;</td>'
        '<td style="text-align: right"><b>1</b><sup>*</sup></td></tr>\n'
        "</table>"
    )
