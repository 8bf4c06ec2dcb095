"""What a servo that does nothing takes from the machine: the floor of the one that works."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple, cast

from controlit_bench.timing import Quantiles
from controlit_ros.servo.latency import PHASES, LatencyRecorder
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
        lateness: Start of a cycle after its deadline [s].
        overruns: Deadlines missed altogether, for each cycle.
        processor: Share of a core.
        late: Cycles in each class of lateness, as in `LatencySummary`.
        frequency: Mean and standard deviation [Hz].
    """

    lateness: Quantiles
    overruns: float
    processor: float
    late: tuple[int, ...]
    frequency: tuple[float, float]


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


def measure_idle_loop(duration: float) -> IdleLoop:
    """Run the servo's clock with a servo that does nothing, in a process of its own.

    Args:
        duration: How long [s].
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_run, duration).result()


def _run(duration: float) -> IdleLoop:
    idle = _Idle()
    clock = SteadyClock(FREQUENCY, REAL_TIME)
    clock.start(cast("Coordinator", idle))
    time.sleep(duration)
    clock.stop()
    latency = idle.latency
    summary = latency.summary()
    return IdleLoop(
        lateness=Quantiles(*summary.lateness),
        overruns=latency.overruns / max(latency.cycles, 1),
        processor=(idle.processor[1] - idle.processor[0]) / (idle.wall[1] - idle.wall[0]),
        late=summary.late,
        frequency=summary.frequency[:2],
    )
