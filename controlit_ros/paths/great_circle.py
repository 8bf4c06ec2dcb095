"""GreatCircle: the shortest way on the unit sphere."""

import math
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.opposite import IDENTITY, is_opposite, lift, lower
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import PathKind, Trajectory, TrajectoryError, TrajectorySample

SMALL = 0.01  # [rad²] below which series are more exact than quotients


class _Bend(NamedTuple):
    """`cos √p` and `sin √p / √p` with their derivatives by `p`."""

    c: float
    c1: float
    c2: float
    s: float
    s1: float
    s2: float


class GreatCircle:
    """From one heading `(3,)` or quaternion `(4,)` to another on a great circle; a `Path`.

    In the tangent plane at the goal g the way is a vector w(t) from `log_g(u₀)` to zero,

        u = cos|w| g + (sin|w| / |w|) w

    which for a start at rest is the spherical linear interpolation with the time law of its kind,
    and for a start in motion bends towards it without a jump. Quaternions go the short way round,
    headings to the opposite side about an axis as upright as possible (`opposite`).

    Args:
        start: Where it begins, of unit length, and how it moves there.
        goal: Where it ends, at rest; of any length.
        duration: How long it takes [s].
        kind: Time law.
        begin: When it begins [s].

    Raises:
        TrajectoryError: The goal has no direction, or the duration is none.
    """

    def __init__(
        self,
        start: TrajectorySample,
        goal: Array,
        duration: float,
        kind: PathKind = PathKind.MINIMUM_JERK,
        begin: float = 0.0,
    ) -> None:
        way = self._aim(start, goal)
        self._way: Path = Trajectory(
            (begin, begin + duration), (way.value, np.zeros_like(way.value)), (), kind, way
        )

    def _aim(self, start: TrajectorySample, goal: Array) -> TrajectorySample:
        """Take over the goal, and return the way to the pole in the tangent plane there."""
        self.goal, self._pole, way = way_on_sphere(start, goal)
        return way

    @property
    def start(self) -> float:
        """When it begins [s]."""
        return self._way.start

    @property
    def end(self) -> float:
        """When it is over [s]."""
        return self._way.end

    def at(self, time: float) -> TrajectorySample:
        """Return direction, velocity and acceleration at a time [s]."""
        return at_goal(from_tangent_plane(self._pole, self._way.at(time)), self.goal)


def angle_between(one: Array, other: Array) -> float:
    """Return the angle between two headings, or the turn between two quaternions [rad]."""
    cosine, sine = float(one @ other), float(np.linalg.norm(other - (one @ other) * one))
    return 2.0 * math.atan2(sine, abs(cosine)) if one.size == 4 else math.atan2(sine, cosine)


class WayOnSphere(NamedTuple):
    """A goal on the sphere, and the way to it.

    Attributes:
        goal: `(3,)` or `(4,)` of unit length.
        pole: Where the way ends: the goal, or of headings from the opposite side the identity
            `(4,)` of the turn that carries the goal along (`opposite`).
        way: To the pole, in the tangent plane there.
    """

    goal: Array
    pole: Array
    way: TrajectorySample


def way_on_sphere(start: TrajectorySample, goal: Array) -> WayOnSphere:
    """Return a goal and the way to it in the tangent plane there.

    Args:
        start: `(3,)` or `(4,)` of unit length, and how it moves.
        goal: Where it ends; of any length, and either quaternion of an orientation.

    Raises:
        TrajectoryError: The goal has no direction.
    """
    length = float(np.linalg.norm(goal))
    if not (math.isfinite(length) and length > 0.0):
        raise TrajectoryError(f"found {goal.tolist()}, expected a direction")
    end: Array = np.asarray(goal, dtype=float) / length
    pole = end
    if is_opposite(start, end):
        start, pole = lift(start, end), IDENTITY
    if pole.size == 4 and start.value @ pole < 0.0:
        pole = -pole  # the same orientation
    return WayOnSphere(pole if end.size == 4 else end, pole, _to_plane(pole, start))


def at_goal(sample: TrajectorySample, goal: Array) -> TrajectorySample:
    """Return a point on a `WayOnSphere` as one of the goal's kind."""
    return lower(sample, goal) if sample.value.size > goal.size else sample


def _to_plane(goal: Array, sample: TrajectorySample) -> TrajectorySample:
    """Return the way to the goal in the tangent plane there, with its derivatives."""
    u, u_dot, u_ddot = sample
    cosine = float(goal @ u)
    aside = u - cosine * goal
    sine = float(np.linalg.norm(aside))
    angle = math.atan2(sine, cosine)
    w = aside * (angle / sine) if sine > 0.0 else aside
    bend = _bend(float(w @ w))
    p_dot = float(goal @ u_dot) / bend.c1
    p_ddot = (float(goal @ u_ddot) - bend.c2 * p_dot**2) / bend.c1
    w_dot = (u_dot - (goal @ u_dot) * goal - bend.s1 * p_dot * w) / bend.s
    w_ddot = (
        u_ddot
        - (goal @ u_ddot) * goal
        - (bend.s2 * p_dot**2 + bend.s1 * p_ddot) * w
        - 2.0 * bend.s1 * p_dot * w_dot
    ) / bend.s
    return TrajectorySample(w, w_dot, w_ddot)


def from_tangent_plane(goal: Array, way: TrajectorySample) -> TrajectorySample:
    """Return the point of the sphere above a point of the tangent plane, with its derivatives.

    Args:
        goal: `(k,)` of unit length, where the plane is.
        way: `(k,)` from there; zero: the goal itself.
    """
    w, w_dot, w_ddot = way
    bend = _bend(float(w @ w))
    p_dot = 2.0 * float(w @ w_dot)
    p_ddot = 2.0 * float(w_dot @ w_dot + w @ w_ddot)
    return TrajectorySample(
        bend.c * goal + bend.s * w,
        bend.c1 * p_dot * goal + bend.s1 * p_dot * w + bend.s * w_dot,
        (bend.c2 * p_dot**2 + bend.c1 * p_ddot) * goal
        + (bend.s2 * p_dot**2 + bend.s1 * p_ddot) * w
        + 2.0 * bend.s1 * p_dot * w_dot
        + bend.s * w_ddot,
    )


def _bend(p: float) -> _Bend:
    if p < SMALL:
        c = 1.0 - p / 2.0 + p**2 / 24.0 - p**3 / 720.0 + p**4 / 40320.0
        s = 1.0 - p / 6.0 + p**2 / 120.0 - p**3 / 5040.0 + p**4 / 362880.0
        s1 = -1.0 / 6.0 + p / 60.0 - p**2 / 1680.0 + p**3 / 90720.0
        s2 = 1.0 / 60.0 - p / 840.0 + p**2 / 30240.0
    else:
        root = math.sqrt(p)
        c, s = math.cos(root), math.sin(root) / root
        s1 = (c - s) / (2.0 * p)
        s2 = (-s / 2.0 - 3.0 * s1) / (2.0 * p)
    return _Bend(c, -s / 2.0, -s1 / 2.0, s, s1, s2)
