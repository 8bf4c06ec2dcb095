"""RobotState: what the robot measures, joint by joint."""

from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array

Buffer = bytearray | memoryview

_WORD = 8  # [bytes]
_HEADER = 3  # stamp, sequence, reflected sequence
_BASE = 13  # position, orientation, velocity
_JOINT_ROWS = 4  # position, velocity, acceleration, effort
WRENCH = 6  # force, moment
IMU = 6  # angular velocity, specific force


class RobotState:
    """Measured state of a robot: one vector, allocated once, with a view for each quantity.

    Args:
        joint_names: Real joints.
        memory: Returns so many bytes of zeros for the vector to be in.
        sensors: How many contacts have a sensor of their wrench.
        contacts: How many contacts there are.
        imus: How many inertial measurement units there are, none or one.

    Attributes:
        joint_names: Real joints, in the order of all joint arrays.
        vector: `(16 + 4 n + 6 sensors + 6 imus,)` everything that is measured.
        words: The same memory, which copies with less ado than an array.
        layout: How many joints, sensors and units it has.
        motion: `(16 + 4 n,)` its first part, which must be known: stamp, the two sequence numbers
            as 64-bit words, base, then the joint quantities.
        position: `(n,)` [rad] or [m].
        velocity: `(n,)` [rad/s] or [m/s].
        acceleration: `(n,)` [rad/s²] or [m/s²]; zero where not measured.
        effort: `(n,)` [N m] or [N]; zero where not measured.
        base_position: `(3,)` root link in the world [m].
        base_orientation: `(4,)` root link in the world, quaternion xyzw.
        base_velocity: `(6,)` linear then angular, in the root link frame [m/s, rad/s].
        sensed_wrench: `(sensors, 6)` what the world exerts on each body that has a sensor, force
            then moment about the contact point, in the axes of the body [N, N m]; not a number
            where the sensor tells nothing. Part of `vector`.
        imu: `(imus, 6)` angular velocity, then specific force (acceleration less gravity), both in
            the axes of the unit [rad/s, m/s²]; not a number where it tells nothing. The last part
            of `vector`.
        contact_wrench: `(contacts, 6)` what is known of every contact, sensed or not: force then
            moment about the contact point, world axes [N, N m]; not a number where unknown. Not
            for robot interfaces, and apart from `vector`.
    """

    __slots__ = (
        "_sequences",
        "acceleration",
        "base_orientation",
        "base_position",
        "base_velocity",
        "contact_wrench",
        "effort",
        "imu",
        "joint_names",
        "layout",
        "motion",
        "position",
        "sensed_wrench",
        "vector",
        "velocity",
        "words",
    )

    def __init__(
        self,
        joint_names: Sequence[str],
        memory: Callable[[int], Buffer] = bytearray,
        *,
        sensors: int = 0,
        contacts: int = 0,
        imus: int = 0,
    ) -> None:
        n = len(joint_names)
        self.joint_names = tuple(joint_names)
        size = _HEADER + _BASE + _JOINT_ROWS * n
        sensed = size + WRENCH * sensors
        words = sensed + IMU * imus
        self.vector: Array = np.frombuffer(memory(words * _WORD), dtype=np.float64)
        self.motion = self.vector[:size]
        self._sequences = self.vector[1:_HEADER].view(np.uint64)
        base = self.vector[_HEADER : _HEADER + _BASE]
        self.base_position = base[:3]
        self.base_orientation = base[3:7]
        self.base_orientation[3] = 1.0
        self.base_velocity = base[7:]
        joints: Array = self.motion[_HEADER + _BASE :].reshape(_JOINT_ROWS, n)
        self.position, self.velocity, self.acceleration, self.effort = joints
        self.sensed_wrench: Array = self.vector[size:sensed].reshape(sensors, WRENCH)
        self.imu: Array = self.vector[sensed:].reshape(imus, IMU)
        self.vector[size:].fill(np.nan)
        self.contact_wrench: Array = np.full((contacts, WRENCH), np.nan)
        self.words = self.vector.data
        self.layout = n, sensors, imus

    @classmethod
    def like(cls, other: "RobotState") -> "RobotState":
        """Return a state of the same joints, sensors, contacts; nothing is measured yet."""
        sensors, contacts = len(other.sensed_wrench), len(other.contact_wrench)
        imus = len(other.imu)
        return cls(other.joint_names, sensors=sensors, contacts=contacts, imus=imus)

    @property
    def stamp(self) -> float:
        """Time of measurement on the servo's clock [s]; 0: the servo takes the time of arrival."""
        return self.vector.item(0)

    @stamp.setter
    def stamp(self, stamp: float) -> None:
        self.vector[0] = stamp

    @property
    def sequence(self) -> int:
        """Number of the measurement, 64 bits."""
        return self._sequences.item(0)

    @sequence.setter
    def sequence(self, sequence: int) -> None:
        self._sequences[0] = sequence

    @property
    def reflected_sequence(self) -> int:
        """Number of the newest command the joint controllers had when they measured; 0: none."""
        return self._sequences.item(1)

    @reflected_sequence.setter
    def reflected_sequence(self, sequence: int) -> None:
        self._sequences[1] = sequence

    def copy_from(self, other: "RobotState") -> None:
        """Take over another state of the same joints without allocating.

        One that has not the same sensors tells nothing of what they feel.
        """
        if self.layout == other.layout:
            self.words[:] = other.words
        else:
            self.motion[...] = other.motion
            self.vector[len(self.motion) :].fill(np.nan)
        contacts = len(self.contact_wrench)
        if contacts and contacts == len(other.contact_wrench):
            self.contact_wrench[...] = other.contact_wrench
