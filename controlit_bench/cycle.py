"""TimedCycle: what one servo cycle computes, fast and as it is specified."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.projections import compute_drift, compute_projections
from controlit_ros.controllers.recursion import (
    LevelRows,
    compute_effort,
    compute_holding_effort,
    tasks_of,
)
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.warm_up import warm_up
from controlit_ros.robots.benchmark import Benchmark
from controlit_ros.servo.task_updater import TaskUpdater


class TimedCycle:
    """Model, projections, tasks and command at the posture of a `Benchmark` robot.

    Args:
        stack: A controller with WBOSC; nothing of it runs.

    Attributes:
        command: What the last `compute` or `compute_command` gave.
    """

    def __init__(self, stack: ControllerStack) -> None:
        warm_up(stack)
        self.stack = stack
        self.state = RobotState(stack.robot.real_joints)
        robot = stack.robot_interface
        if isinstance(robot, Benchmark):
            robot.read(self.state)
        self.model = stack.create_model()
        self.command = stack.controller.create_command()
        self._period = 1.0 / stack.servo.frequency
        self._updater = TaskUpdater(stack.tasks.tasks)
        self.update_model()
        self.update_tasks()
        for task in stack.tasks.tasks:
            task.latch_goal()
        self.compute()

    def compute(self) -> None:
        """Do everything a single-threaded cycle does but talk to the robot."""
        if not self.model.update(self.state, self._updater.link(self.model)):
            self.update_tasks()
        self.compute_all()

    def compute_all(self) -> None:
        """Compute tasks and efforts, as a servo does."""
        stack = self.stack
        stack.controller.compute(self.model, stack.tasks, self._period, self.command)

    def update_model(self) -> None:
        """Update dynamics and projections."""
        self.model.update(self.state)

    def update_tasks(self) -> None:
        """Update every task on the model."""
        if not self._updater.update_inline(self.model):
            assert self._updater.failure is not None
            raise self._updater.failure

    def compute_tasks(self) -> None:
        """Compute errors and commands of all tasks."""
        self.stack.tasks.compute(self._period)

    def compute_command(self) -> None:
        """Compute the efforts."""
        self.stack.controller.compute_command(self.model, self.stack.tasks, self.command)

    def specified_projections(self) -> None:
        """Compute the projections from their definitions in NumPy."""
        model = self.model
        model.constraints.update(model.robot_model, model.Jc, model.Jc_bias)
        self._projections = compute_projections(
            model.robot_model.A, model.Jc, self.stack.robot.command_dofs
        )

    def specified_tasks(self) -> None:
        """Compute errors and commands task by task in NumPy."""
        for task in self.stack.tasks.tasks:
            task.compute(self._period)

    def specified_command(self) -> Array:
        """Compute the efforts by the recursion as it is written; after `specified_projections`."""
        tasks, model, exact = self.stack.tasks, self.model, self._projections
        compensation = model.robot_model.compensation
        dofs = self.stack.robot.command_dofs
        drift = compute_drift(exact, model.Jc_bias, compensation, dofs)
        commanded = np.where(tasks.is_force, 0.0, tasks.command)
        acceleration = commanded - tasks.bias + tasks.jacobian @ drift
        levels = [
            LevelRows(
                tasks.jacobian[level.rows],
                acceleration[level.rows],
                bool(tasks.is_force[level.rows].any()),
                tasks_of(tasks.task_ends, level.rows),
                tasks.weight[level.rows],
            )
            for level in tasks.levels
        ]
        effort = compute_effort(levels, exact)
        effort += compute_holding_effort(exact.UNc_bar, compensation, tasks.load)
        return effort

    def specified(self) -> Array:
        """Do what `compute` does, as it is written."""
        self.model.update_dynamics(self.state)
        self.specified_projections()
        self.update_tasks()
        self.specified_tasks()
        return self.specified_command()
