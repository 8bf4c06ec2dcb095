"""Feed: everything a running controller publishes, as far as the page shows it."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from controlit_console.modes_seen import ModesSeen, modes_seen
from controlit_console.newest import Newest
from controlit_console.parts import (
    PartsSeen,
    constraint_views,
    event_parameters,
    event_views,
    other_views,
    parameter_views,
    task_views,
)
from controlit_ros.client import RefusedError, Robot
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import DEFAULT, EVENTS, LATCHED, Qos, Subscription

STRING = "std_msgs/msg/String"
NUMBER = "std_msgs/msg/Float64"
JOINT_STATE = "sensor_msgs/msg/JointState"
POSITION = "position"  # in the name of a goal that is a posture
MARKERS = "visualization_msgs/msg/MarkerArray"
DIAGNOSTICS = "diagnostic_msgs/msg/DiagnosticArray"
BOARDS, TRIGGER = "hardware/", "std_srvs/srv/Trigger"
"""Services by which a driver lets joints be homed, errors be reset: beginning and type."""
MOST_BOARDS = 100  # [#]
MOST_DIAGNOSES = 50  # [#] whose names are kept
LOOK_PERIOD = 0.5  # [s] between two questions for the parts: each costs the servo's process time
RARELY = 4  # [looks] between two for what hardly changes
KEPT = 200  # [#] notes and events
TF_STATIC = replace(LATCHED, depth=100)  # as ROS 2 has it: one for each of many publishers

_log = logging.getLogger("controlit.console")

TOPICS = {
    "joints": ("joint_states", "sensor_msgs/msg/JointState"),
    "tf": ("/tf", "tf2_msgs/msg/TFMessage"),
    "command": ("diagnostics/command", "sensor_msgs/msg/JointState"),
    "frequency": ("diagnostics/servoFrequency", NUMBER),
    "latency": ("diagnostics/servoComputeLatency", "controlit/msg/ServoComputeLatency"),
    "round_trip": ("diagnostics/RTTCommLatency", NUMBER),
    "explanation": ("diagnostics/explanation", "controlit/msg/Explanation"),
    "imu": ("diagnostics/imu", "sensor_msgs/msg/Imu"),
}
"""By the name that the page has for it: topic and type; the newest alone counts."""


class Note(NamedTuple):
    """Something that was told.

    Attributes:
        time: When it came in, seconds since 1970 [s].
        kind: `error`, `warning`, `event` or `page`.
        text: What was told.
    """

    time: float
    kind: str
    text: str


class Feed:
    """Listens to a controller and asks now and then what parts it has; a context manager.

    Args:
        robot: The controller.

    Attributes:
        robot: The same.
        newest: Topics of `TOPICS`.
        markers: What it draws, message by message, as they came.
        handles: Changes of its interactive markers, message by message.
        bases: Transforms that do not change, those of other publishers as well.
        notes: Errors, warnings and events, the newest last.
        parts: What it has, as it was asked for last.
        description: Its URDF; empty until it came.
        diagnoses: What is told on `/diagnostics`, by name.
        postures: Goals of the tasks whose goal is a posture, by the task's name.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.markers: deque[bytes] = deque(maxlen=50)
        self.handles: deque[Message] = deque(maxlen=500)
        self.bases: deque[Message] = deque(maxlen=50)
        self.notes: deque[Note] = deque(maxlen=KEPT)
        self.parts = PartsSeen()
        self.description = ""
        self.diagnoses: dict[str, Message] = {}
        self.postures: dict[str, Newest] = {}
        link = robot.session.link
        self.newest = {
            name: Newest(link.transport, link.topic(topic), kind)
            for name, (topic, kind) in TOPICS.items()
        }
        self._subscriptions: list[Subscription] = []
        self._listen("robot_description", STRING, self._take_description, LATCHED)
        self._subscriptions.append(
            link.transport.subscribe_raw(link.topic("markers"), MARKERS, self._take_markers)
        )
        self._listen("/tf_static", "tf2_msgs/msg/TFMessage", self.bases.append, TF_STATIC)
        self._listen(
            "interactive_markers/update",
            "visualization_msgs/msg/InteractiveMarkerUpdate",
            self.handles.append,
            DEFAULT,
        )
        self._listen("/diagnostics", DIAGNOSTICS, self._take_diagnoses, DEFAULT)
        for kind, topic in (
            ("error", "diagnostics/errors"),
            ("warning", "diagnostics/warnings"),
            ("event", "events"),
        ):
            self._listen(topic, STRING, self._noting(kind), EVENTS)
        self._events: list[str] = []
        self._looks = 0
        self._has_modes = True  # until it says otherwise
        self._looking = threading.Lock()
        self._is_over = threading.Event()
        self._thread = running_thread(self._look_on, "parts")

    @property
    def state(self) -> str:
        """State of the controller: `active`, `safe`, ...; empty before it is known."""
        return self.robot.session.link.watch.state

    def look(self) -> None:
        """Ask now what parts there are, after a change.

        Raises:
            ClientError: The controller refuses, or is gone.
        """
        with self._looking:  # or an older answer might take the place of a newer one
            self._look()

    def _look(self) -> None:
        link = self.robot.session.link
        tasks = task_views(link.ask("diagnostics/getTaskParameters"))
        parts = self.parts._replace(tasks=tasks, modes=self._ask_for_modes())
        if self._looks % RARELY == 0:
            wbc = link.ask("diagnostics/getWholeBodyControllers")
            others = link.ask("diagnostics/getControlItParameters")
            self._events = self.robot.event_names
            parts = parts._replace(
                controllers=tuple(str(name) for name in wbc.whole_body_controllers),
                controller=str(wbc.active),
                controller_parameters=parameter_views(wbc.parameters),
                others=other_views(others),
                boards=self._look_for_boards(),
            )
        if self._looks % 2 == 0:
            constraints = link.ask("diagnostics/getConstraintParameters")
            parts = parts._replace(constraints=constraint_views(constraints))
            if self._events:
                answer = link.ask(
                    link.serving("get_parameters"),
                    "rcl_interfaces/srv/GetParameters",
                    names=event_parameters(self._events),
                )
                parts = parts._replace(events=event_views(self._events, answer.values))
        self._looks += 1
        self._follow_postures(parts)
        self.parts = parts

    def _follow_postures(self, parts: PartsSeen) -> None:
        link = self.robot.session.link
        for task in parts.tasks:
            goal = task.of_role("goal")
            if task.name in self.postures or goal is None or not goal.labels:
                continue
            if goal.name.endswith(POSITION):
                topic = link.topic(f"{task.name}/reference_{POSITION}")
                self.postures[task.name] = Newest(link.transport, topic, JOINT_STATE, LATCHED)

    def _look_for_boards(self) -> tuple[str, ...]:
        link = self.robot.session.link
        beginning = link.topic(BOARDS)
        return tuple(
            service.name.removeprefix(beginning)
            for service in link.transport.graph().services
            if service.name.startswith(beginning)
            and service.server_count
            and service.types == (TRIGGER,)
        )[:MOST_BOARDS]

    def _ask_for_modes(self) -> ModesSeen:
        if self._has_modes:
            try:
                return modes_seen(self.robot.session.link.ask("diagnostics/getModes"))
            except RefusedError:
                self._has_modes = False  # for good: modes are in the file it was started with
        return ModesSeen()

    def look_at_all(self) -> None:
        """Let the next look ask for everything."""
        self._looks = 0

    def note(self, kind: str, text: str) -> None:
        """Keep a note."""
        self.notes.append(Note(time.time(), kind, text))

    def __enter__(self) -> "Feed":  # noqa: PYI034 - typing.Self needs Python 3.11
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        for newest in (*self.newest.values(), *self.postures.values()):
            newest.close()
        for subscription in self._subscriptions:
            subscription.close()
        self._thread.join()

    def _listen(
        self, topic: str, type_name: str, take: Callable[[Message], None], qos: Qos
    ) -> None:
        link = self.robot.session.link
        self._subscriptions.append(
            link.transport.subscribe(link.topic(topic), type_name, take, qos)
        )

    def _take_markers(self, data: bytes, _stamp: int) -> None:
        self.markers.append(data)

    def _take_description(self, message: Message) -> None:
        self.description = str(message.data)

    def _take_diagnoses(self, message: Message) -> None:
        for status in message.status:
            if str(status.name) in self.diagnoses or len(self.diagnoses) < MOST_DIAGNOSES:
                self.diagnoses[str(status.name)] = status

    def _noting(self, kind: str) -> Callable[[Message], None]:
        return lambda message: self.note(kind, str(message.data))

    def _look_on(self) -> None:
        while not self._is_over.wait(LOOK_PERIOD):
            try:
                self.look()
            except ControlItError:
                pass  # lost or busy: the page tells that itself
            except Exception:  # noqa: BLE001 - an answer that is not understood is not the last one
                _log.exception("the parts of %s are not understood", self.robot.name)
