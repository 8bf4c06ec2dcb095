"""Newcomers: tasks and constraints that have come since the modes were compiled."""

from collections.abc import Iterable, Mapping

from controlit_ros.constraints import Constraint
from controlit_ros.parameters import Access, Parameter, Reader
from controlit_ros.tasks import Task


def leading(task: Task) -> tuple[Parameter, ...]:
    """Return the parameters that say where a task leads the robot: goals, and points of bodies."""
    goals = (task.goal, task.goal_velocity, task.goal_acceleration, task.tare)
    shaping = tuple(
        p
        for p in task.parameters.values()
        if p.reader is Reader.TASK_UPDATER
        and p.access is Access.RUN_TIME
        and p is not task.operational_state
    )
    return (*(p for p in goals if p is not None), *shaping)


def fed_forward(task: Task) -> tuple[Parameter, ...]:
    """Return what moves with the goal of a task."""
    return tuple(p for p in (task.goal_velocity, task.goal_acceleration) if p is not None)


def commanding(part: Task | Constraint) -> tuple[Parameter, ...]:
    """Return all parameters of a part that are commands, its state and priority among them."""
    if isinstance(part, Task):
        return (*leading(part), part.operational_state, part.priority)
    return (part.operational_state,)


class Newcomers:
    """Parts that no mode can name, and what their parameters stand for.

    A task that was reloaded has parameters of its own, which are judged as those of the same name
    in the file. What the file does not know is taken wherever any command is.

    Args:
        known: All parameters that some mode may refuse.

    Attributes:
        tasks: Those of them that are tasks, or took the place of one.
    """

    def __init__(self, known: Iterable[Parameter] = ()) -> None:
        self._known = {parameter.full_name: parameter for parameter in known}
        self._originals: Mapping[Parameter, Parameter | None] = {}  # replaced as a whole
        self.tasks: tuple[Task, ...] = ()

    def enroll(self, part: Task | Constraint) -> None:
        """Take in a part that is about to come."""
        met = {p: self._known.get(p.full_name) for p in commanding(part)}
        self._originals = {**self._originals, **met}
        if isinstance(part, Task):
            self.tasks = (*self.tasks, part)

    def dismiss(self, part: Task | Constraint) -> None:
        """Forget a part that has left."""
        leaving = set(commanding(part))
        self._originals = {p: known for p, known in self._originals.items() if p not in leaving}
        self.tasks = tuple(task for task in self.tasks if task is not part)

    def has(self, parameter: Parameter) -> bool:
        """Return whether a parameter commands a newcomer."""
        return parameter in self._originals

    def original(self, parameter: Parameter) -> Parameter | None:
        """Return the parameter of the file that has the same name; `None`: there is none."""
        return self._originals[parameter]
