"""The wrench that a sensor at a contact tells, as a message, and back."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.model import WrenchSensor, quaternion
from controlit_ros.model.frame_point import cross

TYPE = "geometry_msgs/msg/WrenchStamped"
_XYZ = ("x", "y", "z")


class WrenchMessages:
    """Wrenches of one sensor as `geometry_msgs/WrenchStamped`, as drivers of sensors report them.

    `header.frame_id` names the touching body or a link that is fixed to it: force and moment are in
    its axes, the moment about its origin. Empty means the touching body. The prefix
    of frames is written, and may stand before what is read: not every driver knows of it.

    Args:
        sensor: The robot's.
        frames: What frames are called.
    """

    def __init__(self, sensor: WrenchSensor, frames: FrameNames) -> None:
        self._frames = frames
        self._sensor = sensor
        self._point = np.array(sensor.point)
        self._mounts = {mount.link: mount for mount in sensor.mounts}

    def read(self, message: Message, wrench: Array) -> None:
        """Take a message apart; numbers that are not finite say that nothing is sensed.

        Args:
            message: The message.
            wrench: `(6,)` result, see `WrenchSensor`.

        Raises:
            ConversionError: It is in the frame of a link that is not fixed to the touching body.
        """
        frame = self._frames.inside(message.header.frame_id) or self._sensor.link
        mount = self._mounts.get(frame)
        if mount is None:
            raise ConversionError(
                f"found frame_id {frame!r}, expected {self._sensor.link!r} or a link that is fixed "
                f"to it{did_you_mean(frame, tuple(self._mounts))}"
            )
        force, moment = (
            np.array([getattr(part, axis) for axis in _XYZ])
            for part in (message.wrench.force, message.wrench.torque)
        )
        if frame != self._sensor.link:
            orientation = np.array(mount.orientation)
            force = quaternion.rotate(orientation, force)
            moment = quaternion.rotate(orientation, moment)
        wrench[:3] = force
        wrench[3:] = moment + cross(np.array(mount.position) - self._point, force)

    def write(self, wrench: Array, stamp: float) -> Message:
        """Return a message in the frame of the touching body, stamped in ROS time [s]."""
        moment = wrench[3:] + cross(self._point, wrench[:3])
        return new(
            TYPE,
            header={
                "stamp": time_fields(stamp),
                "frame_id": self._frames.outside(self._sensor.link),
            },
            wrench={
                "force": dict(zip(_XYZ, wrench[:3].tolist(), strict=True)),
                "torque": dict(zip(_XYZ, moment.tolist(), strict=True)),
            },
        )
