"""Service that tells where the bodies of the robot are."""

import numpy as np
import pinocchio as pin

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.introspection.probe import Probe
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.model import WORLD, RobotDescription, RobotState
from controlit_ros.servo import Outbox
from controlit_ros.transport import Transport

SERVICE = "diagnostics/getFrames"
SERVICE_TYPE = "controlit/srv/GetFrames"


class NothingMeasuredError(ControlItError):
    """The servo does not know where the robot is yet."""


class FrameServices:
    """Answers `diagnostics/getFrames` with a model of its own.

    Args:
        robot: Structure of the robot.
        state: The servo's robot state.
        outbox: Brings that state.
        clock_offset: Seconds from the servo's clock to ROS time.
        transport: The service is relative to its namespace.
    """

    def __init__(
        self,
        robot: RobotDescription,
        state: RobotState,
        outbox: Outbox,
        clock_offset: float,
        transport: Transport,
    ) -> None:
        self._robot = robot
        self._clock_offset = clock_offset
        self._probe = Probe(RobotMirror(robot, state, ()), outbox)
        serve(transport, SERVICE, SERVICE_TYPE, self._answer)

    def _answer(self, request: Message) -> Message:
        robot = self._robot
        names = list(request.names) or list(robot.frame_names)
        frames = [robot.frame_id(name) for name in names]
        reference = str(request.reference)
        origin = None if reference in ("", WORLD) else robot.frame_id(reference)
        mirror = self._probe.row
        mirror.take(self._probe.sample().values)
        if not mirror.state.stamp:
            raise NothingMeasuredError("the servo has no state of the robot yet")
        model = mirror.model.robot_model
        model.update(mirror.state)
        base = pin.SE3.Identity() if origin is None else model.placement(origin).copy()
        poses = [base.actInv(model.placement(frame)) for frame in frames]
        return new(
            f"{SERVICE_TYPE}_Response",
            success=True,
            stamp=time_fields(mirror.state.stamp + self._clock_offset),
            names=names,
            positions=np.ravel([pose.translation for pose in poses]),
            orientations=np.ravel([pin.Quaternion(pose.rotation).coeffs() for pose in poses]),
        )
