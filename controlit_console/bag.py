"""Bag: records all topics of a controller while somebody wants it."""

import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from controlit_console.console_error import ConsoleError
from controlit_ros.errors import ControlItError
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import Transport

if TYPE_CHECKING:
    from controlit_ros.recording.bag_recorder import BagRecorder

LOOK = 1.0  # [s] between two looks for new topics


class BagSeen(NamedTuple):
    """How a recording stands.

    Attributes:
        is_recording: Whether it is under way.
        folder: Where it is, or the last one; empty before the first.
        duration: How long it is [s].
        messages: In it.
        topics: In it.
        dropped: Messages that the disk did not take in time.
        complaint: Why it ended by itself; empty: it did not.
    """

    is_recording: bool = False
    folder: str = ""
    duration: float = 0.0
    messages: int = 0
    topics: int = 0
    dropped: int = 0
    complaint: str = ""


class Bag:
    """One recording at a time, for all pages, on the console's machine.

    Args:
        network: Opens a transport of its own for each recording, which ends with it.
        folder: Where bags are put.
    """

    def __init__(self, network: Callable[[], Transport], folder: Path) -> None:
        self._network = network
        self._folder = folder.absolute()  # pages tell where they are
        self._seen = BagSeen()
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def seen(self) -> BagSeen:
        """How it stands."""
        return self._seen

    def start(self, controller: str) -> None:
        """Begin to record a controller.

        Raises:
            ConsoleError: A recording is under way already.
        """
        with self._lock:
            if self._seen.is_recording:
                raise ConsoleError(f"{self._seen.folder} is being recorded already")
            now = datetime.now().astimezone()
            folder = self._folder / f"{controller}-{now:%Y%m%d-%H%M%S}"
            self._seen = BagSeen(is_recording=True, folder=str(folder))
            self._is_over.clear()
            self._thread = running_thread(lambda: self._record(controller, folder), "bag of page")

    def stop(self) -> None:
        """End the recording, if there is one, and wait until the bag is closed."""
        self._is_over.set()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _record(self, controller: str, folder: Path) -> None:
        complaint = ""
        try:
            network = self._network()
            try:
                self._follow(controller, folder, network)
            finally:
                network.close()
        except ControlItError as error:
            complaint = str(error)
        self._seen = self._seen._replace(is_recording=False, complaint=complaint)

    def _follow(self, controller: str, folder: Path, network: Transport) -> None:
        from controlit_ros.recording.bag_recorder import BagRecorder  # noqa: PLC0415 - takes long

        begin = time.monotonic()
        with BagRecorder(folder, network) as recorder:
            while True:
                recorder.add_all(network.graph(), f"/{controller}")
                recorder.check()
                is_over = self._is_over.wait(LOOK)
                self._seen = _seen(recorder, time.monotonic() - begin)
                if is_over:
                    return


def _seen(recorder: "BagRecorder", duration: float) -> BagSeen:
    written = dict(recorder.written)
    return BagSeen(
        True,
        str(recorder.folder),
        duration,
        sum(written.values()),
        sum(count > 0 for count in written.values()),
        recorder.dropped,
    )
