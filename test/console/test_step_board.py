"""StepBoard: a foot is dragged to where it shall step, and steps when it is let go."""

import math

import numpy as np
import pinocchio as pin
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.parts import ParameterView, PartsSeen, PartView
from controlit_console.step_board import StepBoard

LEFT, RIGHT = "step of LeftSole", "step of RightSole"
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
TURN = 0.3  # [rad]
SOLE = [0.0, 0.0, -0.1]  # [m] below its link
HIPS = {"left_foot": 0.1, "right_foot": -0.1}  # [m] to the left


def parameter(owner, name, value):
    return ParameterView(owner, name, "text", (), "", "", False, value, "", ())


def contact(name, body):
    told = (parameter(name, "body", body), parameter(name, "contact_point", SOLE))
    return PartView(name, "FlatContact", "enable", None, told)


WALK = PartView(
    "Walk",
    "",
    "",
    None,
    (
        parameter("Walk", "footsteps", [0.0] * 80),
        parameter("Walk", "left_contact", "LeftSole"),
        parameter("Walk", "right_contact", "RightSole"),
    ),
)
PARTS = PartsSeen(
    constraints=(contact("LeftSole", "left_foot"), contact("RightSole", "right_foot")),
    others=(WALK,),
)


def link(name):
    return pin.SE3(pin.rpy.rpyToMatrix(0.0, 0.0, TURN), np.array([0.0, HIPS[name], 0.1]))


@pytest.fixture
def asked():
    return []


@pytest.fixture
def board(asked):
    board = StepBoard(lambda walking, step: asked.append((walking, step)))
    board.look(PARTS, link)
    return board


def test_there_is_a_handle_at_each_sole(board):
    assert set(board.poses) == {LEFT, RIGHT}
    np.testing.assert_allclose(board.poses[LEFT].position, [0.0, 0.1, 0.0], atol=1e-12)
    expected = [math.cos(0.5 * TURN), 0.0, 0.0, math.sin(0.5 * TURN)]
    np.testing.assert_allclose(board.poses[RIGHT].wxyz, expected)


def test_a_step_is_made_when_the_foot_is_let_go(board, asked):
    board.drag("page", RIGHT, np.array([0.1, -0.1, 0.0]), UPRIGHT, turned=False)
    board.drag("page", RIGHT, np.array([0.2, -0.1, 0.0]), UPRIGHT, turned=False)
    assert not asked
    board.release(RIGHT)
    ((walking, step),) = asked
    assert (walking, step.foot) == ("Walk", "right")
    np.testing.assert_allclose(step.position, [0.2, -0.1, 0.0])
    assert step.yaw == 0.0


def test_a_turned_handle_turns_the_foot(board, asked):
    turned = np.array([math.cos(0.1), 0.0, 0.0, math.sin(0.1)])
    board.drag("page", LEFT, np.array([0.0, 0.1, 0.0]), turned, turned=True)
    board.release(LEFT)
    ((_, step),) = asked
    assert step.yaw == pytest.approx(0.2)


def test_a_touch_makes_no_step(board, asked):
    board.release(LEFT)
    assert not asked


def test_who_does_not_walk_has_no_feet_to_drag(asked):
    board = StepBoard(lambda *step: asked.append(step))
    board.look(PartsSeen(constraints=PARTS.constraints), link)
    assert not board.poses
    board.look(PARTS, lambda _name: None)  # where they are is not known yet
    assert not board.poses
