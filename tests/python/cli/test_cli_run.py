"""What becomes of a command's errors, warnings and signals."""

import os
import signal
import subprocess
import sys
import warnings

import click
import pytest

from rankforest.cli.run import run


def status_of(action):
    """Run a command that does nothing but `action`."""
    return run(click.Command("ltr-try", callback=action), [])


def raiser(error):
    def action():
        raise error

    return action


def test_a_command_that_ends_well_has_status_0(capsys):
    assert status_of(lambda: click.echo("data")) == 0
    assert capsys.readouterr() == ("data\n", "")


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (ValueError("a.txt:3:7: no"), 2, "ltr-try: a.txt:3:7: no"),
        (click.UsageError("--x is wrong"), 2, "ltr-try: --x is wrong"),
        (OSError("No space left on device"), 1, "ltr-try: No space left on device"),
        (MemoryError(), 1, "ltr-try: out of memory"),
        (MemoryError("std::bad_alloc"), 1, "ltr-try: out of memory"),
        (MemoryError("no memory for 3 documents"), 1, "ltr-try: no memory for 3 documents"),
        (ValueError("\x1b]0;t\x07\x9b2J caf\u00e9"), 2, "ltr-try: \\x1b]0;t\\x07\\x9b2J caf\u00e9"),
    ],
)
def test_an_error_is_one_line_on_stderr_and_decides_the_status(capsys, error, status, line):
    assert status_of(raiser(error)) == status
    assert capsys.readouterr() == ("", line + "\n")


def test_every_line_of_a_message_names_the_program(capsys):
    status_of(raiser(ValueError("first\nsecond")))
    assert capsys.readouterr().err == "ltr-try: first\nltr-try: second\n"


def test_a_defect_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        status_of(lambda: 1 // 0)


def test_a_warning_is_one_line_without_its_place_in_the_code(capsys):
    assert status_of(lambda: warnings.warn("two groups are empty", stacklevel=1)) == 0
    assert capsys.readouterr().err == "ltr-try: warning: two groups are empty\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_runs_clean_ups_and_shows_in_the_status(capsys, number):
    steps = []

    def action():
        try:
            os.kill(os.getpid(), number)
        except Exception:  # noqa: BLE001  # what an interruption must get past
            steps.append("swallowed")
        finally:
            steps.append("cleaned up")

    assert status_of(action) == 128 + number
    assert steps == ["cleaned up"]
    assert capsys.readouterr().err == "ltr-try: interrupted\n"


def test_signal_handlers_are_put_back():
    before = signal.getsignal(signal.SIGTERM)
    status_of(lambda: None)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_reader_that_has_enough_is_no_reason_to_complain():
    program = (
        "import click, sys\n"
        "from rankforest.cli.run import run\n"
        "def action():\n"
        "    for i in range(100_000): click.echo(i)\n"
        "sys.exit(run(click.Command('ltr-try', callback=action), []))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        complaint = process.stderr.read()
    assert complaint == ""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.parametrize("closed", ["stdout", "stderr", "both"])
def test_a_closed_stream_is_one_error_or_none(closed):
    program = (
        "import sys, click\n"
        "from rankforest.cli.run import run\n"
        "from rankforest.cli.consoles import data_console, message_console\n"
        "def action():\n"
        "    message_console().print('progress')\n"
        "    data_console().print('table')\n"
        "    sys.stdout.write('data\\n')\n"
        "sys.exit(run(click.Command('ltr-try', callback=action), []))\n"
    )
    closing = {"stdout": ">&-", "stderr": "2>&-", "both": ">&- 2>&-"}[closed]
    process = subprocess.run(
        ["sh", "-c", f'"$0" -c "$1" {closing}', sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == (0 if closed == "stderr" else 1)
    if closed == "stdout":
        assert process.stderr.splitlines()[-1] == "ltr-try: [Errno 9] stdout is closed"
        assert "Traceback" not in process.stderr
