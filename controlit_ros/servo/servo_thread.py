"""ServoThread: the thread a servo clock runs its cycles on."""

import logging
import threading
from collections.abc import Callable

from controlit_ros.errors import ControlItError, told
from controlit_ros.servo.servo_status import ServoStatus

STOP_PATIENCE = 2.0  # [s] for the cycle under way to come to its end
STARTER = "the servo thread did not start"

_log = logging.getLogger("controlit.servo")


class ServoThreadError(ControlItError):
    """The servo thread could not begin, or does not come to its end."""


class ServoThread:
    """A thread whose end is never silent: who looks at the status sees it, and it is logged.

    Args:
        status: Of the servo that runs on it.
        body: What it runs; is given a function to call once the first cycle is prepared.
    """

    def __init__(self, status: ServoStatus, body: Callable[[Callable[[], None]], None]) -> None:
        self._status = status
        self._body = body
        self._stopping = False
        self._failure = ""
        self._is_prepared = threading.Event()
        self._thread = threading.Thread(target=self._run, name="servo", daemon=True)

    def start(self) -> None:
        """Begin, and wait until the first cycle is prepared.

        Raises:
            ServoThreadError: That failed.
        """
        self._status.tell_end(has_ended=False)
        self._thread.start()
        self._is_prepared.wait()
        if self._failure:
            raise ServoThreadError(f"{STARTER}: {self._failure}")

    def stop(self) -> None:
        """Wait until the thread has ended; its body was told to.

        Raises:
            ServoThreadError: It is stuck.
        """
        self._stopping = True
        self._thread.join(STOP_PATIENCE)
        if self._thread.is_alive():
            raise ServoThreadError(
                f"the servo thread has not come to the end of its cycle within {STOP_PATIENCE:g} s"
            )

    def _run(self) -> None:
        try:
            self._body(self._is_prepared.set)
            if not self._stopping:
                self._failure = "it came to its end by itself"
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
            self._failure = told(error)
        finally:
            if self._failure:
                self._status.tell_end(has_ended=True)
                if self._is_prepared.is_set():
                    _log.critical("the servo thread has ended: %s", self._failure)
            self._is_prepared.set()
