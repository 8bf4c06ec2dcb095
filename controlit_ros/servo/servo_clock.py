"""ServoClock: owns the servo thread and tells the time."""

import time
from abc import ABC, abstractmethod

from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings
from controlit_ros.servo.time_source import FedTime


class ServoClock(ParameterReflection, ABC):
    """Calls `servo_init` once and `servo_update` periodically, on one thread (paper section 4.2).

    A plugin: the class is named in the entry point group `controlit.servo_clocks`; its parameters,
    declared in `__init__`, stand under `servo_clock` in the configuration file.

    Args:
        frequency: Servo rate [Hz].
        real_time: What the servo thread asks of the operating system.

    Attributes:
        warnings: What of that was refused, known once started.
    """

    def __init__(self, frequency: float, real_time: RealTimeSettings = NOT_REAL_TIME) -> None:
        super().__init__("servo_clock")
        self.frequency = frequency
        self.real_time = real_time
        self.warnings: tuple[str, ...] = ()

    @property
    def now(self) -> float:
        """The present time on this clock [s], the one cycles are stamped with; any thread."""
        return time.monotonic()

    @property
    def ros_offset(self) -> float:
        """What to add to a time of this clock to get ROS time [s]."""
        return time.time() - time.monotonic()

    @property
    def is_ticking(self) -> bool:
        """Whether cycles come by themselves at present."""
        return True

    @property
    def time_feed(self) -> FedTime | None:
        """What wants to be told the time of the topic `/clock`, if anything does."""
        return None

    @abstractmethod
    def start(self, coordinator: Coordinator) -> None:
        """Begin to run a coordinator."""

    @abstractmethod
    def stop(self) -> None:
        """End after the cycle under way; idempotent."""
