"""CommandGuard: the last look at a command before the robot gets it."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array, Flags
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.finite import is_finite
from controlit_ros.kernels import (
    GIVEN,
    bind,
    hold_inside,
    is_finite_vector,
    is_within,
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

# A joint on its way to the end of its range is slowed down so that the way left fades with the time
# HORIZON; a speed beyond what is allowed fades with RESPONSE. At more than four times RESPONSE the
# joint comes to rest without passing the end; more would hinder what stops by itself. RESPONSE is
# some cycles, or the loop would not be stable.
RESPONSE = 0.02  # [s]
RESPONSE_CYCLES = 5  # [cycles] at least, for slow servos
HORIZON = 6.0  # [-] of the response

# Even far from its limits a joint may not use up what speed is left before the next measurements
# tell: a motor that is strong beside what it moves passes a limit within a cycle.
REACTION_CYCLES = 5  # [cycles]
ROUND_TRIPS = 4  # [-] a loop this much slower than its delay settles without passing its goal

# What pushes joints at the ends of their ranges is observed more slowly than they react, or noise
# would hold back what rests there.
STEADY_TIMES = 2.0  # [-]

# Farther from its limits than this no joint is held back.
RANGE_MARGIN = 0.02  # [rad] or [m], and no more than
RANGE_PART = 0.05  # [-] of the range
SPEED_PART = 0.1  # [-] of the speed allowed
LEAST_MARGIN = 1e-6  # [rad, rad/s] where range or speed are none

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
    limit; position and velocity commands (`enforce`). At last, while the state is known, efforts
    that push a joint out of its range or make it too fast, within the limits of effort but as fast
    as is needed, and gains of the robot's drives that these bear (`keep_inside`).

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
        near_end = np.minimum(RANGE_MARGIN, RANGE_PART * (upper - lower))
        too_fast = np.where(np.isfinite(velocity), SPEED_PART * velocity, LEAST_MARGIN)
        margins = np.maximum([near_end, too_fast], LEAST_MARGIN)
        self._bounds: Array = np.vstack(
            [-effort, effort, lower, upper, velocity, margins, velocity]
        )
        self._scratch = np.zeros((SCRATCH_ROWS, len(joints)))
        self._matrices = np.zeros((2, len(joints), len(joints)))
        self._keeps_inside = bool(np.isfinite([lower, upper, velocity]).any())
        self._response = max(RESPONSE, RESPONSE_CYCLES / settings.frequency)
        self._reaction = REACTION_CYCLES / settings.frequency
        self._times: Array = np.zeros(3)
        self._wanted, self._total, self._part = np.zeros((3, len(joints)))
        self._changed = np.zeros(len(joints), dtype=np.bool_)
        self._kinds = np.zeros(len(joints), dtype=np.int8)
        self._period = 1.0 / settings.frequency
        self._outlook = JointOutlook(robot, velocity, self._period)
        self._hold = bind(
            hold_inside,
            GIVEN,
            GIVEN,
            GIVEN,
            self._bounds,
            self._outlook.rows,
            self._times,
            GIVEN,
            self._scratch,
            self._matrices,
            self._kinds,
            GIVEN,
        )
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
        """What held each joint back in the last `keep_inside`; always the same memory."""
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

    def keep_inside(
        self,
        command: Command,
        state: RobotState,
        model: ConstrainedModel,
        now: float,
        round_trip: float = 0.0,
        friction: Array | None = None,
    ) -> None:
        """Change in place the efforts that push joints out of their limits, and warn.

        After `enforce`. Outward efforts are limited and outward motion is braked; a joint that is
        outside is not driven back. See `kernels.keep_inside`. Where joint controllers of the robot
        add to an effort that is held back, they are told to stay where the joint is. A measurement
        that was met before is led on by what the last command did, so that none is braked twice.
        What moves a joint outwards beside the efforts (friction of its neighbours, loads, pushes)
        is observed and counted.

        Args:
            command: Changed.
            state: Last measured.
            model: Newest there is.
            now: The present time [s].
            round_trip: Time from a command to the measurement of what it did, if known [s].
            friction: `(na,)` what friction takes of the effort, if known [N m].
        """
        if not self._keeps_inside:
            return
        outlook, effort = self._outlook, command.effort
        self._look_ahead(state, round_trip)
        self._steady_drives(command, model, now)
        wanted = total_effort(
            command, outlook.position, outlook.velocity, out=self._total, part=self._part
        )
        if wanted is not effort:
            self._wanted[...] = wanted
            np.clip(wanted, *self._effort, out=wanted)
        bias = model.bias_effort
        if friction is not None:
            bias = np.add(bias, friction, out=self._part)
        if self._limit(wanted, bias, model.Phi):
            self._tell(now)
        if wanted is not effort:
            self._take_from_drives(command, wanted)
        if self._rate is not None:
            self._sent[...] = effort

    def _look_ahead(self, state: RobotState, round_trip: float) -> None:
        """Bring the outlook to a state, and all times to a round trip [s]."""
        delay = ROUND_TRIPS * round_trip if round_trip > 0.0 else 0.0
        response = max(self._response, delay)
        reaction = max(self._reaction, delay)
        times = self._times
        times[0], times[1], times[2] = HORIZON * response, response, reaction
        soon = max(self._reaction, round_trip)
        self._outlook.look(state, round_trip, STEADY_TIMES * reaction, soon)

    def _tell(self, now: float) -> None:
        """Warn of what was held back in the last `_limit`."""
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

    def _take_from_drives(self, command: Command, total: Array) -> None:
        """Where the total was changed, command it as effort and let the drives stay as they are."""
        assert command.position is not None
        assert command.velocity is not None
        np.not_equal(total, self._wanted, out=self._changed)
        if self._changed.any():
            np.clip(total, *self._effort, out=total)
            np.copyto(command.effort, total, where=self._changed)
            np.copyto(command.position, self._outlook.position, where=self._changed)
            np.copyto(command.velocity, self._outlook.velocity, where=self._changed)

    def enforce(self, command: Command, now: float) -> None:
        """Truncate in place and warn."""
        effort = command.effort
        if self._warns_of_effort:
            self._is_passed(effort, self._max_effort, self._of_max_effort, now)
        self._truncate(effort, self._effort, self._of_effort, now)
        if command.position is not None:
            self._truncate(command.position, self._position, self._of_position_command, now)
        if command.velocity is not None:
            self._truncate(command.velocity, self._velocity, self._of_velocity_command, now)
        if self._rate is not None:
            self._slow_down(effort, self._rate, now)

    def _limit(self, effort: Array, bias: Array, Phi: Array) -> bool:
        is_held: bool = self._hold(effort, bias, Phi, TOLERANCE, self._outlook.next_caused())
        return is_held

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

    def _truncate(
        self, values: Array, limits: tuple[Array, Array], report: LimitReport, now: float
    ) -> None:
        if self._is_passed(values, limits, report, now):
            np.clip(values, limits[0], limits[1], out=values)

    @staticmethod
    def _is_passed(
        values: Array, limits: tuple[Array, Array], report: LimitReport, now: float
    ) -> bool:
        lower, upper = limits
        if is_within(values, lower, upper):
            return False
        report.tell((values < lower) | (values > upper), values, lower, upper, now)
        return True

    def _compile(self) -> None:
        """Run the kernels once, so that they are compiled before the first cycle."""
        n = len(self._joints)
        self._times[:] = 1.0
        is_within(self._sent, *self._effort)
        is_finite_vector(self._sent)
        steady_gains(np.eye(n), 1.0, np.zeros(n), np.zeros(n))
        self._limit(np.zeros(n), np.zeros(n), np.eye(n))
