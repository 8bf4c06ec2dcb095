"""Greet a robot by its name."""

from typing import Annotated

import typer

from controlit_ros.plugins import RobotState


def command(
    name: Annotated[str, typer.Argument(help="Of the robot.")] = "Dreamer",
) -> None:
    """Greet a robot by its name."""
    typer.echo(f"Hello, {name}: your state has {len(RobotState.__slots__)} parts.")
