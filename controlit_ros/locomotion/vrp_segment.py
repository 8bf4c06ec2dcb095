"""VrpSegment: a stretch of the way that the virtual repellent point takes."""

from typing import NamedTuple

from controlit_ros.arrays import Array


class VrpSegment(NamedTuple):
    """The virtual repellent point moves along a line at constant speed, or rests.

    Attributes:
        duration: [s], above zero.
        start: `(3,)` where it is in the beginning, in the world [m].
        end: `(3,)` where it is in the end [m].
    """

    duration: float
    start: Array
    end: Array
