"""Service that tells where the bodies of the robot are."""

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.introspection.probe import Probe
from controlit_ros.model import WORLD, RobotDescription, RobotModel, RobotState
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
        self._model = RobotModel(robot)
        self._state = RobotState.like(state)
        self._probe = Probe(_StateRow(state), outbox)
        serve(transport, SERVICE, SERVICE_TYPE, self._answer)

    def _answer(self, request: Message) -> Message:
        robot = self._robot
        names = list(request.names) or list(robot.frame_names)
        frames = [robot.frame_id(name) for name in names]
        reference = str(request.reference)
        origin = None if reference in ("", WORLD) else robot.frame_id(reference)
        np.copyto(self._state.vector, self._probe.sample().values)
        if not self._state.stamp:
            raise NothingMeasuredError("the servo has no state of the robot yet")
        self._model.update(self._state)
        base = pin.SE3.Identity() if origin is None else self._model.placement(origin).copy()
        poses = [base.actInv(self._model.placement(frame)) for frame in frames]
        return new(
            f"{SERVICE_TYPE}_Response",
            success=True,
            stamp=time_fields(self._state.stamp + self._clock_offset),
            names=names,
            positions=np.ravel([pose.translation for pose in poses]),
            orientations=np.ravel([pin.Quaternion(pose.rotation).coeffs() for pose in poses]),
        )


class _StateRow:
    """What the servo was told of the robot last; a `ProbedRow`."""

    def __init__(self, state: RobotState) -> None:
        self._state = state
        self.width = len(state.vector)

    def fill(self, row: Array) -> None:
        """Write the present values; servo thread."""
        np.copyto(row, self._state.vector)
