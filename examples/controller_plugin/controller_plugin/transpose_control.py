"""TransposeControl: tasks pull with forces, and nobody goes first."""

import numpy as np

from controlit_ros.plugins import (
    Command,
    CommandKind,
    CompoundTask,
    ConstrainedModel,
    ParameterError,
    RobotDescription,
    WholeBodyController,
)


class TransposeControl(WholeBodyController):
    """Jacobian-transpose control, seen through the constraints.

        τ = UNc̄ᵀ (B + G) + Σ (J UNc̄)ᵀ m ẍ

    with the commanded accelerations `ẍ` of all tasks and one mass m for all: an inverse of nothing,
    so it passes through singular postures, and in return no task is exact while another one pulls.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        self.mass = self.declare(
            "mass",
            1.0,
            lower=0.0,
            unit="kg, kg m²",
            description="Force for each unit of commanded acceleration.",
        )
        self._force = np.zeros(robot.nv)
        self._reduced = np.zeros(len(robot.command_joints))

    def configure(self, tasks: CompoundTask) -> None:
        """Refuse tasks that command a force: there is no mass to multiply it with.

        Raises:
            ParameterError: There is one.
        """
        for task in tasks.tasks:
            if task.command_kind is not CommandKind.ACCELERATION:
                raise ParameterError(
                    f"{self.name}: {task.name} commands a {task.command_kind.value}, "
                    "expected tasks that command accelerations"
                )

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Add up what the tasks pull with."""
        pull = self._reduced[: model.task_map.shape[1]]
        np.dot(tasks.command, tasks.jacobian, out=self._force)
        np.dot(self._force, model.task_map, out=pull)
        np.dot(model.effort_map, pull, out=command.effort)
        command.effort *= self.mass.value
        command.effort += model.bias_effort
