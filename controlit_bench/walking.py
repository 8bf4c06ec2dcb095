"""Talos stands and walks in turns, in real time: what a cycle takes, and how many are too long."""

import time
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from controlit_bench.live_talos import Counted, ServoCounts, live_talos
from controlit_bench.section import Section
from controlit_ros.cli.drive_command import TWIST, twist
from controlit_ros.client import Robot
from controlit_ros.interfaces import Message
from controlit_ros.transport import DEFAULT, SENSOR_STATE

FILE = "package://controlit/config/talos/walk.yaml"
FREQUENCY = 1000.0  # [Hz]
SPEED = 0.3  # [m/s] forward, and back in the next turn
STANDS, WALKS = "stands", "walks"
PERIOD = 0.1  # [s] between two velocities
STOPPING = 3.0  # [s] in which it comes to rest
BASE = "base_link"


class WalkAmount(NamedTuple):
    """How much is measured.

    Attributes:
        turns: Of standing and walking.
        window: At least so long each [s].
    """

    turns: int
    window: float


FULL, QUICK = WalkAmount(5, 10.0), WalkAmount(1, 2.0)


class Found(NamedTuple):
    """What a robot's servo did meanwhile.

    Attributes:
        totals: Durations of some of its cycles [s].
        counted: All of its cycles.
        way: That the base went [m].
    """

    totals: tuple[float, ...] = ()
    counted: Counted = Counted(0, 0, 0)
    way: float = 0.0

    def with_more(self, more: "Found") -> "Found":
        """Return both together."""
        counts = (one + other for one, other in zip(self.counted, more.counted, strict=True))
        return Found(self.totals + more.totals, Counted(*counts), self.way + more.way)


def measure_walking(*, quick: bool) -> Section:
    """Let Talos stand and walk in turns."""
    turns, window = QUICK if quick else FULL
    found = {STANDS: Found(), WALKS: Found()}
    with (
        live_talos(FREQUENCY, FILE, moving=nullcontext) as live,
        live.connected() as robot,
        ServoCounts(live.network) as counts,
    ):
        driver = _Driver(robot, counts)
        driver.go(0.0, STOPPING)
        for turn in range(turns):
            speeds = {STANDS: 0.0, WALKS: SPEED * (-1) ** turn}
            for what, speed in speeds.items():
                found[what] = found[what].with_more(driver.watch(speed, window))
            driver.go(0.0, STOPPING)
    return Section(
        name="walking",
        title=f"Talos stands and walks in turns, {SPEED:g} m/s, on its estimate, {FREQUENCY:g} Hz",
        columns=(
            "it", "cycles [-]", "way [m]", "p50 [ms]", "p99 [ms]", "overruns in 10 000 [-]",
            "deadlines missed in 10 000 [-]",
        ),
        rows=tuple(_row(what, seen) for what, seen in found.items()),
    )  # fmt: skip


class _Driver:
    """Sends velocities, and watches the servo meanwhile.

    Args:
        robot: That walks.
        counts: Of its servo.
    """

    def __init__(self, robot: Robot, counts: ServoCounts) -> None:
        self._robot, self._counts = robot, counts
        self._totals: list[float] = []
        link = robot.session.link
        self._velocity = link.transport.publisher(link.topic("cmd_vel"), TWIST, DEFAULT)
        link.transport.subscribe(
            link.topic("diagnostics/servoComputeLatency"),
            "controlit/msg/ServoComputeLatency",
            self._take,
            SENSOR_STATE,
        )

    def go(self, speed: float, duration: float) -> None:
        """Walk with a speed [m/s] for a while [s]; 0: stop."""
        end = time.monotonic() + duration
        while time.monotonic() < end:
            self._send(speed)

    def watch(self, speed: float, duration: float) -> Found:
        """Do the same, for as long at least; return what was found."""
        place = self._robot.frame(BASE).position
        before = self._counts.next(lambda: self._send(speed))
        self._totals = []
        self.go(speed, duration)
        after = self._counts.next(lambda: self._send(speed))
        way = float(np.linalg.norm(self._robot.frame(BASE).position - place))
        return Found(tuple(self._totals), after.since(before), way)

    def _send(self, speed: float) -> None:
        self._velocity.publish(twist(np.array([speed, 0.0, 0.0])))
        time.sleep(PERIOD)

    def _take(self, message: Message) -> None:
        self._totals.append(float(message.total))


def _row(what: str, found: Found) -> tuple[object, ...]:
    p50, p99 = np.percentile(found.totals, [50, 99])
    cycles, missed, overruns = found.counted
    return (
        what, cycles, found.way, 1e3 * p50, 1e3 * p99, 1e4 * overruns / cycles,
        1e4 * missed / cycles,
    )  # fmt: skip
