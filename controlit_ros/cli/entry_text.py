"""Entries of configuration files that come from files of their own."""

import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from controlit_ros.configuration.yaml_reader import MAX_LENGTH
from controlit_ros.errors import ControlItError
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
    if file == STANDARD_INPUT:
        return sys.stdin.read(MAX_LENGTH)
    try:
        return read_text(Path(file), LONGEST_CHARACTER * MAX_LENGTH)
    except UnreadableFileError as error:
        raise ControlItError(f"{file}: {error}") from None
