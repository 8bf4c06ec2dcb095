"""Settings and fixtures of the whole test suite."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from robots_for_tests import REPOSITORY, dreamer

from controlit_ros.model import RobotDescription

KERNELS = REPOSITORY / "controlit_ros" / "kernels"


def pytest_configure() -> None:
    """Forget compiled kernels older than a source: numba does not see changes of what they call."""
    caches = list(KERNELS.glob("__pycache__/*.nb?"))
    newest = max(source.stat().st_mtime for source in KERNELS.glob("*.py"))
    for cache in caches:
        if cache.stat().st_mtime < newest:
            cache.unlink(missing_ok=True)


_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("dev", deadline=None, max_examples=25, suppress_health_check=_SLOW)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("dev"), max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session")
def dreamer_description() -> RobotDescription:
    """Dreamer with its rotor inertia and the slave of its torso."""
    return dreamer()


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, the same in every run."""
    return np.random.default_rng(20160905)
