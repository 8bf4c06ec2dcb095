"""What a servo that does nothing takes from the machine: the floor of the one that works."""

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple, cast

from controlit_ros.errors import ControlItError
from controlit_ros.servo.latency import PHASES, LatencyRecorder, LatencySummary
from controlit_ros.servo.real_time import RealTimeSettings
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.spare_time import SpareTime
from controlit_ros.servo.steady_clock import SteadyClock

if TYPE_CHECKING:
    from controlit_ros.servo import Coordinator

FREQUENCY = 1000.0  # [Hz]
REAL_TIME = RealTimeSettings(priority=50, affinity=(), awake=True)  # as the servo's defaults
PROGRAM = ("-m", "controlit_ros.processes.idle_loop")
"""What Python runs beside: nothing of the program that asks."""
PATIENCE = 30.0  # [s] to start and end on a busy machine
NOTHING = (0.0,) * len(PHASES)  # [s] that the phases take


class IdleLoop(NamedTuple):
    """What the machine gave to a loop without work.

    Attributes:
        summary: Of its cycles, as of those of a servo.
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


def measure_idle_loop(
    duration: float, frequency: float = FREQUENCY, real_time: RealTimeSettings = REAL_TIME
) -> IdleLoop:
    """Run the servo's clock with a servo that does nothing, in a process of its own.

    Args:
        duration: How long [s].
        frequency: Of the clock [Hz].
        real_time: What it asks of the operating system.

    Raises:
        ControlItError: It could not be run, or did not end well.
    """
    order = json.dumps([duration, frequency, real_time])
    try:
        done = subprocess.run(  # noqa: S603 - our own words alone
            [sys.executable, *PROGRAM, order],
            check=True,
            capture_output=True,
            text=True,
            timeout=duration + PATIENCE,
            start_new_session=True,  # Ctrl-C is for who asks
        )
        summary, processor = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        words = (getattr(error, "stderr", None) or "").strip().rpartition("\n")[2]
        raise ControlItError(f"a servo without work could not be run: {words or error}") from error
    return IdleLoop(LatencySummary.restored(summary), processor)


def _run(duration: float, frequency: float, real_time: RealTimeSettings) -> IdleLoop:
    idle = _Idle()
    clock = SteadyClock(frequency, real_time)
    clock.parameter("rehearse").set(False)  # there is nothing to
    clock.start(cast("Coordinator", idle))
    time.sleep(duration)
    clock.stop()
    wall, processor = idle.wall[1] - idle.wall[0], idle.processor[1] - idle.processor[0]
    return IdleLoop(idle.latency.settled(), processor / wall if wall > 0.0 else 0.0)


def _main(order: str) -> None:
    duration, frequency, (priority, affinity, awake) = json.loads(order)
    found = _run(duration, frequency, RealTimeSettings(priority, tuple(affinity), awake))
    print(json.dumps([found.summary._asdict(), found.processor]))


if __name__ == "__main__":
    _main(sys.argv[1])
