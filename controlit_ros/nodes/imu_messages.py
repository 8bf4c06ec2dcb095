"""What an inertial measurement unit tells, as a message, and back."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import Message, new
from controlit_ros.model import InertialUnit

TYPE = "sensor_msgs/msg/Imu"
UNKNOWN = -1.0  # first number of a covariance whose quantity the unit does not tell
_XYZ = ("x", "y", "z")


class ImuMessages:
    """Measurements as `sensor_msgs/Imu`, in the axes of the unit; its orientation is not used.

    Args:
        unit: The robot's.
        frames: What frames are called.
    """

    def __init__(self, unit: InertialUnit, frames: FrameNames) -> None:
        self._unit = unit
        self._frames = frames

    def read(self, message: Message, measured: Array) -> None:
        """Take a message apart; what the unit does not tell is not a number.

        Args:
            message: The message.
            measured: `(6,)` result: angular velocity, specific force [rad/s, m/s²].

        Raises:
            ConversionError: It is of another frame.
        """
        frame = self._frames.inside(message.header.frame_id) or self._unit.link
        if frame != self._unit.link:
            raise ConversionError(
                f"found frame_id {frame!r}, expected {self._unit.link!r}, the imu_frame of the "
                "estimation"
            )
        parts = (
            (message.angular_velocity, message.angular_velocity_covariance),
            (message.linear_acceleration, message.linear_acceleration_covariance),
        )
        for i, (part, covariance) in enumerate(parts):
            is_told = float(covariance[0]) != UNKNOWN
            values = [getattr(part, axis) if is_told else np.nan for axis in _XYZ]
            measured[3 * i : 3 * i + 3] = values

    def write(self, measured: Array, stamp: float) -> Message:
        """Return a message of the unit, stamped in ROS time [s]; it tells no orientation."""
        return new(
            TYPE,
            header={
                "stamp": time_fields(stamp),
                "frame_id": self._frames.outside(self._unit.link),
            },
            orientation_covariance=[UNKNOWN, *[0.0] * 8],
            angular_velocity=dict(zip(_XYZ, measured[:3].tolist(), strict=True)),
            linear_acceleration=dict(zip(_XYZ, measured[3:].tolist(), strict=True)),
        )
