"""Files that are no plain files, and files that somebody changes: each is read whole or refused."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import rankforest as rf

TEXT = "1 qid:1 1:0.5 2:0.25\n0 qid:1 1:0.25 2:0.5\n"


@pytest.fixture
def model(tmp_path):
    data = rf.Dataset([[0.0, 1.0], [1.0, 0.0]], [0, 1], qid=[0, 0])
    return rf.MART(n_estimators=2, min_samples_leaf=1).fit(data).model_


def fed_pipe(path, content):
    """Make a named pipe that gives `content` to who reads it."""
    os.mkfifo(path)
    thread = threading.Thread(target=lambda: path.write_bytes(content), daemon=True)
    thread.start()
    return path


def ltr(program, *arguments, **options):
    command = [sys.executable, "-c", f"from rankforest.cli.{program} import main; exit(main())"]
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, timeout=60, check=False, **options
    )


@pytest.mark.parametrize("form", ["rf", "json"])
def test_a_model_comes_out_of_a_named_pipe(tmp_path, model, form):
    path = tmp_path / "model"
    (model.save if form == "rf" else model.save_json)(path)
    assert rf.load(fed_pipe(tmp_path / "pipe", path.read_bytes())) == model


@pytest.mark.parametrize("form", ["rf", "json"])
def test_a_program_reads_its_model_from_stdin_and_its_data_from_a_pipe(tmp_path, model, form):
    path = tmp_path / "model"
    (model.save if form == "rf" else model.save_json)(path)
    pipe = fed_pipe(tmp_path / "pipe", TEXT.encode())
    run = ltr("score", "--model", "/dev/stdin", "--data", pipe, input=path.read_bytes())
    assert run.stderr == b""
    expected = model.predict(np.array([[0.5, 0.25], [0.25, 0.5]], np.float32))
    assert [float(line) for line in run.stdout.split()] == expected.tolist()


def test_text_comes_out_of_a_pipe_that_a_thread_of_the_process_feeds(tmp_path):
    text = TEXT * 20_000  # more than the pipe holds
    data = rf.read_letor(fed_pipe(tmp_path / "pipe", text.encode()))
    assert data.n_documents == 40_000


@pytest.mark.parametrize("size", [0, 4096, 5_000_000])
def test_text_that_is_cut_short_while_it_is_read_is_an_error(tmp_path, size):
    path = tmp_path / "t.txt"
    program = (
        "import os, sys, threading, rankforest as rf\n"
        "cut = threading.Timer(0.005, os.truncate, (sys.argv[1], int(sys.argv[2])))\n"
        "cut.start()\n"
        "try:\n"
        "    rf.read_letor(sys.argv[1], n_jobs=1)\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    outcomes = set()
    for _ in range(5):
        path.write_text(TEXT * 300_000)
        run = subprocess.run(
            [sys.executable, "-c", program, path, str(size)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert run.returncode == 0, run.stderr  # -SIGBUS, or a wrong number of documents
        outcomes.add(run.stdout.replace(str(path), "").split(":")[-1].strip())
    assert "the file was changed while it was read" in outcomes


def loaded_or_refused(path):
    try:
        return rf.load(path)
    except ValueError as error:
        return str(error)


def test_a_model_that_is_copied_over_while_it_is_loaded_is_the_old_one_the_new_one_or_refused(
    tmp_path,
):
    data = rf.datasets.make_ranking(n_queries=20, random_state=0)
    models = [rf.RandomForest(n_estimators=30, random_state=i).fit(data).model_ for i in range(2)]
    contents = []
    for i, each in enumerate(models):
        each.save(tmp_path / f"{i}.rf")
        contents.append((tmp_path / f"{i}.rf").read_bytes())
    live = tmp_path / "live.rf"
    live.write_bytes(contents[0])
    end = threading.Event()

    def deploy():
        while not end.is_set():
            for content in contents:
                live.write_bytes(content)

    thread = threading.Thread(target=deploy)
    thread.start()
    outcomes = [loaded_or_refused(live) for _ in range(200)]
    end.set()
    thread.join()
    assert all(each in models or "live.rf" in str(each) for each in outcomes)


def test_the_compiled_reader_of_models_refuses_what_changes(tmp_path, model):
    path = tmp_path / "model.rf"
    model.save(path)
    assert rf._core.Ensemble.load(os.fsencode(path), 1)[0] is not None
    pipe = fed_pipe(tmp_path / "pipe", path.read_bytes())
    assert rf._core.Ensemble.load(os.fsencode(pipe), 1)[0] is not None


@pytest.mark.parametrize(
    "write",
    [
        lambda model, path: model.save(path),
        lambda model, path: model.save_json(path),
        lambda model, path: model.save_cpp(path),
        lambda model, path: rf.write_letor(path, rf.Dataset([[1.0]], [1], qid=[0])),
        lambda model, path: rf.read_letor(path),
        lambda model, path: rf.load(path),
        lambda model, path: rf.trec.write_qrels(
            path, rf.trec.Qrels(np.array(["q"], object), np.array(["d"], object), np.array([1]))
        ),
    ],
)
def test_no_path_is_cut_at_a_nul(tmp_path, model, write):
    with pytest.raises(ValueError, match=r"(?i)nul"):
        write(model, str(tmp_path / "a\0b"))
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_the_wait_for_a_pipe_that_nobody_feeds(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = "import rankforest as rf, sys; print('ready', flush=True); rf.load(sys.argv[1])"
    with subprocess.Popen(
        [sys.executable, "-c", program, pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        threading.Event().wait(0.2)
        process.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in process.communicate(timeout=30)[1]
