"""Measures of ir_measures are metrics, and have the values that ir_measures gives them."""

import re
import shutil

import numpy as np
import pytest

import rankforest as rf

ir_measures = pytest.importorskip("ir_measures")
from ir_measures import (
    AP,
    ERR,
    RBP,
    RR,
    Bpref,
    Judged,
    P,
    R,
    Rprec,
    Success,
    nDCG,
)  # fmt: skip

MEASURES = [
    nDCG, nDCG @ 10, nDCG @ 3, nDCG(gains={1: 1, 2: 5, 3: 20, 4: 20}) @ 5, AP, AP(rel=2),
    AP(rel=2) @ 10, P @ 5, P(rel=3) @ 5, R @ 10, RR, RR(rel=2), RBP(rel=1), RBP(rel=2, p=0.5),
]  # fmt: skip
OF_GDEVAL = [ERR @ 5, nDCG(dcg="exp-log2") @ 5]


@pytest.fixture(scope="module")
def judged():
    """Qrels and a run of 20 queries, with ties, and one query without a relevant document."""
    rng = np.random.default_rng(7)
    qid = np.repeat([str(i) for i in range(1, 21)], 30)  # gdeval takes numbers alone
    grades = rng.integers(0, 5, 600) * (rng.random(600) < 0.4) * (qid != "3")
    names = np.array([f"d{i:03}" for i in rng.permutation(600)], dtype=object)
    scores = np.round(grades + rng.normal(0, 2, 600), 1)
    ranked = rng.random(600) < 0.7  # the others are judged only
    ids = np.array(qid, dtype=object)
    run = rf.trec.Run(ids[ranked], names[ranked], scores[ranked])
    return rf.trec.Qrels(ids, names, grades.astype(np.int64)), run


def theirs(measures, qrels, run):
    """Return the mean, and the value of each query."""
    judgements = [
        ir_measures.Qrel(*each)
        for each in zip(qrels.qid, qrels.document_ids, qrels.grades.tolist(), strict=True)
    ]
    documents = [
        ir_measures.ScoredDoc(*each)
        for each in zip(run.qid, run.document_ids, run.scores.tolist(), strict=True)
    ]
    means = ir_measures.calc_aggregate(measures, judgements, documents)
    values = {}
    for each in ir_measures.iter_calc(measures, judgements, documents):
        values.setdefault(str(each.measure), {})[each.query_id] = each.value
    return {str(measure): mean for measure, mean in means.items()}, values


def check(measures, qrels, run, tolerance):
    means, values = theirs(measures, qrels, run)
    assert rf.trec.evaluate(run, qrels, measures) == pytest.approx(means, abs=tolerance)
    found = rf.trec.evaluate(run, qrels, measures, per_query=True)
    for name, of_query in values.items():
        ours = dict(zip(found["qid"], found[name].tolist(), strict=True))
        assert {q: ours[q] for q in of_query} == pytest.approx(of_query, abs=tolerance)


def test_values_are_those_of_ir_measures(judged):
    check(MEASURES, *judged, 1e-12)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
def test_values_are_those_of_gdeval_which_writes_five_digits(judged):
    check(OF_GDEVAL, *judged, 1e-5)


def test_the_cutoff_of_rr_is_that_of_msmarco_where_no_scores_tie(judged):
    qrels, run = judged
    check([RR @ 3, RR(rel=2) @ 10], qrels, run.by_rank(), 1e-12)


def test_systems_are_compared_by_measures(judged):
    qrels, run = judged
    other = rf.trec.Run(run.qid, run.document_ids, -run.scores)
    found = rf.compare(qrels, {"a": run, "b": other}, [nDCG @ 10, "map"], n_permutations=99)
    assert [each.metric for each in found.metrics] == ["nDCG@10", "map"]
    assert found["nDCG@10"].means["a"] == pytest.approx(
        rf.trec.evaluate(run, qrels, nDCG @ 10)["nDCG@10"], rel=1e-14
    )


def test_documents_without_ids_have_no_ties_by_them():
    data = rf.Dataset([[1], [1]], [1, 0], qid=[1, 1])
    message = (
        r"^nDCG@10 orders .* by their ids \(ties=docno\), .* document_ids=.*'ndcg@10\(gain=lin"
    )
    with pytest.raises(ValueError, match=message):
        rf.evaluate(data, [1, 1], nDCG @ 10)
    with pytest.raises(ValueError, match=message):
        rf.compare(data, {"a": [1, 1], "b": [1, 2]}, nDCG @ 10)
    with_ids = rf.Dataset([[1], [1]], [1, 0], qid=[1, 1], document_ids=["a", "b"])
    assert rf.evaluate(with_ids, [1, 1], RR)["RR"] == 0.5


def test_training_takes_measures_that_need_no_ids():
    data = rf.datasets.make_ranking(n_queries=10, random_state=0)
    model = rf.LambdaMART(n_estimators=2, metric=[RBP(rel=1), "map"]).fit(data, eval_set=data)
    by_text = rf.LambdaMART(n_estimators=2, metric="rbp(threshold=1,empty=0,ties=input)")
    assert list(model.history_["valid"]) == ["RBP(rel=1)", "map"]
    assert model.model_ == by_text.fit(data, eval_set=data).model_
    assert model.score(data) == rf.evaluate(data, model, RBP(rel=1))["RBP(rel=1)"]


def test_training_names_the_text_that_does_what_a_measure_would_do_without_ids():
    data = rf.datasets.make_ranking(n_queries=10, random_state=0)
    with pytest.raises(
        ValueError, match=r"metric 'AP\(rel=2\)@10' orders .*'map@10\(thresh.*' needs"
    ):
        rf.LambdaMART(n_estimators=2, metric=AP(rel=2) @ 10).fit(data)
    with pytest.raises(ValueError, match=r"MART: metric 'nDCG@5' orders .* training does not know"):
        rf.MART(n_estimators=2, metric=nDCG @ 5).fit(data, eval_set=data)


def test_importance_is_measured_by_measures_where_there_are_ids():
    data = rf.datasets.make_ranking(n_queries=10, random_state=0)
    names = [f"d{i}" for i in range(data.n_documents)]
    with_ids = rf.Dataset(data.X, data.y, qid=data.qid, document_ids=names)
    forest = rf.RandomForest(n_estimators=3).fit(data)
    found = rf.permutation_importance(forest, with_ids, metric=nDCG @ 10, n_repeats=1)
    assert found.baseline == rf.evaluate(with_ids, forest, nDCG @ 10)["nDCG@10"]
    with pytest.raises(ValueError, match=r"^nDCG@10 orders .* by their ids"):
        rf.permutation_importance(forest, data, metric=nDCG @ 10, n_repeats=1)
    with pytest.raises(ValueError, match="out_of_bag_importance ranks without them"):
        rf.out_of_bag_importance(forest, with_ids, metric=nDCG @ 10)
    assert rf.out_of_bag_importance(forest, data, metric=RBP(rel=1)).importances.shape[1] == 3


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (Bpref, "Bpref of ir_measures has no counterpart; there are AP, ERR, P, R, RBP, RR, nDCG"),
        (Judged @ 10, "Judged@10 of ir_measures has no counterpart"),
        (Success @ 5, "Success@5 of ir_measures has no counterpart"),
        (Rprec, "Rprec of ir_measures has no counterpart"),
        (AP(judged_only=True), "AP(judged_only=True) of ir_measures: judged_only has no counter"),
        (RBP(p=0.5), "RBP of ir_measures needs rel, the lowest relevant grade"),
        (nDCG(gains={2: 1, 3: 0}), "must be one of exp2 linear, or gains >= 0"),
        (nDCG(gains={10**9: 1}), "gains must be of dcg='log2' and of grades up to 1000"),
        (P, "p needs a cutoff, such as p@10"),
    ],
)
def test_measures_without_a_counterpart_are_refused_by_name(measure, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        rf.evaluate(([1, 0], [1, 1]), [1, 0], measure)


def test_texts_are_metrics_of_ours_in_their_order_too():
    data, scores = ([3, 0, 1, 2], [1, 1, 1, 1]), [1, 2, 3, 4]
    values = rf.evaluate(data, scores, ["AP(rel=2)@3", "map@3(threshold=2)"])
    assert values["AP(rel=2)@3"] == values["map@3(threshold=2)"]
