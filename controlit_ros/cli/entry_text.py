"""Entries of configuration files that come from files of their own, and go to a controller."""

import sys
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from controlit_ros.cli.controller_services import call
from controlit_ros.client.client_errors import RefusedError
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.regular_file import UnreadableFileError, read_text

STANDARD_INPUT = "-"
LONGEST_CHARACTER = 4  # [bytes] of UTF-8

EntryArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="YAML file with one entry, as it stands in a configuration; - for standard input.",
        show_default=False,
    ),
]


def read_entry(file: str) -> str:
    """Return the text of an entry.

    Args:
        file: Path; `-`: standard input.

    Raises:
        ControlItError: The file cannot be read, or is no text.
    """
    from controlit_ros.configuration.yaml_reader import MAX_LENGTH  # noqa: PLC0415 - takes long

    if file == STANDARD_INPUT:
        return sys.stdin.read(MAX_LENGTH)
    try:
        return read_text(Path(file), LONGEST_CHARACTER * MAX_LENGTH)
    except UnreadableFileError as error:
        raise ControlItError(f"{file}: {error}") from None


def add_entry(
    service: str, file: str, controller: str | None, transport: str | None, **fields: Any
) -> Message:
    """Send the entry of a file to a service of a controller that adds it.

    Args:
        service: Name below the controller's, such as `control/addTask`.
        file: Path; `-`: standard input.
        controller: Its name; `None` when there is only one.
        transport: How to reach it; `None`: as the environment says.
        fields: Of the request, beside its `definition`.

    Raises:
        ControlItError: As by `read_entry` and `call`; what is refused is told with the file's name.
    """
    definition = read_entry(file)
    try:
        return call(service, controller, transport, definition=definition, **fields)
    except RefusedError as error:
        name = "standard input" if file == STANDARD_INPUT else file
        raise RefusedError(in_file(str(error), name)) from None


def in_file(message: str, name: str) -> str:
    """Return problems of a text as those of a file: each begins with its name, line and column."""
    from controlit_ros.configuration.configuration import TEXT_SOURCE  # noqa: PLC0415 - takes long

    def renamed(line: str) -> str:
        return name + line.removeprefix(TEXT_SOURCE) if line.startswith(f"{TEXT_SOURCE}:") else line

    return "\n".join(map(renamed, message.split("\n")))
