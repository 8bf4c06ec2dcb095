"""BagRecorder: writes what topics carry into a bag of ROS 2."""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from rosbags.interfaces import Connection
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.errors import WriterError

from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import UnknownTypeError, type_book
from controlit_ros.recording.bag_repair import FULL, repair
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import DEFAULT, Graph, Qos, Subscription, Transport

BAG_VERSION: Final = 9  # of the metadata, ROS 2 Jazzy
CAPACITY = 32 * 1024 * 1024  # [bytes] waiting for the disk; beyond the newest are dropped
WRITE_PERIOD = 0.05  # [s] between two looks of the writer
DEPTH = 1000  # [messages] keeps 10 s at 100 Hz while a busy machine holds the recorder up


class RecordingError(ControlItError):
    """Nothing can be recorded; the text says why."""


class _Arrival(NamedTuple):
    """A message on its way to the disk.

    Attributes:
        topic: Absolute name.
        type_name: Of the message.
        stamp: When it was sent, since 1970 [ns].
        data: CDR.
    """

    topic: str
    type_name: str
    stamp: int
    data: bytes


class BagRecorder:
    """Records topics into a bag: an MCAP file with the definitions of its messages, and metadata.

    A context manager: entering makes the folder and starts the writer thread, leaving writes what
    is left and closes the bag. Memory is bounded: what the disk does not take in time is dropped
    and counted. Recording never slows the publishers down.

    Args:
        folder: Of the bag; must not exist.
        transport: Where the topics are.
        capacity: Most that may wait for the disk [bytes].
        clock: Tells the time that messages are stamped with [s], where that is not when they were
            sent, such as simulated time; any thread.

    Attributes:
        written: Messages in the bag by topic.
        dropped: Messages that were too many.
        unknown: Topics that cannot be recorded, and why.

    Raises:
        RecordingError: There is something in the folder's place.
    """

    def __init__(
        self,
        folder: Path,
        transport: Transport,
        capacity: int = CAPACITY,
        clock: Callable[[], float] | None = None,
    ) -> None:
        if folder.exists():
            raise RecordingError(f"{folder} exists, expected a name nothing has")
        self.folder = folder
        self.written: dict[str, int] = {}
        self.dropped = 0
        self.unknown: dict[str, str] = {}
        self._transport = transport
        self._capacity = capacity
        self._clock = clock
        self._waiting: deque[_Arrival] = deque()
        self._bytes = 0
        self._lock = threading.Lock()
        self._connections: dict[str, Connection] = {}
        self._subscriptions: list[Subscription] = []
        self._writer: Writer | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._failure: Exception | None = None
        self._left = ""  # of the bag, after a failure

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics that are listened to."""
        return tuple(self.written)

    def add(self, topic: str, type_name: str, quality: Qos = DEFAULT) -> None:
        """Record a topic from now on; does nothing if that is done already."""
        if topic in self.written or topic in self.unknown:
            return
        try:
            type_book().definition(type_name)
        except UnknownTypeError as error:
            self.unknown[topic] = str(error)
            return
        self.written[topic] = 0
        self._subscriptions.append(
            self._transport.subscribe_raw(
                topic,
                type_name,
                lambda data, stamp: self._keep(_Arrival(topic, type_name, stamp, data)),
                quality,
            )
        )

    def add_all(self, graph: Graph, namespace: str) -> None:
        """Record all topics below a namespace that somebody publishes, as far as they are known."""
        below = namespace.rstrip("/") + "/"
        for info in graph.topics:
            if info.name.startswith(below) and info.publisher_count:
                if len(info.types) == 1:
                    self.add(info.name, info.types[0], info.offered(DEPTH))
                else:
                    self.unknown[info.name] = f"is used with the types {', '.join(info.types)}"

    def __enter__(self) -> "BagRecorder":  # noqa: PYI034 - typing.Self needs Python 3.11
        self._writer = Writer(self.folder, version=BAG_VERSION, storage_plugin=StoragePlugin.MCAP)
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self._writer.open()
        except (OSError, WriterError) as error:
            raise RecordingError(_why(self.folder, error)) from None
        self._thread = running_thread(self._run, "bag")
        return self

    def __exit__(self, *_error: object) -> None:
        for subscription in self._subscriptions:
            subscription.close()
        self._stop.set()
        assert self._thread is not None
        assert self._writer is not None
        self._thread.join()
        if self._failure is None:
            try:
                self._writer.close()
            except OSError as error:
                self._failure = error
        if self._failure is not None:
            self._repair()
        self.check()

    def check(self) -> None:
        """Return if all is well.

        Raises:
            RecordingError: The disk takes no more.
        """
        if self._failure is not None:
            raise RecordingError(f"{_why(self.folder, self._failure)}{self._left}")

    def _repair(self) -> None:
        """Leave a bag that can be read up to where it was written."""
        assert self._writer is not None
        with suppress(OSError):  # what is in a buffer finds no room either
            self._writer.abort()
        try:
            self._left = f"; the {repair(self.folder)} messages before can be read"
        except (OSError, ValueError) as error:
            self._left = f"; what was written before cannot be read: {error}"

    def _keep(self, arrival: _Arrival) -> None:
        """Put a message into the queue; transport thread."""
        if self._clock is not None:
            arrival = arrival._replace(stamp=round(1e9 * self._clock()))
        size = len(arrival.data)
        with self._lock:
            if self._bytes + size > self._capacity:
                self.dropped += 1
                return
            self._bytes += size
            self._waiting.append(arrival)

    def _run(self) -> None:
        try:
            while not self._stop.wait(WRITE_PERIOD):
                self._write_waiting()
            self._write_waiting()
        except Exception as error:  # noqa: BLE001 - told by `check`
            self._failure = error

    def _write_waiting(self) -> None:
        with self._lock:
            arrivals, self._waiting = self._waiting, deque()
            self._bytes = 0
        assert self._writer is not None
        for arrival in arrivals:
            self._writer.write(self._connection(arrival), arrival.stamp, arrival.data)
            self.written[arrival.topic] += 1

    def _connection(self, arrival: _Arrival) -> Connection:
        connection = self._connections.get(arrival.topic)
        if connection is None:
            assert self._writer is not None
            book = type_book()
            connection = self._writer.add_connection(
                arrival.topic,
                arrival.type_name,
                msgdef=book.message_text(arrival.type_name),
                rihs01=book.type_hash(arrival.type_name),
            )
            self._connections[arrival.topic] = connection
        return connection


def _why(folder: Path, error: Exception) -> str:
    """Return why a bag cannot be written, and what to do."""
    text = f"{folder} cannot be written: {error}"
    if isinstance(error, OSError) and error.errno in FULL:
        return f"{text}; free some of that disk, or name a folder on another one by --output"
    return text
