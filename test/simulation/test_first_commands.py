"""The first commands of README, as a user types them, on the robot they are for."""

import re
from pathlib import Path

import numpy as np
import pytest
from ruamel.yaml import YAML
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = "\n".join(
    re.findall(r"^    (controlit .*)$", README.partition("\n## ")[2], re.MULTILINE)
)
SETTLED = 3000  # [cycles]


def command(pattern):
    """Return the words that a pattern finds in the only command that has it."""
    ((*words,),) = re.findall(pattern, COMMANDS)
    return words


@pytest.fixture(scope="module")
def run():
    (path,) = re.findall(r"controlit run (\S+)", COMMANDS)
    started = SimulatedHands(ROOT / path)
    started.advance(1500)  # soft start
    return started


def test_nothing_is_told_of_the_start(run):
    assert run.stack.warnings == ()
    assert run.complaints() == []


def test_the_first_goal_is_reached_and_nothing_is_told(run):
    """Yellow lines at the first try would look as if something was wrong."""
    task, text = command(r"topic pub /\w+/(\w+)/goal_position '([^']+)'")
    point = YAML(typ="safe").load(text)
    goal = np.array([point["x"], point["y"], point["z"]])
    assert np.linalg.norm(goal - run.actual(task)) > 0.05  # seen by the eye
    run.mailbox.post({run.tasks[task].goal: goal})
    run.advance(SETTLED)
    np.testing.assert_allclose(run.actual(task), goal, atol=1e-3)
    assert run.complaints() == []


@pytest.mark.parametrize("cycles", [1, 300, 990])
def test_a_goal_before_the_soft_start_is_over_is_reached_and_nothing_is_told(run, cycles):
    started = SimulatedHands(run.stack.configuration.source)
    started.advance(cycles)
    task, text = command(r"topic pub /\w+/(\w+)/goal_position '([^']+)'")
    point = YAML(typ="safe").load(text)
    goal = np.array([point["x"], point["y"], point["z"]])
    started.mailbox.post({started.tasks[task].goal: goal})
    started.advance(SETTLED + 1000)
    np.testing.assert_allclose(started.actual(task), goal, atol=1e-3)
    assert started.complaints() == []


def test_the_first_gain_is_taken_and_nothing_is_told(run):
    task, name, value = command(r"param set (\w+)\.(\w+) (\S+)")
    parameter = run.tasks[task].parameters[name]
    run.mailbox.post({parameter: float(value)})
    run.advance(1000)
    assert np.all(parameter.value == float(value))
    assert run.complaints() == []
