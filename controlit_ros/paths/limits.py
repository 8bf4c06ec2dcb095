"""PathLimits: how fast a goal may move."""

import math
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.angular import angular
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import Trajectory, TrajectorySample

LOOKS = 200  # [-] at a path, a few at each piece; extremes between two are lower by less than 1e-3
NAMES = ("velocity", "acceleration", "jerk")


class PathLimits(NamedTuple):
    """Highest speed, acceleration and jerk; infinite for none.

    Of a posture they hold for each joint, of a point, a direction or an orientation for the length
    of the vector, of a pose for each of these two.

    Attributes:
        velocity: Of the goal [m/s or rad/s]; of a posture also `(n,)`.
        acceleration: [m/s² or rad/s²].
        jerk: [m/s³ or rad/s³].
    """

    velocity: float | Array = math.inf
    acceleration: float | Array = math.inf
    jerk: float | Array = math.inf


class Excess(NamedTuple):
    """By how much a path passes a limit.

    Attributes:
        factor: Part of the time that it should take at least, to keep the limits; at most 1: it
            keeps them.
        name: Of the limit that it passes most.
        found: What it reaches.
        allowed: The limit.
        component: Number of the joint; `None` where the limit holds for the length.
    """

    factor: float
    name: str
    found: float
    allowed: float
    component: int | None


def excess(goal: Parameter, path: Path, limits: PathLimits) -> Excess:
    """Return which limit a path comes nearest to, or passes most, compared by the time it costs."""
    speeds, accelerations, times = _rates(goal, path)
    worst = Excess(0.0, NAMES[0], 0.0, math.inf, None)
    jerks = _jerks(accelerations, times)
    for power, (name, found, limit) in enumerate(
        zip(NAMES, (speeds, accelerations, jerks), limits, strict=True), 1
    ):
        if np.isinf(limit).all():
            continue
        peaks = _sizes(goal, found).max(axis=0)
        with np.errstate(all="ignore"):
            factors = np.nan_to_num((peaks / limit) ** (1.0 / power), nan=math.inf)
        index = int(np.argmax(factors))
        if factors[index] > worst.factor:
            allowed = float(np.broadcast_to(limit, peaks.shape)[index])
            component = index if goal.quantity is Quantity.PLAIN and peaks.size > 1 else None
            worst = Excess(float(factors[index]), name, float(peaks[index]), allowed, component)
    return worst


def _rates(goal: Parameter, path: Path) -> tuple[Array, Array, Array]:
    """Return velocity and acceleration `(m, n)` at m times, those of turning for quaternions."""
    times = looks(path)
    samples = sample(path, times)
    if not goal.quantity.turns:
        return samples.velocity, samples.acceleration, times
    turns = [angular(TrajectorySample(*parts)) for parts in zip(*samples, strict=True)]
    return (
        np.array([turn.velocity for turn in turns]),
        np.array([turn.acceleration for turn in turns]),
        times,
    )


def looks(path: Path) -> Array:
    """Return times at which to look at a path: its ends, and enough in each piece of a spline."""
    if isinstance(path, Trajectory) and len(path.times) > 2:
        count = max(LOOKS // (len(path.times) - 1), 8)
        pieces = zip(path.times[:-1], path.times[1:], strict=True)
        inner = [np.linspace(a, b, count, endpoint=False) for a, b in pieces]
        times: Array = np.concatenate([*inner, [path.end]])
        return times
    return np.linspace(path.start, path.end, LOOKS + 1)


def sample(path: Path, times: Array) -> TrajectorySample:
    """Return a path at m times: three arrays `(m, k)`."""
    if isinstance(path, Trajectory):
        return path.sample(times)
    found = [path.at(float(time)) for time in times]
    return TrajectorySample(*(np.array(parts) for parts in zip(*found, strict=True)))


def _jerks(accelerations: Array, times: Array) -> Array:
    rates: Array = np.diff(accelerations, axis=0) / np.diff(times)[:, np.newaxis]
    return rates


def _sizes(goal: Parameter, vectors: Array) -> Array:
    """Return `(m, n)` of joints, which are each on their own, or `(m, 1)` lengths of vectors.

    Of poses it is `(m, 2)`: how they move and how they turn.
    """
    if goal.quantity is Quantity.PLAIN:
        return np.abs(vectors)
    if goal.quantity is Quantity.POSE:
        both: Array = np.linalg.norm(vectors.reshape(len(vectors), 2, 3), axis=2)
        return both
    lengths: Array = np.linalg.norm(vectors, axis=1, keepdims=True)
    return lengths
