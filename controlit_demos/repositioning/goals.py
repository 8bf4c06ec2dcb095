"""Random goals of a hand, some within its reach and some out of it."""

from typing import NamedTuple

import numpy as np

from controlit_demos.running.demo_error import DemoError
from controlit_ros.arrays import Array
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack

HAND = "right_wrist_yaw"
SHOULDER = "right_shoulder_extensor"
RANGES = {
    "right_shoulder_extensor": (0.0, 1.1),
    "right_shoulder_abductor": (0.05, 0.7),
    "right_shoulder_rotator": (-0.4, 0.4),
    "right_elbow": (0.6, 1.7),
}
"""Of the arm's joints in postures that places within reach are taken from [rad]; others at zero.

The configuration keeps the elbow from straightening below 0.5 rad.
"""

CLEAR = 0.2  # [m] reachable places are so far in front of the chest
OUT_OF_REACH = (1.15, 1.5)  # [-] of the arm's length: how far goals are that cannot be reached
ATTEMPTS = 1000


class Place(NamedTuple):
    """Where the hand shall go.

    Attributes:
        position: `(3,)` world frame [m].
        is_reachable: Whether it can get there.
    """

    position: Array
    is_reachable: bool


def random_places(stack: ControllerStack, count: int, seed: int) -> list[Place]:
    """Return places for the right hand, two that can be reached after each that cannot.

    Reachable ones come from random postures of the arm by forward kinematics, the others are too
    far from the shoulder, in a random direction to the front.

    Raises:
        DemoError: No posture is free of the body.
    """
    arm = _Arm(stack)
    random = np.random.default_rng(seed)
    return [
        Place(arm.beyond(random), is_reachable=False)
        if number % 3 == 1
        else Place(arm.within(random), is_reachable=True)
        for number in range(count)
    ]


class _Arm:
    """Where the hand is in postures of the right arm, the rest of the robot upright."""

    def __init__(self, stack: ControllerStack) -> None:
        robot = stack.robot
        self._model = stack.create_model().robot_model
        self._state = RobotState(robot.real_joints)
        self._hand = robot.frame_id(HAND)
        self._shoulder = robot.frame_id(SHOULDER)
        self._joints = [robot.joint_index(joint) for joint in RANGES]
        self._lower, self._upper = np.array(list(RANGES.values())).T
        self.shoulder, hanging = self._places(np.zeros(len(self._joints)))
        self.length = float(np.linalg.norm(hanging - self.shoulder))

    def within(self, random: np.random.Generator) -> Array:
        """Return a place within reach."""
        for _ in range(ATTEMPTS):
            _, hand = self._places(random.uniform(self._lower, self._upper))
            if hand[0] > CLEAR:
                return hand
        raise DemoError(f"found no posture clear of the body in {ATTEMPTS} attempts")

    def beyond(self, random: np.random.Generator) -> Array:
        """Return a place out of reach."""
        direction = random.normal(size=3)
        direction[0] = abs(direction[0]) + 0.3
        distance = self.length * random.uniform(*OUT_OF_REACH)
        place: Array = self.shoulder + distance * direction / np.linalg.norm(direction)
        return place

    def _places(self, positions: Array) -> tuple[Array, Array]:
        self._state.position[self._joints] = positions
        self._model.update(self._state)
        shoulder, hand = (
            np.array(self._model.placement(frame).translation)
            for frame in (self._shoulder, self._hand)
        )
        return shoulder, hand
