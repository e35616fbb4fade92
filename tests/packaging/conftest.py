"""What several tests of packaging build once."""

import pytest
from packaging_cases import install


@pytest.fixture(scope="session")
def c_prefix(tmp_path_factory):
    """Give a prefix that the C library and its header are installed into, and nothing else."""
    return install(tmp_path_factory, "c", RANKFOREST_BUILD_C="ON", RANKFOREST_WERROR="ON")
