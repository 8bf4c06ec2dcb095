"""ThreadedClock: a servo clock that runs the servo on a thread of its own."""

from abc import abstractmethod
from collections.abc import Callable

import numpy as np

from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings, enter_real_time
from controlit_ros.servo.servo_clock import ServoClock
from controlit_ros.servo.servo_thread import ServoThread
from controlit_ros.servo.wakefulness import processors_awake


class ThreadedClock(ServoClock):
    """Starts and stops the servo thread; subclasses pace it."""

    def __init__(self, frequency: float, real_time: RealTimeSettings = NOT_REAL_TIME) -> None:
        super().__init__(frequency, real_time)
        self._thread: ServoThread | None = None
        self._stopping = False

    def start(self, coordinator: Coordinator) -> None:
        """Start the servo thread and wait until it is ready; idempotent.

        Raises:
            ServoThreadError: That failed.
        """
        if self._thread is not None:
            return
        self._stopping = False
        thread = ServoThread(coordinator.status, lambda ready: self._run(coordinator, ready))
        thread.start()
        self._thread = thread

    def stop(self) -> None:
        """End the servo thread after the cycle under way; idempotent.

        Raises:
            ServoThreadError: The cycle does not come to an end.
        """
        self._stopping = True
        self._interrupt()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.stop()

    def _interrupt(self) -> None:
        """End a wait of the servo thread; any thread."""

    def _run(self, coordinator: Coordinator, ready: Callable[[], None]) -> None:
        with processors_awake(wanted=self.real_time.awake) as refused:
            self.warnings = (*enter_real_time(self.real_time), *refused)
            np.seterr(all="ignore")  # a warning on the console helps nobody; the servo checks
            self._pace(coordinator, ready)

    @abstractmethod
    def _pace(self, coordinator: Coordinator, ready: Callable[[], None]) -> None:
        """Run the coordinator until `_stopping`, and say when it is initialised; servo thread."""
