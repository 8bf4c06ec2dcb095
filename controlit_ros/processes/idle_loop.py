"""What a servo that does nothing takes from the machine: the floor of the one that works."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple, cast

from controlit_ros.servo.latency import PHASES, LatencyRecorder, LatencySummary
from controlit_ros.servo.real_time import RealTimeSettings
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.spare_time import SpareTime
from controlit_ros.servo.steady_clock import SteadyClock

if TYPE_CHECKING:
    from controlit_ros.servo import Coordinator

FREQUENCY = 1000.0  # [Hz]
REAL_TIME = RealTimeSettings(priority=50, affinity=(), awake=True)  # as the servo's defaults
NOTHING = (0.0,) * len(PHASES)  # [s] that the phases take


class IdleLoop(NamedTuple):
    """What the machine gave to a loop without work.

    Attributes:
        summary: Of its cycles.
        processor: Share of a core.
    """

    summary: LatencySummary
    processor: float

    @property
    def overruns(self) -> float:
        """Deadlines missed altogether, for each cycle."""
        return self.summary.overruns / max(self.summary.cycles, 1)


class _Idle:
    """A coordinator whose cycles are empty."""

    def __init__(self) -> None:
        self.latency = LatencyRecorder()
        self.spare_time = SpareTime()
        self.status = ServoStatus()
        self.wall = [0.0, 0.0]  # [s] of the first and last cycle
        self.processor = [0.0, 0.0]  # [s] of them, of the servo thread

    def servo_init(self, now: float) -> None:
        self.wall[0], self.processor[0] = now, time.thread_time()

    def servo_update(self, now: float) -> None:
        self.latency.period = now - self.wall[1] if self.latency.cycles else 0.0
        self.latency.record(NOTHING)
        self.wall[1], self.processor[1] = now, time.thread_time()

    def rehearse(self) -> None:
        """Have nothing to repeat."""


def measure_idle_loop(
    duration: float, frequency: float = FREQUENCY, real_time: RealTimeSettings = REAL_TIME
) -> IdleLoop:
    """Run the servo's clock with a servo that does nothing, in a process of its own.

    Args:
        duration: How long [s].
        frequency: Of the clock [Hz].
        real_time: What it asks of the operating system.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_run, duration, frequency, real_time).result()


def _run(duration: float, frequency: float, real_time: RealTimeSettings) -> IdleLoop:
    idle = _Idle()
    clock = SteadyClock(frequency, real_time)
    clock.start(cast("Coordinator", idle))
    time.sleep(duration)
    clock.stop()
    wall, processor = idle.wall[1] - idle.wall[0], idle.processor[1] - idle.processor[0]
    return IdleLoop(idle.latency.summary(), processor / wall if wall > 0.0 else 0.0)
