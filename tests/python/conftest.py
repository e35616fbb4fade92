"""Settings of all tests."""

import os
import signal

from hypothesis import settings

# A shell lets what it starts in the background ignore Ctrl-C, and children of the tests inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Libraries whose threads wait for each other by spinning take the cores from the other tests. Read
# when OpenMP is loaded, which nothing has done so far.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# The same examples in every run, and no test that fails because a machine is busy.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items):
    """Run searches that are killed first: at the end, one process would be alone with them."""
    items.sort(key=lambda item: item.path.name != "test_tuning_resume.py")
