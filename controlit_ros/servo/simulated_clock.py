"""SimulatedClock: time passes when the caller says so."""

from controlit_ros.errors import ControlItError
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings
from controlit_ros.servo.servo_clock import ServoClock


class SimulatedClock(ServoClock):
    """Runs cycles in the caller's thread, each one servo period after the last; for tests."""

    is_stepped = True

    def __init__(self, frequency: float, real_time: RealTimeSettings = NOT_REAL_TIME) -> None:
        super().__init__(frequency, real_time)
        self._now = 0.0
        self._ticks = 0
        self._coordinator: Coordinator | None = None

    @property
    def now(self) -> float:
        """Simulated time [s]."""
        return self._now

    @property
    def ros_offset(self) -> float:
        """None: simulated time is taken for ROS time [s]."""
        return 0.0

    @property
    def is_ticking(self) -> bool:
        """Never: time waits for `advance`."""
        return False

    def start(self, coordinator: Coordinator) -> None:
        """Initialise the coordinator; cycles wait for `advance`."""
        self._coordinator = coordinator
        coordinator.servo_init(self._now)

    def stop(self) -> None:
        """Forget the coordinator."""
        self._coordinator = None

    def advance(self, cycles: int = 1) -> None:
        """Run cycles.

        Raises:
            ControlItError: The clock was not started.
        """
        if self._coordinator is None:
            raise ControlItError("the simulated clock was not started")
        for _ in range(cycles):
            self._coordinator.servo_update(self._now)
            self._ticks += 1
            self._now = self._ticks / self.frequency
