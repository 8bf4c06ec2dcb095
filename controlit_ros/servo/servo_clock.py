"""ServoClock: owns the servo thread and tells the time."""

from abc import ABC, abstractmethod

from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo.coordinator import Coordinator


class ServoClock(ParameterReflection, ABC):
    """Calls `servo_init` once and `servo_update` periodically, on one thread (paper section 4.2).

    A plugin: the class is named in the entry point group `controlit.servo_clocks`; its parameters,
    declared in `__init__`, stand under `servo_clock` in the configuration file.

    Args:
        frequency: Servo rate [Hz].
    """

    def __init__(self, frequency: float) -> None:
        super().__init__("servo_clock")
        self.frequency = frequency

    @abstractmethod
    def start(self, coordinator: Coordinator) -> None:
        """Begin to run a coordinator."""

    @abstractmethod
    def stop(self) -> None:
        """End after the cycle under way; idempotent."""
