"""ServoNode: the process that runs a controller."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from controlit_ros.bindings import BindingContext, BindingFactory, BindingManager
from controlit_ros.bindings.binding_factory import up_to_date
from controlit_ros.bindings.follow_joint_trajectory import FollowJointTrajectory
from controlit_ros.bindings.odometry_input import OdometryInput
from controlit_ros.configuration import PluginKind, load_plugin
from controlit_ros.interfaces import UnknownTypeError, new
from controlit_ros.introspection import (
    BaseTransform,
    Controlled,
    ControlServices,
    DiagnosticsArray,
    DiagnosticsServices,
    DiagnosticsTopics,
    Inspected,
    InteractiveMarkers,
    JointStates,
    LifecycleServices,
    MarkerTopic,
    ParameterServices,
    RobotMirror,
    SaveConfiguration,
    SceneSource,
    StateTopic,
    Traffic,
)
from controlit_ros.introspection.interactive_markers import NAMESPACE
from controlit_ros.introspection.lifecycle_graph import ACTIVE, LifecycleState
from controlit_ros.nodes.arrangement import Arrangement, OneProcess, ServoGoneError
from controlit_ros.nodes.clock_topic import follow_clock
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.describe import configuration_text
from controlit_ros.nodes.parameter_mirror import ParameterMirror
from controlit_ros.nodes.posture_trajectories import offer_trajectories, posture_task
from controlit_ros.nodes.robot_topics import TopicRelay
from controlit_ros.nodes.running_configuration import running_text
from controlit_ros.nodes.servo_lifecycle import ServoLifecycle
from controlit_ros.parameters import Mailbox
from controlit_ros.robots.topic import Topic
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
    SharedMailbox,
)
from controlit_ros.servo.real_time import raise_companions
from controlit_ros.servo.shared_memory import private_memory, shared_memory
from controlit_ros.transport import EVENTS, DeferredTransport, Transport

NODE_NAME = "servo"
RESULTS_NODE_NAME = "_servo_results"  # hidden by its underscore from those who list nodes
STRING = "std_msgs/msg/String"

_log = logging.getLogger("controlit.servo")


class ServoNode:
    """Joins a controller stack to a robot, a clock and a transport, and runs it.

    A context manager: entering configures and starts, leaving stops everything in reverse order.

    Args:
        stack: What to run; a stack serves one node.
        transport: Its namespace is the controller's.
        results: Another of the same namespace, for those who wait for the results of actions;
            without it no action is offered.
        arrangement: Where the servo runs; in this process if not given. If it is another one,
            both transports are deferred ones, to be opened after `part`.
    """

    def __init__(
        self,
        stack: ControllerStack,
        transport: Transport,
        results: Transport | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        self.stack = stack
        self.transport = transport
        self.results = results
        self.arrangement = OneProcess() if arrangement is None else arrangement
        is_shared = self.arrangement.is_shared
        self.outbox = Outbox(is_shared=is_shared)
        self.mailbox = SharedMailbox(stack.directory.values()) if is_shared else Mailbox()
        self._mirror = ParameterMirror(stack.directory, self.mailbox, self.arrangement)
        for deferred in (transport, results):
            if isinstance(deferred, DeferredTransport) and is_shared:
                deferred.before_answering = self._mirror.refresh
        clock_offset = stack.clock.ros_offset
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
            odometry=stack.odometry,
            memory=shared_memory if is_shared else private_memory,
        )
        complaints = NoticeBoard(self.outbox.add_local_queue(notice_queue.deliver))
        self._bind(complaints, clock_offset)
        self._draw(complaints, clock_offset)
        DiagnosticsTopics(self.coordinator, transport, self.outbox, clock_offset)
        self._serve()
        self.relay = self._relay(complaints)
        state_topic = StateTopic(self.coordinator, transport, self.outbox)
        self.lifecycle = ServoLifecycle(
            stack, self.coordinator, self.outbox, state_topic, self.arrangement
        )
        self._summarise = self.arrangement.call(self.lifecycle.engine.summary)
        self._summary: LatencySummary | None = None
        LifecycleServices(self.lifecycle.machine, transport)
        JointStates(self.coordinator, stack.robot.urdf, transport, self.outbox, clock_offset)
        BaseTransform(
            self.coordinator.robot_state,
            stack.robot.root_link,
            is_fixed=stack.robot_interface.setup.fixed_base,
            transport=transport,
            outbox=self.outbox,
            clock_offset=clock_offset,
        )
        self.trajectories = self._trajectories(clock_offset)
        if stack.clock.time_feed is not None:
            follow_clock(transport, stack.clock.time_feed)
        self.diagnostics = DiagnosticsArray(
            stack.configuration.name,
            self.coordinator,
            lambda: self.lifecycle.is_running,
            stack.clock,
            self._traffic,
            transport,
            self.outbox,
        )

    def part(self) -> None:
        """Begin the servo's process, if the arrangement has one; before `start`."""
        mailbox = self.mailbox
        self.arrangement.part(
            self.lifecycle.engine.stop,
            mailbox.make_room if isinstance(mailbox, SharedMailbox) else up_to_date,
        )

    @property
    def failure(self) -> str:
        """How the servo's process ended without having been asked to; empty if it did not."""
        return self.arrangement.failure

    def start(self, goal: LifecycleState = ACTIVE) -> None:
        """Connect to the robot and begin; control is active once the robot reports its state.

        Args:
            goal: How far to go: unconfigured, inactive or active.

        Raises:
            RobotInterfaceError: The robot cannot be reached.
        """
        self.bindings.start()
        if self.relay is not None:
            self.relay.start()
        self.lifecycle.start(goal)
        self.diagnostics.start()
        if self.trajectories is not None:
            self.trajectories.start()
        if self.arrangement.is_shared and self.stack.clock.real_time.priority > 0:
            raise_companions()  # in one process the servo thread did it

    def stop(self) -> None:
        """End control, the servo, its threads and the connection to the robot; idempotent."""
        self.diagnostics.stop()
        if self.trajectories is not None:
            self.trajectories.stop()
        self.lifecycle.stop()
        if self.relay is not None:
            self.relay.stop()
        self.bindings.stop()
        with suppress(ServoGoneError):
            self._summary = self._summarise()
        self.arrangement.close()
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
        return self.coordinator.status.state

    def summary(self) -> LatencySummary:
        """Return the statistics of the servo so far, without its warm-up.

        Raises:
            ServoGoneError: The servo's process ended before it could be asked.
        """
        return self._summarise() if self._summary is None else self._summary

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

    def _traffic(self) -> Traffic:
        bindings = self.bindings.bindings
        rejected = sum(binding.rejected for binding in bindings)
        if self.trajectories is not None:
            rejected += self.trajectories.rejected
        rejections = [binding.last_rejection for binding in bindings if binding.last_rejection]
        return Traffic(
            dropped=self.outbox.dropped + self.mailbox.dropped,
            received=sum(binding.received for binding in bindings),
            rejected=rejected,
            last_rejection=rejections[-1] if rejections else "",
            failures=self.outbox.failures,
            last_failure=self.outbox.last_failure,
            health=self.transport.health(),
        )

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
                self._mirror.refresh,
            )
        except UnknownTypeError as error:
            _log.warning("no action follow_joint_trajectory: %s", error)
            return None

    def _relay(self, notices: NoticeBoard) -> TopicRelay | None:
        """Return what joins the robot's topics, for a robot that has some."""
        interface = self.stack.robot_interface
        if not isinstance(interface, Topic):
            return None

        def report(text: str) -> None:
            notices.post(NoticeLevel.WARNING, "robot topics", text, time.monotonic())

        offset = time.time() - time.monotonic()
        return TopicRelay(interface.topics, self.transport, report, offset)

    def _bind(self, notices: NoticeBoard, clock_offset: float) -> None:
        context = BindingContext(
            self.transport,
            self.mailbox,
            self.outbox,
            notices,
            clock_offset,
            self._mirror.refresh,
        )
        factories: dict[str, BindingFactory] = {}
        self.bindings = BindingManager(self.stack.directory, factories)
        for bound in self.stack.bindings:
            if bound.transport_type not in factories:
                plugin = load_plugin(PluginKind.BINDING_FACTORY, bound.transport_type)
                factories[bound.transport_type] = plugin(context)
            self.bindings.bind(bound.config, bound.transport_type)
        odometry = self.stack.odometry
        if odometry is not None:
            topic = self.stack.configuration.parameters.odometry_topic
            source = OdometryInput(odometry, self.stack.robot.root_link, topic, context)
            self.bindings.bindings.append(source.binding)

    def _serve(self) -> None:
        stack, transport = self.stack, self.transport
        tasks, constraints = stack.tasks.tasks, stack.constraints.constraints
        DiagnosticsServices(
            Inspected(
                stack.robot,
                tasks,
                constraints,
                stack.controller,
                (stack.robot_interface, stack.clock),
                stack.configuration.parameters,
                configuration_text(stack),
            ),
            self.coordinator.robot_state,
            self.outbox,
            transport,
        )
        ControlServices(
            Controlled(
                tasks, constraints, stack.controller, stack.events, stack.directory, self.mailbox
            ),
            transport,
        )
        SaveConfiguration(lambda folder: running_text(stack, folder), transport)
        ParameterServices(stack.directory, self.mailbox, transport)

    def _draw(self, complaints: NoticeBoard, clock_offset: float) -> None:
        stack, coordinator, transport = self.stack, self.coordinator, self.transport

        def complain(text: str) -> None:
            complaints.post(NoticeLevel.WARNING, NAMESPACE, text, time.monotonic())

        SceneSource(
            RobotMirror(stack.robot, coordinator.robot_state, stack.constraints.constraints),
            stack.tasks.tasks,
            coordinator.command,
            lambda: coordinator.status.state is CoordinatorState.ACTIVE,
            self.outbox,
            (
                MarkerTopic(stack.robot, transport, clock_offset),
                InteractiveMarkers(self.mailbox, complain, transport),
            ),
        )

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
