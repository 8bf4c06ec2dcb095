"""Fixtures of the tests of applications."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def hands_yaml() -> Path:
    """The configuration of the hands demo."""
    return ROOT / "config" / "dreamer" / "hands.yaml"


@pytest.fixture(scope="session")
def config() -> Path:
    """The folder of configurations."""
    return ROOT / "config"
