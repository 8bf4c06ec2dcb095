"""Coordinator: the servo, put together from its parts."""

import math
from collections.abc import Sequence
from contextlib import suppress

from controlit_ros.constraints import Constraint
from controlit_ros.controllers.command import Command
from controlit_ros.estimation import BaseEstimator
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Event
from controlit_ros.robots import RobotInterface
from controlit_ros.servo.behaviours import Behaviours, CyclePart, ServoAccess
from controlit_ros.servo.command_guard import CommandGuard
from controlit_ros.servo.command_sending import CommandSending
from controlit_ros.servo.command_shaping import CommandShaping
from controlit_ros.servo.command_watch import CommandWatch
from controlit_ros.servo.computation import Computation
from controlit_ros.servo.contact_ramps import ContactRamps
from controlit_ros.servo.control import Control
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.cycle import Cycle
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.encoder_watch import EncoderWatch
from controlit_ros.servo.estimated_base import EstimatedBase
from controlit_ros.servo.event_polling import EventPolling
from controlit_ros.servo.exchange import Change, Exchange
from controlit_ros.servo.expectations import Expectations
from controlit_ros.servo.fall_watch import FallWatch
from controlit_ros.servo.fallback_command import FallbackCommand
from controlit_ros.servo.footing import Footing
from controlit_ros.servo.friction import Friction
from controlit_ros.servo.goal_watch import GoalWatch
from controlit_ros.servo.intake import Intake
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.odometry import Odometry
from controlit_ros.servo.oscillation_watch import OscillationWatch
from controlit_ros.servo.overrun_watch import OverrunWatch
from controlit_ros.servo.plausibility import Plausibility
from controlit_ros.servo.plausible_odometry import PlausibleOdometry
from controlit_ros.servo.reactions import Reactions
from controlit_ros.servo.reconfiguration import Reconfiguration
from controlit_ros.servo.round_trip import RoundTrip
from controlit_ros.servo.servo_ports import ServoPorts
from controlit_ros.servo.servo_report import ServoReport
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.settings import ServoSettings
from controlit_ros.servo.shared_memory import Memory, private_memory
from controlit_ros.servo.spare_time import SpareTime
from controlit_ros.servo.staleness import Staleness
from controlit_ros.servo.state_machine import StateMachine
from controlit_ros.servo.state_prediction import StatePrediction
from controlit_ros.servo.task_updater import TaskUpdater
from controlit_ros.servo.thread_watch import ThreadWatch
from controlit_ros.servo.truncation_watch import TruncationWatch
from controlit_ros.servo.updater import Updater
from controlit_ros.tasks import Task, TaskSet


class Coordinator:
    """Puts a servo together; clocks call `servo_init`, `servo_update` and `rehearse`.

    What a servo does and in which order tells `Cycle`. Everything runs in the servo thread but
    `request_activation` and `request_deactivation`. It never waits for another thread, never logs,
    and allocates nothing that lasts. Whatever goes wrong leads to the safe state, where the
    fallback is commanded; control resumes by itself, with a soft start, when everything has been
    well for `recovery_time`.

    Args:
        robot: Tells states and takes commands.
        control: What makes a command of a state.
        guard: Holds commands to the limits.
        events: In the order they are looked at.
        ports: What others hear of it, and what they tell it.
        settings: Numbers of the file.
        odometry: Where the base is told to be; `None`: the robot knows, or an estimator.
        estimator: Tells where the base is from what the robot feels.
        behaviours: What has its turn in each cycle, before tasks and contacts.
        memory: Where it keeps what others look at.

    Attributes:
        status: State and more, to be looked at by any thread and from other processes.
        robot_state: The last good measurement; in the memory that was asked for.
        command: What was last written to the robot.
        latency: Durations of the phases.
        staleness: Whether the robot moved too far from the active model, and how often.
        overruns: Deadlines missed.
        round_trip: Latency of the communication with the joint controllers.
        guard: Holds commands to the limits.
        faults: Takes what goes wrong.
        exchange: Takes changes of parts, tasks for example.
        spare_time: What cycles leave to other work in this process.
        intake, swap, states, watch: Parts of the cycle: what is known of the robot, of its model,
            what follows, and what is asked for.
    """

    def __init__(
        self,
        *,
        robot: RobotInterface,
        control: Control,
        guard: CommandGuard,
        events: Sequence[Event],
        ports: ServoPorts,
        settings: ServoSettings,
        odometry: Odometry | None = None,
        estimator: BaseEstimator | None = None,
        behaviours: Sequence[CyclePart] = (),
        memory: Memory = private_memory,
    ) -> None:
        model_updater, compound_task, controller, friction = control
        description = model_updater.active.robot_model.description
        self.settings = settings
        self.robot = robot
        self.model_updater = model_updater
        self.task_updater = TaskUpdater(compound_task.tasks)
        self.exchange = Exchange()
        self.spare_time = SpareTime()
        self.compound_task = compound_task
        self.controller = controller
        created = controller.create_command()  # which it may keep
        self.command: Command = created.like()
        self.reconfiguration = Reconfiguration(
            settings.reconfiguration_time, compound_task, controller, self.command
        )
        self.status = ServoStatus(memory)
        self.staleness = Staleness(settings.staleness)
        self.overruns = OverrunWatch(settings.frequency, settings.overruns)
        self.round_trip = RoundTrip(settings.round_trip_delay)
        self.guard = guard
        self.faults = CycleFaults(ports.notices)
        fallback = FallbackCommand(created.like(), description, settings)
        self.intake = self._create_intake(
            description, self._base_source(odometry, estimator), memory
        )
        self.robot_state = self.intake.state
        self.swap = ModelSwap(
            model_updater,
            self.task_updater,
            ports.mailbox,
            self.exchange,
            self.staleness,
            (settings.single_threaded_model, settings.single_threaded_tasks),
            self.faults,
        )
        self.states = StateMachine(
            controller, compound_task, fallback, self.robot_state, settings, self.faults
        )
        friction_effort = Friction(friction)
        expectations = self._create_expectations(description)
        self.watch = watch = self._create_watch(description)
        falls = FallWatch(settings.fall_tilt, self.faults)
        self._report = ServoReport(
            self.status,
            states=self.states,
            intake=self.intake,
            overruns=self.overruns,
            staleness=self.staleness,
            round_trip=self.round_trip,
            guard=guard,
        )
        self.latency = self._report.latency
        self._cycle = Cycle(
            threads=ThreadWatch(
                self.overruns,
                model_updater,
                self.task_updater,
                settings.updater_timeout,
                self.faults,
            ),
            intake=self.intake,
            swap=self.swap,
            behaviours=Behaviours(
                behaviours,
                ServoAccess(
                    self.swap, self.reconfiguration, self.states, self.robot_state, self.faults
                ),
                self.faults,
            ),
            ramps=ContactRamps(
                model_updater,
                controller,
                compound_task,
                self.robot_state.contact_wrench,
                self.faults,
            ),
            expectations=expectations,
            computation=Computation(
                compound_task,
                controller,
                reconfiguration=self.reconfiguration,
                guard=guard,
                command=self.command,
                period=1.0 / settings.frequency,
                faults=self.faults,
            ),
            states=self.states,
            watch=watch,
            falls=falls,
            shaping=CommandShaping(
                self.command,
                fallback=fallback,
                friction=friction_effort,
                guard=guard,
                watch=watch,
                falls=falls,
                intake=self.intake,
                swap=self.swap,
                round_trip=self.round_trip,
            ),
            events=EventPolling(events, ports.events, ports.notices),
            sending=CommandSending(
                robot,
                self.command,
                friction=friction_effort,
                expectations=expectations,
                swap=self.swap,
                encoders=self.intake.encoders,
                round_trip=self.round_trip,
                faults=self.faults,
            ),
            report=self._report,
            outbox=ports.outbox,
            faults=self.faults,
        )

    @property
    def state(self) -> CoordinatorState:
        """Where the servo stands."""
        return self.states.state

    @property
    def model_latency(self) -> float:
        """Age of the active model [s]."""
        return self._report.model_latency

    @property
    def updaters(self) -> tuple[Updater, ...]:
        """The child threads the settings call for."""
        threads: list[Updater] = []
        if not self.settings.single_threaded_model:
            threads.append(self.model_updater)
        if not self.settings.single_threaded_tasks:
            threads.append(self.task_updater)
        return tuple(threads)

    def request_activation(self) -> None:
        """Ask for control to begin as soon as the robot reports its state; any thread."""
        self.states.wants_active = True

    def request_deactivation(self) -> None:
        """Ask for control to end; the robot gets no further command; any thread."""
        self.states.wants_active = False

    def prepared(self, tasks: TaskSet) -> Change:
        """Return the change to another set of tasks, for `exchange`; any thread.

        Whoever else keeps `compound_task.tasks` follows by itself.
        """
        watched = self.reconfiguration.watched(tasks.tasks)

        def exchange() -> None:
            self.compound_task.adopt(tasks)
            self.task_updater.follow()

        return lambda: self.reconfiguration.watch(watched, exchange)

    def prepared_constraints(self, constraints: Sequence[Constraint]) -> Change:
        """Return the change to other constraints, for `exchange`; any thread."""
        return lambda: self.model_updater.active.constraints.adopt(constraints)

    def catch_up(self, task: Task) -> None:
        """Compute a task on the present model, so that it acts in this cycle; within an exchange.

        Where that fails it acts later, and the task updater tells.
        """
        if self.swap.has_model:
            with suppress(Exception):
                task.update(self.swap.model.robot_model, task.inactive)
                task.swap()

    def servo_init(self, now: float) -> None:
        """Prepare for the first cycle, on the servo thread; nothing known before counts.

        Also when time jumps: whatever refers to the time before is forgotten.

        Args:
            now: Time on the servo's clock [s].
        """
        self._cycle.begin(now)

    def servo_update(self, now: float) -> None:
        """Run one cycle; whatever happens in it, the next one can come.

        Args:
            now: Time on the servo's clock [s].
        """
        self._cycle.run(now)

    def apply_values(self) -> None:
        """Apply changes of values that no updater reads; between two cycles of the caller."""
        self._cycle.swap.apply_values()

    def rehearse(self) -> None:
        """Do the work of the last cycle again, without effect; servo thread, before a cycle.

        A millisecond of other work empties the caches of the processor, and a cycle that finds them
        empty takes twice as long.
        """
        self._cycle.rehearse()

    def end(self) -> None:
        """Be inactive although no cycle will say so; when the servo thread has ended."""
        self.exchange.close()
        self.states.wants_active = False
        self.states.state = CoordinatorState.INACTIVE
        self._report.write()

    def _base_source(
        self, odometry: Odometry | None, estimator: BaseEstimator | None
    ) -> PlausibleOdometry | EstimatedBase | None:
        """Return who tells where the base is; `None`: the robot."""
        if estimator is not None:
            return EstimatedBase(estimator)
        if odometry is None:
            return None
        settings = self.settings
        return PlausibleOdometry(odometry, settings.measurements, 1.0 / settings.frequency)

    def _create_intake(
        self,
        description: RobotDescription,
        base: PlausibleOdometry | EstimatedBase | None,
        memory: Memory,
    ) -> Intake:
        settings, period = self.settings, 1.0 / self.settings.frequency
        doubts = settings.measurements
        return Intake(
            self.robot,
            description,
            plausibility=Plausibility.of(description, doubts, period, with_base=base is None),
            base=base,
            round_trip=self.round_trip,
            create_watch=lambda state: EncoderWatch(
                description,
                settings.on_sensor_fault,
                period,
                self.round_trip,
                state,
                self.faults,
            ),
            faults=self.faults,
            timeout=settings.state_timeout,
            memory=memory,
        )

    def _create_expectations(self, description: RobotDescription) -> Expectations:
        settings, senses = self.settings, self.robot.senses_wrenches
        return Expectations(
            Reactions(self.robot_state, settings.state_timeout if senses else math.inf),
            StatePrediction(
                description,
                settings.state_prediction,
                settings.frequency,
                settings.round_trip_delay,
            ),
            self.faults,
        )

    def _create_watch(self, description: RobotDescription) -> CommandWatch:
        settings, notices = self.settings, self.faults.notices
        frequency = settings.frequency
        goals = GoalWatch(self.compound_task.tasks)
        return CommandWatch(
            OscillationWatch(
                description,
                settings.oscillations,
                frequency,
                notices,
                Footing.of(description),
                goals,
            ),
            TruncationWatch(
                description, settings.truncations, frequency, self.compound_task.tasks, notices
            ),
            goals,
            self.faults,
        )
