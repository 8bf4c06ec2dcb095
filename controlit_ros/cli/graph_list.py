"""Lists of what the network has: nodes, topics, services, actions."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, TypeAlias

import typer

from controlit_ros.cli import output
from controlit_ros.client.network import domain

TypesOption: TypeAlias = Annotated[bool, typer.Option("--types", "-t", help="Show types.")]


def show_list(kind: str, found: Sequence[Any], lines: Iterable[str], *, as_json: bool) -> None:
    """Print what was found, or that there is none.

    Args:
        kind: What it is, in the plural.
        found: As JSON shows it.
        lines: As people read it.
        as_json: Which of both.
    """
    if as_json:
        output.json_value(found)
        return
    if not found:
        output.note(f"there are no {kind} in {domain()}")
    for line in lines:
        output.text(line)


def with_types(name: str, types: Sequence[str], *, shown: bool) -> str:
    """Return a name, and its types where they shall be shown."""
    return f"{name} [{', '.join(types)}]" if shown else name
