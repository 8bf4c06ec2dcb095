"""OdometryInput: nav_msgs/Odometry as the source of the base's state."""

import math
import time

from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig, Direction
from controlit_ros.bindings.binding_factory import BindingContext
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.servo import NoticeLevel, Odometry
from controlit_ros.transport import SENSOR_STATE

TYPE = "nav_msgs/msg/Odometry"
UNIT_TOLERANCE = 1e-2  # [-] of a quaternion's length: single precision and rounding, no mistakes
REORDERED = 1.0  # [s] a stamp older by less came out of turn; by more: the source began anew


class OdometryInput:
    """Hands each message to the servo whole.

    By REP-105 the pose is that of the root link (`child_frame_id`) in a frame fixed to the world
    (`world`, `map` or `odom`); the twist is expressed in `child_frame_id`, axes by REP-103. Frames
    left empty are taken for these; others begin with the robot's prefix. Covariances are not used.

    Args:
        odometry: Receives the values.
        root_link: Name of the root link.
        topic: Where the messages come from.
        context: Transport, mailbox and complaints.

    Attributes:
        binding: Counts what came.
    """

    def __init__(
        self, odometry: Odometry, root_link: str, topic: str, context: BindingContext
    ) -> None:
        config = BindingConfig(odometry.position.full_name, Direction.INPUT, topic)
        self.binding = Binding(config, TYPE)
        self._odometry = odometry
        self._root_link = root_link
        self._context = context
        self._newest = -math.inf
        context.transport.subscribe(topic, TYPE, self._receive, SENSOR_STATE)

    def _receive(self, message: Message) -> None:
        binding = self.binding
        try:
            self._check(message)
            self._post(message)
            binding.received += 1
        except ControlItError as error:
            binding.last_rejection = str(error)
            text = f"topic {binding.config.topic}: {error}"
            notices = self._context.notices
            notices.post(NoticeLevel.WARNING, "odometry input", text, time.monotonic())
            binding.rejected += 1  # last: who sees the count finds the reason

    def _check(self, message: Message) -> None:
        frame, child = message.header.frame_id, message.child_frame_id
        frames = self._context.frames
        if frame and frame not in frames.fixed:
            expected = ", ".join(frames.fixed)
            raise ConversionError(f"found frame_id {frame!r}, expected one of {expected}, or none")
        if child not in ("", frames.outside(self._root_link)):
            raise ConversionError(
                f"found child_frame_id {child!r}, expected the root link "
                f"{frames.outside(self._root_link)!r}"
            )
        q = message.pose.pose.orientation
        length = math.hypot(q.x, q.y, q.z, q.w)
        if not abs(length - 1.0) <= UNIT_TOLERANCE:
            raise ConversionError(f"found an orientation of length {length:g}, expected 1")
        stamp = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        if stamp and self._newest - REORDERED < stamp < self._newest:
            raise ConversionError(
                f"found a message {self._newest - stamp:.3f} s older than another"
            )
        self._newest = stamp

    def _post(self, message: Message) -> None:
        pose, twist, odometry = message.pose.pose, message.twist.twist, self._odometry
        position, orientation = pose.position, pose.orientation
        linear, angular = twist.linear, twist.angular
        self._context.mailbox.post(
            {
                odometry.position: [position.x, position.y, position.z],
                odometry.orientation: [orientation.x, orientation.y, orientation.z, orientation.w],
                odometry.linear_velocity: [linear.x, linear.y, linear.z],
                odometry.angular_velocity: [angular.x, angular.y, angular.z],
            }
        )
