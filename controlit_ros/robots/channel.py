"""Latest-value channel in shared memory: one writer, many readers, nobody ever waits.

A channel is a small file in memory, mapped by both sides:

    header  magic, version, layout, size, owner, sequence, heartbeat, checksum  (64-bit words)
    values  `float64`, the latest vector

The writer makes `sequence` odd, copies the vector and its checksum, and makes `sequence` even: a
reader that sees an odd number, another number afterwards or another checksum has met the writer
and keeps what it had. The checksum covers processors that reorder stores. A
reader may also sleep until the lower half of `sequence` changes: the writer wakes it (a futex, see
`docs/robots.md`).

The files are in a folder of their user alone, `own_files` checks whose they are each time one is
opened: whoever may write to them drives a robot.

The writer holds a lock on the file for as long as it lives: the kernel drops it with the process,
however it ends. A channel without that lock is a leftover: readers do not attach to it and the
next writer replaces it by a new file, so a mapping never changes under a reader. Every writer that
starts also removes the leftovers of other names.

Plain `mmap` rather than `multiprocessing.shared_memory`: the resource tracker of the latter
unlinks the segments of other processes before Python 3.13.
"""

import contextlib
import fcntl
import math
import mmap
import os
import re
import secrets
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.own_files import ForeignFileError, open_own, own_folder
from controlit_ros.robots import futex

MAGIC = 0x31544C5443  # "CTLT1"
VERSION = 2
WORD = 8  # [bytes]
WORDS = 8  # of the header
I_MAGIC, I_VERSION, I_LAYOUT, I_SIZE, I_OWNER, I_SEQUENCE, I_HEARTBEAT, I_CHECKSUM = range(WORDS)

ATTEMPTS = 4  # a read that meets the writer tries again: writing takes about as long as reading
LOCK_PATIENCE = 0.2  # [s] a reader that looks whether the owner lives holds the lock for an instant
LOCK_PAUSE = 0.005  # [s]
LOOK_PERIOD = 0.005  # [s] how often who waits without an owner looks whether there is one
LEFTOVER_AGE = 60.0  # [s] since the last heartbeat: who starts again at once replaces its own

VARIABLE = "CONTROLIT_SHARED_MEMORY"
"""Environment variable that names another folder, where somebody else took the name of ours."""

FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3


class ChannelError(ControlItError):
    """A channel belongs to somebody else or carries something else."""


def channel_folder() -> Path:
    """Return the folder of this user's channels: in memory where the system has such a place."""
    stated = os.environ.get(VARIABLE)
    if stated:
        return Path(stated)
    memory = Path("/dev/shm")  # noqa: S108 - the folder in it is checked to be of this user alone
    around = memory if memory.is_dir() else Path(tempfile.gettempdir())
    return around / f"controlit-{os.geteuid()}"


def channel_path(name: str) -> Path:
    """Return the file of a channel."""
    return channel_folder() / re.sub(r"[^A-Za-z0-9_.-]", "_", name)


@contextlib.contextmanager
def _opened_folder() -> Iterator[int]:
    """Open the folder of the channels; what is wrong with it or in it is an error of channels."""
    folder = channel_folder()
    try:
        with own_folder(folder) as descriptor:
            yield descriptor
    except ForeignFileError as error:
        raise ChannelError(f"{error} (or name another folder by {VARIABLE})") from None
    except OSError as error:
        raise ChannelError(f"no shared memory in {folder}: {error.strerror}") from None


def sweep_leftovers() -> None:
    """Remove the channels, of any name, whose owners died a while ago.

    Raises:
        ChannelError: The folder is not of this user alone.
    """
    _remove_where(_is_leftover)


def remove_channels_of(process: int) -> None:
    """Remove what a process left that could not give its channels up."""

    def was_its(descriptor: int) -> bool:
        is_its = _header(descriptor)[I_OWNER] == process
        return is_its and _lock(descriptor, fcntl.LOCK_EX, 0.0)

    with contextlib.suppress(ChannelError):  # then there are none
        _remove_where(was_its)


def _remove_where(is_over: Callable[[int], bool]) -> None:
    """Remove the files for which the predicate, which locks those it holds for, is true."""
    with _opened_folder() as folder:
        for name in os.listdir(folder):  # noqa: PTH208 - of the folder that was checked
            with contextlib.suppress(OSError, ForeignFileError):  # somebody else was quicker
                descriptor = open_own(channel_folder() / name, os.O_RDWR, folder)
                try:
                    if is_over(descriptor):
                        _unlink_if_same(name, descriptor, folder)
                finally:
                    os.close(descriptor)


def _unlink_if_same(name: str, descriptor: int, folder: int) -> None:
    """Remove a name if it still is that of an opened file."""
    with contextlib.suppress(FileNotFoundError):
        named = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if os.path.samestat(named, os.fstat(descriptor)):
            os.unlink(name, dir_fd=folder)


def _is_leftover(descriptor: int) -> bool:
    """Tell whether a file is a finished channel without owner, and lock it if so."""
    header = _header(descriptor)
    age = (time.monotonic_ns() - header[I_HEARTBEAT]) * 1e-9  # negative: from before a restart
    is_old = header[I_MAGIC] == MAGIC and not 0.0 <= age < LEFTOVER_AGE
    return is_old and _lock(descriptor, fcntl.LOCK_EX, 0.0)


def layout_number(layout: str) -> int:
    """Return a number that tells layouts apart: FNV-1a, 64 bit, of the UTF-8 text.

    Three lines in any language, for the joint controllers that have to compute it, too.
    """
    number = FNV_OFFSET
    for byte in layout.encode():
        number = (number ^ byte) * FNV_PRIME & 0xFFFF_FFFF_FFFF_FFFF
    return number


class ChannelTakenError(ChannelError):
    """A living process owns a channel.

    Args:
        name: Name of the channel.
        owner: Process that owns it.

    Attributes:
        owner: The same.
    """

    def __init__(self, name: str, owner: int) -> None:
        self.owner = owner
        super().__init__(
            f"channel {name} belongs to process {owner}: stop it or choose another name"
        )


class ChannelWriter:
    """The owner of a channel; replaces what a dead owner left.

    Args:
        name: Name of the channel.
        layout: Description of what the values mean; readers must name the same.
        size: Number of values.

    Raises:
        ChannelError: A living process owns the channel, or there is no memory left for it.
    """

    def __init__(self, name: str, layout: str, size: int) -> None:
        sweep_leftovers()
        self.path = channel_path(name)
        self._sequence = 0
        self._descriptor = -1
        with _opened_folder() as folder:
            temporary = self.path.with_name(f".{secrets.token_hex(8)}")
            self._descriptor = open_own(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, folder)
            try:
                self._fill(layout, size)
                self._take_name(temporary.name, folder)
            except BaseException:
                os.close(self._descriptor)
                raise
            finally:
                os.unlink(temporary.name, dir_fd=folder)

    def _fill(self, layout: str, size: int) -> None:
        """Map the file and describe in it what it carries."""
        _reserve(self._descriptor, _file_size(size), self.path.parent)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        memory = mmap.mmap(self._descriptor, _file_size(size))
        self._header = memoryview(memory)[: WORDS * WORD].cast("Q")
        self._bytes = memoryview(memory)[WORDS * WORD :]
        self._values = np.frombuffer(self._bytes, dtype=np.float64)
        self._address = self._values.ctypes.data + (I_SEQUENCE - WORDS) * WORD
        self._header[I_LAYOUT] = layout_number(layout)
        self._header[I_SIZE] = size
        self._header[I_OWNER] = os.getpid()
        self._header[I_HEARTBEAT] = time.monotonic_ns()
        self._header[I_CHECKSUM] = crc32(self._bytes)
        self._header[I_VERSION] = VERSION
        self._header[I_MAGIC] = MAGIC

    def write(self, values: Array) -> None:
        """Replace the latest vector, `(size,)`; never waits, never allocates."""
        header = self._header
        header[I_SEQUENCE] = self._sequence + 1
        np.copyto(self._values, values)
        header[I_CHECKSUM] = crc32(self._bytes)
        header[I_HEARTBEAT] = time.monotonic_ns()
        self._sequence += 2
        header[I_SEQUENCE] = self._sequence
        futex.wake(self._address)

    def close(self) -> None:
        """Give the channel up; idempotent. Readers that are attached keep the last value."""
        if self._descriptor < 0:
            return
        with contextlib.suppress(ChannelError), _opened_folder() as folder:
            _unlink_if_same(self.path.name, self._descriptor, folder)
        os.close(self._descriptor)
        self._descriptor = -1

    def _take_name(self, temporary: str, folder: int) -> None:
        """Give the finished file its name: a link appears at once and never replaces another."""
        while True:
            try:
                os.link(temporary, self.path.name, src_dir_fd=folder, dst_dir_fd=folder)
            except FileExistsError:
                self._remove_leftover(folder)
            else:
                return

    def _remove_leftover(self, folder: int) -> None:
        try:
            descriptor = open_own(self.path, os.O_RDWR, folder)
        except FileNotFoundError:
            return
        try:
            if not _lock(descriptor, fcntl.LOCK_EX, LOCK_PATIENCE):
                raise ChannelTakenError(self.path.name, _header(descriptor)[I_OWNER])
            _unlink_if_same(self.path.name, descriptor, folder)
        finally:
            os.close(descriptor)


class _Mapping:
    """One file of a channel as a reader sees it."""

    def __init__(self, descriptor: int, size: int) -> None:
        self.file = os.fstat(descriptor)
        memory = mmap.mmap(descriptor, _file_size(size), access=mmap.ACCESS_READ)
        self.header = memoryview(memory)[: WORDS * WORD].cast("Q")
        self.values = np.frombuffer(memory, dtype=np.float64, offset=WORDS * WORD)
        self.address = self.values.ctypes.data + (I_SEQUENCE - WORDS) * WORD
        self.seen = self.header[I_SEQUENCE]


class ChannelReader:
    """Reads the latest vector of a channel, whichever process owns it at the time.

    `read` belongs to one thread and never waits; `attach` may be called by another thread at the
    same time.

    Args:
        name: Name of the channel.
        layout: What the values mean, as the writer says it.
        size: Number of values.
    """

    def __init__(self, name: str, layout: str, size: int) -> None:
        self.path = channel_path(name)
        self._layout = layout_number(layout)
        self._size = size
        self._mapping: _Mapping | None = None
        self._has_looked = False
        self._copy = np.zeros(size)
        self._copied_bytes = self._copy.data.cast("B")

    @property
    def attached(self) -> bool:
        """Whether there is or was an owner to read from."""
        return self._mapping is not None

    @property
    def owner(self) -> int:
        """Process that owns or owned the channel; 0: none is known."""
        mapping = self._mapping
        return 0 if mapping is None else mapping.header[I_OWNER]

    @property
    def silence(self) -> float:
        """Time since the owner wrote last, by the monotonic clock; infinite without one [s].

        A heartbeat of the future says nothing about the past: infinite, too.
        """
        mapping = self._mapping
        if mapping is None:
            return math.inf
        heartbeat = mapping.header[I_HEARTBEAT]
        age = (time.monotonic_ns() - heartbeat) * 1e-9
        return age if age >= 0.0 else math.inf

    def attach(self, *, with_present: bool = False) -> bool:
        """Look for the present owner and follow it from now on.

        What an owner wrote before this reader looked for the first time is old; of who comes later
        nothing is lost, also what it wrote before it was found.

        Args:
            with_present: Whether what it wrote before the first look counts as new, too.

        Returns:
            Whether there is a living owner.

        Raises:
            ChannelError: The channel carries something else, and the owner before it is forgotten;
                or the file or its folder is not of this user alone.
        """
        is_new, self._has_looked = self._has_looked or with_present, True
        with _opened_folder() as folder:
            try:
                descriptor = open_own(self.path, os.O_RDONLY, folder)
            except FileNotFoundError:
                return False
            try:
                if _lock(descriptor, fcntl.LOCK_SH, 0.0):
                    return False
                self._follow(descriptor, is_new=is_new)
                return True
            finally:
                os.close(descriptor)

    def _follow(self, descriptor: int, *, is_new: bool) -> None:
        """Read from now on from a file, if it is another than before."""
        mapping, found = self._mapping, os.fstat(descriptor)
        if mapping is None or not os.path.samestat(mapping.file, found):
            self._mapping = None
            self._check(descriptor, found.st_size)
            mapping = _Mapping(descriptor, self._size)
            if is_new:
                mapping.seen = 0
            self._mapping = mapping

    def detach(self) -> None:
        """Forget the owner; the next look is the first."""
        self._mapping = None
        self._has_looked = False

    def read(self, values: Array) -> bool:
        """Copy the latest vector unless it was read before; never waits, never allocates.

        Args:
            values: `(size,)` receives the vector; left alone when there is nothing new.

        Returns:
            Whether there was a new one.
        """
        mapping = self._mapping
        if mapping is None:
            return False
        header, copy = mapping.header, self._copy
        for _ in range(ATTEMPTS):
            sequence = header[I_SEQUENCE]
            if sequence == mapping.seen:
                return False
            if sequence & 1:
                continue
            np.copyto(copy, mapping.values)
            checksum = header[I_CHECKSUM]
            if header[I_SEQUENCE] == sequence and crc32(self._copied_bytes) == checksum:
                mapping.seen = sequence
                np.copyto(values, copy)
                return True
        return False

    def wait(self, timeout: float) -> None:
        """Sleep until there may be something to read, or for `timeout` [s] at most."""
        mapping = self._mapping
        if mapping is None:
            time.sleep(min(timeout, LOOK_PERIOD))
        elif mapping.header[I_SEQUENCE] == mapping.seen:
            futex.wait(mapping.address, mapping.seen, timeout)

    def _check(self, descriptor: int, length: int) -> None:
        header = _header(descriptor)
        expected = {I_MAGIC: MAGIC, I_VERSION: VERSION, I_LAYOUT: self._layout, I_SIZE: self._size}
        is_other = any(header[i] != word for i, word in expected.items())
        if is_other or length != _file_size(self._size):
            raise ChannelError(
                f"channel {self.path.name} carries something else (found {header[I_SIZE]} numbers, "
                f"expected {self._size}): is its owner another version, is it another robot, or "
                "does it sense other contacts?"
            )


def _lock(descriptor: int, kind: int, patience: float) -> bool:
    """Try for `patience` [s] to lock a file, which succeeds when its owner is dead."""
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(LOCK_PAUSE)
        else:
            return True


def _header(descriptor: int) -> tuple[int, ...]:
    """Return the words of a header, zeros when the file is too short to have one."""
    content = os.pread(descriptor, WORDS * WORD, 0)
    return struct.unpack("=8Q", content.ljust(WORDS * WORD, b"\0"))


def _file_size(size: int) -> int:
    return (WORDS + size) * WORD


def _reserve(descriptor: int, size: int, folder: Path) -> None:
    """Give a file its size, all of it really there: a sparse one would kill who writes to it."""
    os.ftruncate(descriptor, size)
    try:
        os.pwrite(descriptor, bytes(size), 0)
    except OSError as error:
        raise ChannelError(f"cannot reserve {size} bytes in {folder}: {error.strerror}") from None
