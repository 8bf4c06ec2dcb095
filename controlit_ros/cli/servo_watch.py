"""ServoWatch: what a running servo is doing, at low cost."""

import logging
import time
from collections import deque

import numpy as np
import numpy.typing as npt

from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import CoordinatorState, Tap

SAMPLE_RATE = 100.0  # [Hz] each sample wakes the writer thread once
SAMPLES = 1000  # [samples] ten seconds
LONGEST_PAUSE = 2.0  # [s] without a cycle after which the servo is taken for dead

_log = logging.getLogger("controlit.run")


class ServoWatch:
    """Looks at a servo from outside.

    Args:
        node: What to watch; not started yet.
        is_sampling: Whether `text` shall tell how long computing takes; costs the servo a few
            microseconds 100 times a second.
    """

    def __init__(self, node: ServoNode, *, is_sampling: bool) -> None:
        self._node = node
        self._totals: deque[float] = deque(maxlen=SAMPLES)
        self._state = CoordinatorState.INACTIVE
        self._last_cycles = 0
        self._last_look = self._last_progress = time.monotonic()
        self._progress = 0
        self._stands_still = False
        if is_sampling:
            total = node.coordinator.latency.current[-1:]
            node.outbox.add_tap(
                Tap(1, lambda row: np.copyto(row, total), self._keep, rate=SAMPLE_RATE)
            )

    def begin(self) -> None:
        """Count cycles from now on."""
        self._last_look = self._last_progress = time.monotonic()
        self._last_cycles = self._node.coordinator.status.cycles

    def log_changes(self) -> None:
        """Log a change of state, and when the servo makes no more cycles."""
        state = self._node.state
        if state is not self._state:
            _log.info("state: %s -> %s", self._state.value, state.value)
            self._state = state
        now, cycles = time.monotonic(), self._node.coordinator.status.cycles
        if cycles != self._progress:
            self._progress, self._last_progress = cycles, now
            self._stands_still = False
        elif now - self._last_progress > LONGEST_PAUSE:
            if self._node.stack.clock.is_ticking:
                _log.error("the servo has made no cycle for %g s", LONGEST_PAUSE)
            elif not self._stands_still:
                _log.warning("time stands still: the servo waits for it to go on")
                self._stands_still = True
            self._last_progress = now

    def text(self) -> str:
        """Return one line: state, frequency since the last call, latencies, what was lost."""
        status, now = self._node.coordinator.status, time.monotonic()
        cycles = status.cycles
        elapsed = now - self._last_look
        rate = (cycles - self._last_cycles) / elapsed if elapsed > 0.0 else 0.0
        self._last_cycles, self._last_look = cycles, now
        parts = [self._node.state.value, f"{rate:.0f} Hz"]
        if self._totals:
            p50, p99 = np.percentile(self._totals, (50.0, 99.0))
            parts.append(f"compute p50 {1e6 * p50:.0f} p99 {1e6 * p99:.0f} µs")
        dropped = self._node.outbox.dropped + self._node.mailbox.dropped
        parts += [
            f"model {1e3 * status.model_latency:.1f} ms old",
            f"{status.overruns} overruns",
            f"{dropped} dropped",
        ]
        return " | ".join(parts)

    def _keep(self, _stamp: float, values: npt.NDArray[np.float64]) -> None:
        self._totals.append(float(values[0]))
