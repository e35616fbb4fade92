"""Threads: of OpenMP and of the pool, beside those of other libraries, of Python and of forks."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent

import numpy as np
import pytest

import rankforest as rf

LINUX = sys.platform == "linux"

# What runs coarse loops, of more than 10 ms a thread, and fine ones: digest(n_jobs) is the same
# in every process and for every number of threads.
WORK = """
import hashlib, os, tempfile
import numpy as np
import rankforest as rf

rng = np.random.default_rng(6)
X = rng.normal(size=(40_000, 12)).astype(np.float32)
y = np.clip((X[:, 0] + rng.normal(size=len(X))).round(), 0, 3)
data = rf.Dataset(X, y, qid=np.arange(len(X)) // 40)
part = data.take_rows(np.arange(len(X)) < 12_000)

def digest(n_jobs):
    forest = rf.RandomForest(n_estimators=16, max_depth=6, n_jobs=n_jobs).fit(part)
    boosted = rf.LambdaMART(n_estimators=3, n_jobs=n_jobs).fit(part)
    scores = [e.model_.predict(X, n_jobs=n_jobs) for e in (forest, boosted)]
    values = rf.evaluate(data, scores[0], ["ndcg@10", "map", "err"], n_jobs=n_jobs)
    content = hashlib.sha256(repr(values).encode())
    for estimator, of_documents in zip((forest, boosted), scores):
        content.update(estimator.model_.to_bytes() + of_documents.tobytes())
    return content.hexdigest()

def n_threads():
    return len(os.listdir("/proc/self/task"))
"""


def run_python(code: str, **environment: str) -> list[str]:
    """Run code after WORK in a new interpreter and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", WORK + dedent(code)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,  # a hang fails
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def expected():
    return run_python("print(digest(1))")[0]


def test_threads_change_no_bit_of_long_work(expected):
    assert run_python("print(digest(2), digest(3), digest(1), digest(2))") == [expected] * 4


@pytest.mark.parametrize("policy", ["active", "passive"])
def test_nor_does_how_openmp_waits(expected, policy):
    assert run_python("print(digest(2))", OMP_WAIT_POLICY=policy, OMP_DYNAMIC="true") == [expected]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="cannot fork")
def test_a_forked_child_does_all_work_on_one_thread(expected):
    lines = run_python(
        """
        print(digest(2), flush=True)  # starts OpenMP's threads and the pool's
        if os.fork() == 0:
            before = n_threads() if os.path.exists("/proc/self/task") else 0
            print(digest(2), flush=True)
            after = n_threads() if os.path.exists("/proc/self/task") else 0
            os._exit(after - before)
        _, status = os.wait()
        print(os.waitstatus_to_exitcode(status), digest(2))
        """
    )
    assert lines == [expected, expected, "0", expected]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="cannot fork")
def test_a_child_that_was_forked_while_another_thread_trained_does_its_work():
    lines = run_python(
        """
        import signal, threading, time

        def train():
            rf.MART(n_estimators=1).fit(rf.Dataset([[0.0], [1.0]], [0, 1], qid=[0, 0]))

        train()  # what is imported late is there
        for delay in (0.0, 0.001, 0.003, 0.01, 0.03, 0.1):
            big = rf.Dataset(np.tile(X, (5, 1)), np.tile(y, 5), qid=np.arange(5 * len(X)) // 40)
            trains = threading.Thread(target=rf.RandomForest(n_estimators=4, max_depth=8).fit,
                                      args=(big,))
            trains.start()
            time.sleep(delay)
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                train()
                os._exit(7)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            trains.join()
        """
    )
    assert lines == ["7"] * 6


@pytest.mark.skipif(not LINUX, reason="a child cannot be told from others")
def test_a_child_that_loads_the_library_after_another_used_openmp_does_its_work(expected):
    """Other libraries of the process may share our OpenMP, and wait for threads that are gone."""
    pytest.importorskip("lightgbm")
    code = """
        import os
        import lightgbm, numpy as np
        X = np.random.default_rng(6).normal(size=(5000, 4))
        lightgbm.train({"num_threads": 2, "verbose": -1}, lightgbm.Dataset(X, X[:, 0]), 2)
        if os.fork() == 0:
            exec(WORK)
            print(digest(2), flush=True)
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.wait()[1]))
    """
    code = f"WORK = {WORK!r}\n{dedent(code)}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.stdout.split() == [expected, "7"], done.stderr


@pytest.mark.parametrize(
    "order",
    ["sklearn, rankforest", "rankforest, sklearn"],
    ids=["its_threads_first", "our_threads_first"],
)
def test_beside_scikit_learn_on_its_own_openmp(expected, order):
    """Both take turns in one process, each with the threads of its runtime."""
    lines = run_python(
        f"""
        from sklearn.ensemble import HistGradientBoostingRegressor

        def sklearn():
            HistGradientBoostingRegressor(max_iter=3).fit(X, y)

        def rankforest():
            print(digest(2))

        for _ in range(2):
            for work in ({order}):
                work()
        """
    )
    assert lines == [expected] * 2


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
class TestHowMany:
    """Threads that are started for `n_jobs`; OpenMP and the pool have each their own."""

    def test_one_job_starts_none(self, expected):
        code = "digest(1); before = n_threads(); print(digest(1), n_threads() - before)"
        assert run_python(code) == [expected, "0"]

    @pytest.mark.parametrize("n_jobs", [2, 3])
    def test_more_jobs_start_one_less_of_either_kind_at_most(self, expected, n_jobs):
        code = f"digest(1); before = n_threads(); print(digest({n_jobs}), n_threads() - before)"
        digest, n_started = run_python(code)
        assert digest == expected
        assert n_jobs - 1 <= int(n_started) <= 2 * (n_jobs - 1)

    def test_omp_num_threads_bounds_the_default(self, expected):
        code = "digest(1); before = n_threads(); print(digest(None), n_threads() - before)"
        assert run_python(code, OMP_NUM_THREADS="1") == [expected, "0"]

    def test_threads_of_python_that_come_and_go_leave_none_behind(self, expected):
        lines = run_python(
            """
            import threading, time
            digest(2)
            model = rf.RandomForest(n_estimators=16, max_depth=6).fit(part).model_
            before = n_threads()
            for _ in range(4):
                callers = [threading.Thread(target=model.predict, args=(X,), kwargs={"n_jobs": 2})
                           for _ in range(3)]
                for caller in callers: caller.start()
                for caller in callers: caller.join()
            time.sleep(0.1)
            print(n_threads() - before)
            """
        )
        assert int(lines[0]) <= 1  # of the pool: one for each core but the caller's, at most


def test_the_first_wrong_place_of_a_long_text_is_reported_on_any_number_of_threads(tmp_path):
    line = "1 qid:1 " + " ".join(f"{f}:0.125" for f in range(1, 60)) + "\n"
    n_lines = 60_000  # 32 MB: on OpenMP
    lines = [line] * n_lines
    for wrong in (20_001, 40_001, 59_999):
        lines[wrong] = "1 qid:1 1:oops\n"
    path = tmp_path / "long.txt"
    path.write_text("".join(lines))
    for n_jobs in (1, 2, 3):
        with pytest.raises(ValueError, match=r"long\.txt:20002:"):
            rf.read_letor(path, n_jobs=n_jobs)


@pytest.fixture(scope="module")
def model():
    data = rf.datasets.make_ranking(n_queries=40, n_features=8, random_state=2)
    return rf.MART(n_estimators=40).fit(data).model_


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(9).normal(size=(400, 8)).astype(np.float32)


class TestThreadsOfPython:
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_eight_that_score_one_row_each_get_their_own_scores(self, model, rows, dtype):
        rows = rows.astype(dtype)
        expected = model.predict(rows).tolist()

        def score(start):
            order = np.roll(np.arange(len(rows)), start)
            return [(i, model.predict(rows[i : i + 1]).item()) for i in np.tile(order, 5).tolist()]

        with ThreadPoolExecutor(8) as pool:
            for scores in pool.map(score, range(0, 400, 50)):
                assert all(score == expected[i] for i, score in scores)

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_several_that_score_many_rows_each_get_their_own_scores(self, model, rows, n_jobs):
        many = np.tile(rows, (100, 1))
        expected = model.predict(many, n_jobs=1)

        def score(start):
            return model.predict(many[start:], n_jobs=n_jobs)

        with ThreadPoolExecutor(4) as pool:
            for start, scores in zip(range(16), pool.map(score, range(16)), strict=True):
                np.testing.assert_array_equal(scores, expected[start:])

    @staticmethod
    def lets_another_thread_run(work):
        """Say whether `work` ever gives up the interpreter lock, to a thread that waits for it."""
        start, ran = threading.Lock(), threading.Event()
        start.acquire()

        def wait():
            with start:
                ran.set()

        waiting = threading.Thread(target=wait)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000.0)  # seconds: only who gives it up loses it
        try:
            waiting.start()
            start.release()
            for _ in range(300):
                work()
                if ran.is_set():
                    break
            return ran.is_set()
        finally:
            sys.setswitchinterval(interval)
            waiting.join()

    def test_the_interpreter_lock_is_kept_for_one_row_and_released_for_many(self, model, rows):
        many = np.tile(rows, (20, 1))
        assert not self.lets_another_thread_run(lambda: model.predict(rows[:1]))
        assert self.lets_another_thread_run(lambda: model.predict(many, n_jobs=1))
