"""Where a running controller may write configuration files, and writing them."""

import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controlit_ros.errors import ControlItError, show

SUFFIX = ".yaml"
MODE = 0o644  # [-] as editors create files; the umask takes from it
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class SaveError(ControlItError):
    """The file cannot be written, or not there."""


class SaveTarget:
    """A configuration file below one of the folders that may be written to.

    Whoever calls the service chooses the name, so it is trusted in nothing: only `.yaml`, no `..`,
    no symbolic link on the way from the folder, and nothing but a regular file is replaced. The way
    is walked by descriptors, so what is checked is what is written to.

    Args:
        name: Absolute path, or one that begins with `~/`.
        folders: Below which the file may be.

    Raises:
        SaveError: The name is not such a path.
    """

    def __init__(self, name: str, folders: Sequence[Path]) -> None:
        self.path = _absolute(name)
        if self.path.suffix != SUFFIX:
            raise SaveError(f"found the path {show(name)}, expected one that ends in {SUFFIX}")
        for folder in folders:
            for root in (folder.absolute(), folder.resolve()):
                if root in self.path.parents:
                    self._root = root
                    self._folders = self.path.parent.relative_to(root).parts
                    return
        allowed = " or ".join(str(folder.absolute()) for folder in folders) or "no folder at all"
        raise SaveError(
            f"found the path {show(name)}, expected one below {allowed} (the folder of the running "
            "file and the parameter save_folder); without a path the text itself is answered"
        )

    def check(self, *, overwrite: bool) -> None:
        """Check that the file may be written, before the work of making its text.

        Raises:
            SaveError: It may not; the text says why.
        """
        with self._opened() as folder:
            self._check(folder, overwrite=overwrite)

    def write(self, text: str, verify: Callable[[Path], object], *, overwrite: bool) -> None:
        """Write the whole file or none; who reads it meanwhile sees the old one or the new one.

        Args:
            text: All of it.
            verify: Takes the path of a file in the same folder with that text; raises to refuse.
            overwrite: Whether a file of the name is replaced.

        Raises:
            SaveError: It cannot be written.
        """
        with self._opened() as folder:
            self._check(folder, overwrite=overwrite)
            temporary = f".{secrets.token_hex(8)}{SUFFIX}"
            descriptor = os.open(temporary, _NEW_FILE, MODE, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                verify(self.path.with_name(temporary))
                self._rename(temporary, folder, overwrite=overwrite)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)

    def _rename(self, temporary: str, folder: int, *, overwrite: bool) -> None:
        name = self.path.name
        if overwrite:
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        else:  # unlike a new name a link never replaces what came meanwhile
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the folder of the file without following a link below the root."""
        path = self._root
        try:
            descriptor = os.open(path, _FOLDER & ~os.O_NOFOLLOW)
            try:
                for part in self._folders:
                    path /= part
                    inner = _inner(path, descriptor)
                    os.close(descriptor)
                    descriptor = inner
                yield descriptor
            finally:
                os.close(descriptor)
        except FileExistsError:
            raise self._exists() from None
        except OSError as error:
            raise SaveError(f"cannot write {self.path}: {error.strerror}") from None

    def _check(self, folder: int, *, overwrite: bool) -> None:
        try:
            found = os.stat(self.path.name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return
        if stat.S_ISDIR(found.st_mode):
            raise SaveError(f"{self.path} is a folder, expected the name of a file")
        if not stat.S_ISREG(found.st_mode):
            raise SaveError(f"{self.path} is no regular file and is not replaced")
        if not overwrite:
            raise self._exists()

    def _exists(self) -> SaveError:
        return SaveError(f"{self.path} exists; it is replaced with --force (overwrite: true)")


def _inner(path: Path, parent: int) -> int:
    try:
        return os.open(path.name, _FOLDER, dir_fd=parent)
    except FileNotFoundError:
        raise SaveError(f"there is no folder {path}") from None
    except NotADirectoryError:  # a symbolic link, too, since none is followed
        raise SaveError(f"{path} is no folder, or a symbolic link, which is not followed") from None


def _absolute(name: str) -> Path:
    """Return the path that is meant, whose parts are plain names.

    Raises:
        SaveError: It is relative, leads upwards, or holds what no path holds.
    """
    if not name.isprintable():
        raise SaveError(f"found the path {show(name)}, expected printable characters")
    path = Path.home() / name[2:] if name.startswith("~/") else Path(name)
    if not path.is_absolute():
        raise SaveError(f"found the path {show(name)}, expected an absolute one or ~/...")
    if ".." in path.parts:
        raise SaveError(f"found the path {show(name)}, expected one without ..")
    return path
