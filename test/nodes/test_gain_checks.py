"""What is checked of gains takes every kind of task with every law."""

import pytest
from every_task import KINDS, made
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import PluginKind, available
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.checks.delays import delay_warnings
from controlit_ros.nodes.checks.gains import gain_warnings

LAWS = tuple(available(PluginKind.CONTROL_LAW))


def pairs():
    """Return every kind of task with every law it may have; `None`: its own."""
    tasks = available(PluginKind.TASK)
    return [
        (kind, law)
        for kind in KINDS
        for law in (LAWS if tasks[kind].load().has_control_law else (None,))
    ]


@pytest.fixture(scope="module")
def slow():
    """Settings of a servo whose robot answers late."""
    return load_stack(REPOSITORY / "config" / "dreamer" / "hands.yaml", {"round_trip_delay": 0.05})


@pytest.mark.parametrize(("kind", "law"), pairs())
def test_gains_of_every_kind_are_looked_at(kind, law, slow):
    task = made(kind, law)
    for gain in task.controller.gains:
        gain.assign(400.0)
    assert not list(gain_warnings([task]))
    told = list(delay_warnings([task], slow.servo))
    assert all(path == ("tasks", 0) and "swings ever more" in text for path, text in told)
    task.controller.gains[-1].assign(0.0)
    warned = "kd" in {gain.name for gain in task.controller.gains} and task.command_kind.value
    assert bool(list(gain_warnings([task]))) == (warned == "acceleration")
