"""EncoderWatch: the safe state after a diagnosed encoder."""

from enum import Enum

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.faults import EncoderMonitor
from controlit_ros.kernels import BoundKernel
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.drive_effort import total_effort
from controlit_ros.servo.plausibility import speed_noise, unseen_speed
from controlit_ros.servo.round_trip import RoundTrip


class OnSensorFault(Enum):
    """Reaction to a diagnosed sensor."""

    WARN = "warn"
    SAFE = "safe"


class EncoderWatch:
    """Checks encoders while commands are sent, and keeps control safe after a diagnosis.

    A diagnosis holds, whatever is measured afterwards, until control is deactivated. In the safe
    state the motion that the model expects replaces the joint's measurements.

    Args:
        robot: Its joints and limits.
        reaction: What a diagnosis leads to.
        period: Of the servo [s].
        round_trip: Delay of commands and measurements.
        state: The last believed measurement.
        faults: Takes the diagnosis.
    """

    def __init__(
        self,
        robot: RobotDescription,
        reaction: OnSensorFault,
        period: float,
        round_trip: RoundTrip,
        state: RobotState,
        faults: CycleFaults,
    ) -> None:
        scale = unseen_speed(robot.velocity_limits, speed_noise(robot))
        self._monitor = EncoderMonitor(robot, scale, period, round_trip.believed)
        self._check = self._monitor.checking(state)
        self._expect: dict[ConstrainedModel, BoundKernel] = {}
        self._joints = robot.command_indices
        self._effort, self._part, self._work, self._position, self._velocity = np.zeros(
            (5, len(self._joints))
        )
        self._reaction = reaction
        self._state = state
        self._faults = faults
        self._is_on = False
        self._check()  # compiled before the first cycle
        self._monitor.restart()

    def restart(self) -> bool:
        """Trust all encoders again; return whether one was not trusted."""
        had_suspects = bool(self._monitor.diagnosis)
        if self._is_on or had_suspects:
            self._monitor.restart()
            self._is_on = False
        return had_suspects

    def forget(self) -> None:
        """Compare nothing with the measurements before: the robot was moved."""
        self._monitor.forget()

    def follow(self, model: ConstrainedModel) -> None:
        """Compile what expects the response of a model."""
        self._expect[model] = self._monitor.expecting(model, self._effort)
        self._expect[model]()
        self._monitor.restart()

    def expect(self, command: Command, net: Array, model: ConstrainedModel) -> None:
        """Expect the response to a command that was sent.

        Args:
            command: With limits applied.
            net: `(na,)` its effort less friction [N m].
            model: Newest there is.
        """
        self._is_on = True
        if command.position is not None and command.velocity is not None:
            np.take(self._state.position, self._joints, out=self._position)
            np.take(self._state.velocity, self._joints, out=self._velocity)
            net = total_effort(
                command, self._position, self._velocity, out=self._part, part=self._work
            )
        self._effort[:] = net
        self._expect[model]()

    def mask(self, found: RobotState) -> None:
        """Ignore what suspects measure."""
        if self._monitor.diagnosis and self._reaction is OnSensorFault.SAFE:
            self._monitor.mask(found)

    def bound(self, command: Command, model: ConstrainedModel) -> None:
        """Bound the effort of suspects."""
        if self._monitor.diagnosis and self._reaction is OnSensorFault.SAFE:
            self._monitor.bound(command.effort, model.bias_effort)

    def check(self, now: float) -> None:
        """Check the state that was just measured."""
        if not self._is_on:
            return
        self._monitor.follow_round_trip()
        if kind := self._check():
            self._monitor.diagnose(kind)
            if self._reaction is OnSensorFault.WARN:
                self._faults.warn("sensor fault", self._monitor.diagnosis, now)

    def check_jump(self, found: RobotState, reach: Array) -> None:
        """Check a measurement that is refused, and contradicts none of those refused before."""
        if self._is_on and self._reaction is OnSensorFault.SAFE:
            self._monitor.diagnose_jump(found, self._state, reach)

    def complain(self, now: float) -> None:
        """Keep control safe while there is a diagnosis."""
        if self._monitor.diagnosis and self._reaction is OnSensorFault.SAFE:
            self._faults.fail("sensor fault", self._describe_fault, now)

    def _describe_fault(self) -> str:
        return (
            f"{self._monitor.diagnosis}; control stays safe without it until it is deactivated "
            "and activated again"
        )
