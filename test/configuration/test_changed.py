"""What is changed in a loaded configuration is what had been loaded with these changes."""

import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import ConfigurationError, changed, load_configuration

CONFIG = REPOSITORY / "config"
FILES = sorted(CONFIG.rglob("*.yaml"))
FIRST = {"servo_frequency": 250.0, "robot_interface.mode": "in_process"}
SECOND = {"servo_frequency": 125.0, "robot_interface.seed": 4, "simulator.timestep": 0.002}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CONFIG)))
def test_it_is_as_if_loaded_with_both(path, monkeypatch):
    expected = load_configuration(path, {**FIRST, **SECOND})
    once = load_configuration(path, FIRST)
    before = once.model_dump()
    monkeypatch.setattr("controlit_ros.configuration.loader.read_text", None)  # nothing is read
    twice = changed(once, SECOND)
    assert twice == expected
    assert once.model_dump() == before
    told = ("source", "text", "overridden", "warnings", "folder")
    assert [getattr(twice, key) for key in told] == [getattr(expected, key) for key in told]
    assert twice.locate(("tasks", 0)) == expected.locate(("tasks", 0))
    assert changed(once, {}) == once


def test_entries_are_found_by_their_names():
    hands = load_configuration(CONFIG / "dreamer" / "hands.yaml")
    (kp,) = (
        task.parameters["kp"]
        for task in changed(hands, {"tasks.Posture.kp": 7.0}).tasks
        if task.name == "Posture"
    )
    assert kp == 7.0


def test_what_is_wrong_is_told_like_in_a_file():
    hands = load_configuration(CONFIG / "dreamer" / "hands.yaml")
    with pytest.raises(ConfigurationError) as caught:
        changed(hands, {"servo_frequency": -1.0, "tasks.Postur.kp": 3.0})
    rate, name = sorted(problem.message for problem in caught.value.problems)
    assert "(set from outside the file)" in rate
    assert "no entry of tasks" in name
    assert "'Posture'" in name
