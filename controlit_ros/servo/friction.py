"""Friction: its compensation as the servo goes from state to state."""

from collections.abc import Callable

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.friction_compensation import FrictionCompensation
from controlit_ros.model import RobotState
from controlit_ros.servo.routine import Duty, by_python


class Friction:
    """Compensates while control is active, and begins anew after anything else; servo thread.

    Args:
        compensation: What is added to commands; `None`: nothing.
    """

    def __init__(self, compensation: FrictionCompensation | None) -> None:
        self._compensation = compensation

    def compensate(self, command: Command, state: RobotState, model: ConstrainedModel) -> None:
        """Add to the command of an active controller, before limits are applied."""
        if self._compensation is not None:
            self._compensation.compensate(command, state, model)

    def following(
        self, command: Command, measured: RobotState, *, is_active: bool
    ) -> tuple[Duty, ...]:
        """Return what takes note of the command that goes to the robot, limits applied."""
        compensation = self._compensation
        if compensation is None:
            return ()
        if is_active:
            return (by_python(lambda _: compensation.sent(command, measured)),)
        return (by_python(lambda _: compensation.restart()),)

    def taking(self, state: RobotState) -> Callable[[], Array] | None:
        """Return what tells what friction takes, as far as limits may rely on it; none: nothing."""
        compensation = self._compensation
        return None if compensation is None else lambda: compensation.taken(state)

    def net(self, command: Command) -> Array:
        """Return the effort that moves the robot when friction has taken its part."""
        if self._compensation is None:
            return command.effort
        return self._compensation.net(command.effort)
