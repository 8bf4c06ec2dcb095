"""TaskRound: updates tasks, those it can in one compiled call."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.kernels import BoundKernel, BoundKernels, chain, task_motions
from controlit_ros.kernels.motion_layout import COLUMNS
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Parameter
from controlit_ros.tasks.task import Task

NEVER = -1  # a number of changes that there never is
MOST = 128  # [kernels] of two models, that activate or not; feet come and go one by one

Steady = tuple[tuple[Task, int], ...]  # with the revision of what their states are computed from


class TaskRound:
    """Brings the inactive states of tasks to a model.

    A task that tells its `motions` needs no Python of its own as long as nothing changes but the
    robot: once both its states were computed by `Task.update` from the parameters it has, both are
    valid and carry the same revision, and what is left to do is in `kernels.task_motions`. A change
    of any parameter has that looked at again.

    Args:
        tasks: Which; who changes them makes a new round.
    """

    def __init__(self, tasks: Sequence[object]) -> None:
        self._able = tuple(task for task in tasks if isinstance(task, Task) and task.motions())
        self._are_able = len(self._able) == len(tasks)
        self._is_whole = False
        self._changes = NEVER
        self._steady: tuple[Task, ...] = ()
        self._of_steady: Steady = ()
        self._kernels: BoundKernels[tuple[RobotModel, Steady, bool]] = BoundKernels(MOST)
        self._links: dict[RobotModel, BoundKernel] = {}

    @property
    def is_whole(self) -> bool:
        """Whether `compute` is all that tasks need which act; never right after a change.

        To look what they need then takes as long as several such calls: that is left to `compute`.
        """
        return self._is_whole and self._changes == Parameter.changes

    def compute(self, model: RobotModel, *, activates: bool) -> tuple[Task, ...]:
        """Compute what can be computed at once.

        Args:
            model: What the tasks read.
            activates: Whether the states become the active ones.

        Returns:
            The tasks that were; empty, too, where one of them is not finite, which `Task.update`
            tells.
        """
        if self._changes != Parameter.changes:
            self._look()
        steady = self._steady
        if not steady:
            return steady
        return steady if self._kernel(model, activates=activates)() else ()

    def link(self, model: RobotModel) -> BoundKernel | None:
        """Return what computes all at once and activates it, for a chain; `None`: nothing does."""
        if not (self.is_whole and self._steady):
            return None
        return self._links.get(model) or self._link(model)

    def warm_up(self, model: RobotModel) -> None:
        """Compile what is called once tasks are steady, which some may only be after a while."""
        chain(self._kernel(model, activates=False))()

    def _look(self) -> None:
        """See which tasks need no Python; again next time while some may come to that."""
        changes = Parameter.changes
        steady = tuple(task for task in self._able if task.is_steady())
        others = tuple(task for task in self._able if task not in steady)
        self._is_whole = self._are_able and all(task.is_disabled for task in others)
        settled = all(task.is_disabled or task.projection is not None for task in others)
        self._steady = steady
        self._of_steady = tuple([(task, task.state_pair.revision) for task in steady])
        self._links.clear()
        self._changes = changes if settled else NEVER

    def _link(self, model: RobotModel) -> BoundKernel:
        """Keep what `link` returns until something changes."""
        self._links[model] = kernel = self._kernel(model, activates=True)
        return kernel

    def _kernel(self, model: RobotModel, *, activates: bool) -> BoundKernel:
        key = model, self._of_steady, activates
        return self._kernels.get(key) or self._bind(key)

    def _bind(self, key: tuple[RobotModel, Steady, bool]) -> BoundKernel:
        model, _, activates = key
        rows = [row for task in self._steady for row in task.motion_words(model)]
        which = [task.state_pair.which_at for task in self._steady]
        return self._kernels.bind(
            key,
            task_motions,
            np.array(rows, dtype=np.int64).reshape(-1, COLUMNS),
            np.array(which, dtype=np.int64),
            model.J,
            model.dJ,
            model.v,
            model.state.position,
            model.state.velocity,
            activates,
        )
