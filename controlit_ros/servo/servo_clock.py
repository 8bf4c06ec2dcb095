"""ServoClock: owns the servo thread and tells the time."""

from abc import ABC, abstractmethod

from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings


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

    @abstractmethod
    def start(self, coordinator: Coordinator) -> None:
        """Begin to run a coordinator."""

    @abstractmethod
    def stop(self) -> None:
        """End after the cycle under way; idempotent."""
