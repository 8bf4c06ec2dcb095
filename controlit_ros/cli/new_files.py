"""Files that commands write, and replace only when they are told to."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from controlit_ros.errors import ControlItError
from controlit_ros.regular_file import write_text

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


def _exists(path: Path) -> ControlItError:
    return ControlItError(f"{path} exists; name another by --output, or --force")
