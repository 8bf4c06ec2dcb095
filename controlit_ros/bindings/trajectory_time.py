"""TrajectoryTime: how time passes for what moves goals."""

from collections.abc import Callable
from typing import NamedTuple


class TrajectoryTime(NamedTuple):
    """The servo's clock, as others see it.

    Attributes:
        now: Returns the time of the servo's clock [s].
        offset: Seconds from that clock to ROS time.
        starts: Returns how often that clock began; more when it has jumped.
    """

    now: Callable[[], float]
    offset: float
    starts: Callable[[], int]
