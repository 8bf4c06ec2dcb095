"""ServoNode: the process that runs a controller."""

import logging
import time
from collections.abc import Callable
from types import TracebackType

from controlit_ros.bindings import BindingContext, BindingFactory, BindingManager
from controlit_ros.bindings.follow_joint_trajectory import FollowJointTrajectory
from controlit_ros.configuration import PluginKind, load_plugin
from controlit_ros.interfaces import UnknownTypeError, new
from controlit_ros.introspection import (
    DiagnosticsArray,
    DiagnosticsServices,
    DiagnosticsTopics,
    JointStates,
    LifecycleServices,
    ParameterServices,
    StateTopic,
)
from controlit_ros.introspection.lifecycle_graph import ACTIVE, LifecycleState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.describe import configuration_text
from controlit_ros.nodes.posture_trajectories import offer_trajectories, posture_task
from controlit_ros.nodes.servo_lifecycle import ServoLifecycle
from controlit_ros.parameters import Mailbox
from controlit_ros.servo import (
    CommandGuard,
    Coordinator,
    CoordinatorState,
    LatencySummary,
    ModelUpdater,
    Notice,
    NoticeBoard,
    NoticeLevel,
    Outbox,
)
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.transport import EVENTS, Transport

NODE_NAME = "servo"
RESULTS_NODE_NAME = "_servo_results"  # hidden by its underscore from those who list nodes
STRING = "std_msgs/msg/String"
WARM_UP_CYCLES = 1000  # [cycles] left out of the statistics: caches, first messages, soft start

_log = logging.getLogger("controlit.servo")


class ServoNode:
    """Joins a controller stack to a robot, a clock and a transport, and runs it.

    A context manager: entering configures and starts, leaving stops everything in reverse order.

    Args:
        stack: What to run; a stack serves one node.
        transport: Its namespace is the controller's.
        results: Another of the same namespace, for those who wait for the results of actions;
            without it no action is offered.
    """

    def __init__(
        self, stack: ControllerStack, transport: Transport, results: Transport | None = None
    ) -> None:
        self.stack = stack
        self.transport = transport
        self.results = results
        self.outbox = Outbox()
        self.mailbox = Mailbox()
        simulated = isinstance(stack.clock, SimulatedClock)
        clock_offset = 0.0 if simulated else time.time() - time.monotonic()
        notice_queue = self.outbox.add_queue(self._notice_publisher())
        event_queue = self.outbox.add_queue(self._event_publisher())
        notices = NoticeBoard(notice_queue)
        self.coordinator = Coordinator(
            robot=stack.robot_interface,
            model_updater=ModelUpdater(stack.create_model(), stack.create_model()),
            compound_task=stack.tasks,
            controller=stack.controller,
            guard=CommandGuard(stack.robot, stack.guard, notices),
            events=stack.events,
            event_queue=event_queue,
            mailbox=self.mailbox,
            outbox=self.outbox,
            notices=notices,
            settings=stack.servo,
        )
        self._bind(NoticeBoard(notice_queue), clock_offset)
        DiagnosticsTopics(self.coordinator, transport, self.outbox, clock_offset)
        DiagnosticsServices(stack.robot, stack.tasks.tasks, configuration_text(stack), transport)
        ParameterServices(stack.directory, self.mailbox, transport)
        state_topic = StateTopic(self.coordinator, transport, self.outbox)
        self.lifecycle = ServoLifecycle(stack, self.coordinator, self.outbox, state_topic)
        LifecycleServices(self.lifecycle.machine, transport)
        JointStates(self.coordinator, stack.robot.urdf, transport, self.outbox, clock_offset)
        self.trajectories = self._trajectories(clock_offset)
        self.diagnostics = DiagnosticsArray(
            stack.configuration.name,
            self.coordinator,
            lambda: self.lifecycle.is_running,
            self._lost,
            transport,
            self.outbox,
        )

    def start(self, goal: LifecycleState = ACTIVE) -> None:
        """Connect to the robot and begin; control is active once the robot reports its state.

        Args:
            goal: How far to go: unconfigured, inactive or active.

        Raises:
            RobotInterfaceError: The robot cannot be reached.
        """
        self.lifecycle.start(goal)
        self.diagnostics.start()
        if self.trajectories is not None:
            self.trajectories.start()

    def stop(self) -> None:
        """End control, the servo, its threads and the connection to the robot; idempotent."""
        self.diagnostics.stop()
        if self.trajectories is not None:
            self.trajectories.stop()
        self.lifecycle.stop()
        self.outbox.stop()
        self.transport.close()
        if self.results is not None:
            self.results.close()

    def wait(self, until: Callable[[], bool], duration: float | None) -> None:
        """Wait until a condition holds or a time has passed [s]; the servo runs on its own."""
        end = None if duration is None else time.monotonic() + duration
        while not until() and (end is None or time.monotonic() < end):
            time.sleep(0.05)

    @property
    def state(self) -> CoordinatorState:
        """Where the coordinator stands."""
        return self.coordinator.state

    def summary(self) -> LatencySummary:
        """Return the statistics of the servo so far, without its warm-up."""
        latency = self.coordinator.latency
        return latency.summary(skip=min(WARM_UP_CYCLES, latency.cycles // 2))

    def __enter__(self) -> "ServoNode":  # noqa: PYI034 - typing.Self needs Python 3.11
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _lost(self) -> tuple[int, int]:
        """Return how many values were dropped on the way and how many messages fitted nothing."""
        dropped = self.outbox.dropped + self.mailbox.dropped
        rejected = sum(binding.rejected for binding in self.bindings.bindings)
        if self.trajectories is not None:
            rejected += self.trajectories.rejected
        return dropped, rejected

    def _trajectories(self, clock_offset: float) -> FollowJointTrajectory | None:
        task = posture_task(self.stack)
        if task is None or self.results is None:
            return None
        try:
            return offer_trajectories(
                self.stack,
                task,
                self.coordinator,
                self.mailbox,
                self.transport,
                self.results,
                clock_offset,
            )
        except UnknownTypeError as error:
            _log.warning("no action follow_joint_trajectory: %s", error)
            return None

    def _bind(self, notices: NoticeBoard, clock_offset: float) -> None:
        context = BindingContext(self.transport, self.mailbox, self.outbox, notices, clock_offset)
        factories: dict[str, BindingFactory] = {}
        self.bindings = BindingManager(self.stack.directory, factories)
        for bound in self.stack.bindings:
            if bound.transport_type not in factories:
                plugin = load_plugin(PluginKind.BINDING_FACTORY, bound.transport_type)
                factories[bound.transport_type] = plugin(context)
            self.bindings.bind(bound.config, bound.transport_type)

    def _event_publisher(self) -> Callable[[str], None]:
        publisher = self.transport.publisher("events", STRING, EVENTS)

        def deliver(name: str) -> None:
            publisher.publish(new(STRING, data=name))

        return deliver

    def _notice_publisher(self) -> Callable[[Notice], None]:
        errors = self.transport.publisher("diagnostics/errors", STRING, EVENTS)
        warnings = self.transport.publisher("diagnostics/warnings", STRING, EVENTS)

        def deliver(notice: Notice) -> None:
            text = notice.text
            if notice.repeated:
                text += f" ({notice.repeated} more)"
            if notice.level is NoticeLevel.ERROR:
                _log.error(text)
                errors.publish(new(STRING, data=text))
            elif notice.level is NoticeLevel.WARNING:
                _log.warning(text)
                warnings.publish(new(STRING, data=text))
            else:
                _log.info(text)

        return deliver
