"""TaskKernels: kernels that stay bound to a model and to the rows of tasks."""

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.few import Few
from controlit_ros.kernels import BoundKernel
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task_set import TaskSet
from controlit_ros.tasks.task_stack import TaskStack

MOST = 64  # [kernels] the servo has two models, and feet come and go one by one

Key = tuple[ConstrainedModel, int, TaskStack]


class TaskKernels:
    """Keeps a kernel for each of a few models and stacks of tasks.

    Look with `get`, and `keep` what is not there: maps of another width are other arrays, and so
    are rows in another stack. Nothing is kept of another `TaskSet`.
    """

    def __init__(self) -> None:
        self._bound: Few[Key, BoundKernel] = Few(MOST)
        self._tasks: TaskSet | None = None

    def get(self, model: ConstrainedModel, tasks: CompoundTask) -> BoundKernel | None:
        """Return the kernel; none: it has to be bound."""
        if self._tasks is not tasks.task_set:
            self._tasks = tasks.task_set
            self.clear()
        return self._bound.get(_key(model, tasks))

    def clear(self) -> None:
        """Forget all of them: something else that they are bound to is another now."""
        self._bound.clear()

    def keep(
        self, model: ConstrainedModel, tasks: CompoundTask, kernel: BoundKernel
    ) -> BoundKernel:
        """Keep and return a kernel that was bound to arrays of both."""
        return self._bound.keep(_key(model, tasks), kernel)


def _key(model: ConstrainedModel, tasks: CompoundTask) -> Key:
    return model, model.task_map.shape[1], tasks.stack
