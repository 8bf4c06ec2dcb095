"""Trials: what the controller would do if something were different."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.errors import ControlItError, told
from controlit_ros.explanations.situation import Situation
from controlit_ros.kernels import force_load
from controlit_ros.tasks import CommandKind, CompoundTask, Task

TOLERANCE = 0.01  # [-] of what is asked: less is not missing
LEAST = 1e-3  # [m/s², rad/s², N, N m] neither is this
DEPENDENT = 1e-9  # [-] of the largest singular value: a task's own rows beyond depend on others


class LimitedEffort(NamedTuple):
    """An effort under which joints are held at their limits.

    Attributes:
        effort: `(na,)` [N m, N].
        active: `(na,)` see `Saturation.active`.
    """

    effort: Array
    active: Array


class Trials:
    """Computes commands of a situation again, with fewer tasks or other models.

    Attributes:
        situation: What is tried upon.
        enabled: Tasks that command.
        failure: Why the last command could not be computed; empty: it could.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.enabled = [task for task in situation.tasks if task.name in situation.commands]
        self.failure = ""
        self._held = HeldLoad(situation.robot)

    def stack(self, tasks: Sequence[Task]) -> CompoundTask:
        """Stack tasks with the commands of the situation."""
        compound = CompoundTask(tasks, self.situation.robot.nv)
        compound.compute(self.situation.period)
        for task in tasks:
            command = self.situation.commands.get(task.name)
            if command is not None:
                _stacked(compound, task)[:] = _rows(task, command)
        return compound

    def without(self, *tasks: Task) -> CompoundTask:
        """Stack all tasks but some."""
        return self.stack([task for task in self.enabled if task not in tasks])

    def effort(self, stack: CompoundTask, model: ConstrainedModel | None = None) -> Array | None:
        """Return what the controller commands, `(na,)`; `None`: it fails, see `failure`."""
        command = self.command(stack, model)
        return None if command is None else command.effort

    def limited(self, controller: WBOSC) -> LimitedEffort | None:
        """Return what limits leave of the command; `None`: they leave all of it."""
        effort = self.effort(self.stack(self.enabled))
        active = controller.active_limits.value.copy()
        return LimitedEffort(effort, active) if effort is not None and active.any() else None

    def command(self, stack: CompoundTask, model: ConstrainedModel | None = None) -> Command | None:
        """Return the whole command; `None`: it fails, see `failure`."""
        controller = self.situation.controller
        command: Command = controller.create_command()
        self.failure = ""
        if stack.has_force_rows:  # which the controller may have shrunk
            force_load(stack.jacobian, stack.command, stack.is_force, stack.load)
        try:
            controller.compute_command(model or self.situation.model, stack, command)
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            self.failure = str(error) if isinstance(error, ControlItError) else told(error)
            return None
        if not np.isfinite(command.effort).all():
            self.failure = "the computed command is not finite"
            return None
        return command

    def acceleration(
        self, stack: CompoundTask, effort: Array, model: ConstrainedModel | None = None
    ) -> Array:
        """Return `UNc̄ Φ (τ − τ₀) − drift`, `(nv,)`; after `effort` of the same stack."""
        model = model or self.situation.model
        self._held.update(model, stack)
        moving = model.Phi @ (effort - self._held.effort)
        result: Array = model.UNc_bar @ moving - self._held.drift
        return result

    @property
    def force_share(self) -> float:
        """Part of the commanded forces that the last command exerts."""
        share = self.situation.controller.parameters.get("force_share")
        return 1.0 if share is None else float(share.value)

    def got(self, stack: CompoundTask, task: Task, acceleration: Array) -> Array:
        """Return what an acceleration is for a task that commands one, `(rows,)`."""
        place = stack.place(task)
        result: Array = stack.jacobian[place] @ acceleration + stack.bias[place]
        return result

    def missing(self, stack: CompoundTask, task: Task, acceleration: Array) -> Array:
        """Return what of a commanded acceleration is not there, `(rows,)`.

        Without what the rows of a task cannot do on any robot: the length of a direction.
        """
        asked, got = _stacked(stack, task), self.got(stack, task, acceleration)
        missing: Array = asked - got
        J = stack.jacobian[stack.place(task)]
        missing[~J.any(axis=1)] = 0.0  # rows of limits that do not act, or of what does not move
        U, sizes, _ = np.linalg.svd(J, full_matrices=False)
        kept = U[:, sizes > DEPENDENT * max(sizes.max(initial=0.0), DEPENDENT)]
        if task.is_unilateral:
            missing = np.maximum(missing, 0.0)
        result: Array = kept @ (kept.T @ missing)
        return result

    def shortfall(self, tasks: CompoundTask, task: Task) -> float:
        """Return how much is missing of a task's command with some tasks; infinite: no command."""
        effort = self.effort(tasks)
        if effort is None:
            return np.inf
        acceleration = self.acceleration(tasks, effort)
        return float(np.linalg.norm(self.missing(tasks, task, acceleration)))


def is_force(task: Task) -> bool:
    """Tell whether a task commands forces."""
    return task.command_kind is not CommandKind.ACCELERATION


def is_short(missing: Array, asked: Array) -> bool:
    """Tell whether what is missing counts."""
    return bool(np.linalg.norm(missing) > LEAST + TOLERANCE * np.linalg.norm(asked))


def components(task: Task, rows: Array) -> Array:
    """Return a vector over a task's rows as one over its components, `(dimension,)`."""
    result: Array = rows if task.projection is None else task.projection.T @ rows
    return result


def asked_of(stack: CompoundTask, task: Task) -> Array:
    """Return what a task commands, `(rows,)`."""
    asked: Array = _stacked(stack, task).copy()
    return asked


def _stacked(stack: CompoundTask, task: Task) -> Array:
    internal = task.command_kind is CommandKind.INTERNAL_FORCE
    commands = stack.internal_command if internal else stack.command
    rows: Array = commands[stack.place(task)]
    return rows


def _rows(task: Task, vector: Array) -> Array:
    rows: Array = vector if task.projection is None else task.projection @ vector
    return rows
