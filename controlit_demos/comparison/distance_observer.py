"""DistanceObserver: how near a robot's bodies come to others or to a ball."""

from collections.abc import Mapping, Sequence

from controlit_demos.comparison.error_observer import MILLIMETRES
from controlit_demos.comparison.seen_robot import SeenRobot
from controlit_demos.comparison.trace import Trace
from controlit_ros.recording.series import Series

DISTANCE = "least distance"


class DistanceObserver:
    """Looks at the least distance.

    Args:
        seen: The robot.
        margin: That it shall keep [m].
    """

    def __init__(self, seen: SeenRobot, margin: float) -> None:
        self._seen = seen
        self._margin = margin
        self._series = Series(1)

    def look(self, elapsed: float) -> None:
        """Keep the distance."""
        self._series.append(elapsed, [MILLIMETRES * self._seen.distance()])

    def findings(self) -> Mapping[str, float]:
        """Return the least [mm]; below zero where bodies overlapped."""
        return {DISTANCE: float(self._series.track().values.min())}

    def traces(self) -> Sequence[Trace]:
        """Return the distance over time."""
        return [Trace("distance [mm]", self._series, MILLIMETRES * self._margin)]
