"""Plugins are found by name and fail with an explanation."""

from importlib.metadata import EntryPoint

import pytest

from controlit_ros import installed
from controlit_ros.configuration import PluginError, PluginKind, available, load_plugin


class Sample:
    pass


@pytest.fixture(name="offered")
def offer(monkeypatch):
    entries = [
        EntryPoint("Good", f"{__name__}:Sample", PluginKind.TASK.value),
        EntryPoint("Absent", "no_such_module_anywhere:Task", PluginKind.TASK.value),
        EntryPoint("Renamed", f"{__name__}:Other", PluginKind.TASK.value),
        EntryPoint("Function", f"{__name__}:test_a_class_is_loaded", PluginKind.TASK.value),
    ]
    monkeypatch.setattr(
        installed, "entry_points", lambda group: [e for e in entries if e.group == group]
    )


@pytest.mark.usefixtures("offered")
def test_a_class_is_loaded():
    assert load_plugin(PluginKind.TASK, "Good").__name__ == "Sample"
    assert list(available(PluginKind.TASK)) == ["Absent", "Function", "Good", "Renamed"]
    assert available(PluginKind.CONSTRAINT) == {}


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Goood", r"found 'Goood', expected a task type \(did you mean 'Good'"),
        ("Absent", r"task type 'Absent' cannot be loaded from .*: ModuleNotFoundError"),
        ("Renamed", "cannot be loaded from .*: AttributeError"),
        ("Function", "is no class"),
    ],
)
def test_what_cannot_be_loaded_is_explained(name, message):
    with pytest.raises(PluginError, match=message):
        load_plugin(PluginKind.TASK, name)


@pytest.mark.parametrize("kind", PluginKind)
def test_every_kind_has_plugins_of_ours(kind):
    assert available(kind)
    assert kind.title.endswith(" type")
