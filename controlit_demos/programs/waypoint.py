"""Waypoint: a posture to pass on the way, or to rest in."""

from collections.abc import Mapping
from typing import NamedTuple


class Waypoint(NamedTuple):
    """A posture the goals of all tasks are taken from.

    Attributes:
        name: What the motion towards it does, for displays.
        duration: Time from the last waypoint to this one [s].
        posture: Positions by joint name [rad or m]; joints left out are at zero.
        pause: Time to rest here [s]; 0: pass through.
    """

    name: str
    duration: float
    posture: Mapping[str, float]
    pause: float = 0.0
