"""Plausibility: whether a robot can have moved as a measurement says."""

import math
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import (
    GIVEN,
    BoundKernel,
    bind,
    judge_measurement,
    take_measurement,
)
from controlit_ros.kernels import measurement_layout as layout
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.measurement_fault import MeasurementFault

FARTHEST = 1e6  # [rad or m] of a joint without limits, and of a base [m]
LEAST_LIMIT = 2.0  # [rad/s or m/s] below, limits are about wear: a push is faster
NO_LIMIT = 30.0  # [rad/s or m/s] counts where there is no limit
SURGE_PART = 0.3  # [-] of the highest speed that is believed, at once: the shock of an impact
SURPRISE_PART = 0.5  # [-] of the velocity limit by which a speed may change unseen in the position
TURNING_NOISE = 0.3  # [rad/s] the same, however slow the joint is
SLIDING_NOISE = 0.03  # [m/s] the same of a joint that slides
FASTEST_TURN = 30.0  # [rad/s] of a base
BOLTED_SPEED = 0.3  # [m/s, rad/s] of a base that is bolted to the world: a shaking stand
BEYOND = 2.0  # [-] of its range that a joint may seem to be outside: no stop may be where it ends
STEADY_JUMP = 0.03  # [s] for which refused measurements fit each other after a jump, no spike
STEP_PART = 0.25  # [-] of its range that a joint may jump at most


class PlausibilitySettings(NamedTuple):
    """What is believed of a measurement.

    Attributes:
        jump: How far a joint or the base may jump from one measurement to the next, beside what
            its speed allows [rad or m].
        speed: Highest speed of a joint in velocity limits [-].
        base_speed: Highest speed of the base [m/s].
        base_spin: Highest angular speed of the base [rad/s].
        limit: Measurements in a row that may be refused; from then on the robot is not controlled.
        patience: Time for which measurements that were refused have to fit each other to be
            believed: the robot was moved [s].
        stamp: Farthest that a stamp may be from the servo's time [s].
    """

    jump: float = 0.05
    speed: float = 10.0
    base_speed: float = 20.0
    base_spin: float = FASTEST_TURN
    limit: int = 5
    patience: float = 0.2
    stamp: float = 2.0

    def bolted(self) -> "PlausibilitySettings":
        """Return the same for a base that is bolted to the world."""
        speed, spin = min(self.base_speed, BOLTED_SPEED), min(self.base_spin, BOLTED_SPEED)
        return self._replace(base_speed=speed, base_spin=spin)


class Judgement(Enum):
    """What to think of a measurement."""

    GOOD = "good"
    REFUSED = "refused"
    """The last good one stays in force."""
    MOVED = "moved"
    """The robot is somewhere else than it was, and not by its own motion."""


class Plausibility:
    """Compares each measurement with the last good one; servo thread.

    A joint may be where its velocity limit can have led it in the time since the last good
    measurement, and where its last speed leads it: so a robot that was silent may be anywhere it
    can have got meanwhile. A speed that jumps has to show in the position, as that of an impact
    does and noise does not (`kernels.not_followed`). After `limit` that were refused one has to fit
    the one before it as well. What is refused is believed all the same when it fits itself for
    `patience`, or when numbers and stamps begin anew: see `kernels.judge_measurement`.

    Args:
        joint_names: Joints of the measurements.
        limits: `(4, n)` as in `joint_bounds`.
        settings: What is believed.
        period: Of the servo [s].
        with_base: Whether the measurements tell where the base is.

    Attributes:
        refused: Measurements refused so far.
        in_a_row: Measurements refused since the last good one.
        remark: Something to tell that is no reason to refuse; empty: nothing.
    """

    def __init__(
        self,
        joint_names: Sequence[str],
        limits: Array,
        settings: PlausibilitySettings,
        period: float,
        *,
        with_base: bool,
    ) -> None:
        self.refused = 0
        self.settings = settings
        self._names = tuple(joint_names)
        self._bounds = joint_bounds(limits, settings)
        self._base_bounds = np.array(
            [FARTHEST, settings.base_speed, settings.base_spin, settings.jump], dtype=np.float64
        )
        self._history: Array = np.zeros(layout.HISTORY)
        self._candidate = RobotState(self._names).motion
        self._believed = (
            self._bounds,
            self._base_bounds,
            with_base,
            np.array([period, settings.stamp, settings.limit, settings.patience], dtype=np.float64),
        )
        words = self._candidate, *self._believed, self._history
        self._judge = bind(judge_measurement, GIVEN, GIVEN, *words, GIVEN)
        self._last_fault = MeasurementFault(self._names, self._bounds, self._base_bounds)
        self.begin()

    @classmethod
    def of(
        cls,
        robot: RobotDescription,
        settings: PlausibilitySettings,
        period: float,
        *,
        with_base: bool,
    ) -> "Plausibility":
        """Return what judges the measurements of a robot."""
        noise = speed_noise(robot)
        limits = np.array([robot.lower_limits, robot.upper_limits, robot.velocity_limits, noise])
        return cls(robot.real_joints, limits, settings, period, with_base=with_base)

    def begin(self) -> None:
        """Forget every measurement: time begins anew."""
        self.in_a_row = 0
        self.remark = ""
        self._stamp_error = ""
        history = self._history
        history.fill(0.0)
        history[layout.GOOD_AT] = history[layout.HEARD_AT] = -math.inf
        history[layout.CANDIDATE_AT] = history[layout.CANDIDATE_SINCE] = -math.inf

    @property
    def is_doubtful(self) -> bool:
        """Whether too many measurements in a row were refused."""
        return self.in_a_row >= self.settings.limit

    def taking(self, found: RobotState, last: RobotState) -> BoundKernel:
        """Return what judges a measurement at a time and takes it over, see `take_measurement`.

        Whoever calls it calls `tell` if it was neither believed nor met before.

        Args:
            found: The measurement.
            last: The last good one, of the same sensors.
        """
        words = found.vector, last.vector, self._candidate, *self._believed, self._history
        return bind(take_measurement, *words, GIVEN)

    def rehearsing(self, last: RobotState) -> Callable[[], None]:
        """Return what takes the last good measurement over once more, to no effect.

        Args:
            last: The last good one.
        """
        found, kept = RobotState.like(last), RobotState.like(last)
        history = self._history.copy()
        words = found.vector, kept.vector, self._candidate.copy(), *self._believed, history
        take = bind(take_measurement, *words, GIVEN)

        def rehearse() -> None:
            history[...] = self._history
            found.words[:] = kept.words[:] = last.words
            found.sequence = 0  # else it would be met again
            take(history.item(layout.GOOD_AT))

        return rehearse

    def judge(self, found: RobotState, last: RobotState, now: float) -> Judgement:
        """Judge a new measurement.

        Args:
            found: The measurement; a stamp of another clock is replaced by 0.
            last: The last good one; anything before the first.
            now: Time on the servo's clock [s].
        """
        return self.tell(self._judge(found.motion, last.motion, float(now)), found, last, now)

    def tell(self, verdict: int, found: RobotState, last: RobotState, now: float) -> Judgement:
        """Count a measurement that was just judged, and keep what is to be told of it.

        Args:
            verdict: What the kernel returned.
            found: The measurement.
            last: The last good one before it.
            now: Time on the servo's clock [s].
        """
        if verdict == layout.BELIEVED:
            self._count(0)
            return Judgement.GOOD
        return self._tell(verdict, found, last, now)

    def _count(self, in_a_row: int) -> None:
        self.in_a_row = in_a_row
        self._history[layout.IN_A_ROW] = in_a_row

    def reach_of_jump(self, now: float) -> Array | None:
        """Return how far each joint can have moved since the last good measurement, `(n,)`.

        `None`: those refused since do not fit each other yet, or it was followed by silence.
        """
        since = self._history.item(layout.CANDIDATE_SINCE)
        good = self._history.item(layout.GOOD_AT)
        if (
            not self.is_doubtful
            or now - since < STEADY_JUMP
            or not 0.0 <= since - good <= layout.JITTER
        ):
            return None
        reach: Array = self._bounds[layout.STEP] + self._bounds[layout.LIMIT] * (now - good)
        return reach

    def explain(self) -> str:
        """Say what was wrong with the last measurement that was refused or showed a moved robot."""
        return self._stamp_error or self._last_fault.text

    def _tell(self, verdict: int, found: RobotState, last: RobotState, now: float) -> Judgement:
        """Keep what is to be told of a measurement."""
        history = self._history
        stamp = history.item(layout.STAMP)
        if history[layout.BECAME_FOREIGN]:
            is_near = abs(now - stamp) <= self.settings.stamp
            expected = "a later one each time" if is_near else f"within {self.settings.stamp:g} s"
            self.remark = (
                f"the robot stamps its measurements {stamp:.10g} s at the servo's time "
                f"{now:.10g} s, expected {expected}: the time of their arrival counts instead"
            )
        if verdict == layout.REMARKED:
            self._count(0)
            return Judgement.GOOD
        self._stamp_error = self._wrong_stamp(stamp, last, now)
        code, elapsed = int(history[layout.CODE]), history.item(layout.ELAPSED)
        if code != layout.GOOD or self._stamp_error:
            self._last_fault.keep(code, found, last, elapsed)
        if verdict == layout.MOVED:
            self._count(0)
            return Judgement.MOVED
        self.refused += 1
        self._count(self.in_a_row + 1)
        return Judgement.REFUSED

    def _wrong_stamp(self, stamp: float, last: RobotState, now: float) -> str:
        """Return what is wrong with the stamp of the last measurement; empty: nothing."""
        fault = self._history[layout.STAMP_FAULT]
        if fault == layout.STAMP_FAR:
            return (
                f"stamp: found {stamp:.10g} s, expected within {self.settings.stamp:g} s of "
                f"{now:.10g} s"
            )
        if fault == layout.STAMP_BACKWARDS:
            return f"stamp: found {stamp:.10g} s, expected at least {last.stamp:.10g} s, the last"
        return ""


def joint_bounds(limits: Array, settings: PlausibilitySettings) -> Array:
    """Return what is believed of each joint, `(JOINT_BOUNDS, n)`; see `kernels.implausible`.

    Args:
        limits: `(4, n)` lower and upper end of the range, velocity limit, each infinite, or a range
            of nothing, for none; by how much a measured speed may be wrong.
        settings: What is believed.
    """
    lower, upper, velocity, noise = np.asarray(limits, dtype=np.float64)
    bounds: Array = np.zeros((layout.JOINT_BOUNDS, len(lower)))
    is_limited = np.isfinite(lower) & np.isfinite(upper) & (upper > lower)
    span = np.where(is_limited, upper - lower, np.inf)
    margin = np.where(is_limited, BEYOND * span + settings.jump, 0.0)
    bounds[layout.LOWER] = np.where(is_limited, lower - margin, -FARTHEST)
    bounds[layout.UPPER] = np.where(is_limited, upper + margin, FARTHEST)
    limit = np.where(np.isfinite(velocity), np.maximum(velocity, LEAST_LIMIT), NO_LIMIT)
    bounds[layout.LIMIT] = limit
    bounds[layout.FASTEST] = settings.speed * limit
    bounds[layout.SURGE] = SURGE_PART * bounds[layout.FASTEST]
    bounds[layout.SURPRISE] = unseen_speed(velocity, noise)
    bounds[layout.STEP] = np.minimum(settings.jump, STEP_PART * span)
    bounds[layout.TURN] = np.where(np.isfinite(lower) | np.isfinite(upper), 0.0, 2.0 * math.pi)
    return bounds


def speed_noise(robot: RobotDescription) -> Array:
    """Return by how much the measured speed of each real joint may be wrong, `(n,)`."""
    return np.where(robot.is_sliding, SLIDING_NOISE, TURNING_NOISE)


def unseen_speed(velocity: Array, noise: Array) -> Array:
    """Return what a speed may change by without showing in the position, `(n,)`.

    Args:
        velocity: `(n,)` limits, infinite for none.
        noise: `(n,)` by how much a measured speed may be wrong.
    """
    return SURPRISE_PART * np.where(np.isfinite(velocity), velocity, NO_LIMIT) + noise
