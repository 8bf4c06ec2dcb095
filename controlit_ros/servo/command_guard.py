"""CommandGuard: the last look at a command before the robot gets it."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array, Flags
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.acceleration_limits import AccelerationLimits
from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.finite import is_finite
from controlit_ros.kernels import (
    bind,
    hold_inside,
    is_finite_vector,
    is_within,
    pace_limits,
    steady_gains,
)
from controlit_ros.kernels.hold_inside import MARGINS, RANGE
from controlit_ros.kernels.keep_inside import (
    ALLOWED,
    BY_ACCELERATION,
    BY_RANGE,
    BY_SPEED,
    SCRATCH_ROWS,
    UNHELD,
)
from controlit_ros.model import RobotState
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.servo.drive_effort import total_effort
from controlit_ros.servo.joint_outlook import JointOutlook
from controlit_ros.servo.limit_report import LimitReport, Tally
from controlit_ros.servo.notice import NoticeBoard
from controlit_ros.servo.routine import Duty, by_python, nothing_more

# Holding back less is not worth a warning: joints that rest at the end of their range would cause
# one again and again.
TOLERANCE = 1.0  # [rad/s²]

# With larger gains drives as slow as the servo would make grow what they damp.
BEARABLE = 2.0  # [-] rate of fading · servo cycle


class GuardSettings(NamedTuple):
    """Which limits are enforced (paper, appendix B), by command joint.

    Attributes:
        enforce_effort: `(na,)` truncate efforts to the URDF's limit.
        enforce_position: `(na,)` the same for commanded positions, and limit efforts that push a
            joint out of the URDF's range.
        enforce_velocity: `(na,)` the same for velocities.
        max_effort: `(na,)` effort past which a warning is given, infinite for none [N m].
        max_effort_rate: `(na,)` how fast efforts may change, infinite for any [N m/s]; `None`: any.
        frequency: Servo rate [Hz].
    """

    enforce_effort: Flags
    enforce_position: Flags
    enforce_velocity: Flags
    max_effort: Array
    max_effort_rate: Array | None = None
    frequency: float = 1000.0

    def limits(self, robot: RobotDescription) -> JointLimits:
        """Return those limits of the URDF that are enforced."""
        effort, velocity, lower, upper = JointLimits.of(robot)
        return JointLimits(
            np.where(self.enforce_effort, effort, np.inf),
            np.where(self.enforce_velocity, velocity, np.inf),
            np.where(self.enforce_position, lower, -np.inf),
            np.where(self.enforce_position, upper, np.inf),
        )


HELD_BY = {BY_RANGE: "position", BY_SPEED: "velocity", BY_ACCELERATION: "acceleration"}
"""In words, what held a joint back."""


class CommandGuard:
    """Holds commands to the enforced limits and warns of every joint that passes one.

    In this order: the rate of the effort, counted from the last command; efforts past the URDF's
    limit; position and velocity commands (`enforcing`). At last, while the state is known, efforts
    that push a joint out of its range or make it too fast, within the limits of effort but as fast
    as is needed, and gains of the robot's drives that these bear (`keeping_inside`).

    Attributes:
        reports: What was passed how often, one a kind of limit.
    """

    def __init__(
        self, robot: RobotDescription, settings: GuardSettings, notices: NoticeBoard
    ) -> None:
        joints, names = robot.command_indices, robot.command_joints
        effort, velocity, lower, upper = settings.limits(robot)
        self._effort = (-effort, effort)
        self._velocity = (-velocity, velocity)
        self._position = (lower, upper)
        self._max_effort = (-settings.max_effort, settings.max_effort)
        self._warns_of_effort = bool(np.isfinite(settings.max_effort).any())
        self._joints = joints
        held = AccelerationLimits(settings.limits(robot), settings.frequency)
        self._bounds, self._paces, self._times = held.rows, held.paces, held.times
        self._keeps_inside = held.is_any
        self._scratch = np.zeros((SCRATCH_ROWS, len(joints)))
        self._matrices = np.zeros((2, len(joints), len(joints)))
        self._wanted, self._total, self._part, self._net_bias = np.zeros((4, len(joints)))
        self._changed = np.zeros(len(joints), dtype=np.bool_)
        self._kinds = np.zeros(len(joints), dtype=np.int8)
        self._period = 1.0 / settings.frequency
        self._outlook = JointOutlook(robot, velocity, self._period)
        rate = settings.max_effort_rate
        self._rate: Array | None = None if rate is None or np.isinf(rate).all() else rate
        self._sent = np.zeros(len(joints))
        self._sent_at = -math.inf
        self._window = (np.zeros(len(joints)), np.zeros(len(joints)))
        self._tally = tally = Tally()
        self._of_effort = LimitReport("effort limit", "command", names, notices, tally)
        self._of_max_effort = LimitReport("max_effort_command", "command", names, notices, tally)
        self._of_rate = LimitReport("max_effort_rate", "change per second", names, notices, tally)
        self._of_position = LimitReport("position limit", "held back at", names, notices, tally)
        self._of_velocity = LimitReport("velocity limit", "held back at", names, notices, tally)
        self._of_acceleration = LimitReport(
            "acceleration limit", "held back from", names, notices, tally
        )
        self._of_position_command = LimitReport("position limit", "command", names, notices, tally)
        self._of_velocity_command = LimitReport("velocity limit", "command", names, notices, tally)
        self._of_damping = LimitReport("damping of the drives", "found", names, notices, tally)
        self._of_stiffness = LimitReport("stiffness of the drives", "found", names, notices, tally)
        self.reports = (
            self._of_effort,
            self._of_max_effort,
            self._of_rate,
            self._of_position,
            self._of_velocity,
            self._of_acceleration,
            self._of_position_command,
            self._of_velocity_command,
            self._of_damping,
            self._of_stiffness,
        )
        self._compile()

    @property
    def kinds(self) -> npt.NDArray[np.int8]:
        """What held each joint back when that was looked at last; always the same memory."""
        return self._kinds

    @property
    def violations(self) -> int:
        """Violations of any limit by any joint, one a cycle."""
        return self._tally.total

    def is_finite(self, command: Command) -> bool:
        """Tell whether every number of the command is finite."""
        return (
            is_finite_vector(command.effort)
            and (command.position is None or is_finite_vector(command.position))
            and (command.velocity is None or is_finite_vector(command.velocity))
            and (command.stiffness is None or is_finite_vector(command.stiffness))
            and (command.damping is None or is_finite_vector(command.damping))
        )

    def explain(self, command: Command) -> str:
        """Tell what of a command is not finite, as the end of a sentence; empty: all is."""
        for field in FIELDS:
            values = getattr(command, field)
            if values is not None and not is_finite(values):
                i = int(np.argmax(np.where(np.isfinite(values), np.abs(values), np.inf)))
                return f": {field} of {command.joint_names[i]} is {values[i]:g}"
        return ""

    def enforcing(self, command: Command) -> tuple[Duty, ...]:
        """Return what truncates a command in place and warns."""
        effort, duties = command.effort, []
        if self._warns_of_effort:
            duties.append(_within(effort, self._max_effort, self._of_max_effort.tell_passed))
        for values, limits, report in (
            (effort, self._effort, self._of_effort),
            (command.position, self._position, self._of_position_command),
            (command.velocity, self._velocity, self._of_velocity_command),
        ):
            if values is not None:
                duties.append(_within(values, limits, partial(_truncate, report)))
        rate = self._rate
        if rate is not None:
            duties.append(by_python(lambda now: self._slow_down(effort, rate, now)))
        return tuple(duties)

    def keeping_inside(
        self,
        command: Command,
        state: RobotState,
        model: ConstrainedModel,
        round_trip: Array,
        taken: Callable[[], Array] | None = None,
    ) -> tuple[Duty, ...]:
        """Return what changes in place the efforts that push joints out of their limits, and warns.

        After `enforcing`. Outward efforts are limited and outward motion is braked; a joint that is
        outside is not driven back. See `kernels.keep_inside`. Where joint controllers of the robot
        add to an effort that is held back, they are told to stay where the joint is. A measurement
        that was met before is led on by what the last command did, so that none is braked twice.
        What moves a joint outwards beside the efforts (friction of its neighbours, loads, pushes)
        is observed and counted.

        Args:
            command: Changed.
            state: Last measured.
            model: Newest there is.
            round_trip: `(1,)` time from a command to the measurement of what it did; 0: unknown
                [s].
            taken: Returns what friction takes of the effort, `(na,)`, if that is known [N m].
        """
        if not self._keeps_inside:
            return ()
        outlook, effort, bias = self._outlook, command.effort, model.bias_effort
        pace = bind(pace_limits, round_trip, self._paces, self._times, outlook.times)
        duties = [Duty(pace, nothing_more), outlook.looking(state)]
        has_drives = command.position is not None and command.velocity is not None
        if command.stiffness is not None and command.damping is not None:
            duties.append(by_python(lambda now: self._steady_drives(command, model, now)))
        if has_drives:
            duties.append(by_python(lambda _: self._add_drives(command)))
        if taken is not None:
            bias = self._net_bias
            duties.append(by_python(lambda _: _add(model.bias_effort, taken(), bias)))
        duties.append(self._holding(self._total if has_drives else effort, bias, model.Phi))
        if has_drives:
            duties.append(by_python(lambda _: self._take_from_drives(command)))
        if self._rate is not None:
            duties.append(by_python(lambda _: self._keep_sent(effort)))
        return tuple(duties)

    def _holding(self, effort: Array, bias: Array, Phi: Array) -> Duty:
        """Return what holds efforts inside the limits."""
        hold = bind(
            hold_inside,
            effort,
            bias,
            Phi,
            self._bounds,
            self._outlook.rows,
            self._times,
            TOLERANCE,
            self._scratch,
            self._matrices,
            self._kinds,
            self._outlook.caused,
            self._outlook.ring,
        )
        return Duty(hold, self._tell)

    def _add_drives(self, command: Command) -> None:
        """Write what joints get from command and drives together."""
        outlook, total = self._outlook, self._total
        total_effort(command, outlook.position, outlook.velocity, out=total, part=self._part)
        self._wanted[...] = total
        np.clip(total, *self._effort, out=total)

    def _keep_sent(self, effort: Array) -> None:
        self._sent[...] = effort

    def _tell(self, now: float) -> None:
        """Warn of what was held back."""
        kinds, outlook = self._kinds, self._outlook
        lower, upper, fastest = self._bounds[RANGE:MARGINS]
        unheld, allowed = self._scratch[UNHELD], self._scratch[ALLOWED]
        self._of_position.tell(kinds == BY_RANGE, outlook.position, lower, upper, now)
        self._of_velocity.tell(kinds == BY_SPEED, outlook.velocities[1], -fastest, fastest, now)
        self._of_acceleration.tell(kinds == BY_ACCELERATION, unheld, allowed, allowed, now)

    def _steady_drives(self, command: Command, model: ConstrainedModel, now: float) -> None:
        """Reduce gains of the drives with which they would do something else between two cycles."""
        stiffness, damping = command.stiffness, command.damping
        if stiffness is None or damping is None:
            return
        self._wanted[...] = damping
        self._total[...] = stiffness
        if steady_gains(model.Phi, BEARABLE / self._period, stiffness, damping):
            for found, gain, report in (
                (self._wanted, damping, self._of_damping),
                (self._total, stiffness, self._of_stiffness),
            ):
                report.tell(found > gain, found, gain, gain, now)

    def _take_from_drives(self, command: Command) -> None:
        """Where the total was changed, command it as effort and let the drives stay as they are."""
        total = self._total
        assert command.position is not None
        assert command.velocity is not None
        np.not_equal(total, self._wanted, out=self._changed)
        if self._changed.any():
            np.clip(total, *self._effort, out=total)
            np.copyto(command.effort, total, where=self._changed)
            np.copyto(command.position, self._outlook.position, where=self._changed)
            np.copyto(command.velocity, self._outlook.velocity, where=self._changed)

    def _slow_down(self, effort: Array, rate: Array, now: float) -> None:
        """Keep the effort near the one sent last; after a long time anything is near."""
        elapsed = now - self._sent_at
        lower, upper = self._window
        if 0.0 < elapsed < math.inf:
            np.multiply(rate, elapsed, out=upper)
            np.subtract(self._sent, upper, out=lower)
            upper += self._sent
            if not is_within(effort, lower, upper):
                changes = (effort - self._sent) / elapsed
                self._of_rate.tell((effort < lower) | (effort > upper), changes, -rate, rate, now)
                np.clip(effort, lower, upper, out=effort)
        self._sent[...] = effort
        self._sent_at = now

    def _compile(self) -> None:
        """Run the kernels that Python calls, so that they are compiled before the first cycle."""
        n = len(self._joints)
        is_within(self._sent, *self._window)
        is_finite_vector(self._sent)
        steady_gains(np.eye(n), 1.0, np.zeros(n), np.zeros(n))


def _within(
    values: Array,
    limits: tuple[Array, Array],
    otherwise: Callable[[Array, Array, Array, float], None],
) -> Duty:
    """Return what looks whether values are within limits, and what is done if not."""
    return Duty(bind(is_within, values, *limits), lambda now: otherwise(values, *limits, now))


def _truncate(report: LimitReport, values: Array, lower: Array, upper: Array, now: float) -> None:
    """Warn of values that pass limits, and hold them to these."""
    report.tell_passed(values, lower, upper, now)
    np.clip(values, lower, upper, out=values)


def _add(bias: Array, friction: Array, out: Array) -> None:
    np.add(bias, friction, out=out)
