"""Settings of all tests."""

from hypothesis import settings

# The same examples in every run, and no test that fails because a machine is busy.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
