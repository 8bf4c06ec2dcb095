"""Friction: its compensation as the servo goes from state to state."""

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.friction_compensation import FrictionCompensation
from controlit_ros.model import RobotState
from controlit_ros.servo.coordinator_state import CoordinatorState


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

    def follow(self, command: Command, measured: RobotState, state: CoordinatorState) -> None:
        """Take note of the command that goes to the robot, limits applied."""
        if self._compensation is None:
            return
        if state is CoordinatorState.ACTIVE:
            self._compensation.sent(command, measured)
        else:
            self._compensation.restart()

    def taken(self, state: RobotState) -> Array | None:
        """Return what friction takes of a command, as far as limits may rely on it."""
        return None if self._compensation is None else self._compensation.taken(state)

    def net(self, command: Command) -> Array:
        """Return the effort that moves the robot when friction has taken its part."""
        if self._compensation is None:
            return command.effort
        return self._compensation.net(command.effort)
