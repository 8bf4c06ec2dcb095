"""TaskUpdater: keeps the inactive states of the tasks up to date."""

import threading
from collections.abc import Iterator, Sequence

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.kernels import BoundKernel
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.updater import UPDATE_ERRORS, Updater, UpdaterError
from controlit_ros.tasks import DISABLE, Task
from controlit_ros.tasks.task_round import TaskRound


class TaskUpdater(Updater):
    """Updates the tasks one by one on the active model (paper section 4.3).

    Each finished state is marked ready and waits for the servo, which takes ready states at any
    time but starts the thread again only after it has taken all of them. A state belongs to the
    thread from `request` until it is marked ready, then to the servo. The thread holds a lock for
    as long as it serves a request.

    Args:
        tasks: Those to keep up to date; who changes them calls `follow`.

    Attributes:
        is_idle: Whether the thread rests; set by the servo to false, by the thread to true.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        super().__init__("task_updater")
        self.tasks = tasks
        self.is_idle = True
        self.follow()
        self._model: ConstrainedModel | None = None
        self._lock = threading.Lock()

    def follow(self) -> None:
        """Take note that the tasks are others now; servo thread, idle and nothing ready."""
        self._ready = [False] * len(self.tasks)
        self._round = TaskRound(self.tasks)

    def request(self, model: ConstrainedModel) -> None:
        """Start a round on a model that stays as it is until the round ends; servo thread."""
        self._model = model
        self.is_idle = False
        self._wake_is_due = True

    def take_back(self) -> bool:
        """Withdraw a request that the thread has not begun to serve; servo thread.

        Returns:
            Whether the thread rests, so that the servo may update in its place once it has taken
            what is ready.
        """
        if self.is_idle:
            return True
        if not self._lock.acquire(blocking=False):
            return False
        self.is_idle = True
        self._lock.release()
        return True

    def take_ready(self) -> int:
        """Make every ready state the active one; return how many; servo thread."""
        ready = self._ready
        if True not in ready:
            return 0
        taken = 0
        for i, task in enumerate(self.tasks):
            if ready[i]:
                ready[i] = False
                task.swap()
                taken += 1
        return taken

    @property
    def is_one_call(self) -> bool:
        """Whether compiled code does all of an update; servo thread, the updater must be idle."""
        return self._round.is_whole

    def link(self, model: ConstrainedModel) -> BoundKernel | None:
        """Return that call for a model, after which its states are active; `None`: there is none.

        Like `is_one_call`.
        """
        return self._round.link(model.robot_model)

    def update_inline(self, model: ConstrainedModel) -> bool:
        """Update every task in the servo thread; the updater must be idle.

        Returns:
            Whether every update went well; if not, `failure` tells why.
        """
        robot = model.robot_model
        done = self._round.compute(robot, activates=True)
        if len(done) == len(self.tasks):
            return True
        for task in self.tasks:
            if task in done or task.operational_state.value == DISABLE:
                continue
            try:
                task.update(robot, task.inactive)
            except Exception as error:  # noqa: BLE001 - a plugin's task may raise anything
                self.failure = _failure(task, error)
                return False
            task.swap()
        return True

    def rehearse(self, model: ConstrainedModel) -> None:
        """Update the inactive states to no effect; servo thread, where `update_inline` is used."""
        done = self._round.compute(model.robot_model, activates=False)
        for task in self.tasks:
            if task not in done and not task.is_disabled:
                self._update(task, model)

    def give_up(self) -> None:
        """Forget the request that broke off."""
        self.is_idle = True

    def steps(self) -> Iterator[None]:
        """Update each task that is not disabled."""
        with self._lock:
            if self.is_idle:
                return
            model = self._model
            assert model is not None
            try:
                done = self._round.compute(model.robot_model, activates=False)
                for i, task in enumerate(self.tasks):
                    if not task.is_disabled:
                        if task not in done:
                            self._update(task, model)
                        yield
                        self._ready[i] = True
                        yield
            except UpdaterError as error:
                self.failure = error
            self.is_idle = True
            yield
        yield

    @staticmethod
    def _update(task: Task, model: ConstrainedModel) -> None:
        try:
            task.update(model.robot_model, task.inactive)
        except (*UPDATE_ERRORS, GeneratorExit) as error:
            raise _failure(task, error) from error


def _failure(task: Task, error: BaseException) -> UpdaterError:
    return UpdaterError(describe_failure(error, f"the update of task {task.name!r} failed"))
