"""Generalised: priorities between 0 and 1 for each pair of levels, in one quadratic program."""

from collections.abc import Mapping

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.level_ranks import LevelRanks
from controlit_ros.controllers.task_kernels import TaskKernels
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.kernels import BoundKernel, generalised_cost
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.solvers import QPSolver
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task import Task


class Generalised(Weighted):
    """Levels change their order smoothly, or stand above each other by a part.

    Each level has the motion it would have alone, and those above it leave a part of that: with
    `α_ij = 1` what does not move them, with 0 all of it; `kernels.generalised_cost` (Liu, Tan,
    Padois, Generalized hierarchical control, Autonomous Robots 40, 2016). The cost is one of the
    efforts alone, so what bounds do to it is that of `Weighted`.

    What it does not promise: with every α 0 or 1 a lower level does not reach all that is left for
    it, since its motion is found as if it were alone; `Hierarchical` does. And where bounds act,
    the levels share what is missing by least squares of their own motions, not strictly. One level
    alone is as in every other prioritisation.
    """

    takes_pairs = True

    def __init__(self) -> None:
        self.ranks = LevelRanks()

    def _prepare(
        self,
        robot: RobotDescription,
        solver: QPSolver,
        task_rows: int,
        bound_rows: int,
        may_miss: slice,
    ) -> None:
        super()._prepare(robot, solver, task_rows, bound_rows, may_miss)
        na, rows = len(robot.command_joints), max(task_rows, 1)
        self._rows_work: Array = np.zeros((2, rows, na))
        self._squares: Array = np.zeros((8, na, na))
        self._vectors: Array = np.zeros((4, max(rows, na)))
        self._shares: TaskKernels[BoundKernel] = TaskKernels()

    def advance(
        self, tasks: CompoundTask, pairs: Mapping[tuple[Task, Task], float], step: float
    ) -> None:
        """Let priorities follow the levels by a step."""
        self.ranks.advance(tasks, pairs, step)

    def restart(self) -> None:
        """Let all levels stand where they belong."""
        self.ranks.forget()

    def write(
        self,
        model: ConstrainedModel,
        tasks: CompoundTask,
        held: HeldLoad,
        *,
        level_weight: float,
        regularisation: float,
    ) -> None:
        """Write the cost; the bounds are the solver's own."""
        if len(tasks.levels) < 2:
            super().write(
                model, tasks, held, level_weight=level_weight, regularisation=regularisation
            )
            return
        self._levels = len(tasks.levels)
        write = self._shares.get(model, tasks) or self._bind_shares(model, tasks)
        write(held.drift, self.ranks.of(tasks), regularisation, held.effort)

    def _bind_shares(self, model: ConstrainedModel, tasks: CompoundTask) -> BoundKernel:
        work = (self._rows_work, self._squares, self._vectors)
        cost = self._bound(generalised_cost, model, tasks, *work)
        return self._shares.keep(model, tasks, cost)
