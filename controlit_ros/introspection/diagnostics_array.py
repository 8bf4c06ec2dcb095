"""DiagnosticsArray: how a servo fares, for the tools of ROS."""

import threading
import time
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.bindings.conversion import time_fields
from controlit_ros.interfaces import new
from controlit_ros.servo import Coordinator, CoordinatorState, Outbox, Tap
from controlit_ros.transport import Transport

TOPIC = "/diagnostics"
TYPE = "diagnostic_msgs/msg/DiagnosticArray"
PERIOD = 1.0  # [s] between two messages, as REP-107 wants
SAMPLE_RATE = 100.0  # [Hz] of the lateness: a percentile does not need every cycle
SAMPLES = 1000  # [samples] ten seconds
SLOW = 0.95  # [-] share of the wanted frequency below which a servo is too slow


class Level(IntEnum):
    """How bad it is, by REP-107."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


class Counts(NamedTuple):
    """What only grows.

    Attributes:
        cycles: Cycles of the servo.
        overruns: Cycles that ended too late.
        dropped: Values that a slow reader lost, on the way in or out.
        rejected: Messages that fitted no parameter.
        sequence: Number of the last measurement.
    """

    cycles: int
    overruns: int
    dropped: int
    rejected: int
    sequence: int


class DiagnosticsArray:
    """Publishes `/diagnostics` once a second while somebody listens.

    Args:
        name: The controller.
        coordinator: The servo.
        is_running: Tells whether it makes cycles.
        lost: Returns how many values were dropped and how many messages rejected.
        transport: Where to publish.
        outbox: Brings the lateness out of the servo thread.
    """

    def __init__(
        self,
        name: str,
        coordinator: Coordinator,
        is_running: Callable[[], bool],
        lost: Callable[[], tuple[int, int]],
        transport: Transport,
        outbox: Outbox,
    ) -> None:
        self._name = name
        self._coordinator = coordinator
        self._is_running = is_running
        self._lost = lost
        self._publisher = transport.publisher(TOPIC, TYPE)
        self._lateness: deque[float] = deque(maxlen=SAMPLES)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._last = self._counts()
        self._last_look = time.monotonic()
        outbox.add_tap(Tap(1, self._fill, self._keep, rate=SAMPLE_RATE, wanted=self._is_wanted))

    def start(self) -> None:
        """Begin to publish; idempotent."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="diagnostics", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Publish no more; idempotent."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def publish(self) -> None:
        """Publish how the servo fared since the last call."""
        now, before = time.monotonic(), self._last
        elapsed = now - self._last_look
        self._last, self._last_look = self._counts(), now
        rate = (self._last.cycles - before.cycles) / elapsed if elapsed > 0.0 else 0.0
        status = [self._servo(before, rate), self._robot(before), self._messages(before)]
        self._publisher.publish(
            new(TYPE, header={"stamp": time_fields(time.time())}, status=status)
        )

    def _run(self) -> None:
        while not self._stop.wait(PERIOD):
            if self._is_wanted():
                self.publish()

    def _is_wanted(self) -> bool:
        return self._publisher.subscriber_count() > 0

    def _fill(self, row: npt.NDArray[np.float64]) -> None:
        row[0] = self._coordinator.latency.lateness

    def _keep(self, _stamp: float, values: npt.NDArray[np.float64]) -> None:
        self._lateness.append(float(values[0]))

    def _counts(self) -> Counts:
        latency = self._coordinator.latency
        return Counts(
            latency.cycles, latency.overruns, *self._lost(), self._coordinator.robot_state.sequence
        )

    def _servo(self, before: Counts, rate: float) -> dict[str, Any]:
        coordinator = self._coordinator
        wanted = coordinator.settings.frequency
        overruns = self._last.overruns - before.overruns
        lateness = float(np.percentile(self._lateness, 99.0)) if self._lateness else 0.0
        state = coordinator.state
        level, text = Level.OK, state.value
        if not self._is_running():
            text = "not configured"
        elif state is CoordinatorState.SAFE:
            level, text = Level.ERROR, "in the safe state, see diagnostics/errors"
        elif rate < SLOW * wanted:
            level, text = Level.WARN, f"{rate:.0f} Hz, expected {wanted:g} Hz"
        elif overruns:
            level, text = Level.WARN, f"{overruns} cycles took too long"
        values = {
            "state": state.value,
            "frequency [Hz]": f"{rate:.1f}",
            "cycles": self._last.cycles,
            "overruns": self._last.overruns,
            "lateness p99 [µs]": f"{1e6 * lateness:.0f}",
            "age of the model [ms]": f"{1e3 * coordinator.model_latency:.2f}",
        }
        return self._status("servo", level, text, values)

    def _robot(self, before: Counts) -> dict[str, Any]:
        level, text = Level.OK, "reports its state"
        if not self._is_running():
            text = "not connected"
        elif self._last.sequence == before.sequence:
            level, text = Level.STALE, "reports nothing"
        values = {"measurement": self._last.sequence}
        return self._status("robot", level, text, values)

    def _messages(self, before: Counts) -> dict[str, Any]:
        dropped = self._last.dropped - before.dropped
        rejected = self._last.rejected - before.rejected
        level, text = Level.OK, "all delivered"
        if dropped or rejected:
            level, text = Level.WARN, f"{dropped} dropped, {rejected} rejected just now"
        values = {"dropped": self._last.dropped, "rejected": self._last.rejected}
        return self._status("messages", level, text, values)

    def _status(self, part: str, level: Level, text: str, values: dict[str, Any]) -> dict[str, Any]:
        return {
            "level": int(level),
            "name": f"{self._name}: {part}",
            "message": text,
            "hardware_id": self._name,
            "values": [{"key": key, "value": str(value)} for key, value in values.items()],
        }
