"""Path: where a goal is at every time."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from controlit_ros.paths.trajectory import TrajectoryError, TrajectorySample

LONGEST_GAP = 1e-6  # [SI] between the end of one path and the beginning of the next


class Path(Protocol):
    """A goal over time; rests before its start and after its end."""

    @property
    def start(self) -> float:
        """When it begins [s]."""

    @property
    def end(self) -> float:
        """When it is over [s]."""

    def at(self, time: float) -> TrajectorySample:
        """Return goal, velocity and acceleration at a time [s]."""


class Chain:
    """Paths one after the other; a `Path`.

    Args:
        paths: Each begins where and when the one before ends.

    Raises:
        TrajectoryError: There is none, or a gap between two.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        if not paths:
            raise TrajectoryError("found no path, expected one or more")
        for number, (one, other) in enumerate(pairwise(paths)):
            gap = abs(one.at(one.end).value - other.at(other.start).value).max()
            if one.end != other.start or gap > LONGEST_GAP:
                raise TrajectoryError(
                    f"path {number + 2} begins {gap:.3g} beside and "
                    f"{other.start - one.end:.3g} s after the end of the one before, expected there"
                )
        self._paths = tuple(paths)

    @property
    def start(self) -> float:
        """Of the first path [s]."""
        return self._paths[0].start

    @property
    def end(self) -> float:
        """Of the last path [s]."""
        return self._paths[-1].end

    def at(self, time: float) -> TrajectorySample:
        """Return the sample of the path whose time it is."""
        return next((p for p in self._paths if time < p.end), self._paths[-1]).at(time)
