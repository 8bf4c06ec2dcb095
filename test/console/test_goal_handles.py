"""Handles and stops against a controller in step with its client."""

import numpy as np
import pytest
from lock_step import LockStep
from patience import wait_for_servos

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.goal_handles import HandleBoard, tasks_of
from controlit_console.parts import latches, task_views
from controlit_ros.client import connect
from controlit_ros.transport import DEFAULT

pytestmark = pytest.mark.processes

HAND = "RightHandPosition"
UPDATE = "visualization_msgs/msg/InteractiveMarkerUpdate"
GENEROUS = 20.0  # [s] of simulated time


@pytest.fixture
def robot(hands_yaml, request, monkeypatch):
    wait_for_servos(monkeypatch)
    servo = LockStep(hands_yaml, request.node.nodeid)
    with connect(transport=servo.network, beat=servo) as robot:
        yield robot
    servo.stop()


@pytest.fixture
def board(robot):
    board = HandleBoard(robot.session.link)
    link = robot.session.link
    topic = link.topic("interactive_markers/update")
    subscription = link.transport.subscribe(topic, UPDATE, board.follow, DEFAULT)
    assert robot.wait(lambda: len(board.poses) == 2, GENEROUS)
    yield board
    subscription.close()
    board.close()


def handle_of(board, task):
    return next(name for name in board.poses if task in tasks_of(name))


def test_a_handle_names_its_tasks():
    assert tasks_of("Hand + Heading") == ["Hand", "Heading"]
    assert tasks_of("Hand") == ["Hand"]


def test_handles_are_where_the_goals_are(robot, board):
    pose = board.poses[handle_of(board, HAND)]
    np.testing.assert_allclose(pose.position, robot.task(HAND).goal, atol=1e-6)
    assert (pose.moves, pose.turns) == (True, True)


def test_a_late_comer_is_told_of_all_handles(robot, board):
    other = HandleBoard(robot.session.link)
    other.ask()
    assert other.poses.keys() == board.poses.keys()
    other.close()


def test_the_hand_follows_a_dragged_handle(robot, board):
    name = handle_of(board, HAND)
    pose = board.poses[name]
    wanted = pose.position + np.array([0.05, 0.0, 0.05])
    heading = robot.task("RightHandOrientation").goal
    board.drag("page", name, wanted, pose.wxyz, turned=False)
    hand = robot.task(HAND)
    assert robot.wait(lambda: np.allclose(hand.goal, wanted), GENEROUS)
    assert robot.wait(lambda: np.allclose(hand.actual, wanted, rtol=0.0, atol=0.003), GENEROUS)
    np.testing.assert_allclose(robot.task("RightHandOrientation").goal, heading)


def test_a_stop_in_mid_motion_leaves_the_robot_where_it_is(robot):
    hand = robot.task(HAND)
    begin = hand.goal
    far = begin + np.array([0.2, 0.0, 0.2])
    hand.goal = far
    assert robot.wait(lambda: np.linalg.norm(hand.actual - begin) > 0.03, GENEROUS)
    answer = robot.session.link.ask("diagnostics/getTaskParameters")
    robot.set(latches(task_views(answer)))
    assert robot.wait(lambda: np.linalg.norm(hand.goal - far) > 0.05, GENEROUS)  # not arrived
    goal = hand.goal
    assert robot.wait(lambda: hand.error_norm < 0.002, GENEROUS)
    np.testing.assert_allclose(hand.goal, goal)
    assert robot.state == "active"
