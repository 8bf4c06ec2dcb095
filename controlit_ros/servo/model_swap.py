"""ModelSwap: which model and task states the servo relies on, and when parameters change."""

from contextlib import suppress

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.model import RobotState
from controlit_ros.parameters import Mailbox, Reader
from controlit_ros.parameters.prepared_values import PreparedValues
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.exchange import Exchange
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.staleness import Staleness
from controlit_ros.servo.task_updater import TaskUpdater

MAIL_PER_CYCLE = 64  # [batches] so that no flood of mail keeps the servo from its cycle

_UPDATERS = (Reader.MODEL_UPDATER, Reader.TASK_UPDATER)


class ModelSwap:
    """Asks the updaters for models and task states, swaps in what is ready, never waits.

    Mail is applied here, too, and parts are exchanged: the same rule, that the threads which read
    a thing rest, says when a model may be swapped, when a parameter may change, and when a task may
    come or go. Everything runs in the servo thread.

    Args:
        models: Keeps the model up to date.
        tasks: Keeps the task states up to date.
        mailbox: Changes of parameters.
        exchange: Changes of parts.
        staleness: How old a model may be before it is updated here.
        in_this_thread: Whether model and tasks are each updated here in every cycle.
        faults: Is told what failed in the updaters.

    Attributes:
        has_model: Whether there ever was a model since the start.
        must_renew: Whether the present model is of no use: the servo stood still, or the robot is
            elsewhere than it was.
    """

    def __init__(
        self,
        models: ModelUpdater,
        tasks: TaskUpdater,
        mailbox: Mailbox,
        exchange: Exchange,
        staleness: Staleness,
        in_this_thread: tuple[bool, bool],
        faults: CycleFaults,
    ) -> None:
        self.has_model = self.must_renew = False
        self.models = models
        self.tasks = tasks
        self._updaters = (models, tasks)
        self._mailbox = mailbox
        self._exchange = exchange
        self._mail_waits = False
        self._seen: RobotState | None = None  # what the next model shall be of
        self._staleness = staleness
        self._models_inline, self._tasks_inline = in_this_thread
        self._faults = faults

    @property
    def model(self) -> ConstrainedModel:
        """The active one."""
        return self.models.active

    @property
    def is_current(self) -> bool:
        """Whether there is a model to rely on."""
        return self.has_model and not self.must_renew

    @property
    def updaters_rest(self) -> bool:
        """Whether what they read may change."""
        return self.tasks.is_idle and self.models.is_idle

    def let_updaters_rest(self) -> None:
        """Ask nothing of them in this cycle; after `apply_mail`."""
        self._mail_waits = True

    def begin(self) -> None:
        """Forget the models: time begins anew."""
        self.has_model = self.must_renew = False
        self._seen = None

    def apply_mail(self) -> None:
        """Assign the batches whose readers rest, in the order in which they came; then one change.

        What waits for an updater keeps new requests from it, so that it comes to rest.
        """
        self._mail_waits = False
        self._apply_batches()
        if self._exchange.is_waiting and not self._mail_waits:
            if self.tasks.is_idle and self.models.is_idle:
                self.tasks.take_ready()
                self._exchange.make_next()
            else:
                self._mail_waits = True

    def apply_values(self) -> None:
        """Assign the batches that no updater reads, between two cycles that the caller makes.

        States of tasks and constraints are left to the next cycle, which latches goals.
        """
        while (batch := self._mailbox.next()) is not None and batch.readers.isdisjoint(_UPDATERS):
            self._mailbox.apply_next()

    def _apply_batches(self) -> None:
        for _ in range(MAIL_PER_CYCLE):
            batch = self._mailbox.next()
            if batch is None:
                return
            busy = (Reader.MODEL_UPDATER in batch.readers and not self.models.is_idle) or (
                Reader.TASK_UPDATER in batch.readers and not self.tasks.is_idle
            )
            if busy:
                self._mail_waits = True
                return
            self._mailbox.apply_next()

    def assign(self, order: PreparedValues) -> bool:
        """Assign what was checked beforehand if its readers rest; if not, they get no new work.

        Returns:
            Whether it was assigned.
        """
        if (not self.models.is_idle and order.concerns(Reader.MODEL_UPDATER)) or (
            not self.tasks.is_idle and order.concerns(Reader.TASK_UPDATER)
        ):
            self._mail_waits = True
            return False
        order.assign()
        return True

    def renew(self, state: RobotState) -> None:
        """Bring everything to a state here, if the updaters let go of what they have."""
        if self._update_everything(state):
            self.has_model, self.must_renew = True, False

    def update(self, seen: RobotState) -> None:
        """Swap in what is ready; `wake` asks for more, once the robot has its command.

        Args:
            seen: What model and tasks see of the robot, unchanged until then.
        """
        if self._models_inline:
            if self._update_single_threaded(seen):
                return  # the model is of this state
        else:
            self._check_for_updates()
            self._seen = seen
        is_stale = self._staleness.is_passed(seen, self.models.active.robot_model.state)
        if is_stale and self._update_everything(seen):
            self._staleness.inline_updates += 1

    def tell_failures(self, now: float) -> None:
        """Tell what failed in the updaters since they were asked last."""
        for updater in self._updaters:
            if updater.failure is not None:
                self._faults.fail(updater.name, str(updater.failure), now)
                updater.failure = None

    def wake(self) -> None:
        """Have a model of what was seen made, and let the updaters work; at the end of a cycle."""
        seen, self._seen = self._seen, None
        if seen is not None and not self._mail_waits and not self.models.work_ahead(seen):
            self.models.try_request(seen)
        self.models.wake_if_due()
        self.tasks.wake_if_due()

    def wake_all_the_same(self) -> None:
        """Do so after a cycle that broke off, whatever is raised."""
        self._seen = None
        for updater in self._updaters:
            with suppress(BaseException):
                updater.wake_if_due()

    def rehearse(self, state: RobotState) -> None:
        """Do the work of a cycle to no effect."""
        models = self.models
        self._staleness.is_near(state, models.active.robot_model.state)
        if self._models_inline:
            models.inactive.update(state)
            if self._tasks_inline:
                self.tasks.rehearse(models.active)
        elif self.tasks.is_idle and self.tasks.is_one_call:
            self.tasks.rehearse(models.active)

    def _update_everything(self, state: RobotState) -> bool:
        """Bring model and tasks to the present state in this thread.

        What the updaters have not begun is taken back from them. One that is at work cannot be
        replaced, since a plugin's task or constraint is not made for two threads.

        Returns:
            Whether everything is up to date.
        """
        tasks, models = self.tasks, self.models
        if not tasks.take_back():
            return False
        tasks.take_ready()
        if not models.take_back():
            return False
        self._seen = None  # what would be asked for is done here, or fails here
        return models.update_inline(state) and tasks.update_inline(models.active)

    def _update_single_threaded(self, state: RobotState) -> bool:
        """Bring the model to a state and let the tasks follow; return whether the model did."""
        tasks = self.tasks
        tasks.take_ready()
        if not tasks.is_idle:
            return False
        tasks.take_ready()
        is_updated = self.models.update_inline(state, tasks.link(self.models.inactive))
        if is_updated and not self.models.is_followed:
            self._start_tasks()
        return is_updated

    def _check_for_updates(self) -> None:
        tasks = self.tasks
        tasks.take_ready()
        if tasks.is_idle:
            # a task may have become ready between the look above and the thread's coming to rest;
            # starting the thread again would overwrite it
            tasks.take_ready()
            if not self._mail_waits and self.models.try_swap():
                self._start_tasks()

    def _start_tasks(self) -> None:
        """Let the tasks follow the model that was swapped in.

        To wake the thread takes the servo longer than one compiled call for all of them.
        """
        model = self.models.active
        follow = self.tasks.link(model)
        if follow is not None and follow():
            return
        if self._tasks_inline or self.tasks.is_one_call:
            self.tasks.update_inline(model)
        elif not self._mail_waits:
            self.tasks.request(model)
