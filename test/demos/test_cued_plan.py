"""Plans that act beside their goals, and that fail when a check does not hold."""

import numpy as np
import pytest

from controlit_demos.humanoid.cued_plan import Check, Cue, CuedPlan, PushCue, Switch
from controlit_demos.programs.goal_plan import PlanBuilder
from controlit_ros.nodes.building import load_stack
from controlit_ros.share import share_directory

SWITCH = Switch("Wheel1.operational_state", "disable")
PUSH = PushCue("base_link", (1.0, 0.0, 0.0), 0.1)
TASK = "Position"


@pytest.fixture(name="builder")
def make_builder():
    stack = load_stack(share_directory() / "config" / "trikey" / "drive.yaml")
    builder = PlanBuilder([task for task in stack.tasks.tasks if task.name == TASK])
    builder.add("start", 0.0, {TASK: np.zeros(3)}, 0.0)
    builder.add("go", 2.0, {TASK: np.ones(3)}, 0.0)
    return builder


def test_cues_come_once_in_their_order_and_not_before_their_time(builder):
    done = []
    plan = CuedPlan(builder, [Cue(1.5, PUSH), Cue(0.5, SWITCH)])
    plan.perform = done.append
    for time, expected in ((0.4, []), (0.5, [SWITCH]), (0.6, [SWITCH]), (2.0, [SWITCH, PUSH])):
        plan.goals(time, {})
        assert done == expected


def test_goals_are_those_of_the_plan(builder):
    plan = CuedPlan(builder, [])
    np.testing.assert_allclose(plan.goals(2.0, {})[TASK].value, np.ones(3))
    assert plan.tasks == (TASK,)
    assert not plan.is_over(1.9)
    assert plan.is_over(2.0)


def test_a_check_that_does_not_hold_ends_the_plan(builder):
    check = Check(0.5, 1.0, TASK, lambda place: bool(place[0] < 1.0), "too far")
    plan = CuedPlan(builder, [], [check])
    assert plan.watched == (TASK,)
    plan.goals(0.4, {TASK: np.full(3, 2.0)})  # too early to matter
    plan.goals(0.6, {TASK: None})  # nothing was heard yet
    plan.goals(0.7, {TASK: np.zeros(3)})
    assert not plan.problems
    plan.goals(0.8, {TASK: np.full(3, 2.0)})
    plan.goals(0.9, {TASK: np.full(3, 2.0)})
    assert plan.problems == ["too far at 0.80 s"]
    assert plan.is_over(0.9)
