"""Programs that add tasks and events to a running controller, use them, and take them away."""

import numpy as np
import pytest

from controlit_ros.client import (
    ControllerLostError,
    MotionError,
    MotionState,
    RefusedError,
    UnknownNameError,
)
from controlit_ros.nodes.process_layout import ServoGoneError
from controlit_ros.nodes.two_processes import GONE

REACH = {
    "name": "Reach",
    "type": "CartesianPosition",
    "body": "right_wrist_yaw",
    "kp": np.array([64.0, 64.0, 64.0]),
    "kd": 16,
}


@pytest.mark.thorough
def test_a_client_adds_a_task_moves_it_removes_it_and_leaves(hands, meet):
    """OCRA's use: the server holds every task where it is until a client says otherwise."""
    servo = hands
    held = {name: task.goal.value.copy() for name, task in servo.tasks.items()}
    with meet(servo, "dreamer_controller") as robot:
        reach = robot.add_task(REACH, priority=2)
        assert (reach.name, reach.type, reach.priority, reach.state) == (
            *("Reach", "CartesianPosition"),
            *(2, "enable"),
        )
        start = reach.goal
        np.testing.assert_allclose(start, reach.actual, atol=1e-3)
        goal = start + np.array([0.05, 0.0, 0.05])
        motion = reach.move_to(goal, duration=1.0, kind="minimum_jerk")
        assert motion.wait(timeout=3.0) is MotionState.ARRIVED
        servo.wait(lambda: False, 0.5)
        np.testing.assert_allclose(reach.actual, goal, atol=2e-3)
        robot.remove_task("Reach")
        assert "Reach" not in robot.tasks
    servo.wait(lambda: False, 2.0)
    assert servo.node.state.value == "active"
    assert np.abs(servo.node.coordinator.robot_state.velocity).max() < 0.01
    for name, task in servo.tasks.items():
        np.testing.assert_array_equal(task.goal.value, held[name])
        assert task.error_norm.value < 0.01


def test_what_cannot_be_added_is_refused_with_its_place(hands, meet):
    robot = meet(hands, "dreamer_controller")
    before = list(robot.tasks)
    with pytest.raises(RefusedError, match="the name 'Posture' is taken by one of the tasks"):
        robot.add_task({**REACH, "name": "Posture"})
    with pytest.raises(RefusedError, match=r"<text>:3:1: bdy: Reach has no parameter 'bdy'"):
        robot.add_task("name: Reach\ntype: CartesianPosition\nbdy: head")
    with pytest.raises(RefusedError, match="unknown task 'Reach'"):
        robot.remove_task("Reach")
    with pytest.raises(RefusedError, match="'RightHandConverged' looks at it"):
        robot.remove_task("RightHandPosition")
    assert list(robot.tasks) == before


def test_what_ends_with_the_servo_is_a_loss_and_no_refusal(hands, meet, monkeypatch):
    """The front still answers for a moment."""
    robot = meet(hands, "dreamer_controller")

    def add(*_):
        raise ServoGoneError(GONE)

    monkeypatch.setattr(type(hands.node.parts), "add_task", add)
    with pytest.raises(ControllerLostError, match=f"dreamer_controller is lost: {GONE}"):
        robot.add_task(REACH)


def test_gains_are_asked_for_by_what_they_shall_come_to(hands, meet):
    robot = meet(hands, "dreamer_controller")
    entry = {key: value for key, value in REACH.items() if key not in ("kp", "kd")}
    robot.add_task({**entry, "bandwidth": 8.0}, priority=2)
    assert robot.parameters["Reach.kp"] == [64.0, 64.0, 64.0]
    robot.parameters.change({"Reach.bandwidth": 10.0, "Reach.damping_ratio": 0.7})
    assert robot.parameters["Reach.kp"] == [100.0, 100.0, 100.0]
    assert robot.parameters["Reach.kd"] == pytest.approx([14.0, 14.0, 14.0])
    with pytest.raises(RefusedError, match="kp: found beside bandwidth"):
        robot.parameters.change({"Reach.bandwidth": 5.0, "Reach.kp": 1.0})
    assert robot.parameters["Reach.kp"] == [100.0, 100.0, 100.0]
    robot.remove_task("Reach")
    with pytest.raises(RefusedError, match=r"<text>:1:\d+: kp: Reach.kp: found beside bandwidth"):
        robot.add_task({**REACH, "bandwidth": 8.0})
    with pytest.raises(RefusedError, match=r"<text>:1:\d+: bandwidth: Reach.bandwidth: found -1"):
        robot.add_task({**entry, "bandwidth": -1})


def test_events_are_added_and_waited_for(hands, meet):
    robot = meet(hands, "dreamer_controller")
    reach = robot.add_task(REACH, priority=2, state="sense")
    text = "- name: There\n  expression: Reach.error_norm < 0.005\n  until: Reach.error_norm > 0.01"
    there = robot.add_event(text)
    robot.wait_for("There", timeout=5.0)
    assert there.count == 1
    assert "There" in robot.event_names
    with pytest.raises(RefusedError, match="the event 'There' looks at it"):
        robot.remove_task("Reach")
    robot.remove_event("There")
    assert "There" not in robot.event_names
    robot.remove_task(reach.name)


def test_constraints_are_added_switched_and_removed(hands, meet):
    robot = meet(hands, "dreamer_controller")
    entry = {"name": "Hold", "type": "PointContact", "body": "right_wrist_yaw"}
    hold = robot.add_constraint(entry, state="disable")
    assert (hold.name, hold.type, hold.state) == ("Hold", "PointContact", "disable")
    assert "Hold" in robot.constraints
    with pytest.raises(RefusedError, match="found friction, but forces are known"):
        robot.add_constraint({**entry, "name": "Other", "friction": 0.5})
    robot.remove_constraint("Hold")
    assert "Hold" not in robot.constraints
    with pytest.raises(RefusedError, match="unknown constraint 'Hold'"):
        robot.remove_constraint("Hold")


@pytest.mark.thorough
def test_clients_see_what_others_do(hands, meet):
    one, other = (meet(hands, "dreamer_controller") for _ in range(2))
    mine = one.add_task(REACH, priority=2)
    assert "Reach" in other.tasks
    theirs = other.task("Reach")
    motion = mine.move_to(mine.goal + np.array([0.02, 0.0, 0.0]), duration=1.0)
    other.remove_task("Reach")
    with pytest.raises(MotionError, match="was it removed"):
        motion.wait(timeout=3.0)
    with pytest.raises(UnknownNameError):
        _ = theirs.goal
    # another task of the same name is another task
    other.add_task({"name": "Reach", "type": "Orientation3D", "body": "right_wrist_yaw"})
    one.session.refresh()
    assert one.task("Reach").goal.shape == (4,)
    turned = one.task("Reach").move_to([0.0, 0.0, 0.0, 1.0], duration=0.2)
    assert turned.wait() is MotionState.SHORT
    one.remove_task("Reach")


def test_a_motion_ends_with_its_task(hands, meet):
    robot = meet(hands, "dreamer_controller")
    reach = robot.add_task(REACH, priority=2)
    motion = reach.move_to(reach.goal + np.array([0.02, 0.0, 0.0]), duration=1.0)
    robot.remove_task("Reach")
    with pytest.raises(MotionError, match="Reach has been removed"):
        motion.wait(timeout=1.0)
