"""Settings and fixtures of the whole test suite."""

import gc
import os
import time
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from patience import GENEROUS
from robots_for_tests import REPOSITORY, dreamer
from tries import ALL

from controlit_ros.cli.main import NUMERICAL_THREADS
from controlit_ros.configuration import yaml_reader
from controlit_ros.model import RobotDescription
from controlit_ros.robots.channel import channel_path
from controlit_ros.servo import liveliness

pytest_plugins = ("left_behind", "needs", "sample", "second_try")

LET_CHANGE = ("PYTEST_CURRENT_TEST", *NUMERICAL_THREADS)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage among modules and tests, which last: it takes as long as many tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("dev", deadline=None, max_examples=ALL, suppress_health_check=_SLOW)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
settings.register_profile("quick", settings.get_profile("dev"), max_examples=5)
settings.register_profile("thorough", settings.get_profile("dev"), max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session", autouse=True)
def _files_composed_once():
    """Compose each text once: a thousand tests load a few files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "composed", lru_cache(maxsize=64)(yaml_reader.composed))
        yield


@pytest.fixture(scope="session")
def dreamer_description() -> RobotDescription:
    """Dreamer with its rotor inertia and the slave of its torso."""
    return dreamer()


@pytest.fixture(scope="session")
def config() -> Path:
    """The folder of configurations."""
    return REPOSITORY / "config"


@pytest.fixture(scope="session")
def hands_yaml(config: Path) -> Path:
    """The configuration of the hands demo."""
    return config / "dreamer" / "hands.yaml"


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, the same in every run."""
    return np.random.default_rng(20160905)


@pytest.fixture
def channel_name(request):
    """Name a channel of this test alone, and remove what it leaves behind."""
    name = f"test.{os.getpid()}.{request.node.name}"
    yield name
    path = channel_path(name)
    for leftover in path.parent.glob(f"{path.name}*"):
        leftover.unlink()


@pytest.fixture(autouse=True)
def environment_stays():
    """Let no test change the environment of those after it."""
    before = dict(os.environ)
    yield
    after = {name: value for name, value in os.environ.items() if name not in LET_CHANGE}
    assert after == {name: value for name, value in before.items() if name not in LET_CHANGE}


@pytest.fixture(autouse=True)
def nobody_is_stuck(environment_stays, monkeypatch):
    """Accuse no servo of a pause that a busy machine made; who tests accusations overrides this."""
    monkeypatch.setattr(liveliness, "LIMIT", GENEROUS)


@pytest.fixture
def poll():
    """Wait until a predicate returns something true, and return that."""

    def wait(predicate, timeout=GENEROUS):
        end = time.monotonic() + timeout
        while not (value := predicate()):
            if time.monotonic() > end:
                pytest.fail(f"nothing happened within {timeout} s")
            time.sleep(0.002)
        return value

    return wait
