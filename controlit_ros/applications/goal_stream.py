"""GoalStream: sends the goals of a plan over topics."""

import threading
import time
from collections.abc import Mapping

from controlit_ros.applications.goal_plan import GoalPlan
from controlit_ros.applications.task_topics import TaskTopics
from controlit_ros.applications.trajectory import Array, Sample
from controlit_ros.bindings import Conversion
from controlit_ros.transport import COMMAND, Publisher, Transport

GOAL_RATE = 100.0  # [Hz] of the reference's application (paper section 6)


class GoalStream:
    """Publishes goals, their velocities and accelerations at a fixed rate from a thread.

    Deadlines are absolute: a late goal does not delay the next, and goals are those of the time
    they are sent at. At the end, and when stopped on the way, a last goal without velocity is sent.

    Args:
        plan: What to send.
        topics: Where to, by task name.
        transport: Carries the goals; its namespace is the controller's.
        rate: Goals per second and task [Hz].

    Attributes:
        sent: Rounds of goals sent so far.
        lateness: Latest start of a round after its deadline [s].
        failure: Why the stream ended early, `None` if it did not.
    """

    def __init__(
        self,
        plan: GoalPlan,
        topics: Mapping[str, TaskTopics],
        transport: Transport,
        rate: float = GOAL_RATE,
    ) -> None:
        self.sent = 0
        self.lateness = 0.0
        self.failure: Exception | None = None
        self._plan = plan
        self._period = 1.0 / rate
        self._outlets = {
            name: [
                (field, _Outlet(transport, *place))
                for field, place in (
                    ("acceleration", topics[name].goal_acceleration),
                    ("velocity", topics[name].goal_velocity),
                    ("value", topics[name].goal),
                )
                if place is not None
            ]
            for name in plan.trajectories
        }
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def subscribers(self) -> int:
        """Goal topics that somebody listens to."""
        return sum(
            outlet.publisher.subscriber_count() > 0
            for outlets in self._outlets.values()
            for _, outlet in outlets
        )

    @property
    def topics(self) -> int:
        """Topics the goals travel on."""
        return sum(map(len, self._outlets.values()))

    def start(self, origin: float, duration: float) -> None:
        """Begin to send.

        Args:
            origin: When the plan begins, on the monotonic clock [s].
            duration: How much of the plan to send [s].
        """
        self._thread = threading.Thread(
            target=self._run, args=(origin, duration), name="goals", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Send the last goal and end the thread; idempotent."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def is_running(self) -> bool:
        """Whether there are goals to come."""
        return self._thread is not None and self._thread.is_alive()

    def _run(self, origin: float, duration: float) -> None:
        try:
            elapsed = self._send_until(origin, duration)
            self._send(elapsed, moving=False)
        except Exception as error:  # noqa: BLE001 - reported by whoever watches the stream
            self.failure = error

    def _send_until(self, origin: float, duration: float) -> float:
        deadline = origin
        while not self._stop.wait(max(0.0, deadline - time.monotonic())):
            now = time.monotonic()
            if now - origin >= duration:
                return duration
            self.lateness = max(self.lateness, now - deadline)
            self._send(now - origin, moving=True)
            self.sent += 1
            # rounds missed are left out: a burst of old goals would help nobody
            missed = int((time.monotonic() - deadline) / self._period)
            deadline += (missed + 1) * self._period
        return min(time.monotonic() - origin, duration)

    def _send(self, elapsed: float, *, moving: bool) -> None:
        for name, outlets in self._outlets.items():
            sample = self._plan.trajectories[name].at(elapsed)
            if not moving:
                sample = Sample(sample.value, 0.0 * sample.value, 0.0 * sample.value)
            for field, outlet in outlets:
                outlet.send(getattr(sample, field))


class _Outlet:
    """One topic and how values travel on it."""

    def __init__(self, transport: Transport, topic: str, travel: Conversion) -> None:
        self.publisher: Publisher = transport.publisher(topic, travel.type_name, COMMAND)
        self._travel = travel

    def send(self, values: Array) -> None:
        self.publisher.publish(self._travel.to_message(values, time.time()))
