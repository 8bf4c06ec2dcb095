"""StateFrame: a RobotState as one flat vector, for channels and delay lines."""

import numpy as np
import numpy.typing as npt

from controlit_ros.model.robot_state import RobotState

HEADER = 2  # stamp and sequence
BASE = 13  # position, orientation, velocity


class StateFrame:
    """Flat `float64` vector with a named view for each quantity of a `RobotState`.

    Args:
        n: Number of joints.

    Attributes:
        size: Length of the vector.
        vector: `(size,)` everything: stamp, sequence, base, then the joint quantities.
        position: `(n,)` view [rad or m].
        velocity: `(n,)` view [rad/s or m/s].
        acceleration: `(n,)` view [rad/s² or m/s²].
        effort: `(n,)` view [N m or N].
        base_position: `(3,)` view, world frame [m].
        base_orientation: `(4,)` view, xyzw.
        base_velocity: `(6,)` view, linear then angular, root link frame [m/s, rad/s].
    """

    def __init__(self, n: int) -> None:
        self.size = HEADER + BASE + 4 * n
        self.vector = np.zeros(self.size)
        self.base_position = self.vector[2:5]
        self.base_orientation = self.vector[5:9]
        self.base_orientation[3] = 1.0
        self.base_velocity = self.vector[9:15]
        joints: npt.NDArray[np.float64] = self.vector[HEADER + BASE :].reshape(4, n)
        self.position = joints[0]
        self.velocity = joints[1]
        self.acceleration = joints[2]
        self.effort = joints[3]

    @property
    def stamp(self) -> float:
        """Time of measurement [s]."""
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

    def unpack(self, state: RobotState) -> None:
        """Copy into a `RobotState` of as many joints."""
        np.copyto(state.position, self.position)
        np.copyto(state.velocity, self.velocity)
        np.copyto(state.acceleration, self.acceleration)
        np.copyto(state.effort, self.effort)
        np.copyto(state.base_position, self.base_position)
        np.copyto(state.base_orientation, self.base_orientation)
        np.copyto(state.base_velocity, self.base_velocity)
        state.stamp = self.stamp
        state.sequence = self.sequence
