"""What a metric is called: every spelling there is, and the values that they make."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankforest import Metric, evaluate
from rankforest.metrics import (
    AUC,
    DCG,
    ERR,
    MAP,
    MRR,
    NDCG,
    RBP,
    RMSE,
    KendallTau,
    MeanNDCG,
    P,
    PairAccuracy,
    Recall,
)

# Every key of the grammar, and values for it.
numbers = st.floats(0, 1e308).map(repr) | st.integers(0, 40).map(str)
gains = st.sampled_from(["exp2", "linear"]) | st.lists(st.floats(0, 1e308), min_size=1).map(
    lambda table: ";".join(map(repr, sorted(table)))
)
thresholds = st.tuples(st.sampled_from(["", ">"]), numbers).map("".join)
VALUES = {
    "gain": gains,
    "grade": st.sampled_from(["real", "trunc"]),
    "discount": st.sampled_from(["log2", "letor", "reciprocal"]),
    "threshold": thresholds,
    "gmax": st.floats(1e-3, 1023).map(repr) | st.sampled_from(["query", "data"]),
    "persistence": st.floats(1e-3, 0.999).map(repr),
    "fpr": st.tuples(st.floats(0, 0.4), st.floats(0.5, 1)).map(lambda r: f"{r[0]!r};{r[1]!r}"),
    "variant": st.sampled_from(["a", "b"]),
    "short": st.sampled_from(["whole", "zero"]),
    "ideal": st.sampled_from(["judged", "list"]),
    "empty": st.sampled_from(["skip", "0", "0.5", "1"]),
    "ties": st.sampled_from(
        ["average", "canonical", "input", "reversed", "docno", "pessimistic", "optimistic"]
    ),
}
KEYS = {
    "ndcg": "gain grade discount short ideal empty ties",
    "dcg": "gain grade discount short ideal empty ties",
    "meanndcg": "gain grade discount empty ties",
    "map": "threshold divisor ideal empty ties",
    "err": "gain grade gmax ideal empty ties",
    "p": "threshold divisor ideal empty ties",
    "recall": "threshold ideal empty ties",
    "mrr": "threshold ideal empty ties",
    "rbp": "threshold persistence ideal empty ties",
    "auc": "threshold fpr empty ties",
    "pairaccuracy": "empty ties",
    "kendalltau": "variant empty ties",
    "rmse": "",
}
WITHOUT_CUTOFF = {"meanndcg", "auc", "pairaccuracy", "kendalltau", "rmse"}
DIVISORS = {"map": ["min", "relevant", "found"], "p": ["k", "min"]}
PRESETS = {
    "letor3": "ndcg meanndcg map p",
    "letor4": "ndcg meanndcg map p",
    "mslr": "ndcg map p",
    "trec_eval": "ndcg map p recall mrr",
    "gdeval": "ndcg err",
    "ranklib": "ndcg dcg map err p mrr",
    "quickrank": "ndcg dcg map",
    "lightgbm": "ndcg map",
    "xgboost": "ndcg map p",
    "xgboost-": "ndcg map p",
    "catboost": "ndcg dcg map err p recall mrr",
    "sklearn": "ndcg dcg",
    "ydf": "ndcg mrr",
    "rankeval": "ndcg dcg map err p recall mrr rbp kendalltau",
}


@st.composite
def spellings(draw):
    name = draw(st.sampled_from(sorted(KEYS)))
    keys = [k for k in KEYS[name].split() if draw(st.booleans())]
    presets = [preset for preset, metrics in PRESETS.items() if name in metrics.split()]
    if draw(st.booleans()) and presets:
        keys.append("preset")
    values = {**VALUES, "preset": st.sampled_from(presets or [""])}
    values["divisor"] = st.sampled_from(DIVISORS.get(name, [""]))
    if name == "err":
        values["gain"] = st.sampled_from(["exp2", "linear"])
    pairs = [f"{key}={draw(values[key])}" for key in draw(st.permutations(keys))]
    if name in {"p", "recall"} or (name not in WITHOUT_CUTOFF and draw(st.booleans())):
        name += f"@{draw(st.integers(1, 10**9))}"
    return f"{name}({','.join(pairs)})" if pairs else name


class TestMetric:
    @given(spellings())
    def test_prints_a_spelling_that_parses_to_an_equal_value(self, spelling):
        metric = Metric(spelling)
        again = Metric.parse(str(metric))
        assert again == metric
        assert hash(again) == hash(metric)
        assert str(again) == str(metric)

    @given(spellings())
    def test_capitals_and_blanks_do_not_matter(self, spelling):
        wide = spelling.upper().replace("@", " @ ").replace(",", " , ").replace("=", " = ")
        assert Metric(wide) == Metric(spelling)

    @given(st.text(max_size=20) | st.text("ndcgmap@(),=;0123x ", max_size=20))
    def test_any_text_is_a_metric_or_a_value_error(self, text):
        try:
            metric = Metric(text)
        except ValueError:
            return
        assert Metric(str(metric)) == metric

    @pytest.mark.parametrize(
        ("metric", "spelling"),
        [
            (NDCG @ 10, "ndcg@10"),
            (NDCG @ np.int64(10), "NDCG()@10"),
            (MAP(rel=2) @ 10, "AP(rel=2)@10"),
            (RBP(p=0.5), "rbp(p=0.5)"),
            (NDCG(gain="linear", empty=0) @ 5, "ndcg@5(gain=linear,empty=0)"),
            (NDCG(gain="0;1;3"), "ndcg(gain=0;1;3)"),
            ((MAP @ 3)(preset="letor4"), "map@3(preset=letor4)"),
            (ERR(gmax=2.5), "err(gmax=2.5)"),
            (P @ 5, "p@5"),
            ((P @ 5)(divisor="min"), "precision@5(divisor=min)"),
            (MRR(threshold=">0.5"), "mrr(threshold=>0.5)"),
            (DCG, "dcg"),
            (RMSE, "rmse"),
            (MeanNDCG, "meanndcg"),
            (Recall @ 20, "recall@20"),
            (RBP(persistence=0.95), "rbp(persistence=0.95)"),
            (AUC(fpr="0;0.05"), "auc(fpr=0;0.05)"),
            (PairAccuracy, "pairaccuracy"),
            (KendallTau(variant="a"), "kendalltau(variant=a)"),
        ],
    )
    def test_is_built_from_measures_and_keys(self, metric, spelling):
        assert metric == Metric(spelling)

    def test_has_a_name_a_cutoff_and_a_direction(self):
        metric = Metric("ndcg@10(empty=0)")
        assert (metric.name, metric.cutoff, metric.maximize) == ("ndcg", 10, True)
        assert Metric("map").cutoff is None
        assert not RMSE.maximize
        assert repr(metric) == "Metric('ndcg@10(empty=0)')"

    def test_is_a_value(self):
        metric = Metric("ndcg@10(ties=input)")
        assert pickle.loads(pickle.dumps(metric)) == metric
        assert copy.deepcopy(metric) == metric
        assert metric != Metric("ndcg@10")
        assert metric != "ndcg@10(ties=input)"
        assert len({metric, Metric("NDCG@10(ties=input)"), Metric("ndcg@10")}) == 2

    @pytest.mark.parametrize(
        ("spelling", "message"),
        [
            ("ncdg@10", 'metric "ncdg@10": unknown name "ncdg"; there are ndcg dcg'),
            ("ndgc@10", "kendalltau rmse; did you mean ndcg@10?"),
            ("nDCG10", "; did you mean ndcg@10?"),
            ("map(tresh=1)", "has no key"),
            ("ndcg(preset=treceval)", "; did you mean trec_eval?"),
            ("ndcg@10(gian=exp2)", 'ndcg has no key "gian"; its keys: gain grade discount'),
            ("ndcg(ties=random)", "ties=random must be one of average canonical input"),
            ("ndcg(preset=letor)", "preset=letor must be one of letor3 letor4 mslr"),
        ],
    )
    def test_refuses_other_spellings_and_lists_what_exists(self, spelling, message):
        with pytest.raises(ValueError, match=re.escape(message)):
            Metric(spelling)

    def test_refuses_an_unusable_cutoff_or_key(self):
        with pytest.raises(ValueError, match="cutoff 0 must be from 1"):
            NDCG @ 0
        for cutoff in (10**9 + 1, 2**64 - 1, 2**64, 10**30):
            for make in (NDCG.__matmul__, P.__matmul__, lambda k: Metric(f"ndcg@{k}")):
                with pytest.raises(
                    ValueError, match=f"cutoff {cutoff} must be from 1 to 1000000000"
                ):
                    make(cutoff)
        with pytest.raises(ValueError, match='cutoff "-1" must be a whole number'):
            NDCG @ -1
        with pytest.raises(TypeError):
            NDCG @ 1.5
        with pytest.raises(ValueError, match='map has no key "gain"'):
            MAP(gain="linear")


@pytest.mark.parametrize(
    ("spelling", "listed"),
    [
        ("?", "there are"),
        ("ndcg(preset=?)", "one of"),
        *((f"{n}@1(?=)", "keys:") for n in KEYS if KEYS[n]),
    ],
)
def test_the_documentation_of_evaluate_lists_every_spelling_there_is(spelling, listed):
    if spelling.split("@")[0] in WITHOUT_CUTOFF:
        spelling = spelling.replace("@1", "")
    with pytest.raises(ValueError) as error:  # noqa: PT011
        Metric(spelling)
    names = str(error.value).partition(listed)[2].split()
    assert names
    for name in names:
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", evaluate.__doc__)
