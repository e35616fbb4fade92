"""The order in which training sees documents: of their content alone."""

import multiprocessing
import struct
import warnings

import numpy as np
from data_cases import seen_by_training
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rankforest import Dataset
from rankforest.datasets import make_ranking

VALUES = st.sampled_from([0.0, -0.0, 1.0, 2.5, -7.0, np.nan])
MASK64 = 2**64 - 1


@st.composite
def tables(draw):
    """Features, grades, queries and weights with many ties."""
    n = draw(st.integers(1, 12))
    cells = draw(st.lists(VALUES, min_size=2 * n, max_size=2 * n))
    return {
        "X": np.array(cells, dtype=np.float32).reshape(n, 2),
        "y": np.array(draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=n, max_size=n))),
        "qid": np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))),
        "weight": np.array(draw(st.lists(st.sampled_from([0.5, 1.0]), min_size=n, max_size=n))),
    }


def built(table):
    return Dataset(table["X"], table["y"], qid=table["qid"], weight=table["weight"], n_jobs=2)


def order_of(data):
    return np.array(data._core.order)


def order_by_definition(table):
    """Sort documents and queries by hand, as canonical_order.hpp says."""
    weights, qid = table["weight"], table["qid"]
    hashes = [feature_hash(row) for row in table["X"]]
    queries = []
    for each in dict.fromkeys(qid.tolist()):
        rows = sorted(
            np.flatnonzero(qid == each).tolist(),
            key=lambda r: (hashes[r], table["y"][r], weights[r], r),
        )
        query_hash = len(rows)
        for r in rows:
            for part in (hashes[r], bits(table["y"][r]), bits(weights[r])):
                query_hash = mix(query_hash + part)
        queries.append((query_hash, rows))
    # Queries of equal content keep the order of their codes, that of first appearance.
    return [row for _, rows in sorted(queries, key=lambda query: query[0]) for row in rows]


def mix(z):
    z &= MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def bits(number):
    return struct.unpack("<Q", struct.pack("<d", number + 0.0))[0]


def feature_hash(row):
    golden = 0x9E3779B97F4A7C15
    total = golden
    for column, value in enumerate(row.tolist(), start=1):
        if value == 0:
            continue
        key = mix(mix(golden) + column * golden)
        value_bits = struct.unpack("<I", struct.pack("<f", value))[0]
        if value != value:  # noqa: PLR0124  # NaN
            value_bits = 0xFFFFFFFF
        first = (value_bits + (key >> 32)) & 0xFFFFFFFF
        second = (value_bits + key) & 0xFFFFFFFF
        total += first * second
    return mix(total)


@given(tables(), st.randoms(use_true_random=False))
def test_neither_row_order_nor_query_names_reach_training(table, random):
    rows = list(range(len(table["y"])))
    random.shuffle(rows)
    shuffled = {name: values[rows] for name, values in table.items()}
    shuffled["qid"] = [f"query {(each * 7) % 5}" for each in shuffled["qid"]]
    assert seen_by_training(built(table)) == seen_by_training(built(shuffled))


@given(tables())
def test_types_and_containers_do_not_reach_training(table):
    expected = seen_by_training(built(table))
    for X in (table["X"].astype(np.float64), sparse.csr_array(table["X"]), table["X"].tolist()):
        assert seen_by_training(built({**table, "X": X})) == expected


@given(tables())
def test_group_sizes_and_ids_train_alike(table):
    rows = np.argsort(table["qid"], kind="stable")
    X, y, qid = table["X"][rows], table["y"][rows], table["qid"][rows]
    _, sizes = np.unique(qid, return_counts=True)
    if len(sizes) == len(qid) > 1:
        return  # refused: looks like ids
    by_id, by_group = Dataset(X, y, qid=qid), Dataset(X, y, group=sizes)
    np.testing.assert_array_equal(by_id._core.order, by_group._core.order)
    np.testing.assert_array_equal(by_id._core.offsets, by_group._core.offsets)


@given(tables())
def test_the_core_holds_each_document_in_its_query(table):
    core = built(table)._core
    order = core.order
    assert sorted(order.tolist()) == list(range(core.n_documents))
    np.testing.assert_array_equal(core.grades, table["y"][order])
    np.testing.assert_array_equal(core.weights, table["weight"][order])
    codes = np.repeat(core.query_codes, np.diff(core.offsets))
    np.testing.assert_array_equal(codes, built(table).query_codes[order])


@given(tables())
def test_the_order_follows_its_definition(table):
    data = built(table)
    assert data._core.order.tolist() == order_by_definition(table)


def test_the_number_of_threads_changes_nothing():
    data = make_ranking(n_queries=300, n_documents=(1, 30), n_features=3)
    orders = [
        Dataset(data.X, data.y, qid=data.qid, n_jobs=n_jobs)._core.order for n_jobs in (1, 2, 5)
    ]
    np.testing.assert_array_equal(orders[0], orders[1])
    np.testing.assert_array_equal(orders[0], orders[2])


def test_a_forked_child_prepares_a_data_set_as_its_parent_did():
    data = make_ranking(n_queries=200, n_documents=20, n_features=3, n_jobs=3)
    expected = data._core.order
    with warnings.catch_warnings():
        # Newer versions of Python warn of every fork of a process with threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            orders = pool.map_async(order_of, [data, data]).get(timeout=60)
    for order in orders:
        np.testing.assert_array_equal(order, expected)
