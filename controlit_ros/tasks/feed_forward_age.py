"""FeedForwardAge: how long there has been no news of what is fed forward with a goal."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter


class FeedForwardAge:
    """Time since the velocity and the acceleration of a goal were set, each by itself.

    Attributes:
        age: `(2,)` of the velocity and of the acceleration [s].
    """

    def __init__(self) -> None:
        self.age: Array = np.zeros(2)
        self._seen_revisions = [-1, -1]

    def note_news(self, velocity: Parameter | None, acceleration: Parameter | None) -> None:
        """Begin to count again where one was set; servo thread."""
        for i, feed_forward in enumerate((velocity, acceleration)):
            if feed_forward is not None and feed_forward.revision != self._seen_revisions[i]:
                self._seen_revisions[i] = feed_forward.revision
                self.age[i] = 0.0

    def expired(self, timeout: float) -> tuple[bool, bool]:
        """Tell of each whether it is too old to count; a timeout of 0 s never ends."""
        is_old = (timeout > 0.0) & (self.age > timeout)
        return bool(is_old[0]), bool(is_old[1])
