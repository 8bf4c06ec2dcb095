"""Options and arguments that several commands share."""

from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from controlit_ros.cli.plain_values import read_value
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.resource import resolve_resource


def configuration_file(reference: str) -> Path:
    """Return the path of a configuration file.

    Raises:
        BadParameter: It begins like a reference, and no package or scheme is known by it.
    """
    if "://" not in reference:
        return Path(reference)
    try:
        return resolve_resource(reference, Path())
    except ControlItError as error:
        raise typer.BadParameter(str(error)) from None


FileArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Configuration file: a path or package://.",
        show_default=False,
        parser=configuration_file,
    ),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonLinesOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print lines of JSON.")]
TransportOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="rclpy, dds, local or auto. [default: CONTROLIT_TRANSPORT, or auto]",
        show_default=False,
    ),
]
SetOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Replace a value of the file: a key of `parameters`, or with its section as in "
        "robot_interface.mode=in_process, or with list and name of the entry as in "
        "tasks.Posture.kp=100 or tasks.Posture.goal_position.elbow=0.3.",
        show_default=False,
    ),
]
CountOption: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="End after so many.", show_default=False),
]
TimeoutOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        metavar="S",
        help="Give up when nothing comes for so long [s].",
        show_default=False,
    ),
]
DurationOption: TypeAlias = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="S", help="End after so long [s].", show_default=False),
]
ConsoleOption: TypeAlias = Annotated[
    bool, typer.Option("--console", help="Show it on a page for browsers; see `console`.")
]
TypeArgument: TypeAlias = Annotated[
    str | None, typer.Argument(metavar="TYPE", help="Found out when left out.")
]

NUMBERS = {"ignore_unknown_options": True}
"""Settings of commands whose arguments may be negative numbers, which look like options."""


def overrides(settings: list[str] | None) -> dict[str, Any]:
    """Return what `--set` gave, by key."""
    found = {}
    for setting in settings or ():
        key, separator, value = setting.partition("=")
        if not separator or not key:
            raise typer.BadParameter(f"found {setting!r}, expected KEY=VALUE", param_hint="--set")
        found[key.strip().removeprefix("parameters.")] = read_value(value, "--set")
    return found


def interface_type(name: str) -> str:
    """Return the robot interface a user means: `shared_memory`, `sharedmemory` or `SharedMemory`.

    Raises:
        ControlItError: There is none of that name.
    """
    from controlit_ros.configuration import PluginKind, available  # noqa: PLC0415 - takes long

    known = available(PluginKind.ROBOT_INTERFACE)
    plain = {type_name.lower(): type_name for type_name in known}
    try:
        return plain[name.replace("_", "").lower()]
    except KeyError:
        hint = did_you_mean(name, known)
        raise ControlItError(f"found the interface {name!r}, expected another{hint}") from None
