"""How a command runs: what becomes of its errors, warnings and signals."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click

from rankforest.cli.consoles import printable
from rankforest.cli.files import ESCAPE

EXIT_FAILED = 1
EXIT_UNUSABLE = 2
EXIT_SIGNAL = 128  # plus the signal's number, as a shell reports it
EXIT_INTERRUPTED = EXIT_SIGNAL + signal.SIGINT

# ValueError is what the library raises about arguments and data.
_UNUSABLE = (click.UsageError, ValueError)


class _EndedBySignalError(KeyboardInterrupt):
    """Ctrl-C or a request to end; as a KeyboardInterrupt it passes every `except Exception`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    Parameters
    ----------
    command : click.Command
        What to run; its name starts every line about it on stderr.
    arguments : sequence of str, optional
        The command line without the program; the process's own by default.

    Returns
    -------
    int
        0, 1 for a failed run, 2 for unusable arguments or input, 128 + n where signal n ended it.
    """
    name = command.name or "ltr"
    arguments = sys.argv[1:] if arguments is None else arguments
    _replace_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPE)
    try:
        with _signals_as_exceptions(), _warnings_as_lines(name):
            with command.make_context(name, list(arguments)) as context:
                command.invoke(context)
            sys.stdout.flush()
    except click.exceptions.Exit as end:  # of --help and --version
        return end.exit_code
    except _EndedBySignalError as end:
        _report(name, "interrupted")
        return EXIT_SIGNAL + end.number
    except BrokenPipeError:
        _discard_stdout()
        return EXIT_SIGNAL + signal.SIGPIPE
    except (click.ClickException, ValueError, OSError, MemoryError) as error:
        _report(name, _message(error))
        return EXIT_UNUSABLE if isinstance(error, _UNUSABLE) else EXIT_FAILED
    return 0


def _message(error: Exception) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    message = str(error)
    return "out of memory" if message in {"", "std::bad_alloc"} else message


def _report(name: str, message: str) -> None:
    for line in message.split("\n"):
        click.echo(f"{name}: {printable(line)}", err=True)


@contextmanager
def _signals_as_exceptions() -> Iterator[None]:
    """Let a request to end run every clean-up on its way out."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise _EndedBySignalError(number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    earlier = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


@contextmanager
def _warnings_as_lines(name: str) -> Iterator[None]:
    """Show a warning of the library as one line, without the place in the code it came from."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_args, **_more: _report(name, f"warning: {message}")
        yield


class _NoStream(io.RawIOBase):
    """In place of stderr that the caller closed: nobody wants to read it."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return len(data)


class _ClosedStdout(_NoStream):
    """In place of stdout that the caller closed: data that cannot be written is an error."""

    def write(self, _data: Any, /) -> int:
        raise OSError(errno.EBADF, "stdout is closed")


def _replace_closed_streams() -> None:
    """Put something in the place of streams that are None, as Python leaves them."""
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(_NoStream(), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_ClosedStdout(), encoding="utf-8", write_through=True)


def _discard_stdout() -> None:
    """Keep Python's own flush at exit from failing once more on a closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
