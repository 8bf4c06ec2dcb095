"""Reading files that a user names: only regular ones, and only up to a size."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controlit_ros.errors import ControlItError

MEBIBYTE = 1 << 20  # [bytes]

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


class UnreadableFileError(ControlItError):
    """A file cannot be read; the text says why, without its name."""


class NotTextError(UnreadableFileError):
    """A file holds bytes that are no UTF-8 text.

    Attributes:
        line: Where the first of them stands.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"found bytes that are no UTF-8 text in line {line}")
        self.line = line


def read_text(path: str | Path, limit: int) -> str:
    """Return the text of a file.

    Args:
        path: The file.
        limit: Most bytes it may have.

    Raises:
        UnreadableFileError: It is missing, no regular file, too large, or no UTF-8 text.
    """
    with _opened(path, limit) as descriptor:
        content = _read(descriptor, limit)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotTextError(content.count(b"\n", 0, error.start) + 1) from None


def check_readable(path: str | Path, limit: int) -> None:
    """Find out whether a file that another library is to read can be read.

    Raises:
        UnreadableFileError: It is missing, no regular file, too large, or not permitted.
    """
    with _opened(path, limit):
        pass


@contextmanager
def _opened(path: str | Path, limit: int) -> Iterator[int]:
    """Open a file without waiting for whoever writes into it, and look what it is."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except FileNotFoundError:
        raise UnreadableFileError("there is no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableFileError(f"cannot be read: {reason}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
            raise UnreadableFileError(f"cannot be read: it is {kind}, expected a regular file")
        if status.st_size > limit:
            raise _too_large(limit)
        yield descriptor
    finally:
        os.close(descriptor)


def _read(descriptor: int, limit: int) -> bytes:
    """Read a file that may grow meanwhile, or whose size nobody knows, as below /proc."""
    content = bytearray()
    try:
        while chunk := os.read(descriptor, MEBIBYTE):
            content += chunk
            if len(content) > limit:
                raise _too_large(limit)
    except OSError as error:
        raise UnreadableFileError(f"cannot be read: {error.strerror}") from None
    return bytes(content)


def _too_large(limit: int) -> UnreadableFileError:
    return UnreadableFileError(f"cannot be read: expected at most {limit / MEBIBYTE:g} MiB")
