"""`compute` and `explain` show the effort that a servo would send, which is computed once."""

import re
from pathlib import Path

import pytest

from controlit_ros.model import RobotState
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.explaining import explain_cycle
from controlit_ros.nodes.offline import Latch, compute_cycle, start_of
from controlit_ros.nodes.simulated_controller import SimulatedController

CONFIG = Path(__file__).parent.parent.parent / "config"
CUT = re.compile(r"asked (\S+) N m, sent (\S+) N m")


def cuts(file, overrides):
    """Return what `explain` says was asked and sent, by joint that the guard cut."""
    stack = load_stack(file, overrides)
    explanation = explain_cycle(stack, start_of(stack), Latch.START)
    return {
        cause.name: tuple(map(float, CUT.search(cause.text).groups()))
        for cause in explanation.causes
        if cause.kind.value == "guard"
    }


def computed(file, overrides):
    """Return what `compute` shows: efforts before and after shaping, by joint."""
    stack = load_stack(file, overrides)
    result = compute_cycle(stack, start_of(stack), Latch.START)
    efforts = zip(result["computed_effort"], result["effort"], strict=True)
    return dict(zip(result["joints"], efforts, strict=True)), result["effort_limit"]


FAR = {
    "tasks.RightHandPosition.goal_position": [0.9, 0.0, 0.0],
    "tasks.RightHandPosition.max_velocity": 100.0,
    "tasks.RightHandPosition.kp": 30000,
}


@pytest.mark.parametrize(
    ("file", "overrides", "is_cut"),
    [
        ("dreamer/hands.yaml", FAR, True),
        ("dreamer/hands.yaml", {}, False),
        ("dreamer/hands_with_friction.yaml", FAR, True),
        ("dreamer/hands_with_friction.yaml", {}, False),
        ("dreamer/hands_qp.yaml", FAR, False),
        ("panda/reach.yaml", {}, False),
    ],
)
def test_compute_and_explain_agree_on_the_effort_that_is_sent(file, overrides, is_cut):
    efforts, limits = computed(CONFIG / file, overrides)
    said = cuts(CONFIG / file, overrides)
    assert bool(said) == is_cut
    for (joint, (raw, sent)), limit in zip(efforts.items(), limits, strict=True):
        assert abs(sent) <= limit * (1 + 1e-9)
        if joint in said:
            assert sent == pytest.approx(said[joint][1], rel=1e-3)
        elif "friction" not in file:
            assert sent == pytest.approx(raw, abs=1e-3 * max(limit, 1.0))


def test_effort_is_that_of_a_servo_at_rest():
    file = CONFIG / "dreamer" / "hands.yaml"
    with SimulatedController(file) as servo:
        servo.advance(0.5)
        state = RobotState.like(servo.node.coordinator.robot_state)
        state.copy_from(servo.node.coordinator.robot_state)
        sent = servo.effort
        goals = {task.name: task.goal.value for task in servo.stack.tasks.tasks}
        stack = load_stack(file)
        for task in stack.tasks.tasks:
            task.goal.set(goals[task.name])
        result = compute_cycle(stack, state)
    found = dict(zip(result["joints"], result["effort"], strict=True))
    assert found == pytest.approx(sent, abs=0.2)
