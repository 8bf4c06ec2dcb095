"""ServoWatch: what a running servo is doing, at low cost."""

import logging
import time
from collections import deque

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.cli.run_samples import RunSamples
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import CoordinatorState, Sampler

SAMPLE_RATE = 100.0  # [Hz] each sample wakes the writer thread once
SAMPLES = 1000  # [samples] ten seconds
LONGEST_PAUSE = 2.0  # [s] without a cycle after which the servo is taken for dead

BAR = 20  # [characters]
MINUTE = 60.0  # [s]

_log = logging.getLogger("controlit.run")


class ServoWatch:
    """Looks at a servo from outside.

    Args:
        node: What to watch; not started yet.
        samples: What `lines` tell beside the servo itself; with them it also tells how long
            computing takes, which costs the servo a few microseconds 100 times a second.
    """

    def __init__(self, node: ServoNode, samples: RunSamples | None = None) -> None:
        self._node = node
        self._samples = samples
        self._totals: deque[float] = deque(maxlen=SAMPLES)
        self._state = CoordinatorState.INACTIVE.value
        self._last_cycles = 0
        self._last_look = self._last_progress = time.monotonic()
        self._progress = 0
        self._stands_still = False
        if samples is not None:
            node.outbox.add_sampler(Sampler(1, self._fill, self._keep, rate=SAMPLE_RATE))

    def _fill(self, row: Array) -> None:
        row[0] = self._node.coordinator.latency.current[-1]

    def begin(self) -> None:
        """Count cycles from now on."""
        self._last_look = self._last_progress = time.monotonic()
        self._last_cycles = self._node.coordinator.status.cycles

    def log_changes(self) -> None:
        """Log a change of state, and when the servo makes no more cycles."""
        state = self._node.liveliness.state
        if state != self._state:
            _log.info("state: %s -> %s", self._state, state)
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

    def lines(self) -> list[str]:
        """Return what there is to see: servo, worst task, limits, last event, last complaint."""
        lines = [self.text()]
        samples, news = self._samples, self._node.news
        if samples is None:
            return lines
        worst = samples.worst_task()
        if worst is not None:
            lines.append(f"worst task  {bar(worst.part)}  {worst.name} {worst.text}")
        effort, speed = samples.nearest_limit(0), samples.nearest_limit(1)
        violations = self._node.coordinator.status.violations
        lines.append(
            f"limits      {bar(max(effort.part, speed.part))}  effort {effort.text} {effort.name}, "
            f"speed {speed.text} {speed.name}, {violations} held"
        )
        now = time.monotonic()
        lines += [
            f"{label:<12}{text} ({_ago(now - stamp)})"
            for label, (stamp, text) in (("last event", news.event), ("last notice", news.notice))
            if text
        ]
        return lines

    def text(self) -> str:
        """Return one line: state, frequency since the last call, latencies, what was lost."""
        status, now = self._node.coordinator.status, time.monotonic()
        cycles = status.cycles
        elapsed = now - self._last_look
        rate = (cycles - self._last_cycles) / elapsed if elapsed > 0.0 else 0.0
        self._last_cycles, self._last_look = cycles, now
        parts = [self._node.liveliness.state, f"{rate:.0f} Hz"]
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

    def _keep(self, _stamp: float, values: Array) -> None:
        self._totals.append(float(values[0]))


def bar(part: float) -> str:
    """Return a bar that is full at 1."""
    filled = round(BAR * min(max(part, 0.0), 1.0))
    return "█" * filled + "░" * (BAR - filled)


def _ago(elapsed: float) -> str:
    return f"{elapsed:.0f} s ago" if elapsed < MINUTE else f"{elapsed / MINUTE:.0f} min ago"
