"""Texts of the user's own in a model."""

import pickle

import pytest
from estimator_cases import make_data

import rankforest as rf

TEXTS = {"clicks until": "2024-05-31", "caf\u00e9": "\U0001f332\n", "empty": ""}


@pytest.fixture(scope="module")
def model():
    X, y, qid = make_data()
    return rf.MART(n_estimators=3).fit(X, y, qid=qid).model_


def test_every_form_keeps_them(model, tmp_path):
    marked = model.with_metadata(TEXTS)
    marked.save(tmp_path / "m.rf")
    marked.save_json(tmp_path / "m.json")
    for copy in (
        rf.load(tmp_path / "m.rf"),
        rf.load(tmp_path / "m.json"),
        pickle.loads(pickle.dumps(marked)),
        rf.Model.from_bytes(marked.to_bytes()),
    ):
        assert copy.metadata == TEXTS
        assert copy == marked
    assert marked[:2].metadata == TEXTS


def test_a_model_without_them_is_as_it_was(model):
    assert model.metadata == {}
    marked = model.with_metadata({"a": "b"})
    assert marked != model
    assert marked.with_metadata({}).to_bytes() == model.to_bytes()
    assert model.metadata == {}


def test_the_order_of_keys_does_not_matter(model):
    assert model.with_metadata({"a": "1", "b": "2"}) == model.with_metadata({"b": "2", "a": "1"})


def test_scores_do_not_depend_on_them(model):
    X, _, _ = make_data(seed=1)
    assert (model.with_metadata(TEXTS).predict(X) == model.predict(X)).all()


def test_changing_what_metadata_returns_changes_no_model(model):
    marked = model.with_metadata({"a": "b"})
    marked.metadata["a"] = "c"
    assert marked.metadata == {"a": "b"}


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ([("a", "b")], r"metadata must be a mapping of strings, got \[\('a', 'b'\)\]"),
        ({1: "b"}, "keys of the metadata must be strings, got 1"),
        ({"round": 3}, "metadata 'round' must be a string, got 3"),
        ({"": "b"}, "must have 1 to 255 bytes; one has none"),
        ({"\u00e9" * 128: "b"}, r"must have 1 to 255 bytes; .* has 256"),
        ({"a": "\ud800"}, "metadata 'a' cannot be written as UTF-8"),
        ({"a": "x" * 2**20}, "at most 1048576 bytes; 'a' goes beyond"),
    ],
)
def test_what_cannot_be_kept_is_named(model, metadata, message):
    with pytest.raises((TypeError, ValueError), match=message):
        model.with_metadata(metadata)
