"""Reconfiguration: no change of what is controlled makes the command jump."""

from collections.abc import Callable, Iterable

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.parameters import Access, Parameter, Reader
from controlit_ros.tasks import CompoundTask, Task


class _Field:
    """A field of the command: its values, those computed last, and what is left of the jumps."""

    def __init__(self, values: Array) -> None:
        self._values = values
        self._last = values.copy()
        self._offset = np.zeros_like(values)

    def remember(self) -> None:
        """Keep the values just computed."""
        self._last[...] = self._values

    def take_jump(self, left: float) -> None:
        """Add the jump since the last values to `left` of the earlier ones."""
        if left > 0.0:  # not times zero: an offset once not finite must not stay so
            self._offset *= left
            self._offset += self._last
            self._offset -= self._values
        else:
            np.subtract(self._last, self._values, out=self._offset)

    def ramp(self, alpha: float) -> None:
        """Add what is left of the jumps."""
        self._values += alpha * self._offset


class Reconfiguration:
    """Ramps the command from an old to a new configuration (paper eq. 9).

        x = x_new + α (x_old − x_new),  α from 1 to 0 over `duration`

    A configuration is everything but states and goals: which controller computes, which tasks act
    at which priority, which constraints, and all other parameters of tasks, constraints and
    controllers. The difference
    `x_old − x_new` is taken once, at the switch, and decays; `x_new` is computed anew in every
    cycle. A latched `x_old` would instead fade the new law in: for half of the ramp the robot would
    be driven by an effort that no longer answers to what it does. Here gravity, damping and balance
    act in full from the first cycle.

    A switch during a ramp adds its own jump to what is left of the earlier ones and α starts again
    from 1, so that any sequence of switches is continuous; a parameter that changes in every cycle
    makes a low-pass filter of time constant `duration`.

    Each field of a command is ramped, so that the gains of joint controllers do not jump either.

    Args:
        duration: Time of a ramp [s]; 0: every switch acts at once.
        tasks: The compound task.
        controller: The whole-body controller.
        command: The command that `smooth` will be given.

    Attributes:
        alpha: What is left of the ramp: 1 at a switch, 0 at its end.
    """

    def __init__(
        self,
        duration: float,
        tasks: CompoundTask,
        controller: WholeBodyController,
        command: Command,
    ) -> None:
        self.duration = duration
        self.alpha = 0.0
        self._tasks = tasks
        self._controller = controller
        self._fields: list[_Field] = []
        if duration > 0.0:
            candidates = (getattr(command, name) for name in FIELDS)
            self._fields = [_Field(values) for values in candidates if values is not None]
        self._gains: dict[Task, list[Parameter]] = {}
        self._watched = self.watched(tasks.tasks)
        self._base = 0  # what those had changed that are watched no more
        self._changes = -1
        self._revision = 0
        self._seen = -1
        self._began = 0.0
        self._has_last = False

    def watched(self, tasks: Iterable[Task]) -> tuple[Parameter, ...]:
        """Return the parameters whose changes are smoothed, for some tasks; any thread."""
        if self.duration <= 0.0:
            return ()
        found = [
            parameter
            for part in self._controller.parts
            for parameter in part.parameters.values()
            if parameter.access is not Access.OUTPUT
        ]
        found += [inequality.enabled for inequality in self._controller.inequalities]
        # those of a task stay as they are, and a task that comes is looked at beside a servo
        self._gains = {task: self._gains.get(task) or _gains(task) for task in tasks}
        for gains in self._gains.values():
            found += gains
        return tuple(found)

    def watch(self, watched: tuple[Parameter, ...], exchange: Callable[[], None]) -> None:
        """Exchange the tasks; servo thread, between two cycles.

        That is no switch yet: one comes when the tasks that act are others.

        Args:
            watched: What to watch then, as `watched` returned it.
            exchange: Does it.
        """
        before = self._count()
        exchange()
        self._watched = watched
        self._base += before - self._count()

    def note_switch(self) -> None:
        """Let the next command count as that of another configuration; servo thread.

        For goals that change at once together with what follows them.
        """
        self._base += 1
        self._changes = -1

    def smooth(self, model: ConstrainedModel, now: float, *, is_active: bool) -> None:
        """Take the jump out of the command just computed; servo thread.

        Args:
            model: What the command was computed from.
            now: Time on the servo's clock [s].
            is_active: Whether the previous command reached the robot; if not there is nothing to be
                continuous with.
        """
        if self.duration <= 0.0:
            return
        seen = self._configuration(model)
        if not (is_active and self._has_last):
            self._start_from_here(seen)
            return
        if seen != self._seen:
            self._seen = seen
            left = self._left(now)
            for field in self._fields:
                field.take_jump(left)
            self.alpha = 1.0
            self._began = now
        elif self.alpha > 0.0:
            self.alpha = self._left(now)
        for field in self._fields:
            field.remember()
            if self.alpha > 0.0:
                field.ramp(self.alpha)

    def _left(self, now: float) -> float:
        """Return α of the ramp under way, or 0."""
        if self.alpha <= 0.0:
            return 0.0
        return max(0.0, 1.0 - (now - self._began) / self.duration)

    def _start_from_here(self, seen: int) -> None:
        self._seen = seen
        self._has_last = True
        self.alpha = 0.0
        for field in self._fields:
            field.remember()

    def _configuration(self, model: ConstrainedModel) -> int:
        """Return a number that grows with every change that has reached the command.

        Parameters that an updater thread reads act later than they are set; what was computed with
        them carries their revision.
        """
        if self._changes != Parameter.changes:
            self._changes = Parameter.changes
            self._revision = self._base + self._count()
        return self._revision + self._tasks.arrangements + model.revision

    def _count(self) -> int:
        """Return how often what is watched has changed."""
        acting = sum([task.active.revision for task in self._tasks.tasks])
        return acting + sum([parameter.revision for parameter in self._watched])


def _gains(task: Task) -> list[Parameter]:
    """Return the parameters of a task that the servo reads and that are no goals."""
    apart = (
        task.goal,
        task.goal_velocity,
        task.goal_acceleration,
        task.priority,
        task.operational_state,
    )
    return [
        parameter
        for parameter in task.parameters.values()
        if parameter.access is not Access.OUTPUT
        and parameter.reader is Reader.SERVO
        and parameter not in apart
    ]
