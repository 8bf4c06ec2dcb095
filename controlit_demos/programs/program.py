"""Program: what a demonstration does with a robot."""

from typing import Protocol

from controlit_demos.programs.demo_course import DemoCourse
from controlit_ros.client import Robot


class Program(Protocol):
    """Steers by `controlit_ros.client`, and sees only what the controller publishes and answers."""

    @property
    def duration(self) -> float:
        """How long it is expected to take [s]."""

    def run(self, robot: Robot, course: DemoCourse) -> None:
        """Move the robot.

        Args:
            robot: The controller, active and at rest.
            course: Is told each phase; time counts from the first.

        Raises:
            ClientError: It cannot go on.
        """
