"""Variables of the environment are set for a while only."""

import os
from contextlib import nullcontext

import pytest

from controlit_ros.environment import variable_set

NAME = "CONTROLIT_TEST_OF_ENVIRONMENT"


@pytest.mark.parametrize("before", [None, "", "first"])
@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_a_variable_is_as_it_was_afterwards(before, error, monkeypatch):
    if before is not None:
        monkeypatch.setenv(NAME, before)
    with pytest.raises(error) if error else nullcontext(), variable_set(NAME, "second"):
        assert os.environ[NAME] == "second"
        if error:
            raise error
    assert os.environ.get(NAME) == before


def test_without_a_value_nothing_changes(monkeypatch):
    monkeypatch.setenv(NAME, "first")
    with variable_set(NAME, None):
        assert os.environ[NAME] == "first"
    assert os.environ[NAME] == "first"
