"""Watch: whether the controller is there, and the same as before."""

import threading

from controlit_ros.awake_time import AwakeTime
from controlit_ros.client.beat import Beat
from controlit_ros.interfaces import Message, new
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import LATCHED, SENSOR_STATE, ServiceTimeoutError, Transport
from controlit_ros.transport.errors import TransportClosedError

STRING = "std_msgs/msg/String"
PROBE = "diagnostics/getRealJointIndices"
PROBE_TYPE = "controlit/srv/GetJointIndices"

ACTIVE, STUCK, DEAD = "active", "stuck", "dead"
LOOK_PERIOD = 0.2  # [s] between two looks at who is there
LONGEST_SILENCE = 1.0  # [s] hundred periods of what a servo publishes
LONGEST_STUCK = 3.0  # [s] a busy machine stops a servo for a part of it
ANSWER_TIME = 4.0  # [s] for a controller that is silent to answer a question all the same


class Watch:
    """Looks after a controller from outside, without a thread of its own while all is well.

    It is *lost* when it leaves the network, when its servo is dead, or when it is silent and
    answers no question either. Simulated time that stands still is silence, too, but the controller
    answers. One that tells the same state twice is another one of the same name.

    Args:
        transport: Where to look.
        controller: Absolute namespace.
        beat: Is notified of changes.

    Attributes:
        state: `inactive`, `active`, `safe`, `stuck` or `dead`; empty before it is known.
        life: Counts how often control ended or began anew, so that others can see it.
    """

    def __init__(self, transport: Transport, controller: str, beat: Beat) -> None:
        self.state = ""
        self.life = 0
        self._transport = transport
        self._controller = controller
        self._beat = beat
        self._lock = threading.Lock()
        self._since = AwakeTime()
        self._looked = -LOOK_PERIOD
        self._heard = 0.0
        self._signs = self._seen = 0
        self._is_probing = False
        self._stuck: AwakeTime | None = None
        self._complaint = ""
        self._parts = [
            transport.subscribe(f"{controller}/diagnostics/state", STRING, self._told, LATCHED),
            transport.subscribe(
                f"{controller}/diagnostics/servoFrequency",
                "std_msgs/msg/Float64",
                self._hear,
                SENSOR_STATE,
            ),
        ]

    @property
    def is_active(self) -> bool:
        """Whether control is on."""
        return self.state == ACTIVE

    @property
    def is_stuck_for_long(self) -> bool:
        """Whether the servo has made no cycles for a while."""
        stuck = self._stuck
        return stuck is not None and stuck.look() > LONGEST_STUCK

    def complaint(self) -> str:
        """Return why the controller is lost, empty while it is there; looks now and then."""
        if not self._complaint and self._lock.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._lock.release()
        return self._complaint

    def close(self) -> None:
        """Look no more."""
        for part in self._parts:
            part.close()

    def _look(self) -> None:
        now = self._since.look()
        if now - self._looked < LOOK_PERIOD:
            return
        self._looked = now
        if self.state == DEAD:
            self._lose("its servo is dead, see its log")
            return
        if self._signs != self._seen:  # who is heard is there: no need to go through the network
            self._seen = self._signs
            self._heard = now
            return
        probe = self._transport.graph().service(f"{self._controller}/{PROBE}")
        if probe is None or not probe.server_count:
            self._lose("it left the network")
        elif self.state and now - self._heard > LONGEST_SILENCE and not self._is_probing:
            self._is_probing = True
            running_thread(self._probe, "probe")

    def _probe(self) -> None:
        client = self._transport.client(f"{self._controller}/{PROBE}", PROBE_TYPE)
        try:
            client.call(new(f"{PROBE_TYPE}_Request"), ANSWER_TIME)
        except ServiceTimeoutError:
            self._lose(f"it is silent and gave no answer within {ANSWER_TIME:g} s")
        except TransportClosedError:
            pass
        finally:
            client.close()
            self._signs += 1
            self._is_probing = False

    def _lose(self, why: str) -> None:
        self._complaint = f"the controller {self._controller.strip('/')} is lost: {why}"
        self.life += 1
        self._beat.notify()

    def _told(self, message: Message) -> None:
        state = str(message.data)
        goes_on = {self.state, state} <= {ACTIVE, STUCK} and state != self.state
        if self.state and not goes_on:
            self.life += 1
        self.state = state
        self._stuck = AwakeTime() if state == STUCK else None
        self._beat.notify()

    def _hear(self, _message: Message) -> None:
        self._signs += 1
