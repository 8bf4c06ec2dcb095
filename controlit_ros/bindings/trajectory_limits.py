"""Limits of joints over a whole trajectory, also between its points."""

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from math import comb

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import (
    LONGEST,
    ROUNDING,
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    TrajectoryPoint,
    coefficients,
    distinct,
)

DEGREE = 5
SCALINGS = (
    30  # [-] of the time; the first segment changes its form, since it begins with a velocity
)
SPARE = 1e-6  # [-] of a velocity limit
MOST_TIMES = 1e4  # [-] of the time that was asked for; what needs more is a mistake
REAL = 1e-6  # [-] imaginary part of a root that counts as none
TO_BERNSTEIN = np.array(
    [[comb(j, k) / comb(DEGREE, k) for k in range(DEGREE + 1)] for j in range(DEGREE + 1)]
)


class TooFast(Enum):
    """What becomes of a trajectory that is too fast for its joints."""

    REFUSE = "refuse"
    SCALE = "scale"


def within_limits(
    trajectory: JointTrajectory,
    lower: Mapping[str, float],
    upper: Mapping[str, float],
    fastest: Mapping[str, float],
    policy: TooFast = TooFast.REFUSE,
) -> JointTrajectory:
    """Check positions and velocities from the first point to the last, and everywhere between.

    Args:
        trajectory: What shall be followed, from where the joints begin.
        lower: Lowest position by joint [rad or m]; a joint may begin below, and not go further.
        upper: Highest position by joint [rad or m].
        fastest: Highest speed by joint [rad/s or m/s].
        policy: Whether the trajectory takes longer where it would be too fast.

    Returns:
        The trajectory, or the same path in more time.

    Raises:
        RefusedTrajectoryError: A limit is passed; the text names points, joint, what was found and
            what is allowed.
    """
    asked = trajectory.duration - trajectory.points[0].time
    for _ in range(SCALINGS):
        ratio, text = _too_fast(trajectory, fastest)
        if ratio <= 1.0 + SPARE:
            break
        taken = trajectory.duration - trajectory.points[0].time
        most = min(MOST_TIMES * asked, LONGEST)
        if policy is TooFast.REFUSE or not ratio * taken <= most:
            raise RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, text)
        trajectory = _stretched(trajectory, ratio * (1.0 + 0.1 * SPARE))
    else:
        raise RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, text)
    _check_range(trajectory, lower, upper)
    return trajectory


def _too_fast(trajectory: JointTrajectory, fastest: Mapping[str, float]) -> tuple[float, str]:
    """Return the largest speed as a part of its limit, and where it is."""
    limits = np.array([fastest[joint] for joint in trajectory.joints])
    worst, text = 0.0, ""
    for index, (first, second) in enumerate(pairwise(trajectory.points)):
        duration = second.time - first.time
        control = _control_points(first, second)
        speeds = DEGREE / duration * np.diff(control, axis=0)
        with np.errstate(all="ignore"):
            if (np.abs(speeds) <= limits).all():
                continue
        for joint, column in enumerate(speeds.T):
            found = np.abs(_extremes(column)).max()
            # a speed that is no number is as wrong as an infinite one
            ratio = float(found / limits[joint]) if found > 0.0 or np.isnan(found) else 0.0
            ratio = ratio if ratio == ratio else np.inf  # noqa: PLR0124 - not a number
            if ratio > worst:
                worst = ratio
                text = (
                    f"{_between(trajectory, index)}{trajectory.joints[joint]} moves with "
                    f"{found:.4g}, expected at most {limits[joint]:g}, its velocity limit"
                )
    return worst, text


def _check_range(
    trajectory: JointTrajectory, lower: Mapping[str, float], upper: Mapping[str, float]
) -> None:
    begin = trajectory.points[0].position
    low = np.minimum([lower[joint] for joint in trajectory.joints], begin) - ROUNDING
    high = np.maximum([upper[joint] for joint in trajectory.joints], begin) + ROUNDING
    for index, (first, second) in enumerate(pairwise(trajectory.points)):
        control = _control_points(first, second)
        if ((low <= control) & (control <= high)).all():
            continue
        for joint, column in enumerate(control.T):
            for found in _extremes(column):
                if not low[joint] <= found <= high[joint]:
                    name = trajectory.joints[joint]
                    raise RefusedTrajectoryError(
                        TrajectoryCode.INVALID_GOAL,
                        f"{_between(trajectory, index)}{name} goes to {found:.4g}, expected "
                        f"{lower[name]:g} to {upper[name]:g}, its limits",
                    )


def _control_points(first: TrajectoryPoint, second: TrajectoryPoint) -> Array:
    """Return a segment in Bernstein's form, `(6, n)`: it lies within its control points."""
    duration = second.time - first.time
    with np.errstate(all="ignore"):
        power = np.array([c * duration**k for k, c in enumerate(coefficients(first, second))])
        points: Array = TO_BERNSTEIN @ power
    return points


def _extremes(control: Sequence[float] | Array) -> Array:
    """Return the values of a polynomial in Bernstein's form at its ends and where it turns."""
    control = np.asarray(control)
    if not np.isfinite(control).all():
        return control
    degree = len(control) - 1
    powers = np.zeros(degree + 1)
    for k in range(degree + 1):
        for j in range(k + 1):
            powers[k] += comb(degree, k) * comb(k, j) * (-1.0) ** (k - j) * control[j]
    slope = np.polynomial.Polynomial(powers).deriv()
    turns = slope.trim(0.0).roots() if np.any(slope.coef) else np.zeros(0)
    inside = [t.real for t in turns if abs(t.imag) < REAL and 0.0 < t.real < 1.0]
    values = np.polynomial.Polynomial(powers)(np.array(inside))
    return np.concatenate([[control[0], control[-1]], values])


def _stretched(trajectory: JointTrajectory, factor: float) -> JointTrajectory:
    """Return the same path in `factor` times the time, from the same beginning."""
    begin = trajectory.points[0]
    slower = [
        TrajectoryPoint(
            begin.time + factor * (point.time - begin.time),
            point.position,
            None if point.velocity is None else point.velocity / factor,
            None if point.acceleration is None else point.acceleration / factor**2,
        )
        for point in trajectory.points[1:]
    ]
    return JointTrajectory(trajectory.joints, [begin, *slower])


def _between(trajectory: JointTrajectory, index: int) -> str:
    times = distinct(trajectory.points[index].time, trajectory.points[index + 1].time)
    return f"between {times[0]} and {times[1]} s "
