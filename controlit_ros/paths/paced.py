"""From limits to how long a path takes."""

from collections.abc import Callable

import numpy as np

from controlit_ros.parameters import Parameter
from controlit_ros.paths.limits import Excess, PathLimits, excess
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import TrajectoryError, TrajectorySample

SHORTEST = 0.01  # [s] of a motion that has no way to go
TRIES = 40  # [-] from rest the second fits; one that begins with a velocity changes its form
STEP = 1.05  # [-] of the time, at least, where a path in mid-motion hardly becomes slower by it
SPARE = 1e-4  # [-] of the time; what the looks at a path miss


def paced(
    goal: Parameter,
    start: TrajectorySample,
    make: Callable[[float], Path],
    limits: PathLimits,
) -> Path:
    """Return a path that takes as long as its limits need, and hardly longer.

    Args:
        goal: What moves.
        start: How it moves at the beginning: what is faster than a limit there may stay so.
        make: Returns the path of a duration [s].
        limits: Of the path.

    Raises:
        TrajectoryError: No duration is long enough.
    """
    present = excess(goal, _Moment(start), limits)
    allowed = max(1.0, present.factor) * (1.0 + SPARE)
    duration = SHORTEST
    for _ in range(TRIES):
        path = make(duration)
        found = excess(goal, path, limits)
        if found.factor <= allowed:
            return path
        ratio = found.factor / allowed
        duration *= ratio * (1.0 + SPARE) if duration == SHORTEST else max(ratio, STEP)
        if not np.isfinite(duration):
            break
    raise TrajectoryError(
        f"{told_excess(goal, found)} however long it takes, since it is in motion"
    )


def told_excess(goal: Parameter, found: Excess) -> str:
    """Return which limit is passed, in words."""
    who = "" if found.component is None else f"{_name(goal, found.component)} with "
    unit = goal.unit or "rad"
    per = {"velocity": "/s", "acceleration": "/s²", "jerk": "/s³"}[found.name]
    return (
        f"it moves {who or 'with '}{found.found:.4g} {unit}{per}, expected at most "
        f"{found.allowed:.4g} in {found.name}"
    )


def _name(goal: Parameter, component: int) -> str:
    return goal.labels[component] if goal.labels else f"component {component}"


class _Moment:
    """A state that lasts; a `Path`."""

    start = 0.0
    end = 1.0

    def __init__(self, state: TrajectorySample) -> None:
        self._state = state

    def at(self, _time: float) -> TrajectorySample:
        """Return the state."""
        return self._state
