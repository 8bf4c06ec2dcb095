"""JerkLimitedPlan: from a moving state to rest in the shortest time, by Ruckig."""

import importlib
import weakref
from collections.abc import Sequence
from types import SimpleNamespace

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.paths.trajectory import TrajectorySample

REQUIREMENT = "ruckig>=0.19"
MARGINS = (0.0, 1e-4, 3e-4, 1e-3)
UNEVEN = (0.3, 0.7, 1.0)
"""Limits are tried less by these parts: Ruckig fails where a motion just, or just not, reaches one,
as it does between round numbers."""


class MissingRuckigError(ControlItError):
    """Ruckig cannot be imported; the text says why and what to install."""


class JerkLimitedPlan:
    """The quickest motion to rest, of which velocity, acceleration and jerk stay within limits.

    Wherever and whenever it begins the acceleration is continuous (Berscheid and Kröger, Jerk-
    limited real-time trajectory generation with arbitrary target states, 2021). Components end
    together, on a straight line where they can.

    Args:
        dimension: Components.

    Raises:
        MissingRuckigError: Ruckig is not installed.
    """

    def __init__(self, dimension: int) -> None:
        try:
            ruckig = importlib.import_module("ruckig")
        except ImportError as error:
            raise MissingRuckigError(
                f"needs ruckig, and that cannot be imported ({error}); expected pip install "
                f"'{REQUIREMENT}'"
            ) from None
        inputs = ruckig.InputParameter(dimension)
        inputs.synchronization = ruckig.Synchronization.Phase
        self._parts = SimpleNamespace(
            inputs=inputs,
            generator=ruckig.Ruckig(dimension),
            now=ruckig.Trajectory(dimension),
            next=ruckig.Trajectory(dimension),
            solved=ruckig.Result.Working,
        )
        weakref.finalize(self, vars(self._parts).clear)  # it complains of what Python's end leaves

    @property
    def duration(self) -> float:
        """How long the motion takes [s]."""
        return float(self._parts.now.duration)

    def plan(self, start: TrajectorySample, target: Array, limits: Sequence[Array] | Array) -> bool:
        """Take over the motion from a state to a place, if one is found.

        Args:
            start: Where it begins and how it moves, `(n,)` each.
            target: `(n,)` where it rests.
            limits: `(3, n)` of velocity, acceleration and jerk.

        Returns:
            Whether one is found; otherwise the motion before stays.
        """
        inputs = self._parts.inputs
        inputs.current_position = start.value.tolist()
        inputs.current_velocity = start.velocity.tolist()
        inputs.current_acceleration = start.acceleration.tolist()
        inputs.target_position = target.tolist()
        return any(self._is_planned(limits, margin) for margin in MARGINS)

    def at(self, time: float) -> tuple[list[float], list[float], list[float]]:
        """Return position, velocity and acceleration at a time since the beginning [s]."""
        position, velocity, acceleration = self._parts.now.at_time(time)
        return position, velocity, acceleration

    def _is_planned(self, limits: Sequence[Array] | Array, margin: float) -> bool:
        """Try to plan with limits that are less by a margin, and take it over."""
        parts = self._parts
        inputs = parts.inputs
        inputs.max_velocity, inputs.max_acceleration, inputs.max_jerk = (
            ((1.0 - part * margin) * limit).tolist()
            for part, limit in zip(UNEVEN, limits, strict=True)
        )
        try:
            is_solved = parts.generator.calculate(inputs, parts.next) == parts.solved
        except Exception:  # noqa: BLE001 - of its own, or of its binding, which knows not all codes
            return False
        if is_solved:
            parts.now, parts.next = parts.next, parts.now
        return bool(is_solved)
