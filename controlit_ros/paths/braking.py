"""Braking: a path that comes to rest on itself."""

from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import TrajectorySample

STOP_TIME = 0.5  # [s] a hand at 0.5 m/s stops within 0.13 m with 1.5 m/s²


class Braking:
    """Slows a path down to rest without leaving it; a `Path`.

    Time on the path s(t) goes on ever slower, `ṡ = 1 − 3 x² + 2 x³` with `x = t / STOP_TIME`, so
    velocity and acceleration have no jump. It stays between where it is and the path's end.

    Args:
        path: What to brake.
        now: Time on the path when braking begins [s].
    """

    def __init__(self, path: Path, now: float) -> None:
        self._path = path
        self._now = now

    @property
    def start(self) -> float:
        """Zero [s]."""
        return 0.0

    @property
    def end(self) -> float:
        """When it rests [s]."""
        return STOP_TIME

    def at(self, time: float) -> TrajectorySample:
        """Return the sample a time after braking began [s]."""
        x = min(max(time / STOP_TIME, 0.0), 1.0)
        value, velocity, acceleration = self._path.at(
            self._now + STOP_TIME * (x - x**3 + x**4 / 2.0)
        )
        pace = 1.0 - 3.0 * x**2 + 2.0 * x**3
        change = (6.0 * x**2 - 6.0 * x) / STOP_TIME
        return TrajectorySample(value, pace * velocity, pace**2 * acceleration + change * velocity)
