"""From how long or how fast a motion shall be to its path."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import did_you_mean
from controlit_ros.parameters import Parameter
from controlit_ros.paths.goal_paths import path_through, path_to, shares
from controlit_ros.paths.limits import PathLimits, excess
from controlit_ros.paths.paced import paced, told_excess
from controlit_ros.paths.path import Path
from controlit_ros.paths.time_optimal import DEFAULT_LIMITS, TIME_OPTIMAL, quickest
from controlit_ros.paths.trajectory import PathKind, TrajectoryError, TrajectorySample

WAYPOINT_KINDS = tuple(kind.value for kind in PathKind)
KINDS = (*WAYPOINT_KINDS, TIME_OPTIMAL)
LIMITS_OF = {
    PathKind.LINEAR.value: ("speed",),
    PathKind.CUBIC.value: ("speed", "acceleration"),
    PathKind.MINIMUM_JERK.value: ("speed", "acceleration", "jerk"),
    TIME_OPTIMAL: ("speed", "acceleration", "jerk"),
}
"""What is continuous enough to be limited: the next derivative is infinite somewhere."""

SPARE = 1e-3  # [-] of a limit; what the looks at a path and rounding in time miss


def kind_named(name: PathKind | str, known: Sequence[str] = KINDS) -> str:
    """Return the kind of a motion.

    Raises:
        TrajectoryError: There is none of that name among those that are known.
    """
    kind = name.value if isinstance(name, PathKind) else name
    if kind not in known:
        raise TrajectoryError(f"unknown kind {kind!r}{did_you_mean(kind, known)}")
    return kind


def limits_for(
    kind: str,
    *,
    speed: float | None = None,
    acceleration: float | None = None,
    jerk: float | None = None,
) -> PathLimits:
    """Return the limits of a motion; none where nothing is stated.

    Raises:
        TrajectoryError: One is not positive, or the kind does not bound it.
    """
    stated = {"speed": speed, "acceleration": acceleration, "jerk": jerk}
    for name, value in stated.items():
        if value is None:
            continue
        if not (math.isfinite(value) and value > 0.0):
            raise TrajectoryError(f"{name}: found {value:g}, expected a number above 0")
        if name not in LIMITS_OF[kind]:
            raise TrajectoryError(
                f"found {name} {value:g} of a {kind} motion, which has no bounded {name}; expected "
                f"none, or the kind {TIME_OPTIMAL}"
            )
    return PathLimits(*(math.inf if value is None else value for value in stated.values()))


def limited_path_to(
    goal: Parameter,
    start: TrajectorySample,
    end: Array,
    *,
    kind: str,
    duration: float | None,
    limits: PathLimits,
    fastest: Array | float = math.inf,
) -> Path:
    """Return the path of a goal to another one, of a stated duration or as its limits allow.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        end: `(k,)` where it shall come to rest.
        kind: One of `KINDS`; `time_optimal` takes the shortest time.
        duration: How long it takes [s]; then the limits are only checked.
        limits: Those stated; infinite ones where none are.
        fastest: Speed that none is chosen above, of the length or `(k,)` of joints.

    Raises:
        TrajectoryError: There is no such path.
        MissingRuckigError: The kind needs Ruckig, and that is not installed.
    """
    if kind == TIME_OPTIMAL:
        if duration is not None:
            raise TrajectoryError(
                f"found a duration beside {TIME_OPTIMAL}, which takes the shortest; expected none"
            )
        return quickest(goal, start, end, _slower(_finite(limits), fastest))

    def make(time: float) -> Path:
        return path_to(goal, start, end, duration=time, kind=PathKind(kind))

    return limited_path(goal, start, make, kind, duration, limits, fastest)


def limited_path_through(
    goal: Parameter,
    start: TrajectorySample,
    waypoints: Sequence[Array],
    *,
    kind: str,
    times: Sequence[float] | None,
    limits: PathLimits,
    stops: Sequence[int] = (),
) -> Path:
    """Return the path of a goal through waypoints, at stated times or as its limits allow.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        waypoints: `(n, k)` where it passes; it comes to rest at the last.
        kind: One of `WAYPOINT_KINDS`.
        times: `(n,)` when, from now on [s]; then the limits are only checked. Without, the time
            between two waypoints is in proportion to the way.
        limits: Those stated; infinite ones where none are.
        stops: Numbers of the waypoints to rest at on the way, from 0.

    Raises:
        TrajectoryError: There is no such path.
    """
    if not len(waypoints):
        raise TrajectoryError("found no waypoints, expected one or more")
    parts = shares(goal, start.value, waypoints) if times is None else np.asarray(times, float)

    def make(time: float) -> Path:
        moments = (time * parts).tolist()
        return path_through(goal, start, waypoints, times=moments, stops=stops, kind=PathKind(kind))

    return limited_path(goal, start, make, kind, None if times is None else 1.0, limits)


def limited_path(
    goal: Parameter,
    start: TrajectorySample,
    make: Callable[[float], Path],
    kind: str,
    duration: float | None,
    limits: PathLimits,
    fastest: Array | float = math.inf,
) -> Path:
    """Return a path of any shape, of a stated duration or as its limits allow.

    Args:
        goal: What moves.
        start: `(k,)` where it is and how it moves.
        make: Returns the path of a duration [s].
        kind: One of `WAYPOINT_KINDS`.
        duration: How long it takes [s]; then the limits are only checked.
        limits: Those stated; infinite ones where none are.
        fastest: Speed that none is chosen above, of the length or `(k,)` of joints.

    Raises:
        TrajectoryError: There is no such path.
    """
    if duration is not None:
        path = make(duration)
        check_limits(goal, path, limits)
        return path
    if all(np.isinf(limit).all() for limit in limits):
        raise TrajectoryError(
            "found neither duration nor limits, expected a duration, or one of "
            f"{', '.join(LIMITS_OF[kind])}"
        )
    return paced(goal, start, make, _slower(limits, fastest))


def check_limits(goal: Parameter, path: Path, limits: PathLimits) -> None:
    """Check that a path keeps its limits.

    Raises:
        TrajectoryError: It does not; the text says how long it should take.
    """
    found = excess(goal, path, limits)
    if found.factor > 1.0 + SPARE:
        raise TrajectoryError(
            f"{told_excess(goal, found)}; it takes {path.end:.4g} s, expected about "
            f"{path.end * found.factor:.4g} or more"
        )


def _finite(limits: PathLimits) -> PathLimits:
    """Return the limits with defaults for what is not stated."""
    pairs = zip(limits, DEFAULT_LIMITS, strict=True)
    return PathLimits(*(np.where(np.isinf(limit), default, limit) for limit, default in pairs))


def _slower(limits: PathLimits, fastest: Array | float) -> PathLimits:
    return limits._replace(velocity=np.minimum(limits.velocity, fastest))
