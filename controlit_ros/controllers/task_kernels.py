"""TaskKernels: kernels that stay bound to a model and to the rows of tasks."""

from typing import NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.kernels import BoundKernel
from controlit_ros.tasks.compound_task import CompoundTask

MOST = 8  # [models]; the servo has two


class _Bound(NamedTuple):
    """A kernel, and what tells that it is bound to what there is no more.

    Attributes:
        kernel: It knows arrays of a model and of tasks.
        jacobian: Of the tasks; another one where they were arranged anew.
        task_map: Of the model; another one where its width has changed.
    """

    kernel: BoundKernel
    jacobian: Array
    task_map: Array


class TaskKernels:
    """Keeps one kernel for each of a few models; look with `get`, and `keep` what is not there."""

    def __init__(self) -> None:
        self._bound: dict[ConstrainedModel, _Bound] = {}

    def get(self, model: ConstrainedModel, tasks: CompoundTask) -> BoundKernel | None:
        """Return the kernel; none: it has to be bound, anew where model or tasks have changed."""
        bound = self._bound.get(model)
        if bound is None or bound.jacobian is not tasks.jacobian:
            return None
        return bound.kernel if bound.task_map is model.task_map else None

    def keep(
        self, model: ConstrainedModel, tasks: CompoundTask, kernel: BoundKernel
    ) -> BoundKernel:
        """Keep and return a kernel that was bound to arrays of both."""
        if len(self._bound) >= MOST:
            self._bound.clear()
        self._bound[model] = _Bound(kernel, tasks.jacobian, model.task_map)
        return kernel
