"""Files that commands write, and replace only when they are told to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from controlit_ros.errors import ControlItError
from controlit_ros.regular_file import opened_to_write, write_text

ForceOption: TypeAlias = Annotated[
    bool, typer.Option("--force", "-f", help="Replace a file that exists.")
]


def check_new(*paths: Path, force: bool) -> None:
    """Check that files can be written later without replacing any, before the work begins.

    Raises:
        ControlItError: One exists.
    """
    for path in paths:
        if path.exists() and not force:
            raise _exists(path)


def write_new(path: Path, text: str, *, force: bool) -> None:
    """Write a file; one that came since it was looked for stays, too.

    Raises:
        ControlItError: It exists.
        UnwritableFileError: It cannot be written.
    """
    try:
        write_text(path, text, replace=force)
    except FileExistsError:
        raise _exists(path) from None


@contextmanager
def undone_on_failure(path: Path, before: bytes | None) -> Iterator[None]:
    """Restore a file that was written, if what follows fails.

    Args:
        path: The file.
        before: What it held; `None`: there was none.
    """
    try:
        yield
    except BaseException:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            with opened_to_write(path) as file:
                file.write(before)
        raise


def _exists(path: Path) -> ControlItError:
    return ControlItError(f"{path} exists; name another by --output, or --force")
