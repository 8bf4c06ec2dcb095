"""Ball: a thing on its way, told as a camera would tell it."""

from collections.abc import Sequence

import numpy as np

from controlit_demos.comparison.seen_robot import SeenRobot
from controlit_ros.arrays import Array
from controlit_ros.interfaces import new
from controlit_ros.transport import DEFAULT, Transport

POINT, VECTOR = "geometry_msgs/msg/Point", "geometry_msgs/msg/Vector3"


class Ball:
    """Moves on straight lines, and publishes where it is and how fast, every round.

    Args:
        transport: In the controller's namespace.
        seen: Who looks at its distance.
        position: `(3,)` where it begins [m].
    """

    def __init__(self, transport: Transport, seen: SeenRobot, position: Array) -> None:
        self._seen = seen
        self._position = position.copy()
        self._velocity = np.zeros(3)
        self._arrival = 0.0
        self._last: float | None = None
        self._topics = [
            transport.publisher("ball/position", POINT, DEFAULT),
            transport.publisher("ball/velocity", VECTOR, DEFAULT),
        ]
        seen.ball = self._position

    def go(self, goal: Sequence[float] | Array, now: float, duration: float) -> None:
        """Be somewhere else after a time [s]."""
        self._velocity = (np.asarray(goal) - self._position) / duration
        self._arrival = now + duration

    def move(self, now: float) -> bool:
        """Move on to a time [s], and tell; always goes on."""
        before = now if self._last is None else self._last
        self._position += max(0.0, min(now, self._arrival) - before) * self._velocity
        if now >= self._arrival:
            self._velocity = np.zeros(3)
        self._last = now
        for publisher, type_name, values in zip(
            self._topics, (POINT, VECTOR), (self._position, self._velocity), strict=True
        ):
            publisher.publish(new(type_name, **dict(zip("xyz", values.tolist(), strict=True))))
        return True
