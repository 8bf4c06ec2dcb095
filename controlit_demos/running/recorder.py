"""Recorder: what a running controller publishes, kept with the time it arrived."""

import time
from collections.abc import Callable, Mapping

from controlit_ros.client.goal_outlet import GoalPlace
from controlit_ros.interfaces import Message
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.recording.series import Series
from controlit_ros.servo import PHASES
from controlit_ros.transport import DEFAULT, EVENTS, Transport

NUMBER = "std_msgs/msg/Float64"
TEXT = "std_msgs/msg/String"


class Recorder:
    """Subscribes to a controller's tasks and diagnostics; times are those of arrival [s].

    Args:
        stack: The controller, for the sizes and names of what it publishes.
        places: Where the tasks to record publish what they measure, by task name.
        transport: Its namespace is the controller's.
        clock: Tells the time [s].

    Attributes:
        actual: What each task measures.
        position: Joint positions in the order of `stack.robot.real_joints`.
        velocity: Joint velocities.
        effort: Joint efforts.
        frequency: Servo frequency, single cycles [Hz].
        latency: Durations of single cycles in the order of `PHASES` [s].
        model_latency: Age of the active model [s].
        events: Arrival and name of each event.
        notices: Arrival, level (`error` or `warning`) and text of each notice.
    """

    def __init__(
        self,
        stack: ControllerStack,
        places: Mapping[str, GoalPlace],
        transport: Transport,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._transport = transport
        self._clock = clock
        sizes = {task.name: task.actual.value.size for task in stack.tasks.tasks}
        joints = len(stack.robot.real_joints)
        self.actual = {name: Series(sizes[name]) for name in places}
        self.position, self.velocity, self.effort = Series(joints), Series(joints), Series(joints)
        self.frequency, self.model_latency = Series(1), Series(1)
        self.latency = Series(len(PHASES))
        self.events: list[tuple[float, str]] = []
        self.notices: list[tuple[float, str, str]] = []
        for name, place in places.items():
            self._record(place, self.actual[name])
        self._subscribe("diagnostics/jointState", "sensor_msgs/msg/JointState", self._joint_state)
        self._number("diagnostics/servoFrequency", self.frequency)
        self._number("diagnostics/modelLatency", self.model_latency)
        self._subscribe(
            "diagnostics/servoComputeLatency",
            "controlit/msg/ServoComputeLatency",
            lambda message: self.latency.append(
                self._clock(), [getattr(message, phase) for phase in PHASES]
            ),
        )
        transport.subscribe("events", TEXT, self._event, EVENTS)
        for level in ("error", "warning"):
            transport.subscribe(f"diagnostics/{level}s", TEXT, self._notice(level), EVENTS)

    def _subscribe(self, topic: str, type_name: str, callback: Callable[[Message], None]) -> None:
        self._transport.subscribe(topic, type_name, callback, DEFAULT)

    def _record(self, place: GoalPlace, series: Series) -> None:
        topic, travel = place

        def receive(message: Message) -> None:
            values = travel.from_message(message)
            if isinstance(values, Mapping):
                values = list(values.values())
            series.append(self._clock(), values)

        self._subscribe(topic, travel.type_name, receive)

    def _number(self, topic: str, series: Series) -> None:
        self._subscribe(topic, NUMBER, lambda m: series.append(self._clock(), [m.data]))

    def _joint_state(self, message: Message) -> None:
        now = self._clock()
        self.velocity.append(now, message.velocity)
        self.effort.append(now, message.effort)
        self.position.append(now, message.position)

    def _event(self, message: Message) -> None:
        self.events.append((self._clock(), message.data))

    def _notice(self, level: str) -> Callable[[Message], None]:
        def receive(message: Message) -> None:
            self.notices.append((self._clock(), level, message.data))

        return receive
