"""DiagnosticsArray: how a servo fares, for the tools of ROS."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import new
from controlit_ros.introspection.traffic import Traffic
from controlit_ros.running_thread import running_thread
from controlit_ros.servo import Coordinator, CoordinatorState, Outbox, Sampler, ServoClock
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.servo.rate_watch import RateWatch
from controlit_ros.servo.throttle import Throttle
from controlit_ros.transport import Transport

TOPIC = "/diagnostics"
TYPE = "diagnostic_msgs/msg/DiagnosticArray"
PERIOD = 1.0  # [s] between two messages, as REP-107 wants
SAMPLE_RATE = 100.0  # [Hz] of the lateness: a percentile does not need every cycle
SAMPLES = 1000  # [samples] ten seconds
KILO = 1000
LONGEST_SILENCE = 64.0  # [s] between two warnings of a rate that is not reached for long


class DiagnosticLevel(IntEnum):
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
        sequence: Number of the last measurement.
        inline_updates: Times the servo updated a stale model itself.
        refused: Measurements that cannot be.
        traffic: Messages.
    """

    cycles: int
    overruns: int
    sequence: int
    inline_updates: int
    refused: int
    traffic: Traffic


class DiagnosticsArray:
    """Publishes `/diagnostics` once a second, and when the servo stops, while somebody listens.

    Args:
        name: The controller.
        coordinator: The servo.
        liveliness: Looks after it.
        is_running: Tells whether it makes cycles.
        clock: Tells how time passes for the servo.
        traffic: Returns what came in and went out.
        transport: Where to publish.
        outbox: Brings the lateness out of the servo thread.
        warn: Takes what a warning is about, and its text.
    """

    def __init__(
        self,
        name: str,
        coordinator: Coordinator,
        liveliness: Liveliness,
        is_running: Callable[[], bool],
        clock: ServoClock,
        traffic: Callable[[], Traffic],
        transport: Transport,
        outbox: Outbox,
        warn: Callable[[str, str], None],
    ) -> None:
        self._name = name
        self._coordinator = coordinator
        self._liveliness = liveliness
        self._is_running = is_running
        self._clock = clock
        self._traffic = traffic
        self._publisher = transport.publisher(TOPIC, TYPE)
        self._lateness: deque[float] = deque(maxlen=SAMPLES)
        self._due = threading.Event()
        self._stopping = False
        self._warn = warn
        self._rate = RateWatch(coordinator.status, clock, coordinator.settings.rate)
        self._throttle = Throttle(LONGEST_SILENCE)
        liveliness.observe(self._due.set)
        self._thread: threading.Thread | None = None
        self._look()
        outbox.add_sampler(
            Sampler(1, self._fill, self._keep, rate=SAMPLE_RATE, wanted=self._is_wanted)
        )

    def start(self) -> None:
        """Begin to publish; idempotent."""
        if self._thread is None:
            self._stopping = False
            self._due.clear()
            self._thread = running_thread(self._run, "diagnostics")

    def stop(self) -> None:
        """Publish no more; idempotent."""
        self._stopping = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def publish(self) -> None:
        """Publish how the servo fared since the last call."""
        before, begin, was_running = self._last, self._last_look, self._was_running
        self._look()
        now = self._last_look
        elapsed = now - begin
        rate = (self._last.cycles - before.cycles) / elapsed if elapsed > 0.0 else 0.0
        if not was_running:  # it began meanwhile, nobody knows when
            rate = math.nan
        status = [
            self._servo(before, rate),
            self._robot(before),
            self._messages(before),
            self._topics(before, elapsed),
        ]
        stamp = time_fields(now + self._clock.ros_offset)
        self._publisher.publish(new(TYPE, header={"stamp": stamp}, status=status))

    def _run(self) -> None:
        while not self._stopping:
            self._due.wait(PERIOD)
            self._due.clear()
            self._watch_rate()
            if self._is_wanted() and not self._stopping:
                self.publish()
            else:  # whoever comes hears of the last second
                self._look()

    def _watch_rate(self) -> None:
        text = self._rate.look(is_running=self._is_running())
        if text and self._throttle.passes(time.monotonic()):
            self._warn("servo rate", text)

    def _look(self) -> None:
        self._last, self._last_look = self._counts(), self._clock.now
        self._was_running = self._is_running() and self._last.cycles > 0

    def _is_wanted(self) -> bool:
        return self._publisher.subscriber_count() > 0

    def _fill(self, row: Array) -> None:
        row[0] = self._coordinator.latency.lateness

    def _keep(self, _stamp: float, values: Array) -> None:
        self._lateness.append(float(values[0]))

    def _counts(self) -> Counts:
        status = self._coordinator.status
        return Counts(
            status.cycles,
            status.overruns,
            status.sequence,
            status.inline_updates,
            status.refused,
            self._traffic(),
        )

    def _servo(self, before: Counts, rate: float) -> dict[str, Any]:
        coordinator, status = self._coordinator, self._coordinator.status
        wanted = coordinator.settings.frequency
        overruns = self._last.overruns - before.overruns
        inline = self._last.inline_updates - before.inline_updates
        lateness = float(np.percentile(self._lateness, 99.0)) if self._lateness else 0.0
        state = status.state
        level, text = DiagnosticLevel.OK, state.value
        if not self._is_running():
            text = "not configured"
        elif self._liveliness.complaint:
            level, text = DiagnosticLevel.ERROR, self._liveliness.complaint
        elif state is CoordinatorState.SAFE:
            level, text = DiagnosticLevel.ERROR, "in the safe state, see diagnostics/errors"
        elif not rate and not self._clock.is_ticking:
            level, text = DiagnosticLevel.STALE, "time stands still"
        elif rate < coordinator.settings.rate.share * wanted:
            level, text = DiagnosticLevel.WARN, f"{rate:.0f} Hz, expected {wanted:g} Hz"
        elif self._rate.complaint:
            level, text = DiagnosticLevel.WARN, self._rate.complaint
        elif overruns:
            level, text = DiagnosticLevel.WARN, f"{overruns} cycles took too long"
        elif inline:
            level, text = (
                DiagnosticLevel.WARN,
                f"{inline} times the model was too old and updated inline",
            )
        values = {
            "state": self._liveliness.state,
            "whole-body controller": coordinator.controller.chosen.name,
            "frequency [Hz]": "unknown" if math.isnan(rate) else f"{rate:.1f}",
            "cycles": self._last.cycles,
            "overruns": self._last.overruns,
            "deadlines missed": status.missed,
            "pauses": status.pauses,
            "lateness p99 [µs]": f"{1e6 * lateness:.0f}",
            "age of the model [ms]": f"{1e3 * status.model_latency:.2f}",
            "cycles with a model too old": status.stale_cycles,
            "inline updates of the model": self._last.inline_updates,
            "violations of limits": status.violations,
        }
        return self._status("servo", level, text, values)

    def _robot(self, before: Counts) -> dict[str, Any]:
        level, text = DiagnosticLevel.OK, "reports its state"
        if not self._is_running():
            text = "not connected"
        elif self._last.sequence == before.sequence:
            level, text = DiagnosticLevel.STALE, "reports nothing"
        elif self._last.refused > before.refused:
            refused = self._last.refused - before.refused
            level, text = (
                DiagnosticLevel.WARN,
                f"{refused} measurements that cannot be were refused just now",
            )
        latency = self._coordinator.status.round_trip
        values = {
            "measurement": self._last.sequence,
            "measurements refused": self._last.refused,
            "round trip [ms]": "unknown" if math.isnan(latency) else f"{1e3 * latency:.2f}",
        }
        return self._status("robot", level, text, values)

    def _messages(self, before: Counts) -> dict[str, Any]:
        traffic, earlier = self._last.traffic, before.traffic
        dropped = traffic.dropped - earlier.dropped
        rejected = traffic.rejected - earlier.rejected
        faults = traffic.faults - earlier.faults
        level, text = DiagnosticLevel.OK, "all delivered"
        if dropped or rejected:
            level, text = DiagnosticLevel.WARN, f"{dropped} dropped, {rejected} rejected just now"
        elif faults > 0:
            level, text = DiagnosticLevel.WARN, f"{faults} faults of the transport just now"
        return self._status("messages", level, text, traffic.values())

    def _topics(self, before: Counts, elapsed: float) -> dict[str, Any]:
        traffic, text = self._last.traffic, "nothing yet"
        if elapsed > 0.0:
            sent = traffic.sent_since(before.traffic)
            messages, size = sent.messages / elapsed, sent.size / elapsed
            text = f"{messages:.0f} messages, {size / KILO:.1f} kB a second"
        return self._status("topics", DiagnosticLevel.OK, text, traffic.topics())

    def _status(
        self, part: str, level: DiagnosticLevel, text: str, values: dict[str, Any]
    ) -> dict[str, Any]:
        return {
            "level": int(level),
            "name": f"{self._name}: {part}",
            "message": text,
            "hardware_id": self._name,
            "values": [{"key": key, "value": str(value)} for key, value in values.items()],
        }
