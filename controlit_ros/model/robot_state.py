"""RobotState: what the robot measures, joint by joint."""

from collections.abc import Sequence

import numpy as np


class RobotState:
    """Measured state of a robot; its arrays are allocated once and written in place.

    Attributes:
        joint_names: Real joints, in the order of all joint arrays.
        position: `(n,)` [rad] or [m].
        velocity: `(n,)` [rad/s] or [m/s].
        acceleration: `(n,)` [rad/s²] or [m/s²]; zero where not measured.
        effort: `(n,)` [N m] or [N]; zero where not measured.
        base_position: `(3,)` root link in the world [m].
        base_orientation: `(4,)` root link in the world, quaternion xyzw.
        base_velocity: `(6,)` linear then angular, in the root link frame [m/s, rad/s].
        stamp: Time of measurement on the servo's clock [s].
        sequence: Counts the measurements the robot has made.
    """

    __slots__ = (
        "acceleration",
        "base_orientation",
        "base_position",
        "base_velocity",
        "effort",
        "joint_names",
        "position",
        "sequence",
        "stamp",
        "velocity",
    )

    def __init__(self, joint_names: Sequence[str]) -> None:
        n = len(joint_names)
        self.joint_names = tuple(joint_names)
        self.position = np.zeros(n)
        self.velocity = np.zeros(n)
        self.acceleration = np.zeros(n)
        self.effort = np.zeros(n)
        self.base_position = np.zeros(3)
        self.base_orientation = np.array([0.0, 0.0, 0.0, 1.0])
        self.base_velocity = np.zeros(6)
        self.stamp = 0.0
        self.sequence = 0

    def copy_from(self, other: "RobotState") -> None:
        """Take over another state of the same joints without allocating."""
        np.copyto(self.position, other.position)
        np.copyto(self.velocity, other.velocity)
        np.copyto(self.acceleration, other.acceleration)
        np.copyto(self.effort, other.effort)
        np.copyto(self.base_position, other.base_position)
        np.copyto(self.base_orientation, other.base_orientation)
        np.copyto(self.base_velocity, other.base_velocity)
        self.stamp = other.stamp
        self.sequence = other.sequence
