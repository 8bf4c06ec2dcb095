"""The states of product disassembly (paper, section 5.2), and where the hands go in them.

Where hands go to things follows from where these seem to be; all else is in the world frame [m].
"""

from collections.abc import Mapping, Sequence

import numpy as np

from controlit_demos.disassembly.level_pose import LevelPose, Point
from controlit_demos.disassembly.placement import Placement
from controlit_demos.programs.stage import Stage
from controlit_demos.programs.state_program import Condition, ProgramState
from controlit_ros.model import quaternion

RIGHT, LEFT = "RightHandPosition", "LeftHandPosition"
RIGHT_TURN, LEFT_TURN = "RightHandOrientation", "LeftHandOrientation"
RIGHT_GRIPPER, LEFT_GRIPPER = "RightGripper", "LeftGripper"
POSTURE = "Posture"

LEVEL = (0.0, -(0.5**0.5), 0.0, 0.5**0.5)  # xyzw: fingers forward, the gripper closes vertically
OPEN, SHUT = 0.04, 0.004  # [m] half the opening; what is held is thicker than shut
THIN, THICK = 0.006, 0.022  # [m] half of the thinnest and thickest thing that can be held

TUBE_GRIP = 0.015  # [m] left of the tube's middle
HEAD = 0.025  # [m] left of the valve's frame: the middle of its head
VALVE_GRIP = HEAD + 0.0025  # [m] left of the valve's frame
LIFT = 0.04  # [m] of the tube out of its stand
PULL = 0.14  # [m] that the valve is pulled, along the tube
BACK = 0.13  # [m] that a hand goes back to be clear of what it let go
RIGHT_READY: Point = (0.32, -0.24, 1.08)
LEFT_READY: Point = (0.32, 0.24, 1.08)
LEFT_AWAY: Point = (0.34, 0.32, 1.08)  # where the valve stays in the left hand

ARRIVED = 0.01  # [m] from its goal a hand has arrived


def disassembly_states(
    joints: Sequence[str], ready: Mapping[str, float], things: Placement
) -> tuple[ProgramState, ...]:
    """Return the states in their order.

    Args:
        joints: Names in the order of tasks of joints.
        ready: Posture with the forearms raised.
        things: Where things seem to be.
    """
    # the tasks of the grippers take a position for each joint and act on their own
    opened, shut = [OPEN] * len(joints), [SHUT] * len(joints)
    right, left = joints.index("right_gripper"), joints.index("left_gripper")
    tube = _Grip(things.tube, TUBE_GRIP)
    valve = _Grip(things.valve.moved(0.0, 0.0, LIFT, 0.0), VALVE_GRIP)
    store = _Grip(things.store, TUBE_GRIP)
    return (
        ProgramState(
            "ready",
            [
                Stage(
                    7.0,
                    {
                        RIGHT: [(0.18, -0.33, 0.72), (0.25, -0.29, 0.90), RIGHT_READY],
                        LEFT: [(0.18, 0.33, 0.72), (0.25, 0.29, 0.90), LEFT_READY],
                        RIGHT_TURN: [tube.level],
                        LEFT_TURN: [valve.level],
                        POSTURE: [[ready[joint] for joint in joints]],
                    },
                )
            ],
            [_arrived(RIGHT), _arrived(LEFT)],
        ),
        ProgramState(
            "grab tube",
            [
                Stage(4.0, {RIGHT: [tube.at(x=-BACK), tube.at(x=-0.05), tube.at()]}),
                Stage(1.5, {RIGHT_GRIPPER: [shut]}),
                Stage(3.0, {RIGHT: [tube.at(z=LIFT)]}),
            ],
            [_arrived(RIGHT), _holds(RIGHT_GRIPPER, right, "the tube")],
        ),
        ProgramState(
            "grab valve",
            [
                Stage(4.0, {LEFT: [valve.at(x=-BACK, y=0.02), valve.at(x=-0.05), valve.at()]}),
                Stage(1.5, {LEFT_GRIPPER: [shut]}),
            ],
            [_arrived(LEFT), _holds(LEFT_GRIPPER, left, "the valve")],
        ),
        ProgramState(
            "remove valve",
            [Stage(4.0, {LEFT: [valve.at(y=PULL)]})],
            [
                _arrived(RIGHT),
                _arrived(LEFT),
                _holds(RIGHT_GRIPPER, right, "the tube"),
                _holds(LEFT_GRIPPER, left, "the valve"),
            ],
        ),
        ProgramState(
            "retract left",
            [Stage(4.0, {LEFT: [LEFT_AWAY]})],
            [_arrived(LEFT), _holds(LEFT_GRIPPER, left, "the valve")],
        ),
        ProgramState(
            "store tube",
            [
                Stage(
                    5.0,
                    {
                        RIGHT: [store.at(y=0.14, z=0.08), store.at(z=0.06)],
                        RIGHT_TURN: [store.level],
                    },
                ),
                Stage(3.0, {RIGHT: [store.at()]}),
                Stage(1.5, {RIGHT_GRIPPER: [opened]}),
            ],
            [_arrived(RIGHT)],
        ),
        ProgramState(
            "retract right",
            [Stage(4.0, {RIGHT: [store.at(x=-BACK), RIGHT_READY]})],
            [_arrived(RIGHT)],
        ),
        ProgramState("idle", [Stage(2.0, {})]),
    )


class _Grip:
    """Where a hand holds a thing, seen along the thing's axes.

    Args:
        thing: Pose of the thing.
        left: How far to the left of its frame the hand is [m].
    """

    def __init__(self, thing: LevelPose, left: float) -> None:
        self._thing = thing
        self._left = left
        turned = quaternion.multiply(np.array(thing.orientation), np.array(LEVEL))
        self.level = tuple(turned.tolist())

    def at(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Point:
        """Return a place so far from the grip; world frame [m]."""
        return self._thing.at(x, self._left + y, z)


def _arrived(task: str) -> Condition:
    return Condition(task, -ARRIVED, ARRIVED, f"{task} is further than {ARRIVED:g} m from its goal")


def _holds(task: str, joint: int, thing: str) -> Condition:
    """Expect a closed gripper to be kept from shutting by what it holds."""
    lowest, highest = THIN - SHUT, THICK - SHUT
    return Condition(task, lowest, highest, f"{task} does not hold {thing}", (joint,))
