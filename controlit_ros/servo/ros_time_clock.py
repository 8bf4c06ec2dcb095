"""RosTimeClock: the servo runs in ROS time, which may be simulated."""

from collections.abc import Callable
from time import monotonic

from controlit_ros.parameters import Access
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings
from controlit_ros.servo.threaded_clock import ThreadedClock
from controlit_ros.servo.time_source import FedTime, SystemTime, TimeSource

LONGEST_STEP = 0.5  # [s] of ROS time from one look to the next; more is a jump, not a pace
PATIENCE = 0.02  # [s] of real time between two looks, and signs of life, while time stands still
STANDSTILL = 0.5  # [s] of real time without a cycle after which time counts as standing still
ROUNDING = 1e-6  # [s] a time of day in floating point is exact to a quarter of that


class RosTimeClock(ThreadedClock):
    """Runs the servo on a thread of its own, cycle k when ROS time reaches `t0 + k / frequency`.

    With `use_sim_time` the time is fed from outside, in general from the topic `/clock`; without
    it, it is the time of day. A time told more rarely than the servo's period leaves out the cycles
    between, which count as overruns.

    While time stands still there are no cycles. When it jumps, backwards or forwards by more than
    `LONGEST_STEP`, the servo begins anew: it forgets the measurements, latches goals that nobody
    stated, and its command grows softly.
    """

    def __init__(self, frequency: float, real_time: RealTimeSettings = NOT_REAL_TIME) -> None:
        super().__init__(frequency, real_time)
        self._use_sim_time = self.declare(
            "use_sim_time",
            False,
            access=Access.CONFIGURATION,
            description="whether time is simulated and comes from the topic /clock",
        )
        self._fed, self._system = FedTime(), SystemTime()
        self._last_cycle = -STANDSTILL

    @property
    def time_feed(self) -> FedTime | None:
        """Takes the simulated time, where that is wanted."""
        return self._fed if self._use_sim_time.value else None

    @property
    def now(self) -> float:
        """The present ROS time [s], 0 while a simulated one is not known."""
        return self._source.now or 0.0

    @property
    def ros_offset(self) -> float:
        """None: this clock shows ROS time [s]."""
        return 0.0

    @property
    def is_ticking(self) -> bool:
        """Whether time went on within the last half second."""
        return self._thread is not None and monotonic() - self._last_cycle < STANDSTILL

    @property
    def beats(self) -> bool:
        """Whether the servo thread gives signs of life, as it does while time stands still."""
        return True

    def _interrupt(self) -> None:
        self._source.interrupt()

    @property
    def _source(self) -> TimeSource:
        return self._fed if self._use_sim_time.value else self._system

    def _pace(self, coordinator: Coordinator, ready: Callable[[], None]) -> None:
        ready()
        source, status = self._source, coordinator.status
        while source.now is None and not self._stopping:
            status.beat()
            source.wait(0.0, PATIENCE)
        while not self._stopping:
            self._play(coordinator, source)

    def _play(self, coordinator: Coordinator, source: TimeSource) -> None:
        """Run cycles from now until time jumps or the clock is stopped."""
        latency, frequency, status = coordinator.latency, self.frequency, coordinator.status
        begin = now = source.now or 0.0
        coordinator.servo_init(begin)
        deadline, tick = begin, 0
        while not self._stopping:
            latency.lateness = max(now - deadline, 0.0)
            coordinator.servo_update(now)
            self._last_cycle = monotonic()
            tick += 1
            deadline = begin + tick / frequency
            while not self._stopping:
                last, now = now, source.now or 0.0
                if not 0.0 <= now - last <= LONGEST_STEP:
                    return
                if now >= deadline - ROUNDING:
                    break
                status.beat()
                source.wait(deadline, PATIENCE)
            missed = int((now - deadline + ROUNDING) * frequency)
            if missed > 0:
                latency.overruns += 1
                tick += missed
                deadline = begin + tick / frequency
