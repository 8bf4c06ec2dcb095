"""TaskKernels: kernels that stay bound to a model and to the rows of tasks."""

from collections.abc import Hashable
from typing import Generic, TypeVar

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.few import Few
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task_set import TaskSet
from controlit_ros.tasks.task_stack import TaskStack

MOST = 128  # [kernels] of two models, for cycles and rehearsals; feet come and go one by one

Key = tuple[ConstrainedModel, int, TaskStack, Hashable]
Kernels = TypeVar("Kernels")


class TaskKernels(Generic[Kernels]):
    """Keeps kernels for each of a few models, stacks of tasks, and what else they are bound to.

    Look with `get`, and `keep` what is not there: maps of another width are other arrays, and so
    are rows in another stack. Nothing is kept of another `TaskSet`.
    """

    def __init__(self) -> None:
        self._bound: Few[Key, Kernels] = Few(MOST)
        self._tasks: TaskSet | None = None

    def get(
        self, model: ConstrainedModel, tasks: CompoundTask, more: Hashable = None
    ) -> Kernels | None:
        """Return the kernel; none: it has to be bound.

        Args:
            model: Whose arrays it is bound to.
            tasks: Likewise.
            more: What else it depends on.
        """
        if self._tasks is not tasks.task_set:
            self._tasks = tasks.task_set
            self._bound.clear()
        return self._bound.get((model, model.width, tasks.stack, more))

    def keep(
        self,
        model: ConstrainedModel,
        tasks: CompoundTask,
        kernel: Kernels,
        more: Hashable = None,
    ) -> Kernels:
        """Keep and return a kernel that was bound to arrays of both."""
        return self._bound.keep((model, model.width, tasks.stack, more), kernel)
