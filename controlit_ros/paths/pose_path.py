"""PosePath: a position and an orientation on their ways together."""

import numpy as np

from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import TrajectorySample

PLACE, TURN = slice(0, 3), slice(3, 7)

POSITION = Parameter("position", np.zeros(3), shape=(3,), unit="m", quantity=Quantity.POINT)
ORIENTATION = Parameter(
    "orientation",
    (0.0, 0.0, 0.0, 1.0),
    shape=(4,),
    unit_length=True,
    quantity=Quantity.QUATERNION,
)
"""What the two parts of a pose are, each as a goal of its own."""


class PosePath:
    """A pose whose parts follow paths of their own; a `Path`.

    Args:
        position: `(3,)` its place.
        orientation: `(4,)` its quaternion xyzw; begins when the position does.
    """

    def __init__(self, position: Path, orientation: Path) -> None:
        self._parts = (position, orientation)

    @property
    def start(self) -> float:
        """When both begin [s]."""
        return self._parts[0].start

    @property
    def end(self) -> float:
        """When the later one is over [s]."""
        return max(part.end for part in self._parts)

    def at(self, time: float) -> TrajectorySample:
        """Return pose, velocity and acceleration, `(7,)` each, at a time [s]."""
        place, turn = (part.at(time) for part in self._parts)
        return TrajectorySample(*(np.concatenate(both) for both in zip(place, turn, strict=True)))


def place_of(start: TrajectorySample) -> TrajectorySample:
    """Return the position of a pose and how it moves."""
    return TrajectorySample(*(part[PLACE] for part in start))


def turn_of(start: TrajectorySample) -> TrajectorySample:
    """Return the orientation of a pose and how it moves."""
    return TrajectorySample(*(part[TURN] for part in start))
