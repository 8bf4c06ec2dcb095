"""What a change would do, and what it does then."""

import numpy as np
import pytest
from lock_step import CONTROLLERS

from controlit_ros.client import MotionState, PreviewedLevel, RefusedError

pytestmark = pytest.mark.thorough

SETTLE = 1.0  # [s] several times what changes ramp over


def command(servo):
    return servo.node.coordinator.command.effort.copy()


@pytest.fixture
def robot(still, meet):
    """A client of a robot that stands still: what it computes depends on parameters alone."""
    robot = meet(still)
    robot.task("Posture").goal = {"left_elbow": 0.2, "right_elbow": 0.1}
    settle(still)
    return robot


def settle(servo):
    servo.wait(lambda: False, SETTLE)


CHANGES = {
    "gains": {"Posture.kp": 30.0, "Posture.kd": 5.0},
    "some joints of a goal": {"Posture.goal_position": {"left_elbow": 0.3}},
    "a task that joins where the robot is": {"Idle.operational_state": "enable"},
    "a task that joins with a goal": {
        "Idle.operational_state": "enable",
        "Idle.priority": 2,
        "Idle.goal_position": [0.2, 0.3, 0.9],
        "Idle.kp": [1.0, 2.0, 0.5],
    },
    "a task that leaves": {"Posture.operational_state": "disable"},
    "a constraint that ends": {"Base.operational_state": "force_disable"},
}


@pytest.mark.parametrize("case", CHANGES)
def test_it_tells_the_effort_that_is_sent_then(still, robot, case):
    values = CHANGES[case]
    before = command(still)
    parameters = {name: robot.parameters[name] for name in values}
    preview = robot.preview(values)
    settle(still)
    np.testing.assert_allclose(preview.effort_now, before, atol=1e-9)
    np.testing.assert_allclose(command(still), before, atol=1e-9)  # nothing has happened
    assert {name: robot.parameters[name] for name in values} == parameters
    robot.set(values)
    settle(still)
    sent = command(still)
    assert np.abs(sent - before).max() > 1e-3
    np.testing.assert_allclose(preview.effort, sent, atol=1e-4)
    assert preview.joints == tuple(still.node.coordinator.command.joint_names)
    for account in preview.explanation.tasks:
        now = robot.explain(account.name).tasks[0]
        np.testing.assert_allclose(account.asked, now.asked, atol=1e-6)
        np.testing.assert_allclose(account.error, now.error, atol=1e-9)


def test_another_controller_is_previewed(make_servo, meet):
    servo = make_servo(CONTROLLERS / "hand.yaml")
    robot = meet(servo, "cli_test")
    name = next(name for name in robot.parameters if robot.parameters.get(name) == "Exact")
    preview = robot.preview({name: "Damped"})
    assert preview.explanation.controller == "Damped"
    assert robot.controller == "Exact"
    assert robot.explain().controller == "Exact"


def test_it_tells_rows_and_directions(still, robot):
    joints = robot.task("Posture").goal.size
    enabled = {"Idle.operational_state": "enable", "Idle.priority": 3}
    (idle, posture) = robot.preview(enabled).levels
    assert idle == PreviewedLevel(3, 3, 3)
    # of the posture's rows three directions are taken by the level above; none is the torso's slave
    commanded = len(still.node.coordinator.command.joint_names)
    assert posture == PreviewedLevel(0, joints, commanded - 3)
    below = robot.preview({**enabled, "Idle.priority": 0, "Posture.priority": 1}).levels
    assert below == (PreviewedLevel(1, joints, commanded), PreviewedLevel(0, 3, 0))
    assert robot.preview({"Posture.operational_state": "sense"}).levels == ()
    assert robot.preview({}).levels == (PreviewedLevel(0, joints, commanded),)


def test_limits_that_would_be_met_are_named(still, robot):
    elbow = robot.task("Posture").labels.index("left_elbow")
    preview = robot.preview({"Posture.kp": 2000.0, "Posture.goal_position": {"left_elbow": 1.5}})
    limits = still.stack.guard.limits(still.stack.robot).effort
    assert (np.abs(preview.effort) <= limits + 1e-9).all()
    joint = preview.joints.index("left_elbow")
    assert abs(preview.effort[joint]) == pytest.approx(limits[joint])
    cause = next(cause for cause in preview.explanation.causes if cause.name == "left_elbow")
    assert cause.kind.value == "guard"
    assert "for its effort limit" in cause.text
    assert preview.explanation.task("Posture").missing[elbow] > 1.0
    assert "guard" not in [cause.kind.value for cause in robot.preview({}).explanation.causes]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"Posture.kpp": 1.0}, "unknown parameter 'Posture.kpp' .did you mean 'kp'"),
        ({"Posture.kp": "much"}, "Posture.kp: found"),
        ({"Posture.kp": -1.0}, "Posture.kp"),
        ({"Posture.error_norm": 1.0}, "it is an output"),
        ({"Posture.priority": 1, "Idle.goal_position": [1.0, 2.0]}, "Idle.goal_position"),
    ],
)
def test_what_cannot_be_set_is_refused_alike_and_changes_nothing(robot, values, words):
    with pytest.raises(RefusedError, match=words) as previewed:
        robot.preview(values)
    with pytest.raises(RefusedError, match=words) as tried:
        robot.set(values)
    assert str(previewed.value) == str(tried.value)
    assert robot.task("Posture").priority == 0


def test_what_computes_nothing_cannot_be_previewed(robot):
    with pytest.raises(RefusedError, match=r"Far\.enabled would do cannot be told beforehand"):
        robot.preview({"Far.enabled": False})


def test_changes_come_in_one_cycle(still, robot):
    """All of them, or none: seen from cycle to cycle."""
    task, idle = (still.tasks[name] for name in ("Posture", "Idle"))
    seen = {(64.0, 0, "disable")}
    advance = still.stack.clock.advance

    def watched(cycles):
        for _ in range(cycles):
            advance(1)
            values = task.controller.kp.value[0], task.priority.value, idle.operational_state.value
            seen.add(values)

    still.stack.clock.advance = watched
    robot.set({"Posture.kp": 30.0, "Posture.priority": 4, "Idle.operational_state": "sense"})
    settle(still)
    assert seen == {(64.0, 0, "disable"), (30.0, 4, "sense")}


def test_a_goal_that_is_set_ends_the_motion_and_rests(still, robot):
    posture = robot.task("Posture")
    motion = posture.move_to({"left_elbow": 1.0}, duration=2.0)
    still.wait(lambda: False, 0.5)
    assert still.tasks["Posture"].goal_velocity.value.any()
    robot.set({"Posture.goal_position": {"left_elbow": 0.4}, "Posture.kp": 30.0})
    assert motion.wait() is MotionState.REPLACED
    settle(still)
    assert not still.tasks["Posture"].goal_velocity.value.any()
    assert posture.goal[posture.labels.index("left_elbow")] == pytest.approx(0.4)
