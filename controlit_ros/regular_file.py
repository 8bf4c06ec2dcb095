"""Reading and writing files that a user names: only regular ones, reading only up to a size."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from controlit_ros.errors import MOST_NAMES, ControlItError, did_you_mean, nearest

MEBIBYTE = 1 << 20  # [bytes]
MOST_NEIGHBOURS = 1000  # [#] files of a folder that are looked at for a name that is near
MODE = 0o666  # [-] as editors create files; the umask takes from it

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


class UnreadableFileError(ControlItError):
    """A file cannot be read; the text says why, without its name."""


class UnwritableFileError(ControlItError):
    """A file cannot be written; the text names it and says why."""


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


def write_text(path: str | Path, text: str, *, replace: bool = True) -> None:
    """Write a text file.

    Args:
        path: The file.
        text: All of it.
        replace: Whether a file of the name is written over.

    Raises:
        FileExistsError: There is one, which is not to be replaced.
        UnwritableFileError: It is no regular file, not permitted, or the disk is full.
    """
    with opened_to_write(path, replace=replace) as file:
        file.write(text.encode())


def check_writable(path: str | Path) -> None:
    """Find out whether a file can be written later; it is made where there is none.

    Raises:
        UnwritableFileError: It is no regular file, or not permitted.
    """
    try:
        os.close(_writable(path, os.O_CREAT))
    except OSError as error:
        raise _unwritable(path, error) from None


@contextmanager
def opened_to_write(path: str | Path, *, replace: bool = True) -> Iterator[BinaryIO]:
    """Open an empty file; the errors are those of `write_text`."""
    try:
        descriptor = _writable(path, os.O_CREAT if replace else os.O_CREAT | os.O_EXCL)
        with os.fdopen(descriptor, "wb") as file:
            file.truncate()
            yield file
    except FileExistsError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from None


def _writable(path: str | Path, creation: int) -> int:
    """Open a file without waiting for whoever reads it, and without touching any device."""
    with suppress(FileNotFoundError):
        _check_kind(path, Path(path).stat())
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | creation
    descriptor = os.open(path, flags, MODE)
    try:
        _check_kind(path, os.fstat(descriptor))  # it may be another one by now
    except UnwritableFileError:
        os.close(descriptor)
        raise
    return descriptor


def _check_kind(path: str | Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        found = _kind(status)
        raise UnwritableFileError(
            f"{path} cannot be written: it is {found}, expected a regular file"
        )


def _unwritable(path: str | Path, error: OSError) -> UnwritableFileError:
    return UnwritableFileError(f"{path} cannot be written: {error.strerror or error}")


def _kind(status: os.stat_result) -> str:
    return _KINDS.get(stat.S_IFMT(status.st_mode), "something else")


def _near(path: Path) -> str:
    """Return text that names the files beside a missing one that are like it, or of its kind."""
    try:
        names = [entry.name for entry in islice(path.parent.iterdir(), MOST_NEIGHBOURS)]
    except OSError:
        return ""
    stems = {Path(name).stem: name for name in sorted(names) if Path(name).suffix == path.suffix}
    similar = [stems[stem] for stem in nearest(path.stem, stems)]
    if path.suffix and stems and not similar:
        left = len(stems) - MOST_NAMES
        rest = f" and {left} more" if left > 0 else ""
        return f" (there are {', '.join([*stems.values()][:MOST_NAMES])}{rest})"
    found = similar or nearest(path.name, names)
    return did_you_mean(path.name, found) if found else ""


@contextmanager
def _opened(path: str | Path, limit: int) -> Iterator[int]:
    """Open a file without waiting for whoever writes into it, and look what it is."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except FileNotFoundError:
        raise UnreadableFileError(f"there is no such file{_near(Path(path))}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableFileError(f"cannot be read: {reason}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            found = _kind(status)
            raise UnreadableFileError(f"cannot be read: it is {found}, expected a regular file")
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
