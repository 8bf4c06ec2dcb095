"""RobotState: what the robot measures, joint by joint."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_HEADER = 2  # stamp and sequence
_BASE = 13  # position, orientation, velocity
_JOINT_ROWS = 4  # position, velocity, acceleration, effort


class RobotState:
    """Measured state of a robot: one vector, allocated once, with a view for each quantity.

    Attributes:
        joint_names: Real joints, in the order of all joint arrays.
        vector: `(15 + 4 n,)` everything: stamp, sequence, base, then the joint quantities.
        position: `(n,)` [rad] or [m].
        velocity: `(n,)` [rad/s] or [m/s].
        acceleration: `(n,)` [rad/s²] or [m/s²]; zero where not measured.
        effort: `(n,)` [N m] or [N]; zero where not measured.
        base_position: `(3,)` root link in the world [m].
        base_orientation: `(4,)` root link in the world, quaternion xyzw.
        base_velocity: `(6,)` linear then angular, in the root link frame [m/s, rad/s].
    """

    __slots__ = (
        "acceleration",
        "base_orientation",
        "base_position",
        "base_velocity",
        "effort",
        "joint_names",
        "position",
        "vector",
        "velocity",
    )

    def __init__(self, joint_names: Sequence[str]) -> None:
        n = len(joint_names)
        self.joint_names = tuple(joint_names)
        self.vector: Array = np.zeros(_HEADER + _BASE + _JOINT_ROWS * n)
        self.base_position = self.vector[2:5]
        self.base_orientation = self.vector[5:9]
        self.base_orientation[3] = 1.0
        self.base_velocity = self.vector[9:15]
        joints: Array = self.vector[_HEADER + _BASE :].reshape(_JOINT_ROWS, n)
        self.position, self.velocity, self.acceleration, self.effort = joints

    @property
    def stamp(self) -> float:
        """Time of measurement on the servo's clock [s]; 0: the servo takes the time of arrival."""
        return self.vector.item(0)

    @stamp.setter
    def stamp(self, stamp: float) -> None:
        self.vector[0] = stamp

    @property
    def sequence(self) -> int:
        """Number of the measurement; a `float64` counts exactly for longer than robots last."""
        return int(self.vector.item(1))

    @sequence.setter
    def sequence(self, sequence: int) -> None:
        self.vector[1] = sequence

    def copy_from(self, other: "RobotState") -> None:
        """Take over another state of the same joints without allocating."""
        np.copyto(self.vector, other.vector)
