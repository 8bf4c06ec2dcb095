"""A module that is imported later is not there until it is used, and then is the module itself."""

import sys
from importlib import import_module

import pytest

from controlit_ros.imported_later import imported_later

NAME, USER = "module_for_later", "user_of_module_for_later"


@pytest.fixture(autouse=True)
def modules(tmp_path, monkeypatch):
    (tmp_path / f"{NAME}.py").write_text("VALUE = 3")
    (tmp_path / f"{USER}.py").write_text(f"import {NAME} as used\ndef use(): return used.VALUE")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in (NAME, USER):
        sys.modules.pop(name, None)


def test_it_is_not_there_until_who_imported_it_uses_it():
    with imported_later(NAME):
        user = import_module(USER)
    assert NAME not in sys.modules
    assert user.use() == 3
    assert sys.modules[NAME].__file__
    assert user.use() == 3


def test_who_imports_it_afterwards_has_the_module_itself():
    with imported_later(NAME):
        user = import_module(USER)
    module = import_module(NAME)
    assert vars(module)["VALUE"] == 3
    module.VALUE = 4
    assert user.use() == 4


def test_who_uses_it_at_once_has_it_at_once():
    with imported_later(NAME):
        assert import_module(USER).use() == 3
        module = sys.modules[NAME]
    assert sys.modules[NAME] is module
    assert vars(module)["VALUE"] == 3


def test_one_that_is_there_stays():
    module = import_module(NAME)
    with imported_later(NAME):
        assert import_module(NAME) is module
    assert sys.modules[NAME] is module


def test_what_fails_leaves_nothing_behind():
    with pytest.raises(ModuleNotFoundError), imported_later(NAME):
        import_module("no_module_of_this_name")
    assert NAME not in sys.modules


def test_what_is_not_there_is_told_by_who_misses_it():
    with imported_later("no_module_of_this_name"):
        later = import_module("no_module_of_this_name")
    with pytest.raises(ModuleNotFoundError, match="no_module_of_this_name"):
        _ = later.anything
    with imported_later(NAME):
        later = import_module(NAME)
    with pytest.raises(AttributeError, match="missing"):
        _ = later.missing
