"""ServoNode: the process that runs a controller."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple

from controlit_ros.bindings import Binding, BindingContext, BindingFactory, BindingManager
from controlit_ros.bindings.follow_joint_trajectory import FollowJointTrajectory
from controlit_ros.bindings.goal_leads import GoalLeads, GoalsOfOthers
from controlit_ros.bindings.gripper import Gripper
from controlit_ros.bindings.odometry_input import OdometryInput
from controlit_ros.bindings.task_actions import TaskActions
from controlit_ros.configuration import PluginKind, load_plugin
from controlit_ros.errors import ControlItError, told
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.preview import Preview
from controlit_ros.interfaces import UnknownTypeError, new
from controlit_ros.introspection import (
    BaseTransform,
    BindingServices,
    Controlled,
    ControlServices,
    CycleRow,
    DiagnosticsArray,
    DiagnosticsServices,
    DiagnosticsTopics,
    Explanations,
    ExplanationSource,
    FrameServices,
    Inspected,
    InteractiveMarkers,
    JointStates,
    LifecycleServices,
    MarkerTopic,
    ParameterEvents,
    ParameterServices,
    PartServices,
    Previews,
    RobotMirror,
    SaveConfiguration,
    SceneSource,
    StateTopic,
    Traffic,
)
from controlit_ros.introspection.interactive_markers import NAMESPACE
from controlit_ros.introspection.lifecycle_graph import ACTIVE, LifecycleState
from controlit_ros.modes import (
    GatedMailbox,
    Mode,
    ModeBehaviour,
    ModeGate,
    ModeReport,
    ModeServices,
)
from controlit_ros.nodes.clock_topic import follow_clock
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.describe import configuration_text
from controlit_ros.nodes.following_twin import FollowingTwin
from controlit_ros.nodes.goal_context import GoalContext
from controlit_ros.nodes.news import News
from controlit_ros.nodes.node_parts import NodePart, start_parts, stop_parts
from controlit_ros.nodes.parameter_mirror import ParameterMirror
from controlit_ros.nodes.posture_trajectories import (
    offer_grippers,
    offer_trajectories,
    posture_task,
)
from controlit_ros.nodes.process_layout import OneProcess, ProcessLayout, ServoGoneError
from controlit_ros.nodes.reach_watch import ReachWatch
from controlit_ros.nodes.remote_access import remote_access
from controlit_ros.nodes.robot_topics import TopicRelay
from controlit_ros.nodes.running_configuration import running_text
from controlit_ros.nodes.running_parts import RunningParts
from controlit_ros.nodes.scene_sight import scene_sight
from controlit_ros.nodes.servo_lifecycle import ServoLifecycle
from controlit_ros.nodes.servo_parts import ServoParts
from controlit_ros.nodes.task_goals import TaskGoals, offer_task_actions
from controlit_ros.parameters import Mailbox, Parameter, RemoteMailbox
from controlit_ros.parameters.remote_mailbox import GOALS
from controlit_ros.paths.trajectory import load_splines
from controlit_ros.running_thread import running_thread
from controlit_ros.servo import (
    CoordinatorState,
    LatencySummary,
    Notice,
    NoticeBoard,
    NoticeLevel,
    Outbox,
    SharedMailbox,
)
from controlit_ros.servo.behaving import Behaving
from controlit_ros.servo.behaviours import CyclePart
from controlit_ros.servo.liveliness import THREAD_ENDED, Liveliness
from controlit_ros.servo.members import Follower
from controlit_ros.servo.queue import Queue
from controlit_ros.servo.real_time import raise_companions
from controlit_ros.servo.shared_memory import private_memory, shared_memory
from controlit_ros.transport import EVENTS, DeferredTransport, Transport

NODE_NAME = "servo"
STRING = "std_msgs/msg/String"

_log = logging.getLogger("controlit.servo")


class _Unexplained(NamedTuple):
    """Says why nothing can be explained.

    Attributes:
        reason: Why the parts cannot be built once more.
    """

    reason: str

    def explain(self) -> Explanation:
        """Refuse.

        Raises:
            ControlItError: Always.
        """
        raise self._error

    def preview(self, _values: Mapping[Parameter, Any]) -> Preview:
        """Refuse.

        Raises:
            ControlItError: Always.
        """
        raise self._error

    @property
    def _error(self) -> ControlItError:
        return ControlItError(
            f"the parts of the controller cannot be built once more: {self.reason}"
        )


class ServoNode:
    """Joins a controller stack to a robot, a clock and a transport, and runs it.

    A context manager: entering configures and starts, leaving stops everything in reverse order.

    Args:
        stack: What to run; a stack serves one node.
        transport: Its namespace is the controller's.
        layout: Where the servo runs; in this process if not given. If it is another one,
            the transport is a deferred one, to be opened after `part`.
    """

    def __init__(
        self,
        stack: ControllerStack,
        transport: Transport,
        layout: ProcessLayout | None = None,
    ) -> None:
        self.transport = transport
        self.layout = OneProcess() if layout is None else layout
        is_shared = self.layout.is_shared
        self.news = News()
        self.outbox = Outbox(is_shared=is_shared)
        self.mailbox = SharedMailbox(stack.directory.values()) if is_shared else Mailbox()
        self._mirror = ParameterMirror(self.mailbox, self.layout, lambda: self.lifecycle.has_begun)
        if isinstance(transport, DeferredTransport) and is_shared:
            transport.before_answering = self._mirror.refresh
        clock_offset = stack.clock.ros_offset
        deliver_notice = self._notice_publisher()
        notice_queue = self.outbox.add_queue(deliver_notice)
        event_queue = self.outbox.add_queue(self._event_publisher())
        notices = NoticeBoard(notice_queue)
        self._access = remote_access(stack.configuration.parameters, stack.tasks.tasks)
        self._gate = ModeGate(stack.modes)
        self._leads = GoalLeads(self._gate.check_goal)
        self._changing = Lock()  # held while a part comes or goes
        self.coordinator = stack.create_coordinator(
            self.outbox,
            self.mailbox,
            notices,
            event_queue,
            behaviours=self._behaviours(stack, event_queue),
            memory=shared_memory if is_shared else private_memory,
        )
        complaints = NoticeBoard(self.outbox.add_local_queue(notice_queue.deliver))
        self._reach = self._watch_reach(stack, complaints)
        self._goals = GatedMailbox(
            GoalsOfOthers(self._reach, self._leads, lambda: self.coordinator.status.now),
            self._gate,
        )
        self._remote = RemoteMailbox(self._goals, self._access)
        self.liveliness = Liveliness(
            self.coordinator.status, stack.clock, lambda: self.lifecycle.is_running
        )
        self.liveliness.observe(lambda: deliver_notice(self._liveliness_notice()))
        self.mailbox.complaint = lambda: self.liveliness.complaint
        self._bind(stack, complaints, clock_offset)
        scene = self._draw(stack, complaints, clock_offset)
        goals = self._offer_actions(stack, complaints, clock_offset)
        driven = posture_task(stack)
        source = self._explanation_source(stack)
        probe = self._inspect(stack, clock_offset).probe
        followers: list[Follower] = [scene, probe, *self._probes(source)]
        self.parts = RunningParts(
            ServoParts(stack, self.coordinator, self.mailbox, self.outbox, followers),
            self.layout,
            self.mailbox,
            self.outbox,
            self.bindings,
            self._access,
            lambda: None if self.trajectories is None else driven,
            goals,
            self._changing,
        )
        DiagnosticsTopics(self.coordinator, transport, self.outbox, clock_offset)
        self._serve(clock_offset)
        self.explanations = self._offer(source, clock_offset)
        self.modes = self._offer_modes(stack, complaints, clock_offset)
        self.relay = self._relay(complaints)
        state_topic = StateTopic(self.liveliness, transport, self.outbox)
        self.lifecycle = ServoLifecycle(
            stack, self.coordinator, self.outbox, state_topic, self.layout
        )
        self._summarise = self.layout.call(self.lifecycle.engine.summary)
        self._summary: LatencySummary | None = None
        self._goal = ACTIVE
        LifecycleServices(
            self.lifecycle.machine, lambda: self.liveliness.is_well, transport, self._access
        )
        JointStates(self.coordinator, stack.robot.urdf, transport, self.outbox, clock_offset)
        BaseTransform(
            self.coordinator.robot_state,
            stack.robot.root_link,
            is_fixed=stack.robot_interface.setup.fixed_base,
            transport=transport,
            outbox=self.outbox,
            clock_offset=clock_offset,
            frames=stack.frames,
        )
        if stack.clock.time_feed is not None:
            follow_clock(transport, stack.clock.time_feed)
        self.diagnostics = DiagnosticsArray(
            transport.namespace.strip("/"),
            self.coordinator,
            self.liveliness,
            lambda: self.lifecycle.is_running,
            stack.clock,
            self._traffic,
            transport,
            self.outbox,
        )

    @property
    def stack(self) -> ControllerStack:
        """What runs now."""
        return self.parts.stack

    def part(self) -> None:
        """Begin the servo's process, if the layout has one; before `start`."""
        self.layout.part(self.lifecycle.engine.stop, self.mailbox.make_room)

    @property
    def failure(self) -> str:
        """How the servo ended, its process or its thread; empty if it did as it was told."""
        if self.coordinator.status.has_ended:
            return THREAD_ENDED
        return self.layout.failure or self.lifecycle.failure

    def start(self, goal: LifecycleState = ACTIVE) -> None:
        """Connect to the robot and begin; control is active once the robot reports its state.

        Args:
            goal: How far to go: unconfigured, inactive or active.

        Raises:
            RobotInterfaceError: The robot cannot be reached.
        """
        self._goal = goal
        if self.layout.is_shared:
            start_parts(self._parts())
            running_thread(load_splines, "splines")  # before the first path, after the start
        else:
            load_splines()  # nothing is imported beside a servo in the same process
            start_parts(self._parts())

    def stop(self) -> None:
        """End control, the servo, its threads and the connection to the robot; idempotent.

        A step that fails keeps none of the later ones from being taken; its error is raised then.
        """
        stop_parts(self._parts())

    def _parts(self) -> tuple[NodePart, ...]:
        """Return what is started in this order and stopped in reverse."""
        relay, trajectories, actions = self.relay, self.trajectories, self.task_actions
        parts = (
            NodePart(stop=self.transport.close),
            NodePart(stop=self.outbox.stop),  # the first to need it starts it
            NodePart(stop=self.layout.close),
            NodePart(stop=self._keep_summary),
            NodePart(self.bindings.start, self.bindings.stop),
            None if relay is None else NodePart(relay.start, relay.stop),
            NodePart(lambda: self.lifecycle.start(self._goal), self.lifecycle.stop),
            None if trajectories is None else NodePart(trajectories.start, trajectories.stop),
            None if actions is None else NodePart(actions.start, actions.stop),
            *(NodePart(gripper.start, gripper.stop) for gripper in self.grippers),
            NodePart(self.diagnostics.start, self.diagnostics.stop),
            NodePart(self.explanations.start, self.explanations.stop),
            NodePart(self.liveliness.start, self.liveliness.stop),
            NodePart(self._raise_companions),
        )
        return tuple(part for part in parts if part is not None)

    def _raise_companions(self) -> None:
        if self.layout.is_shared and self.stack.clock.real_time.priority > 0:
            raise_companions()  # in one process the servo thread did it

    def _keep_summary(self) -> None:
        with suppress(ServoGoneError):
            self._summary = self._summarise()

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

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def _liveliness_notice(self) -> Notice:
        complaint = self.liveliness.complaint
        level = NoticeLevel.ERROR if complaint else NoticeLevel.INFO
        text = complaint or "the servo makes cycles again"
        return Notice(level, time.monotonic(), "liveliness", text, 0)

    def _traffic(self) -> Traffic:
        bindings = self.bindings.bindings
        takers: list[Binding | FollowJointTrajectory | TaskActions | Gripper]
        takers = [*bindings, *self.grippers]
        takers += [part for part in (self.trajectories, self.task_actions) if part is not None]
        rejected = sum(taker.rejected for taker in takers)
        rejections = [taker.last_rejection for taker in takers if taker.last_rejection]
        return Traffic(
            dropped=self.outbox.dropped + self.mailbox.dropped,
            received=sum(binding.received for binding in bindings),
            rejected=rejected,
            last_rejection=rejections[-1] if rejections else "",
            failures=self.outbox.failures,
            last_failure=self.outbox.last_failure,
            health=self.transport.health(),
        )

    def _watch_reach(self, stack: ControllerStack, complaints: NoticeBoard) -> ReachWatch:
        """Return what tells of goals out of reach, whoever they come from."""

        def complain(task: str, text: str) -> None:
            complaints.post(NoticeLevel.WARNING, f"reach of {task}", text, time.monotonic())

        is_bolted = stack.robot_interface.setup.fixed_base
        watch = ReachWatch(
            self.mailbox, self.coordinator.robot_state, complain, is_bolted=is_bolted
        )
        for task in stack.tasks.tasks:
            watch.watch(task)
        return watch

    def _offer_actions(
        self, stack: ControllerStack, complaints: NoticeBoard, clock_offset: float
    ) -> TaskGoals:
        """Offer the actions that lead goals, and return what keeps up with the tasks."""
        self.trajectories: FollowJointTrajectory | None = None
        self.task_actions: TaskActions | None = None
        self.grippers: list[Gripper] = []

        def complain(text: str) -> None:
            complaints.post(NoticeLevel.WARNING, "actions", text, time.monotonic())

        context = GoalContext(
            stack,
            self.coordinator,
            self.liveliness,
            self._reach,
            self.outbox,
            self.transport,
            clock_offset,
            self._mirror.refresh,
            self._leads,
            complain,
        )
        if self._access.allows(GOALS):
            for task in stack.tasks.tasks:
                self._leads.watch(task)
            try:
                if stack.configuration.parameters.default_bindings:
                    self.task_actions = offer_task_actions(context)
                posture = posture_task(stack)
                if posture is not None:
                    self.trajectories = offer_trajectories(context, posture)
                    self.grippers = offer_grippers(context, posture)
                elif stack.configuration.parameters.grippers:
                    _log.warning(
                        "no gripper is offered: a controller with default_bindings and one task "
                        "of type JointPosition moves them"
                    )
            except UnknownTypeError as error:
                _log.warning("not all actions are offered: %s", error)
        return TaskGoals(context, self.task_actions, self._reach)

    def _relay(self, notices: NoticeBoard) -> TopicRelay | None:
        """Return what joins the robot's topics, for a robot that has some."""
        interface = self.stack.robot_interface
        if interface.topics is None:
            return None
        topics = interface.topics

        def report(text: str) -> None:
            notices.post(NoticeLevel.WARNING, "robot topics", text, time.monotonic())

        offset = time.time() - time.monotonic()
        return TopicRelay(topics, self.transport, report, offset)

    def _bind(self, stack: ControllerStack, notices: NoticeBoard, clock_offset: float) -> None:
        context = BindingContext(
            self.transport,
            self.mailbox,
            self.outbox,
            notices,
            clock_offset,
            stack.frames,
            self._mirror.refresh,
        )
        factories: dict[str, BindingFactory] = {}
        self.bindings = BindingManager(stack.directory, factories)
        for bound in stack.bindings:
            if bound.transport_type not in factories:
                plugin = load_plugin(PluginKind.BINDING_FACTORY, bound.transport_type)
                mailbox = self._remote if plugin.is_remote else self._goals
                factories[bound.transport_type] = plugin(context._replace(mailbox=mailbox))
            self.bindings.bind(bound.config, bound.transport_type)
        odometry = stack.odometry
        if odometry is not None:
            topic = stack.configuration.parameters.odometry_topic
            source = OdometryInput(odometry, stack.robot.root_link, topic, context)
            self.bindings.bindings.append(source.binding)

    def _inspect(self, stack: ControllerStack, clock_offset: float) -> DiagnosticsServices:
        return DiagnosticsServices(
            Inspected(
                stack.robot,
                stack.tasks.tasks,
                stack.constraints.constraints,
                stack.controller,
                (
                    *stack.controller.inequalities,
                    *stack.behaviours,
                    stack.robot_interface,
                    stack.clock,
                ),
                stack.configuration.parameters,
                lambda: configuration_text(self.stack),
            ),
            self.coordinator.robot_state,
            self._changing,
            self.outbox,
            clock_offset,
            self.transport,
        )

    def _serve(self, clock_offset: float) -> None:
        stack, transport, clock = self.stack, self.transport, self.stack.clock
        events = ParameterEvents(stack.directory, transport, lambda: clock.now + clock_offset)
        tasks, constraints = stack.tasks.tasks, stack.constraints.constraints
        BindingServices(self.bindings.bindings, transport)
        ControlServices(
            Controlled(
                tasks,
                constraints,
                stack.controller,
                stack.events,
                stack.directory,
                self._remote,
                events.changed,
            ),
            transport,
        )
        folders = [folder.absolute() for folder in stack.configuration.save_folders]
        SaveConfiguration(
            lambda folder: running_text(self.stack, folder), folders, transport, self._access
        )
        ParameterServices(stack.directory, self._remote, events, transport)
        PartServices(self.parts, self._access, self._gate.check_free, events.renew, transport)

    def _explanation_source(self, stack: ControllerStack) -> ExplanationSource | _Unexplained:
        """Return what explains; its own parts, since the servo writes those of the stack."""
        try:
            twin = FollowingTwin(stack.configuration, stack.members)
        except Exception as error:  # noqa: BLE001 - a plugin that cannot be made twice
            return _Unexplained(told(error))
        return ExplanationSource(
            lambda: twin.of(self.stack.configuration, self.stack.members),
            CycleRow(self.coordinator, stack.members, stack.friction),
            self._changing,
            lambda: self.news.troubles,
            self.outbox,
            stack.servo.round_trip_delay,
        )

    def _offer(self, source: ExplanationSource | _Unexplained, clock_offset: float) -> Explanations:
        """Let everybody ask why, what a change would do, and where bodies are."""
        stack, transport = self.stack, self.transport
        state = self.coordinator.robot_state
        FrameServices(stack.robot, state, self.outbox, clock_offset, transport)
        Previews(stack.directory, self._remote, source.preview, clock_offset, transport)
        return Explanations(source.explain, clock_offset, transport)

    def _probes(self, source: ExplanationSource | _Unexplained) -> Iterator[Follower]:
        """Yield who brings numbers of tasks out of the servo, beside those that always do."""
        if self.task_actions is not None:
            yield self.task_actions.errors
        if isinstance(source, ExplanationSource):
            yield source.probe

    def _behaviours(self, stack: ControllerStack, events: Queue) -> tuple[CyclePart, ...]:
        """Return what acts on the servo's clock."""
        leading = Behaving(stack.behaviours)
        if stack.modes is None:
            return (leading,)
        reports = self.outbox.add_queue(self._deliver_mode)
        behaviour = ModeBehaviour(stack.modes, reports.offer, events.offer)
        self.mailbox.admits = behaviour.admits
        return (behaviour, leading)

    def _deliver_mode(self, report: ModeReport) -> None:
        self.modes.deliver(report)

    def _offer_modes(
        self, stack: ControllerStack, complaints: NoticeBoard, clock_offset: float
    ) -> ModeServices:
        """Let everybody see and ask for modes; actions end whose goals are taken no longer."""
        status = self.coordinator.status

        def complain(text: str) -> None:
            complaints.post(NoticeLevel.WARNING, "modes", text, time.monotonic())

        modes = stack.modes

        def observe(mode: Mode) -> None:
            assert modes is not None  # or there would be none to observe
            with self._leads.lock:
                for task in self.stack.tasks.tasks:
                    if self._leads.is_led(task.name) and modes.refuses(mode.name, task.goal):
                        why = f"mode {mode.name} does not take goals of {task.name}"
                        self._leads.end(task.name, status.now, why)

        return ModeServices(
            stack.modes,
            self._gate,
            self._remote,
            lambda: status.now,
            clock_offset,
            complain,
            observe,
            self.transport,
        )

    def _draw(
        self, stack: ControllerStack, complaints: NoticeBoard, clock_offset: float
    ) -> SceneSource:
        coordinator, transport = self.coordinator, self.transport

        def complain(text: str) -> None:
            complaints.post(NoticeLevel.WARNING, NAMESPACE, text, time.monotonic())

        return SceneSource(
            RobotMirror(stack.robot, coordinator.robot_state, stack.constraints.constraints),
            stack.tasks.tasks,
            coordinator.command,
            lambda: coordinator.status.state is CoordinatorState.ACTIVE,
            self.outbox,
            (
                MarkerTopic(stack.robot, transport, clock_offset, stack.frames, scene_sight(stack)),
                InteractiveMarkers(self._remote, complain, transport, stack.frames),
            ),
            (*stack.controller.inequalities, *stack.behaviours),
        )

    def _event_publisher(self) -> Callable[[str], None]:
        publisher = self.transport.publisher("events", STRING, EVENTS)

        def deliver(name: str) -> None:
            self.news.tell_event(name)
            publisher.publish(new(STRING, data=name))

        return deliver

    def _notice_publisher(self) -> Callable[[Notice], None]:
        errors = self.transport.publisher("diagnostics/errors", STRING, EVENTS)
        warnings = self.transport.publisher("diagnostics/warnings", STRING, EVENTS)

        def deliver(notice: Notice) -> None:
            text = notice.text
            if notice.repeated:
                text += f" ({notice.repeated} more)"
            if notice.level is not NoticeLevel.INFO:
                self.news.tell_notice(text)
            if notice.level is NoticeLevel.ERROR:
                self.news.tell_trouble(notice.text)
                _log.error(text)
                errors.publish(new(STRING, data=text))
            elif notice.level is NoticeLevel.WARNING:
                _log.warning(text)
                warnings.publish(new(STRING, data=text))
            else:
                _log.info(text)

        return deliver
