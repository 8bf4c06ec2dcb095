"""UdpLink: servo and robot joined by datagrams."""

import ctypes
import errno
import math
import select
import socket
import time
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.robots.datagram import (
    LARGEST,
    DatagramReader,
    DatagramVerdict,
    DatagramWriter,
    Refusal,
    datagram_size,
)
from controlit_ros.robots.episode import Episode
from controlit_ros.robots.layout import Layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.robot_interface import RobotInterfaceError
from controlit_ros.robots.seal import NoSeal, Seal

MOST_DATAGRAMS = 512  # [-] in one go: more than the system keeps for a socket by default
HELLO_PERIOD = 0.01  # [s] of silence after which who waits for an answer to a challenge gets it
FORGIVING_SILENCE = 1.0  # [s] after which a sender may have been started anew with an older clock


def _c_library() -> ctypes.PyDLL:
    """Return the C library, called without giving the interpreter away.

    The calls take microseconds and never wait; a socket of Python hands the interpreter to another
    thread at each of them, which may keep it from the servo for half a millisecond.
    """
    library = ctypes.PyDLL(None, use_errno=True)
    for function in (library.recv, library.send):
        function.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        function.restype = ctypes.c_ssize_t
    return library


_C = _c_library()
_FLAGS = socket.MSG_DONTWAIT | getattr(socket, "MSG_NOSIGNAL", 0)


def _address(buffer: bytearray) -> int:
    return int(np.frombuffer(buffer, np.uint8).ctypes.data)


class Address(NamedTuple):
    """Where one end of a link listens, and from where it sends."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class UdpLink(Link):
    """One socket that hears only the peer: datagrams from elsewhere are dropped by the system.

    Args:
        own: Address of this end.
        peer: Address of the other end.
        incoming: What the peer sends.
        outgoing: What this end sends.
        seal: What datagrams end with, the same kind at both ends; nothing if left out.

    Raises:
        RobotInterfaceError: The robot has more joints than a datagram holds.
    """

    def __init__(
        self,
        own: Address,
        peer: Address,
        incoming: Layout,
        outgoing: Layout,
        seal: Seal | None = None,
    ) -> None:
        super().__init__(incoming, outgoing)
        self._seal = NoSeal() if seal is None else seal
        for layout in (incoming, outgoing):
            size = datagram_size(layout, self._seal)
            if size > LARGEST:
                raise RobotInterfaceError(
                    f"found {len(layout.joint_names)} joints, whose {layout.kind} takes "
                    f"{size} bytes, expected at most {LARGEST}, a datagram"
                )
        self._own = own
        self._peer = peer
        self._reader = DatagramReader(incoming, self._seal)
        self._target = _address(self._reader.buffer)
        self._begin()
        self._socket: socket.socket | None = None
        self._poll = select.poll()
        self._descriptor = -1
        self._nobody_listens = False
        self._refusal: Refusal | None = None
        self._malformed = Episode()
        self._duplicate, self._reordered, self._stale = Episode(), Episode(), Episode()

    def open(self) -> None:
        """Bind the socket; the peer may come later."""
        if self._socket is not None:
            return
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            opened.setblocking(False)
            opened.bind(self._own)
            opened.connect(self._peer)
        except OSError as error:
            opened.close()
            raise RobotInterfaceError(
                f"UDP from {self._own} to {self._peer}: {error.strerror or error}"
            ) from None
        self._begin()
        self._socket, self._descriptor = opened, opened.fileno()
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)

    def send(self, vector: Array) -> None:
        """Send a datagram; it is lost where nobody listens."""
        self._writer.write(vector)
        self._last_sent = time.monotonic()
        sent = _C.send(self._descriptor, self._source, len(self._writer.buffer), _FLAGS)
        if sent < 0:
            self._note_failure()

    def tend(self) -> bool:
        """Answer the challenges of a peer that gets no vectors at present."""
        if self._seal.is_proof and time.monotonic() - self._last_sent > HELLO_PERIOD:
            writer = self._writer
            writer.write_hello()
            _C.send(self._descriptor, _address(writer.hello), len(writer.hello), _FLAGS)
        return True

    def wait(self, timeout: float) -> None:
        """Sleep until a datagram comes."""
        if self._socket is None:
            time.sleep(timeout)
            return
        self._poll.poll(1e3 * timeout)

    def explain(self) -> str:
        """Tell what was refused last, or who does not listen."""
        malformed = self._malformed.count
        if self._refusal is not None and malformed:
            return (
                f"{malformed} datagrams from {self._peer} were malformed just now ({self._refusal})"
            )
        if self._nobody_listens:
            return f"nobody listens at {self._peer}"
        return self._explain_numbers() or self._explain_order() or self._explain_silence()

    def close(self) -> None:
        """Close the socket."""
        opened, self._socket, self._descriptor = self._socket, None, -1
        if opened is not None:
            opened.close()

    def _begin(self) -> None:
        """Begin a new life of this end."""
        self._writer = DatagramWriter(self.outgoing, seal=self._seal)
        self._source = _address(self._writer.buffer)
        self._last_sent = -math.inf
        self._last_heard = time.monotonic()
        self._reader.forget()

    def _take(self, vector: Array) -> bool:
        reader, counts = self._reader, self.counts
        is_new = False
        for _ in range(MOST_DATAGRAMS):
            length = _C.recv(self._descriptor, self._target, len(reader.buffer), _FLAGS)
            if length < 0:
                if self._note_failure():
                    continue
                break
            verdict = reader.judge(length)
            if verdict is DatagramVerdict.NEW:
                np.copyto(vector, reader.values)
                counts.lost += reader.skipped
                is_new = True
            elif verdict is DatagramVerdict.MALFORMED:
                counts.malformed += 1
                self._malformed.add()
                self._refusal = reader.refusal
            elif verdict is DatagramVerdict.DUPLICATE:
                counts.duplicate += 1
                self._duplicate.add()
            elif verdict is DatagramVerdict.REORDERED:
                counts.reordered += 1
                self._reordered.add()
            elif verdict is DatagramVerdict.STALE:
                counts.stale += 1
                self._stale.add()
        self._note_silence(time.monotonic(), is_new=is_new)
        return is_new

    def _note_silence(self, now: float, *, is_new: bool) -> None:
        if is_new:
            self._last_heard = now
            self._nobody_listens = False
        elif now - self._last_heard > FORGIVING_SILENCE:
            self._last_heard = now
            self._reader.forget()

    def _note_failure(self) -> bool:
        """Return whether there may be more to receive: a refusal is reported before what came."""
        number = ctypes.get_errno()
        self._nobody_listens |= number == errno.ECONNREFUSED
        return number == errno.ECONNREFUSED

    def _explain_order(self) -> str:
        twice, late = self._duplicate.count, self._reordered.count
        others = self._stale.count
        if not twice + late + others:
            return ""
        return (
            f"just now {twice} datagrams from {self._peer} came twice, {late} late, {others} from "
            "another life of it or out of line"
        )

    def _explain_silence(self) -> str:
        if self.counts.received:
            return ""
        return f"nothing came from {self._peer} to {self._own}"
