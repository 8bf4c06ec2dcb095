"""Plausibility: whether a robot can have moved as a measurement says."""

import math
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import GIVEN, bind, implausible, incredible, not_followed
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
FOLLOWS_WITHIN = 0.01  # [s] or one period: later a speed may have come and gone
FASTEST_TURN = 30.0  # [rad/s] of a base
BOLTED_SPEED = 0.3  # [m/s, rad/s] of a base that is bolted to the world: a shaking stand
BEYOND = 2.0  # [-] of its range that a joint may seem to be outside: no stop may be where it ends
STEP_PART = 0.25  # [-] of its range that a joint may jump at most
BACKWARDS = 1e-3  # [s] that stamps may run backwards
NEW_LIFE = 1000  # a measurement numbered above is not among the first of a robot that began anew


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
    the one before it as well. What is refused is believed all the same when
    it fits itself for `patience`, or when numbers and stamps begin anew: then the robot was moved,
    or is a simulation that was reset.

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
        self._period = period
        self._with_base = with_base
        self._bounds = joint_bounds(limits, settings)
        self._base_bounds = np.array(
            [FARTHEST, settings.base_speed, settings.base_spin, settings.jump], dtype=np.float64
        )
        bounds, given = (self._bounds, self._base_bounds), (GIVEN,) * 3
        self._judge = bind(incredible, GIVEN, GIVEN, *bounds, *given)
        self._candidate = RobotState(self._names)
        self._last_fault = MeasurementFault(self._names, self._bounds, self._base_bounds)
        self.begin()
        self.rehearse(self._candidate)  # compiled now, not in the first cycle

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
        self._has_good = self._has_stamp = False
        self._is_foreign = False
        self._good_at = self._heard_at = -math.inf
        self._candidate_at = self._candidate_since = -math.inf
        self._good_stamp = self._candidate_stamp = 0.0
        self._stamp_error = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether too many measurements in a row were refused."""
        return self.in_a_row >= self.settings.limit

    def rehearse(self, state: RobotState) -> None:
        """Judge a state to no effect."""
        self._fault(state, state, 0.0)
        self._incredible(state, state, 0.0, self._period)
        not_followed(state.motion, state.motion, self._bounds, 0.0, True)

    def judge(self, found: RobotState, last: RobotState, now: float) -> Judgement:
        """Judge a new measurement.

        Args:
            found: The measurement; a stamp of another clock is replaced by 0.
            last: The last good one; anything before the first.
            now: Time on the servo's clock [s].
        """
        elapsed = now - self._good_at + self._period
        stated = found.stamp
        stamp = stated or now  # of whatever clock
        if found.sequence < last.sequence:
            self._has_stamp = False  # it began anew, and so may its clock
        self._stamp_error = self._judge_stamp(found, last, now) if stated != 0.0 else ""
        if self._has_good and not self._is_foreign and stated and not self._stamp_error:
            elapsed = max(elapsed, stated - last.stamp + self._period)
        self._heard_at = now
        since = 0.0
        if self._has_good and not self._stamp_error:
            since = self._soon(stamp - self._good_stamp)
        code = self._incredible(found, last, elapsed, since)
        if self.in_a_row and not (code or self._stamp_error or since) and self._has_good:
            code = self._is_new_speed(found, stamp)
        is_possible = not (code or self._stamp_error)
        # the longer a robot lies, the more it may have moved, until one of its lies is possible
        if is_possible and (self.in_a_row < self.settings.limit or self._meets_last(found, now)):
            return self._accept(stamp, now, Judgement.GOOD)
        if not is_possible:
            self._last_fault.keep(code, found, last, elapsed)
        is_new_life = _began_anew(found, last) and not self._fault(found, last, math.inf)
        if self._has_good and (is_new_life or self._fits_itself(found, stamp, now)):
            self._is_foreign = self._is_far(found.stamp, now)
            return self._accept(stamp, now, Judgement.MOVED)
        self.refused += 1
        self.in_a_row += 1
        return Judgement.REFUSED

    def explain(self) -> str:
        """Say what was wrong with the last measurement that was refused or showed a moved robot."""
        return self._stamp_error or self._last_fault.text

    def _fault(self, found: RobotState, last: RobotState, elapsed: float) -> int:
        code: int = implausible(
            found.motion, last.motion, self._bounds, self._base_bounds, elapsed, self._with_base
        )
        return code

    def _incredible(self, found: RobotState, last: RobotState, elapsed: float, since: float) -> int:
        code: int = self._judge(found.motion, last.motion, elapsed, since, self._with_base)
        return code

    def _is_new_speed(self, found: RobotState, stamp: float) -> int:
        """Compare speeds with the measurement that was refused last; zero: well."""
        elapsed = self._soon(stamp - self._candidate_stamp)
        if not elapsed:
            return layout.GOOD
        code: int = not_followed(found.motion, self._candidate.motion, self._bounds, elapsed, False)
        return code

    def _soon(self, elapsed: float) -> float:
        """Return a time in which speeds have to show in positions; 0: another one [s]."""
        return elapsed if 0.0 < elapsed <= max(FOLLOWS_WITHIN, 1.5 * self._period) else 0.0

    def _accept(self, stamp: float, now: float, verdict: Judgement) -> Judgement:
        self._has_good = True
        self._good_at, self._good_stamp = now, stamp
        self._candidate_at = self._candidate_since = -math.inf
        self.in_a_row = 0
        return verdict

    def _judge_stamp(self, found: RobotState, last: RobotState, now: float) -> str:
        """Return what is wrong with a stamp that is not 0; empty: nothing, or it is not used."""
        stamp = found.stamp
        silence = now - self._heard_at
        is_first = not self._has_stamp or silence > max(layout.JITTER, 3.0 * self._period)
        if is_first and math.isfinite(stamp):
            self._has_stamp = True
            was_foreign, self._is_foreign = self._is_foreign, self._is_far(stamp, now)
            if self._is_foreign and not was_foreign:
                self.remark = (
                    f"the robot stamps its measurements {stamp:.10g} s at the servo's time "
                    f"{now:.10g} s, expected within {self.settings.stamp:g} s: the time of their "
                    "arrival counts instead"
                )
        if self._is_foreign and math.isfinite(stamp):
            found.stamp = 0.0
            return ""
        if not abs(now - stamp) <= self.settings.stamp:
            return (
                f"stamp: found {stamp:.10g} s, expected within {self.settings.stamp:g} s of "
                f"{now:.10g} s"
            )
        if not is_first and stamp < last.stamp - BACKWARDS:
            return f"stamp: found {stamp:.10g} s, expected at least {last.stamp:.10g} s, the last"
        return ""

    def _is_far(self, stamp: float, now: float) -> bool:
        return stamp != 0.0 and not abs(now - stamp) <= self.settings.stamp

    def _meets_last(self, found: RobotState, now: float) -> bool:
        """Tell whether the robot can have moved so since the measurement refused before."""
        elapsed = now - self._candidate_at + self._period
        is_recent = elapsed <= layout.JITTER + self._period
        return is_recent and not self._fault(found, self._candidate, elapsed)

    def _fits_itself(self, found: RobotState, stamp: float, now: float) -> bool:
        """Compare a refused measurement with the one refused before it."""
        fits = self._meets_last(found, now) and not self._is_new_speed(found, stamp)
        if not fits:
            self._candidate_since = now
        np.copyto(self._candidate.motion, found.motion)
        self._candidate_at, self._candidate_stamp = now, stamp
        return fits and now - self._candidate_since >= self.settings.patience


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


def _began_anew(found: RobotState, last: RobotState) -> bool:
    """Tell whether a measurement is one of the first of a robot that was started again."""
    return 0 < found.sequence < min(last.sequence, NEW_LIFE) and found.stamp <= last.stamp
