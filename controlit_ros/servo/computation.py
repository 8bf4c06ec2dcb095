"""Computation: from model and tasks to a command that is finite."""

from contextlib import suppress
from functools import partial

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.errors import ControlItError, show
from controlit_ros.servo.command_guard import CommandGuard
from controlit_ros.servo.complaints import Complaints
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.reconfiguration import Reconfiguration
from controlit_ros.tasks import CompoundTask


class Computation:
    """Computes the command, and drops the goal of a task that makes it useless; servo thread.

    Args:
        compound_task: What to reach.
        controller: Computes the command.
        reconfiguration: Smooths it after changes.
        guard: Tells whether it is finite.
        command: Where it stands.
        period: Of the servo [s].
        faults: Is told what is wrong.
    """

    def __init__(
        self,
        compound_task: CompoundTask,
        controller: WholeBodyController,
        *,
        reconfiguration: Reconfiguration,
        guard: CommandGuard,
        command: Command,
        period: float,
        faults: CycleFaults,
    ) -> None:
        self._compound_task = compound_task
        self._controller = controller
        self._complaints = Complaints(compound_task.tasks, controller, faults.notices)
        self._reconfiguration = reconfiguration
        self._guard = guard
        self._command = command
        self._renew_view()
        self._period = period
        self._faults = faults

    @property
    def load(self) -> Array:
        """What the robot exerts elsewhere, see `CompoundTask.load`; `(nv,)`."""
        return self._compound_task.load

    def compute(self, model: ConstrainedModel, now: float, *, is_active: bool) -> None:
        """Compute the command for a model; tell what is wrong with it."""
        try:
            is_finite = self._controller.compute(
                model, self._compound_task, self._period, self._given
            )
            self._check_view()
            self._complaints.ask(model, now)
            self._reconfiguration.smooth(model, now, is_active=is_active)
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            text = partial(describe_failure, error, "computing the command failed")
            self._faults.fail("compute", text, now)
            self._renew_view()
            self._drop_goal(now)
            return
        if is_finite and self._reconfiguration.alpha <= 0.0:
            return  # and nothing was added to it
        if not (self._compound_task.is_finite and self._guard.is_finite(self._command)):
            self._faults.fail("command", self._not_finite, now)
            self._drop_goal(now)

    def _renew_view(self) -> None:
        """Give the controller new arrays of the command's memory: it may lock or replace them."""
        self._given = self._command.view()
        self._arrays = self._given.arrays()

    def _check_view(self) -> None:
        """Check that the command was written into its memory."""
        if any(a is not b for a, b in zip(self._given.arrays(), self._arrays, strict=True)):
            raise ControlItError(
                f"{self._controller.chosen.name!r} replaced arrays of its command, expected that "
                "it writes into them"
            )

    def rehearse(self, model: ConstrainedModel) -> None:
        """Do the work of a cycle to no effect."""
        self._compound_task.rehearse()
        self._controller.rehearse(model, self._compound_task)
        self._guard.is_finite(self._command)

    def _not_finite(self) -> str:
        return f"the computed command is not finite{self._guard.explain(self._command)}"

    def _drop_goal(self, now: float) -> None:
        """Give up the goal that cannot be followed, if it is one; it would fail again and again."""
        task = self._compound_task.worst()
        if task is None:
            return
        text = (
            f"the command of task {task.name!r} is {show(task.command.value)} at the goal "
            f"{show(task.goal.value)}"
        )
        with suppress(Exception):
            text += ", which is dropped" if task.drop_goal() else ""
        self._faults.fail(f"goal of {task.name}", text, now)
