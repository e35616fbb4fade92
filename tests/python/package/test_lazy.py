"""Attributes that are computed when they are first asked for, and what a fork finds of them."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import rankforest as rf
from rankforest._support.lazy import lazy


class Slow:
    """Counts how often it computes; waits for `go` where there is one."""

    def __init__(self, go=None):
        self.go = go
        self.started = threading.Event()
        self.times = 0

    @lazy
    def value(self):
        """What is computed."""
        self.times += 1
        self.started.set()
        if self.go is not None:
            self.go.wait()
        return object()


def test_a_value_is_computed_when_it_is_asked_for_and_kept():
    slow = Slow()
    assert slow.times == 0
    first = slow.value
    assert slow.value is first
    assert slow.times == 1
    assert Slow().value is not first


def test_the_class_shows_what_the_method_says():
    assert Slow.value.__doc__ == "What is computed."
    assert rf.Dataset.qid.__doc__.startswith("The id of each document's query")


def test_one_object_does_not_wait_for_another():
    go = threading.Event()
    slow = Slow(go)
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    slow.started.wait()
    assert Slow().value is not None  # would wait for ever
    go.set()
    thread.join()


def test_threads_that_ask_at_the_same_time_get_one_value():
    go = threading.Event()
    slow = Slow(go)
    values = []
    threads = [threading.Thread(target=lambda: values.append(slow.value)) for _ in range(3)]
    for thread in threads:
        thread.start()
    slow.started.wait()
    go.set()
    for thread in threads:
        thread.join()
    assert len({id(value) for value in values}) == 1


def test_an_error_is_raised_and_the_next_call_tries_again():
    class Failing:
        is_good = False

        @lazy
        def value(self):
            if not self.is_good:
                raise ValueError("not yet")
            return 7

    failing = Failing()
    with pytest.raises(ValueError, match="not yet"):
        _ = failing.value
    failing.is_good = True
    assert failing.value == 7


def status_of_child(work, seconds=20):
    """Do the work in a forked child; its exit status, 0 if all is well."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(seconds)
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1]


def random_data(n, seed=0):
    rng = np.random.default_rng(seed)
    return rf.Dataset(
        rng.random((n, 40), dtype=np.float32), np.arange(n) % 3, qid=np.arange(n) // 20
    )


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("same_data", [False, True])
def test_a_child_that_is_forked_while_a_thread_prepares_data_can_train(same_data):
    big, small = random_data(60_000), random_data(40)
    if same_data:
        small = big.take_rows(np.arange(40))
    model = rf.RandomForest(n_estimators=2, random_state=0).fit(small).model_
    done = threading.Event()

    def train():
        rf.MART(n_estimators=1, n_jobs=2).fit(random_data(60_000, seed=1))
        rf.MART(n_estimators=1, n_jobs=2).fit(big)
        done.set()

    def in_child():
        rf.MART(n_estimators=1).fit(random_data(40, seed=2))
        model.predict(small)
        if same_data:
            rf.MART(n_estimators=1, n_jobs=1).fit(big)

    thread = threading.Thread(target=train)
    thread.start()
    statuses = []
    while not done.is_set() and len(statuses) < 20:
        statuses.append(status_of_child(in_child))
        time.sleep(0.003)
    thread.join()
    assert set(statuses) == {0}


def test_what_is_computed_is_no_part_of_a_pickle():
    data = random_data(40)
    before = pickle.dumps(data)
    _ = data.qid, data._core
    assert pickle.dumps(data) == before
