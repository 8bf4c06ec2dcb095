"""LatencyRecorder: how long the phases of the last cycles took."""

from collections.abc import Mapping
from struct import Struct
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array

PHASES = ("read", "odometry", "update_model", "compute_command", "events", "write", "total")
WIDTH = len(PHASES) + 3
ROW = Struct(f"@{WIDTH}d")
WARM_UP_CYCLES = 1000  # [cycles] that do not count: caches, first messages, soft start
CAPACITY = 1 << 17  # [cycles] two minutes at 1 kHz, 10 MB
LATENESS_EDGES = (
    *(1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5),
    *(1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3),
)
"""Latest start after the deadline [s] of each class of cycles; one more class is of all others."""


class LatencySummary(NamedTuple):
    """Statistics of the recorded cycles.

    Attributes:
        cycles: Cycles since the start.
        overruns: Cycles that ended after the next one should have begun.
        frequency: Mean, standard deviation, lowest, highest servo frequency [Hz].
        phases: For each phase p50, p99, p99.9 and highest duration [s].
        lateness: p50, p99, p99.9 and highest start after the deadline [s].
        late: Of the summarised cycles those in each class of lateness: at most the edge of it in
            `LATENESS_EDGES` and more than the one before, and last those beyond all edges.
        rate: Cycles a second over all of the time; the mean frequency is higher when some are
            late, because those after them come sooner [Hz].
        measured: Measurements that the robot made a second, by their numbers, whether they were
            read or not; 0 where they have none [Hz].
    """

    cycles: int
    overruns: int
    frequency: tuple[float, float, float, float]
    phases: dict[str, tuple[float, float, float, float]]
    lateness: tuple[float, float, float, float]
    late: tuple[int, ...]
    rate: float
    measured: float

    @classmethod
    def restored(cls, fields: Mapping[str, Any]) -> "LatencySummary":
        """Return a summary of the fields that JSON made of one."""
        whole = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        return cls(**whole | {"phases": {name: tuple(v) for name, v in fields["phases"].items()}})


class LatencyRecorder:
    """Ring of phase durations, allocated once; written by the servo, read at leisure.

    Attributes:
        current: `(7,)` durations of the last cycle in the order of `PHASES` [s].
        period: Time from the start of the last cycle but one to that of the last [s].
        lateness: Start of the last cycle after its deadline [s].
        measurement: Number of the last measurement of the robot, 0 where it has none.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._rows: Array = np.zeros((capacity, WIDTH))
        self._content = self._rows.data.cast("B")
        last: Array = np.zeros(WIDTH)
        self._last = last.data.cast("B")
        self.current = last[: len(PHASES)]
        self.period = 0.0
        self.lateness = 0.0
        self.measurement = 0
        self.cycles = 0
        self.overruns = 0

    def record(self, durations: tuple[float, ...]) -> None:
        """Keep a cycle; servo thread.

        Args:
            durations: Of its `PHASES` [s].
        """
        last = self._last
        ROW.pack_into(last, 0, *durations, self.period, self.lateness, self.measurement)
        place = self.cycles % self._capacity * ROW.size
        self._content[place : place + ROW.size] = last
        self.cycles += 1

    def rows(self) -> Array:
        """Return a copy of the recorded cycles, oldest first.

        `PHASES`, period, lateness [s], and the number of the measurement.
        """
        count = min(self.cycles, self._capacity)
        start = self.cycles - count
        order = (start + np.arange(count)) % self._capacity
        return self._rows[order]

    def settled(self) -> LatencySummary:
        """Summarise the recorded cycles without those of the start."""
        return self.summary(skip=min(WARM_UP_CYCLES, self.cycles // 2))

    def summary(self, skip: int = 0) -> LatencySummary:
        """Summarise the recorded cycles but the first `skip`."""
        rows = self.rows()[skip:]
        late = _classes(rows[:, -2])
        if not len(rows):
            rows = np.zeros((1, WIDTH))
        periods = rows[:, -3]
        frequencies = 1.0 / periods[periods > 0.0] if (periods > 0.0).any() else np.zeros(1)
        return LatencySummary(
            cycles=self.cycles,
            overruns=self.overruns,
            frequency=(
                float(frequencies.mean()),
                float(frequencies.std()),
                float(frequencies.min()),
                float(frequencies.max()),
            ),
            phases={name: _percentiles(rows[:, i]) for i, name in enumerate(PHASES)},
            lateness=_percentiles(rows[:, -2]),
            late=late,
            rate=_rate(len(rows) - 1, periods),
            measured=_rate(rows[-1, -1] - rows[0, -1], periods),
        )


def _rate(count: float, periods: Array) -> float:
    """Return a count since the first of some cycles, by the second; 0 if it went back."""
    time = periods[1:].sum()
    return max(0.0, float(count / time)) if time > 0.0 else 0.0


def _classes(lateness: Array) -> tuple[int, ...]:
    """Return how many times are in each class of `LATENESS_EDGES`, and beyond."""
    found = np.searchsorted(LATENESS_EDGES, lateness)
    return tuple(np.bincount(found, minlength=len(LATENESS_EDGES) + 1).tolist())


def _percentiles(values: Array) -> tuple[float, float, float, float]:
    p50, p99, p999 = np.percentile(values, (50.0, 99.0, 99.9))
    return float(p50), float(p99), float(p999), float(values.max())
