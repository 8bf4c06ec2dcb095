"""Coordinator: the servo loop."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter

from controlit_ros.controllers.command import Command
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.model import RobotState
from controlit_ros.parameters import Event, Mailbox, Reader
from controlit_ros.robots import RobotInterface
from controlit_ros.servo.command_guard import CommandGuard, is_finite
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.fallback_command import FallbackCommand
from controlit_ros.servo.latency import LatencyRecorder
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.servo.odometry import Odometry
from controlit_ros.servo.outbox import Outbox
from controlit_ros.servo.overrun_watch import OverrunPolicy, OverrunWatch, Timeliness
from controlit_ros.servo.queue import Queue
from controlit_ros.servo.reactions import Reactions, silent_sensors
from controlit_ros.servo.reconfiguration import Reconfiguration
from controlit_ros.servo.round_trip import RoundTrip
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.settings import ServoSettings
from controlit_ros.servo.shared_memory import Memory, private_memory
from controlit_ros.servo.staleness import Staleness
from controlit_ros.servo.task_updater import TaskUpdater
from controlit_ros.servo.updater import Updater
from controlit_ros.servo.watchdog import Watchdog
from controlit_ros.tasks import CompoundTask, Task

MAIL_PER_CYCLE = 64  # [batches] so that no flood of mail keeps the servo from its cycle

ROUNDING = 1e-14  # [-] of the square of a unit quaternion's length


def _latch_if_free(task: Task) -> None:
    """Let a task whose goal nobody stated stay where the robot is."""
    if not task.goal.stated:
        task.latch_goal()


class Coordinator:
    """Reads, updates, computes, writes: one servo cycle after the other (paper section 4.3).

    Everything here runs in the servo thread but `request_activation` and `request_deactivation`.
    It never waits for another thread, never logs, and allocates nothing that lasts. Whatever goes
    wrong leads to the safe state, where the fallback is commanded; control resumes by itself, with
    a soft start, when everything has been well for `recovery_time`.

    Plugins may raise anything anywhere: each call of one is guarded, and the cycle goes on.

    Attributes:
        state: Where the coordinator stands.
        status: The same and more, to be looked at by any thread and from other processes.
        robot_state: The last good measurement; in the memory that was asked for.
        command: What was last written to the robot.
        latency: Durations of the phases.
        model_latency: Age of the active model [s].
        staleness: Whether the robot moved too far from the active model, and how often.
        overruns: Deadlines missed.
        round_trip: Latency of the communication with the joint controllers.
    """

    def __init__(
        self,
        *,
        robot: RobotInterface,
        model_updater: ModelUpdater,
        compound_task: CompoundTask,
        controller: WholeBodyController,
        guard: CommandGuard,
        events: Sequence[Event],
        event_queue: Queue,
        mailbox: Mailbox,
        outbox: Outbox,
        notices: NoticeBoard,
        settings: ServoSettings,
        odometry: Odometry | None = None,
        memory: Memory = private_memory,
    ) -> None:
        self.state = CoordinatorState.INACTIVE
        self.status = ServoStatus(memory)
        self.settings = settings
        self.robot = robot
        self.model_updater = model_updater
        self.task_updater = TaskUpdater(compound_task.tasks)
        self.compound_task = compound_task
        compound_task.on_join = _latch_if_free
        self.controller = controller
        self.command: Command = controller.create_command()
        self.reconfiguration = Reconfiguration(
            settings.reconfiguration_time, compound_task, controller, self.command
        )
        description = model_updater.active.robot_model.description
        joints, sensors = description.real_joints, len(description.sensors)
        contacts = len(description.contacts)
        self.robot_state = RobotState(joints, memory, sensors=sensors, contacts=contacts)
        patience = settings.state_timeout if robot.senses_wrenches else math.inf
        self._reactions = Reactions(self.robot_state, patience)
        self.latency = LatencyRecorder()
        self.model_latency = 0.0
        self.staleness = Staleness(settings.staleness)
        self.overruns = OverrunWatch(settings.frequency, settings.overruns)
        self.round_trip = RoundTrip()
        self._incoming = RobotState(joints, sensors=sensors)
        self._guard = guard
        self._events = tuple(events)
        self._event_queue = event_queue
        self._mailbox = mailbox
        self._mail_waits = False
        self._outbox = outbox
        self._notices = notices
        self._period = 1.0 / settings.frequency
        self._fallback = FallbackCommand(
            controller.create_command(), description.command_indices, settings
        )
        self._wants_active = False
        self._has_state = False
        self._has_model = False
        self._must_renew = False
        self._odometry = odometry
        self._base_is_lost = False
        self._last_fresh = -math.inf
        self._last_start = 0.0
        self._well_since = math.inf
        self._soft_start_began = -math.inf
        self._is_silent = False
        self._failed = False
        self._refused = 0
        self._watched: tuple[tuple[Watchdog, ModelUpdater | TaskUpdater], ...] = (
            (Watchdog(settings.updater_timeout), self.model_updater),
            (Watchdog(settings.updater_timeout), self.task_updater),
        )

    def request_activation(self) -> None:
        """Ask for control to begin as soon as the robot reports its state; any thread."""
        self._wants_active = True

    def request_deactivation(self) -> None:
        """Ask for control to end; the robot gets no further command; any thread."""
        self._wants_active = False

    @property
    def updaters(self) -> tuple[Updater, ...]:
        """The child threads the settings call for."""
        threads: list[Updater] = []
        if not self.settings.single_threaded_model:
            threads.append(self.model_updater)
        if not self.settings.single_threaded_tasks:
            threads.append(self.task_updater)
        return tuple(threads)

    def servo_init(self, now: float) -> None:
        """Prepare for the first cycle, on the servo thread; nothing known before counts.

        Also when time jumps: whatever refers to the time before is forgotten.

        Args:
            now: Time on the servo's clock [s].
        """
        self.status.count_start(now)
        self.state = CoordinatorState.INACTIVE
        self._has_state = False
        self._has_model = False
        self._must_renew = False
        self._last_fresh = now
        self._last_start = now
        self._reactions.begin(now)
        self._outbox.restart(now)
        self._notices.restart()
        self.round_trip.begin()
        if self._odometry is not None:
            self._odometry.begin()
        for dog, _ in self._watched:
            dog.begin(now)
        self._report()

    def end(self) -> None:
        """Be inactive although no cycle will say so; when the servo thread has ended."""
        self._wants_active = False
        self.state = CoordinatorState.INACTIVE
        self._report()

    def _report(self) -> None:
        latency = self.latency
        self.status.write(
            self.state,
            latency.cycles,
            latency.overruns,
            self.robot_state.sequence,
            self.model_latency,
        )
        self.status.write_watches(
            self.overruns.missed,
            self.overruns.pauses,
            self.staleness.cycles,
            self.staleness.inline_updates,
            self.round_trip.latency,
            self._guard.violations,
        )

    def servo_update(self, now: float) -> None:
        """Run one cycle.

        Args:
            now: Time on the servo's clock [s].
        """
        start = perf_counter()
        self._failed = False
        self._watch_threads(now)
        self._read(now)
        after_read = perf_counter()
        self._take_over_base(now)
        after_odometry = perf_counter()
        self._apply_mail()
        self._update()
        after_update = perf_counter()
        self._compute(now)
        self._decide(now)
        after_compute = perf_counter()
        self._emit_events(now)
        after_events = perf_counter()
        self._write(now)
        end = perf_counter()
        durations = self.latency.current
        durations[0] = after_read - start
        durations[1] = after_odometry - after_read
        durations[2] = after_update - after_odometry
        durations[3] = after_compute - after_update
        durations[4] = after_events - after_compute
        durations[5] = end - after_events
        durations[6] = end - start
        self.latency.period = now - self._last_start
        self._last_start = now
        self.status.write_time(now)
        self.latency.record()
        self._report()
        self._outbox.offer_all(now)
        self.model_updater.wake_if_due()
        self.task_updater.wake_if_due()

    def rehearse(self) -> None:
        """Do the work of the last cycle again, without effect; servo thread, before a cycle.

        A millisecond of other work empties the caches of the processor, and a cycle that finds them
        empty takes twice as long. What fails here will fail in the cycle, which reports it.
        """
        if not self._has_model:
            return
        settings, models, tasks = self.settings, self.model_updater, self.task_updater
        with suppress(Exception):
            for dog, updater in self._watched:
                dog.complaint(updater, self._last_start)
            self.robot_state.copy_from(self.robot_state)
            is_finite(self._incoming.motion)
            self._warn_of_refused(self._last_start)
            self._normalise_base()
            self.staleness.is_near(self.robot_state, models.active.robot_model.state)
            if settings.single_threaded_model:
                models.inactive.update(self.robot_state)
                if settings.single_threaded_tasks:
                    tasks.rehearse(models.active)
            self.compound_task.rehearse()
            self.controller.rehearse(models.active, self.compound_task)
            self._guard.is_finite(self.command)

    def _fail(self, topic: str, text: str | Callable[[], str], now: float) -> None:
        self._failed = True
        self._notices.post(NoticeLevel.ERROR, topic, text, now)

    def _watch_threads(self, now: float) -> None:
        """See whether this thread comes in time and the updaters come to an end."""
        elapsed = now - self._last_start
        timeliness = self.overruns.look(elapsed)
        if timeliness is Timeliness.AFTER_PAUSE:
            self._must_renew = True
            text = f"the servo stood still for {elapsed:.3f} s"
            self._fail("pause", text, now)
        elif timeliness is Timeliness.LATE:
            limit, found = self.overruns.settings.limit, self.overruns.in_a_row
            text = f"{found} deadlines missed in a row, expected at most {limit}"
            if self.overruns.settings.policy is OverrunPolicy.SAFE:
                self._fail("overruns", text, now)
            else:
                self._notices.post(NoticeLevel.WARNING, "overruns", text, now)
        for dog, updater in self._watched:
            if timeliness is Timeliness.AFTER_PAUSE:
                dog.begin(now)
            elif complaint := dog.complaint(updater, now):
                self._must_renew = True
                self._fail(f"{updater.name} hangs", complaint, now)

    def _read(self, now: float) -> None:
        incoming = self._incoming
        try:
            fresh = self.robot.read(incoming)
        except Exception as error:  # noqa: BLE001 - an interface may raise anything
            self._fail("read", f"reading the robot failed: {error!r}", now)
            return
        if fresh:
            if is_finite(incoming.motion):
                self.robot_state.copy_from(incoming)
                if self.robot_state.stamp == 0.0:
                    self.robot_state.stamp = now
                self._has_state = True
                self._last_fresh = now
                self.round_trip.arrive(incoming.reflected_sequence, now)
            else:
                self._fail("state", "the measured state is not finite", now)
        silence = now - self._last_fresh
        self._is_silent = silence > self.settings.state_timeout
        if self._is_silent:
            limit = self.settings.state_timeout
            self._fail(
                "silent",
                lambda: (
                    f"no state from the robot for {silence:.3f} s, expected within {limit:g} s"
                    f"{self._explanation()}"
                ),
                now,
            )
        self._warn_of_refused(now)

    def _warn_of_refused(self, now: float) -> None:
        refused = self.robot.refused
        if refused == self._refused:
            return
        self._notices.post(
            NoticeLevel.WARNING,
            "refused",
            lambda: f"{refused} measurements were refused so far{self._explanation()}",
            now,
        )
        self._refused = refused

    def _explanation(self) -> str:
        try:
            reason = self.robot.explain()
        except Exception as error:  # noqa: BLE001 - an interface may raise anything
            reason = repr(error)
        return f": {reason}" if reason else ""

    def _take_over_base(self, now: float) -> None:
        odometry = self._odometry
        if odometry is not None:
            complaint = odometry.take_over(self.robot_state, now)
            if complaint:
                self._fail("odometry", complaint, now)
            # goals are latched to where the base is known to be, not to where it was believed
            self._must_renew |= bool(complaint) or self._base_is_lost
            self._base_is_lost = bool(complaint)
        self._normalise_base()

    def _normalise_base(self) -> None:
        orientation = self.robot_state.base_orientation
        x, y, z, w = orientation.tolist()  # four numbers are cheaper without NumPy
        square = x * x + y * y + z * z + w * w
        if abs(square - 1.0) <= ROUNDING:
            return
        if square > 0.0:
            orientation /= math.sqrt(square)
        else:
            orientation[3] = 1.0

    def _apply_mail(self) -> None:
        self._mail_waits = False
        for _ in range(MAIL_PER_CYCLE):
            batch = self._mailbox.next()
            if batch is None:
                return
            busy = (Reader.MODEL_UPDATER in batch.readers and not self.model_updater.is_idle) or (
                Reader.TASK_UPDATER in batch.readers and not self.task_updater.is_idle
            )
            if busy:
                # no new request until the batch is in, so both updaters come to rest
                self._mail_waits = True
                return
            self._mailbox.apply_next()

    def _update(self) -> None:
        if not self._has_state:
            return
        if not self._has_model or self._must_renew:
            if self._update_everything():
                self._has_model, self._must_renew = True, False
            return
        if self.settings.single_threaded_model:
            self._update_single_threaded()
        else:
            self._check_for_updates()
            if not self._mail_waits:
                self.model_updater.try_request(self.robot_state)
            self._check_for_updates()
        is_stale = self.staleness.is_passed(
            self.robot_state, self.model_updater.active.robot_model.state
        )
        if is_stale and self._update_everything():
            self.staleness.inline_updates += 1

    def _update_everything(self) -> bool:
        """Bring model and tasks to the present state in this thread.

        What the updaters have not begun is taken back from them. One that is at work cannot be
        replaced, since a plugin's task or constraint is not made for two threads.

        Returns:
            Whether everything is up to date.
        """
        tasks, models = self.task_updater, self.model_updater
        if not tasks.take_back():
            return False
        tasks.take_ready()
        return (
            models.take_back()
            and models.update_inline(self.robot_state)
            and tasks.update_inline(models.active)
        )

    def _update_single_threaded(self) -> None:
        tasks = self.task_updater
        tasks.take_ready()
        if not tasks.is_idle:
            return
        tasks.take_ready()
        if self.model_updater.update_inline(self.robot_state):
            self._start_tasks()

    def _check_for_updates(self) -> None:
        tasks = self.task_updater
        tasks.take_ready()
        if tasks.is_idle:
            # a task may have become ready between the look above and the thread's coming to rest;
            # starting the thread again would overwrite it
            tasks.take_ready()
            if not self._mail_waits and self.model_updater.try_swap():
                self._start_tasks()

    def _start_tasks(self) -> None:
        model = self.model_updater.active
        if self.settings.single_threaded_tasks:
            self.task_updater.update_inline(model)
        elif not self._mail_waits:
            self.task_updater.request(model)

    def _compute(self, now: float) -> None:
        for updater in (self.model_updater, self.task_updater):
            if updater.failure is not None:
                self._fail(updater.name, str(updater.failure), now)
                updater.failure = None
        if not self._has_model or self._must_renew:
            self._failed = True
            return
        model = self.model_updater.active
        self.model_latency = now - model.robot_model.state.stamp
        if self._reactions.show(model, now):
            self._notices.post(
                NoticeLevel.WARNING, "wrench sensors", lambda: silent_sensors(model), now
            )
        try:
            self.compound_task.compute(self._period)
            self.controller.compute_command(model, self.compound_task, self.command)
            is_active = self.state is CoordinatorState.ACTIVE
            self.reconfiguration.smooth(model, now, is_active=is_active)
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            self._fail("compute", f"computing the command failed: {error!r}", now)
            return
        if not self._guard.is_finite(self.command):
            self._fail("command", "the computed command is not finite", now)

    def _decide(self, now: float) -> None:
        """Move between the states and settle what the command is."""
        if not self._wants_active:
            self.state = CoordinatorState.INACTIVE
            return
        if self._failed or not self._has_model:
            if self.state is CoordinatorState.ACTIVE:
                self._become_safe()
            self._well_since = math.inf
        elif self.state is CoordinatorState.INACTIVE:
            self._activate(now)
        elif self.state is CoordinatorState.SAFE:
            self._well_since = min(self._well_since, now)
            if now - self._well_since >= self.settings.recovery_time:
                self._activate(now)
        if self.state is CoordinatorState.SAFE:
            self._blend(1.0)
        elif self.state is CoordinatorState.ACTIVE:
            # before the blend: braking what is too fast at the start must not be a jump either
            model = self.model_updater.active
            self._guard.keep_inside(self.command, self.robot_state, model, now)
            self._soft_start(now)
        if self.state is not CoordinatorState.INACTIVE:
            self._guard.enforce(self.command, now)

    def _become_safe(self) -> None:
        self._fallback.latch(self.robot_state)
        self.state = CoordinatorState.SAFE

    def _activate(self, now: float) -> None:
        try:
            self.controller.restart()
            for task in self.compound_task.tasks:
                task.restart()
                if task.active.valid:
                    _latch_if_free(task)
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            self._fail("activate", f"control cannot begin: {error!r}", now)
            self._well_since = math.inf
            return
        if self.state is CoordinatorState.INACTIVE:
            self._fallback.latch(self.robot_state)
        self.state = CoordinatorState.ACTIVE
        self._soft_start_began = now
        self._notices.post(NoticeLevel.INFO, "active", "control is active", now)

    def _soft_start(self, now: float) -> None:
        duration = self.settings.soft_start_time
        elapsed = now - self._soft_start_began
        if elapsed <= 0.0:
            self._blend(1.0)  # this command was computed before the goals were latched
        elif elapsed < duration:
            self._blend(1.0 - elapsed / duration)

    def _blend(self, alpha: float) -> None:
        """Lead the command towards the fallback, by 1 all the way."""
        model = self.model_updater.active if self._has_model else None
        self._fallback.update(model, self.robot_state, is_silent=self._is_silent)
        self._fallback.blend(self.command, alpha)

    def _emit_events(self, now: float) -> None:
        if not self._has_model:
            return
        for event in self._events:
            try:
                if event.poll():
                    self._event_queue.offer(event.name)
            except Exception as error:  # noqa: BLE001 - one bad event must not end the servo
                text = f"event {event.name!r} failed: {error!r}"
                self._notices.post(NoticeLevel.ERROR, f"event {event.name}", text, now)

    def _write(self, now: float) -> None:
        if self.state is CoordinatorState.INACTIVE:
            self._reactions.forget()
            return
        if self._has_model:
            self._reactions.expect(self.model_updater.active, self.command)
        self.round_trip.number(self.command, now)
        try:
            self.robot.write(self.command)
        except Exception as error:  # noqa: BLE001 - an interface may raise anything
            self._fail("write", f"writing to the robot failed: {error!r}", now)
            if self.state is CoordinatorState.ACTIVE:
                self._become_safe()
            self._well_since = math.inf
