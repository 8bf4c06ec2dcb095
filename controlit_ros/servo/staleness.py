"""Staleness: how far the robot has moved away from the model the servo relies on."""

from typing import NamedTuple

from controlit_ros.kernels import is_near
from controlit_ros.model import RobotState


class StalenessBound(NamedTuple):
    """How old a model may be before the servo updates it itself.

    Attributes:
        distance: Farthest a joint, or a coordinate of the base, may have moved since the model's
            state [rad or m].
        age: Greatest difference between the stamps of the newest state and of the model's [s].
    """

    distance: float = 0.05
    age: float = 0.02


class Staleness:
    """Compares the newest state with a model's; servo thread, allocates nothing.

    The orientation of the base counts by twice the difference of its quaternion's entries, which
    for small rotations is the angle.

    Args:
        bound: How old a model may be.

    Attributes:
        cycles: Cycles in which the bound was passed.
        inline_updates: Cycles in which the servo updated the model itself for that reason.
    """

    def __init__(self, bound: StalenessBound) -> None:
        self.cycles = 0
        self.inline_updates = 0
        self._distance, self._age = float(bound.distance), float(bound.age)
        self.is_near(RobotState(()), RobotState(()))  # compiled now, not in the first cycle

    def is_passed(self, newest: RobotState, model: RobotState) -> bool:
        """Tell whether a model at a state is too old for the newest state, and count it."""
        if self.is_near(newest, model):
            return False
        self.cycles += 1
        return True

    def is_near(self, newest: RobotState, model: RobotState) -> bool:
        """Tell whether a model at a state is as new as it shall be."""
        return is_near(newest.motion, model.motion, self._distance, self._age)
