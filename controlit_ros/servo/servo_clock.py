"""ServoClock: owns the servo thread and tells the time."""

import time
from abc import ABC, abstractmethod
from typing import ClassVar

from controlit_ros.errors import ControlItError
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
        is_stepped: Whether time passes only when `advance` says so.
        warnings: What of that was refused, known once started.
    """

    is_stepped: ClassVar[bool] = False

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
    def beats(self) -> bool:
        """Whether signs of life are to be expected of the servo at present (`ServoStatus.beat`)."""
        return self.is_ticking

    @property
    def time_feed(self) -> FedTime | None:
        """What wants to be told the time of the topic `/clock`, if anything does."""
        return None

    def advance(self, cycles: int = 1) -> None:
        """Run cycles in this thread, where time is stepped.

        Raises:
            ControlItError: Time passes by itself, or the clock was not started.
        """
        raise ControlItError(
            f"found {cycles} cycles to run, but the time of {type(self).__name__} passes by itself"
        )

    @abstractmethod
    def start(self, coordinator: Coordinator) -> None:
        """Begin to run a coordinator.

        Raises:
            ControlItError: That failed.
        """

    @abstractmethod
    def stop(self) -> None:
        """End after the cycle under way; idempotent.

        Raises:
            ControlItError: That cycle does not come to its end.
        """
