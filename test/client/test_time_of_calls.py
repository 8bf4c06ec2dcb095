"""In simulated time, reading and setting take none of it."""

import numpy as np
import pytest

from controlit_ros.client import connect
from controlit_ros.scripting import SimulatedController

HAND, BODY = "RightHandPosition", "right_wrist_yaw"
UP, ASIDE = np.array([0.05, 0.0, 0.05]), np.array([0.0, 0.01, 0.0])  # [m]
AGE, FASTEST = 0.01, 1.0  # [s] of messages, [rad/s]
CALLS = {
    "goal": lambda robot: robot.task(HAND).goal,
    "actual": lambda robot: robot.task(HAND).actual,
    "error": lambda robot: robot.task(HAND).error,
    "error_norm": lambda robot: robot.task(HAND).error_norm,
    "joints": lambda robot: robot.joints,
    "frame": lambda robot: robot.frame(BODY),
    "frames": lambda robot: robot.frames(),
    "parameter": lambda robot: robot.parameters["Posture.kp"],
    "explain": lambda robot: robot.explain(),
    "preview": lambda robot: robot.preview({"Posture.kp": 70.0}),
    "tasks": lambda robot: robot.tasks,
    "constraints": lambda robot: robot.constraints,
    "controller": lambda robot: robot.controller,
    "event": lambda robot: robot.event("RightHandConverged").count,
    "wait_for": lambda robot: robot.wait_for("RightHandConverged"),
    "set": lambda robot: robot.set({"Posture.kp": 70.0}),
    "set several": lambda robot: robot.set({"Posture.kp": 70.0, f"{HAND}.priority": 2}),
    "set a goal": lambda robot: setattr(robot.task(HAND), "goal", robot.task(HAND).goal),
    "priority": lambda robot: setattr(robot.task(HAND), "priority", 3),
}


@pytest.fixture(scope="module")
def controller(config):
    with SimulatedController(config / "dreamer" / "hands.yaml") as controller:
        yield controller


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_takes_no_time(controller, call):
    """The first one of a connection, which subscribes, and later ones."""
    with connect(controller) as robot:
        for _ in range(2):
            begin = controller.time
            call(robot)
            assert controller.time == begin


def test_a_task_that_begins_to_act_has_its_goal(controller):
    """Which needs cycles: 10 ms."""
    with connect(controller) as robot:
        begin = controller.time
        elbow = robot.add_task({"name": "E", "type": "CartesianPosition", "body": "left_elbow"})
        np.testing.assert_allclose(elbow.goal, elbow.actual, atol=1e-3)
        elbow.disable()
        elbow.enable()
        np.testing.assert_allclose(elbow.goal, elbow.actual, atol=1e-3)
        robot.remove_task("E")
        assert controller.time - begin < 0.1


def test_what_is_read_is_of_now_and_what_is_set_acts(controller):
    with connect(controller) as robot:
        hand, task = robot.task(HAND), controller.task(HAND)
        hand.move_to(hand.goal + UP, duration=0.5)
        for _ in range(10):
            robot.sleep(0.02)
            model = controller.stack.create_model().robot_model
            model.update(controller.node.coordinator.robot_state)
            truth = model.placement(controller.stack.robot.frame_id(BODY)).translation
            np.testing.assert_allclose(robot.frame(BODY).position, truth, atol=1e-9)
            joints = dict(zip(robot.joints.names, robot.joints.position.tolist(), strict=True))
            assert joints == pytest.approx(controller.position, abs=AGE * FASTEST)
        robot.set({f"{HAND}.kp": 81.0})
        assert (task.controller.kp.value == 81.0).all()
        goal = hand.goal + ASIDE
        hand.goal = goal
        np.testing.assert_array_equal(task.goal.value, goal)


def test_a_loop_of_a_program_takes_the_time_it_sleeps(config):
    with (
        SimulatedController(config / "dreamer" / "hands.yaml") as controller,
        connect(controller) as robot,
    ):
        begin = controller.time
        for _ in range(50):
            pose, effort = robot.frame(BODY), robot.joints.effort
            robot.set({"Posture.kp": 64.0 + 0.0 * (pose.position[0] + effort[0])})
            robot.sleep(0.01)
        assert controller.time - begin == pytest.approx(0.5, abs=0.002)


def test_two_runs_with_readings_are_the_same(config):
    found = []
    for reads in (False, True):
        with (
            SimulatedController(config / "dreamer" / "hands.yaml") as controller,
            connect(controller) as robot,
        ):
            hand = robot.task(HAND)
            hand.move_to(hand.goal + UP, duration=0.3)
            for _ in range(40):
                if reads:
                    robot.frame(BODY), robot.joints, robot.explain(), hand.error
                robot.sleep(0.01)
            found.append(controller.position)
    assert found[0] == found[1]
