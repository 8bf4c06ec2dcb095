"""Benchmark: a robot that costs nothing to read and write."""

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.robot_interface import RobotInterface, RobotSetup


class Benchmark(RobotInterface):
    """Stands still, so that the time of a servo cycle is the controller's own.

    Every `read` is a new measurement of the same posture; nothing is sensed at contacts.

    Attributes:
        command: The last command written, for inspection; `None` before the first.
        writes: Counts the commands.
    """

    senses_wrenches = False

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self.command: Command | None = None
        self.writes = 0
        self._posture = self.declare_setting(
            "posture",
            0.0,
            "Posture that every measurement reports.",
            shape=(len(setup.joint_names),),
            labels=setup.joint_names,
            broadcast=True,
            unit="rad or m",
        )
        self._sequence = 0
        self._at_rest = RobotState(setup.joint_names)

    def configure(self) -> None:
        """Accept any posture."""

    def activate(self) -> None:
        """Count measurements and commands from zero."""
        self._sequence = 0
        self.writes = 0

    def read(self, state: RobotState) -> bool:
        """Report the posture, at rest; the servo stamps it on arrival."""
        self._sequence += 1
        state.motion[...] = self._at_rest.motion
        state.position[...] = self._posture.value
        state.sequence = self._sequence
        if self.command is not None:
            state.reflected_sequence = self.command.sequence
        return True

    def write(self, command: Command) -> None:
        """Remember the command."""
        self.command = command
        self.writes += 1

    def deactivate(self) -> None:
        """Do nothing: there is no connection."""
