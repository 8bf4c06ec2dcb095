"""ServoNode: the process that runs a controller."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from threading import Lock

from controlit_ros.introspection import ExplanationSource
from controlit_ros.introspection.lifecycle_graph import ACTIVE, LifecycleState
from controlit_ros.modes import ModeReport
from controlit_ros.nodes.clock_topic import follow_clock
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.bound_parameters import bind_parameters
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.front.diagnostics import inspect, publish_diagnostics
from controlit_ros.nodes.front.drawn_scene import draw_scene
from controlit_ros.nodes.front.goal_actions import GoalActions
from controlit_ros.nodes.front.live_explanations import (
    Unexplained,
    explanation_source,
    offer_explanations,
)
from controlit_ros.nodes.front.mode_commands import offer_modes
from controlit_ros.nodes.front.services import offer_services
from controlit_ros.nodes.front.state_topics import publish_state
from controlit_ros.nodes.node_parts import NodePart, start_parts, stop_parts
from controlit_ros.nodes.process_layout import OneProcess, ProcessLayout, ServoGoneError
from controlit_ros.nodes.robot_topics import TopicRelay
from controlit_ros.nodes.running_parts import RunningParts
from controlit_ros.nodes.servo_parts import ServoParts
from controlit_ros.servo import CoordinatorState, LatencySummary
from controlit_ros.servo.liveliness import THREAD_ENDED
from controlit_ros.servo.members import Follower
from controlit_ros.servo.real_time import kept_off, raise_companions
from controlit_ros.transport import Transport

NODE_NAME = "servo"


class ServoNode:
    """Joins a controller stack to a robot, a clock and a transport, and runs it.

    A context manager: entering configures and starts, leaving stops everything in reverse order.
    What it is made of stands in `nodes/front`, a file a part.

    Args:
        stack: What to run; a stack serves one node.
        transport: Its namespace is the controller's.
        layout: Where the servo runs; in this process if not given. If it is another one,
            the transport is a deferred one, to be opened after `part`.

    Attributes:
        coordinator, mailbox, outbox, liveliness, lifecycle: See `Crossing`.
        news: What was told last.
        arbitration: Who may set what.
        bindings: Parameters on topics.
        actions: Lead goals.
        parts: Tasks, constraints and events that come and go.
        modes, explanations, diagnostics: Answer and publish.
        relay: Joins the topics of a robot that has some.
    """

    def __init__(
        self,
        stack: ControllerStack,
        transport: Transport,
        layout: ProcessLayout | None = None,
    ) -> None:
        self.transport = transport
        self.layout = OneProcess() if layout is None else layout
        crossing = Crossing(stack, transport, self.layout, self._deliver_mode)
        self.coordinator = crossing.coordinator
        self.mailbox = crossing.mailbox
        self.outbox = crossing.outbox
        self.liveliness = crossing.liveliness
        self.lifecycle = crossing.lifecycle
        self.news = crossing.announcements.news
        self.arbitration = Arbitration(crossing)
        self.bindings = bind_parameters(crossing, self.arbitration)
        self.actions = GoalActions(crossing, self.arbitration)
        changing = Lock()  # held while a part comes or goes
        source = explanation_source(crossing, lambda: self.stack, changing)
        self.parts = RunningParts(
            ServoParts(
                stack,
                self.coordinator,
                self.mailbox,
                self.outbox,
                tuple(self._followers(crossing, source, changing)),
            ),
            self.layout,
            self.mailbox,
            self.outbox,
            self.bindings,
            self.arbitration.access,
            self.actions,
            changing,
        )
        publish_state(crossing)
        offer_services(crossing, self.arbitration, self.bindings, self.parts)
        self.explanations = offer_explanations(crossing, self.arbitration, source)
        self.modes = offer_modes(crossing, self.arbitration)
        self.relay = _relay(crossing)
        self.diagnostics = publish_diagnostics(crossing, self.bindings, self.actions)
        if stack.clock.time_feed is not None:
            follow_clock(transport, stack.clock.time_feed)
        self._summarise = self.layout.call(self.lifecycle.engine.summary)
        self._summary: LatencySummary | None = None
        self._goal = ACTIVE
        self._keeping_off = ExitStack()

    @property
    def stack(self) -> ControllerStack:
        """What runs now."""
        return self.parts.stack

    def part(self) -> None:
        """Begin the servo's process, if the layout has one; before `start`.

        Until the node stops, the calling thread and all it starts but the servo keep off the
        processors of a servo that has some of its own.
        """
        clock, engine = self.stack.clock, self.lifecycle.engine
        if not clock.is_stepped:  # or the calling thread is the servo
            self._keeping_off.enter_context(kept_off(clock.real_time.affinity))
        self.layout.part(engine.prepare, self._rest, engine.stop)

    def _rest(self) -> None:
        """Look after the servo thread from another thread of its process."""
        self.mailbox.make_room()
        self.coordinator.status.note_call()

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
        start_parts(self._parts())

    def stop(self) -> None:
        """End control, the servo, its threads and the connection to the robot; idempotent.

        A step that fails keeps none of the later ones from being taken; its error is raised then.
        """
        stop_parts(self._parts())

    def _parts(self) -> tuple[NodePart, ...]:
        """Return what is started in this order and stopped in reverse."""
        return (
            NodePart(stop=self._keeping_off.close),
            NodePart(stop=self.transport.close),
            NodePart(stop=self.outbox.stop),  # the first to need it starts it
            NodePart(stop=self.layout.close),
            NodePart(stop=self._keep_summary),
            NodePart.of(self.bindings),
            *(() if self.relay is None else (NodePart.of(self.relay),)),
            NodePart(lambda: self.lifecycle.start(self._goal), self.lifecycle.stop),
            *map(NodePart.of, self.actions.offered),
            NodePart.of(self.diagnostics),
            NodePart.of(self.explanations),
            NodePart.of(self.liveliness),
            NodePart(self._raise_companions),
        )

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

    def _deliver_mode(self, report: ModeReport) -> None:
        self.modes.deliver(report)

    def _followers(
        self, crossing: Crossing, source: ExplanationSource | Unexplained, changing: Lock
    ) -> Iterator[Follower]:
        """Yield who brings numbers of the parts there are out of the servo."""
        yield draw_scene(crossing, self.arbitration)
        yield inspect(crossing, lambda: self.stack, changing).probe
        if self.actions.tasks is not None:
            yield self.actions.tasks.errors
        if isinstance(source, ExplanationSource):
            yield source.probe


def _relay(crossing: Crossing) -> TopicRelay | None:
    """Return what joins the robot's topics, for a robot that has some."""
    topics = crossing.stack.robot_interface.topics
    if topics is None:
        return None
    report, offset = partial(crossing.complain, "robot topics"), time.time() - time.monotonic()
    return TopicRelay(topics, crossing.transport, report, offset)
