"""Files and folders that are nobody else's, checked on what was opened and not on its name."""

import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controlit_ros.errors import ControlItError

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OF_OTHERS = 0o077

# Nothing of what is opened may be a link, make the process wait, or be handed to its children.
CAREFULLY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class ForeignFileError(ControlItError):
    """A file or folder belongs to another user, may be used by others, or is of another kind."""


@contextmanager
def own_folder(path: Path) -> Iterator[int]:
    """Open a folder that only this user may look into or change; make it if it is missing.

    Names that are looked up relative to the descriptor cannot be exchanged by anybody else,
    whatever happens to the path meanwhile.

    Args:
        path: Of the folder; what it lies in may be open to everybody.

    Yields:
        A descriptor of the folder.

    Raises:
        ForeignFileError: Something else has the name; the text says whose it is and what to do.
    """
    try:
        descriptor = _open_folder(path)
    except OSError as error:
        raise _unusable(path, error) from None
    try:
        found = os.fstat(descriptor)
        _check_owner(path, found)
        if found.st_mode & OF_OTHERS:
            raise ForeignFileError(
                f"folder {path} has mode {_mode(found)}, so others may put files into it; expected "
                f"{FOLDER_MODE:04o}: remove it, or look through it and `chmod 700` it"
            )
        yield descriptor
    finally:
        os.close(descriptor)


def _open_folder(path: Path) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | CAREFULLY
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        with suppress(FileExistsError):  # somebody else was quicker, whoever it is
            path.mkdir(FOLDER_MODE)
        return os.open(path, flags)


def open_own(path: Path, flags: int, folder: int | None = None) -> int:
    """Open a file that only this user may read or write.

    Args:
        path: Of the file, for messages too.
        flags: As of `os.open`.
        folder: Descriptor of the folder the file is looked up in; `None`: by its whole path.

    Returns:
        Its descriptor.

    Raises:
        ForeignFileError: It is no regular file, belongs to somebody else, or others may use it.
        FileNotFoundError: There is none.
    """
    name = path if folder is None else path.name
    try:
        descriptor = os.open(name, flags | CAREFULLY, FILE_MODE, dir_fd=folder)
    except (FileNotFoundError, FileExistsError):
        raise
    except OSError as error:
        raise _unusable(path, error, folder) from None
    try:
        check_own(path, os.fstat(descriptor))
    except ForeignFileError:
        os.close(descriptor)
        raise
    return descriptor


def check_own(path: Path, found: os.stat_result) -> None:
    """Check what an opened file is: regular, of this user, and closed to others.

    Raises:
        ForeignFileError: It is something else.
    """
    if not stat.S_ISREG(found.st_mode):
        raise ForeignFileError(f"{path} is {_kind(found)}, expected a regular file: remove it")
    _check_owner(path, found)
    if found.st_mode & OF_OTHERS:
        raise ForeignFileError(
            f"{path} has mode {_mode(found)}, so others may use it; expected {FILE_MODE:04o}: "
            "look who changed it, and `chmod 600` or remove it"
        )


def _check_owner(path: Path, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise ForeignFileError(
            f"{path} belongs to {user_name(found.st_uid)}, expected {user_name(os.geteuid())}, who "
            "runs this: have it removed by its owner or an administrator"
        )


def _unusable(path: Path, error: OSError, folder: int | None = None) -> ForeignFileError:
    """Tell what has a name that could not be opened; only words, nothing is decided by them."""
    try:
        found = os.stat(path if folder is None else path.name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return ForeignFileError(f"{path} cannot be opened: {error.strerror}")
    return ForeignFileError(
        f"{path} is {_kind(found)} of {user_name(found.st_uid)} and cannot be used "
        f"({error.strerror}): have it removed by its owner or an administrator"
    )


def user_name(number: int) -> str:
    """Return the name of a user with the number, as far as the system knows it."""
    try:
        return f"{pwd.getpwuid(number).pw_name} (uid {number})"
    except KeyError:
        return f"uid {number}"


def _mode(found: os.stat_result) -> str:
    return f"{stat.S_IMODE(found.st_mode):04o}"


_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _kind(found: os.stat_result) -> str:
    return _KINDS.get(stat.S_IFMT(found.st_mode), "something")
