"""GoalStream: sends the goals of a program over topics."""

import threading
import time
from collections.abc import Mapping

from controlit_demos.programs.goal_program import Actual, GoalProgram, phase_at
from controlit_demos.running.task_topics import TaskTopics
from controlit_ros.client.goal_outlet import GoalOutlet
from controlit_ros.interfaces import new
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.recording.series import Series
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import LATCHED, Transport

GOAL_RATE = 100.0  # [Hz] of the reference's application (paper section 6)
STATE_TOPIC = "demo/state"
TEXT = "std_msgs/msg/String"


class GoalStream:
    """Publishes goals, their velocities and accelerations at a fixed rate.

    `start` does so from a thread, against absolute deadlines: a late goal does not delay the next,
    and goals are those of the time they are sent at. Programs in simulated time call `send` and
    `finish` themselves. At the end, and when stopped on the way, a last goal without velocity goes
    out. The name of the program's phase, or state, goes out on `STATE_TOPIC` when it changes; who
    comes late gets the present one.

    Args:
        program: What to send.
        topics: Where to, by task name.
        transport: Carries the goals; its namespace is the controller's.
        actual: What the program sees of the robot.
        rate: Goals per second and task [Hz].

    Attributes:
        sent: Rounds of goals sent so far.
        goals: Every goal by task name; times since the first [s].
        lateness: Latest start of a round after its deadline [s].
        failure: Why the stream ended early, `None` if it did not.
    """

    def __init__(
        self,
        program: GoalProgram,
        topics: Mapping[str, TaskTopics],
        transport: Transport,
        actual: Actual,
        rate: float = GOAL_RATE,
    ) -> None:
        self.sent = 0
        self.lateness = 0.0
        self.failure: Exception | None = None
        self.period = 1.0 / rate
        self.goals: dict[str, Series] = {}
        self._program = program
        self._actual = actual
        self._state = transport.publisher(STATE_TOPIC, TEXT, LATCHED)
        self._shown = ""
        self._last: Mapping[str, TrajectorySample] = {}
        self._outlets = {name: GoalOutlet(transport, topics[name].goals) for name in program.tasks}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def subscribers(self) -> int:
        """Goal topics that somebody listens to."""
        return sum(outlet.subscribers for outlet in self._outlets.values())

    @property
    def topics(self) -> int:
        """Topics the goals travel on."""
        return sum(len(outlet.publishers) for outlet in self._outlets.values())

    def send(self, elapsed: float) -> None:
        """Send the goals of a time since the first goal [s]."""
        self._last = self._program.goals(elapsed, self._actual)
        for name, sample in self._last.items():
            series = self.goals.get(name)
            if series is None:
                series = self.goals[name] = Series(sample.value.size)
            series.append(elapsed, sample.value)
        self._publish(self._last)
        self._tell_state(elapsed)
        self.sent += 1

    def finish(self) -> None:
        """Send the last goals again, at rest."""
        self._publish(
            {
                name: TrajectorySample(sample.value, 0.0 * sample.value, 0.0 * sample.value)
                for name, sample in self._last.items()
            }
        )

    def start(self, origin: float, duration: float) -> None:
        """Begin to send from a thread.

        Args:
            origin: When the program begins, on the monotonic clock [s].
            duration: How much of the program to send [s].
        """
        self._thread = running_thread(self._run, "goals", origin, duration)

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
            self._send_until(origin, duration)
            self.finish()
        except Exception as error:  # noqa: BLE001 - reported by whoever watches the stream
            self.failure = error

    def _send_until(self, origin: float, duration: float) -> None:
        deadline = origin
        while not self._stop.wait(max(0.0, deadline - time.monotonic())):
            now = time.monotonic()
            elapsed = min(now - origin, duration)
            self.lateness = max(self.lateness, now - deadline)
            self.send(elapsed)
            if elapsed >= duration or self._program.is_over(elapsed):
                return
            # rounds missed are left out: a burst of old goals would help nobody
            missed = int((time.monotonic() - deadline) / self.period)
            deadline += (missed + 1) * self.period

    def _tell_state(self, elapsed: float) -> None:
        state = phase_at(self._program.phases, elapsed)
        if state != self._shown:
            self._shown = state
            self._state.publish(new(TEXT, data=state))

    def _publish(self, goals: Mapping[str, TrajectorySample]) -> None:
        for name, sample in goals.items():
            self._outlets[name].send(sample)
