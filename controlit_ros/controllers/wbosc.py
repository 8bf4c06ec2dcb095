"""WBOSC: whole-body operational space control by prioritised projection."""

import numpy as np
import numpy.typing as npt

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.kernels import prioritised_effort
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Kind
from controlit_ros.tasks.compound_task import CompoundTask

Array = npt.NDArray[np.float64]


class WBOSC(WholeBodyController):
    """Effort commands for prioritised tasks under constraints (paper section 3).

    The law is written down in `recursion.compute_effort`, plus the compensation `UNc̄ᵀ (B + G)`;
    what runs is `kernels.prioritised_effort`. With `velocity_bias`, `u_i` is the task's command
    minus `J̇ v` plus `J_i Jc̄ J̇c v`, so that commanded accelerations are exact at any velocity.

    Attributes:
        level_rank: `(max_rows,)` rank of each level at the last cycle, highest priority first;
            zero past the last level.
        level_condition: `(max_rows,)` condition number of each level's kept part: an upper
            estimate, at most rank times too large.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        self.velocity_bias = self.declare(
            "velocity_bias",
            True,
            kind=Kind.BOOLEAN,
            description="compensate velocity-dependent accelerations of tasks and constraints",
        )
        self.reach_lower_levels = self.declare(
            "reach_lower_levels",
            False,
            kind=Kind.BOOLEAN,
            description="compensate what higher levels do to lower ones, unlike the published law",
        )
        na = len(robot.command_joints)
        self.level_rank: npt.NDArray[np.int64] = np.zeros(max_rows, dtype=np.int64)
        self.level_condition: Array = np.ones(max_rows)
        self._no_bias: Array = np.zeros(max_rows)
        self._no_drift: Array = np.zeros(robot.nv)
        self._row_work: Array = np.zeros((3, max(max_rows, 1), na))
        self._square_work: Array = np.zeros((6, max_rows, max_rows))
        self._basis: Array = np.zeros((na, na))
        self._acceleration: Array = np.zeros(max_rows)
        self._rehearsed = self.create_command()

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the effort command."""
        with_bias = self.velocity_bias.value
        self.level_rank.fill(0)
        self.level_condition.fill(1.0)
        prioritised_effort(
            tasks.jacobian,
            tasks.command,
            tasks.bias if with_bias else self._no_bias,
            model.drift if with_bias else self._no_drift,
            tasks.is_force,
            tasks.level_ends,
            self.reach_lower_levels.value,
            model.task_map,
            model.effort_map,
            model.bias_effort,
            command.effort,
            self.level_rank,
            self.level_condition,
            self._row_work,
            self._square_work,
            self._basis,
            self._acceleration,
        )

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Compute the command of the last cycle again and drop it."""
        self.compute_command(model, tasks, self._rehearsed)
