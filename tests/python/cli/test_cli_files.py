"""Output files appear whole or not at all."""

import os
import signal
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rankforest.cli.files import check_writable, text_output


def write(path, text):
    with text_output(str(path)) as file:
        file.write(text)


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def interrupted_write(path):
    with text_output(str(path)) as file:
        file.write("half of the ")
        raise KeyboardInterrupt


def test_a_new_file_has_what_was_written_and_nothing_else_is_left(tmp_path):
    write(tmp_path / "a.txt", "one\n")
    assert (tmp_path / "a.txt").read_text() == "one\n"
    assert names_in(tmp_path) == ["a.txt"]


def test_an_error_leaves_the_earlier_file_as_it_was(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("earlier")
    with pytest.raises(KeyboardInterrupt):
        interrupted_write(path)
    assert path.read_text() == "earlier"
    assert names_in(tmp_path) == ["a.txt"]


def test_an_error_leaves_no_file_where_there_was_none(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        interrupted_write(tmp_path / "a.txt")
    assert names_in(tmp_path) == []


def test_the_file_is_invisible_under_its_name_until_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    with text_output(str(path)) as file:
        file.write("half")
        file.flush()
        assert not path.exists()
    assert path.exists()


def test_a_replaced_file_keeps_its_rights(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("earlier")
    path.chmod(0o640)
    write(path, "later")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_rights_that_the_umask_leaves(tmp_path):
    earlier = os.umask(0o027)
    try:
        write(tmp_path / "a.txt", "new")
    finally:
        os.umask(earlier)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_a_symbolic_link_stays_and_its_target_changes(tmp_path):
    target = tmp_path / "target.txt"
    target.write_text("earlier")
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    write(link, "later")
    assert link.is_symlink()
    assert target.read_text() == "later"


def test_a_link_to_a_file_that_is_not_there_yet_stays_a_link(tmp_path):
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    write(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"


def test_what_killed_runs_of_the_same_pid_left_is_not_in_the_way(tmp_path):
    (tmp_path / f".a.txt.{os.getpid()}.tmp").touch()
    check_writable(str(tmp_path / "a.txt"))
    write(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_a_killed_run_leaves_nothing(tmp_path):
    pid = os.fork()
    if pid == 0:
        with text_output(str(tmp_path / "a.txt")) as file:
            file.write("half")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert names_in(tmp_path) == []


def test_a_secret_file_is_never_readable_to_others(tmp_path):
    path = tmp_path / "a.txt"
    path.touch(mode=0o600)
    with text_output(str(path)) as file:
        file.write("secret")
        file.flush()
        assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}


def test_threads_write_one_path(tmp_path):
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, [tmp_path / "a.txt"] * 200, ["text\n"] * 200))
    assert names_in(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "text\n"


@pytest.mark.parametrize("length", [240, 255])
def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path, length):
    check_writable(str(tmp_path / ("n" * length)))
    write(tmp_path / ("n" * length), "text")
    assert names_in(tmp_path) == ["n" * length]


def test_a_name_that_is_too_long_is_found_before_the_work(tmp_path):
    with pytest.raises(OSError, match="name too long"):
        check_writable(str(tmp_path / ("n" * 256)))


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    write(pipe, "through\n")
    reader.join()
    assert received == ["through\n"]
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="pipes have no path here")
def test_a_pipe_without_a_name_of_its_own_is_written_to_as_dev_stdout_is():
    reading, writing = os.pipe()
    path = f"/proc/self/fd/{writing}"
    check_writable(path)
    write(path, "through\n")
    assert os.read(reading, 100) == b"through\n"
    os.close(reading)
    os.close(writing)


def test_dash_is_stdout(capsys):
    write("-", "data\n")
    assert capsys.readouterr().out == "data\n"


def test_checking_leaves_no_trace(tmp_path):
    path = tmp_path / "a.txt"
    check_writable(str(path))
    assert names_in(tmp_path) == []
    path.write_text("earlier")
    check_writable(str(path))
    assert path.read_text() == "earlier"


def test_a_folder_is_not_writable_as_a_file(tmp_path):
    with pytest.raises(IsADirectoryError, match="is a folder"):
        check_writable(str(tmp_path))


def test_a_missing_folder_is_found_before_the_work(tmp_path):
    with pytest.raises(FileNotFoundError):
        check_writable(str(tmp_path / "missing" / "a.txt"))


@pytest.mark.parametrize("path", ["-", "/dev/null"])
def test_stdout_and_devices_need_no_file(path):
    check_writable(path)
