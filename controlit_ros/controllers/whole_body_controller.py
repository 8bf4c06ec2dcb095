"""WholeBodyController: from tasks and model to a command."""

from abc import ABC, abstractmethod

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import ParameterReflection
from controlit_ros.tasks.compound_task import CompoundTask


class WholeBodyController(ParameterReflection, ABC):
    """Computes the command of one servo cycle (paper section 4.2).

    A plugin: the class is named in the entry point group `controlit.whole_body_controllers`; its
    parameters, declared in `__init__`, stand under `whole_body_controller` in the configuration.

    Args:
        robot: The robot's structure.
        max_rows: Rows of all tasks together.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__("whole_body_controller")
        self.robot = robot
        self.max_rows = max_rows

    def create_command(self) -> Command:
        """Allocate a command with the fields this controller fills in."""
        return Command(self.robot.command_joints)

    @abstractmethod
    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the command for a model and tasks that were computed just before."""

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Compute what the next `compute_command` will, without effect, if that is possible.

        Called shortly before a cycle, so that the cycle finds code and data in the caches.
        """
