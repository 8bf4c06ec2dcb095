"""Cycle: what the servo does, in order."""

import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from controlit_ros.errors import told
from controlit_ros.model import RobotState
from controlit_ros.servo.behaviours import Behaviours
from controlit_ros.servo.command_sending import CommandSending
from controlit_ros.servo.command_shaping import CommandShaping
from controlit_ros.servo.command_watch import CommandWatch
from controlit_ros.servo.computation import Computation
from controlit_ros.servo.contact_ramps import ContactRamps
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.event_polling import EventPolling
from controlit_ros.servo.expectations import Expectations
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.fall_watch import FallWatch
from controlit_ros.servo.intake import Intake
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.outbox import Outbox
from controlit_ros.servo.servo_report import ServoReport
from controlit_ros.servo.state_machine import StateMachine
from controlit_ros.servo.thread_watch import ThreadWatch


@dataclass
class Cycle:
    """Reads, updates, computes, writes (paper section 4.3), and outlives whatever is raised.

    Plugins may raise anything anywhere. Each part guards the calls of its own; what breaks a cycle
    off all the same ends in the safe state, and the next cycle comes.
    """

    threads: ThreadWatch
    intake: Intake
    swap: ModelSwap
    behaviours: Behaviours
    ramps: ContactRamps
    expectations: Expectations
    computation: Computation
    states: StateMachine
    watch: CommandWatch
    falls: FallWatch
    shaping: CommandShaping
    events: EventPolling
    sending: CommandSending
    report: ServoReport
    outbox: Outbox
    faults: CycleFaults

    def __post_init__(self) -> None:
        self._began = 0.0  # [s] the last one
        self._has_sent = False

    def begin(self, now: float) -> None:
        """Forget what was: time begins anew, at a time [s]."""
        self.report.begin(now)
        self._began = now
        self.states.state = CoordinatorState.INACTIVE
        self.swap.begin()
        self.behaviours.begin(now)
        self.ramps.begin(now)
        self.expectations.begin(now)
        self.outbox.restart(now)
        self.faults.notices.restart()
        self.watch.restart()
        self.falls.restart()
        self.intake.begin(now)
        self.threads.begin(now)
        self.report.write()

    def run(self, now: float) -> None:
        """Do everything once; whatever happens, the next cycle can come.

        Args:
            now: Time on the servo's clock [s].
        """
        cycles = self.report.latency.cycles
        try:
            self._play(now)
        except BaseException as error:
            if not isinstance(error, Exception) and _is_main_thread():
                raise  # an order to end, which no other thread is given
            self._survive(error, now)
            self.report.keep_broken(now, cycles)

    def rehearse(self) -> None:
        """Do the work of the last cycle again, without effect; before a cycle.

        What fails here will fail in the cycle, which reports it.
        """
        if not self.swap.has_model:
            return
        with suppress(Exception):
            self.threads.rehearse(self._began)
            self.intake.rehearse()
            self.swap.rehearse(self.intake.state)
            self.computation.rehearse(self.swap.model)

    def _play(self, now: float) -> None:
        start = perf_counter()
        swap, intake, report = self.swap, self.intake, self.report
        elapsed = now - self._began
        self._has_sent = False
        self.faults.failed = False
        if self.threads.look(now, elapsed):
            swap.must_renew = True
        if intake.read(now):
            swap.must_renew = True
        after_read = perf_counter()
        if intake.locate_base(now):
            swap.must_renew = True
        after_odometry = perf_counter()
        swap.apply_mail()
        self.watch.follow_goals(now)
        self.behaviours.act(now)
        self.ramps.follow(now, is_active=self.states.state is CoordinatorState.ACTIVE)
        self._update(now)
        after_update = perf_counter()
        self._compute(now)
        self._decide(now)
        after_compute = perf_counter()
        if swap.has_model:
            self.events.poll(now)
        after_events = perf_counter()
        self._send(now)
        end = perf_counter()
        self._began = now
        durations = (
            after_read - start,
            after_odometry - after_read,
            after_update - after_odometry,
            after_compute - after_update,
            after_events - after_compute,
            end - after_events,
            end - start,
        )
        report.keep(now, elapsed, durations)
        self.outbox.offer_all(now)
        swap.wake()

    def _update(self, now: float) -> None:
        """Bring model and tasks to what is known of the robot."""
        intake, swap = self.intake, self.swap
        if not intake.has_state:
            return
        if swap.is_current:
            swap.update(self._seen(now))
        else:
            swap.renew(intake.state)

    def _seen(self, now: float) -> RobotState:
        """Return what model and tasks see of the robot: while control is active, led ahead."""
        state = self.intake.state
        if self.states.state is not CoordinatorState.ACTIVE:
            return state
        return self.expectations.seen(state, self.swap.model, now, self.intake.arrived)

    def _compute(self, now: float) -> None:
        """Compute a command, if it is known from what."""
        self.watch.complain(now)
        if self.states.state is not CoordinatorState.INACTIVE:
            self.falls.look(self.intake.state, now)
        self.swap.tell_failures(now)
        if not self.swap.is_current:
            self.faults.failed = True
            return
        model = self.swap.model
        self.report.model_latency = now - model.robot_model.state.stamp
        self.expectations.show_reactions(model, now)
        # what the cycle that began control computed was not sent: goals were latched after it
        is_active = self.states.fallback_share(self._began) < 1.0
        self.computation.compute(model, now, is_active=is_active)

    def _decide(self, now: float) -> None:
        """Move between the states and settle what the command is."""
        states = self.states
        states.settle(now, is_well=self.swap.has_model and not self.faults.failed)
        if states.state is CoordinatorState.INACTIVE:
            self.watch.restart()
            self.falls.restart()
            self.intake.trust_encoders()
        else:
            self.shaping.shape(states.state, states.fallback_share(now), now)
            if self.swap.has_model:
                self.intake.encoders.bound(self.shaping.command, self.swap.model)

    def _send(self, now: float) -> None:
        """Give the robot the command, if it gets one."""
        self._has_sent = True
        states = self.states
        if states.state is CoordinatorState.INACTIVE:
            self.expectations.forget()
            return
        is_active = states.state is CoordinatorState.ACTIVE
        if not self.sending.send(self.computation.load if is_active else None, now):
            states.be_unwell()

    def _survive(self, error: BaseException, now: float) -> None:
        """Hold the robot after a cycle that broke off."""
        states, faults = self.states, self.faults
        self.swap.must_renew = True
        try:
            text = partial(describe_failure, error, "the servo's cycle broke off")
            faults.fail("cycle", text, now)
            if self._has_sent:
                states.be_unwell()
            else:
                self._decide(now)
                self._send(now)
        except BaseException as another:  # noqa: BLE001 - the robot gets no command
            states.give_up()
            with suppress(Exception):
                faults.fail("fallback", f"the fallback failed, too: {told(another)}", now)
        self._began = now
        self.outbox.set()
        self.swap.wake_all_the_same()


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
