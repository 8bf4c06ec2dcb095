"""The tree of commands, of which only the one asked for is imported."""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, NamedTuple

import typer

from controlit_ros import __version__

COMPLETION_WORDS = "COMP_WORDS"
"""Environment variable in which shells give the line that is to be completed."""


class Entry(NamedTuple):
    """A command or group of commands.

    Attributes:
        name: What the user types.
        help: One line for the overview: the first of its docstring.
        is_group: Whether the module has a Typer `app` instead of a function `command`.
    """

    name: str
    help: str
    is_group: bool = False

    @property
    def module(self) -> str:
        """The module of this package that implements it."""
        return f"controlit_ros.cli.{self.name}_command"


ENTRIES = (
    Entry("run", "Run a controller until Ctrl-C."),
    Entry("simulate", "Run the simulator of a controller in a process of its own."),
    Entry("check", "Check configuration files and print every problem."),
    Entry("describe", "Show what a configuration file compiles to; nothing runs."),
    Entry("compute", "Compute one cycle of a controller without a robot."),
    Entry("demo", "Run a demonstration."),
    Entry("record", "Record all topics of a controller into a bag of ROS 2 (MCAP) until Ctrl-C."),
    Entry("report", "Print and draw what a controller did while a bag was recorded."),
    Entry("bench", "Measure how fast the controller is on this machine."),
    Entry("topic", "List, print, publish and measure topics.", is_group=True),
    Entry("service", "List and call services.", is_group=True),
    Entry("task", "List, switch and rank the tasks of a running controller.", is_group=True),
    Entry("constraint", "List and switch constraints of a running controller.", is_group=True),
    Entry("wbc", "List and exchange whole-body controllers while they run.", is_group=True),
    Entry("event", "Watch the events of controllers, let them fire or not.", is_group=True),
    Entry("param", "List, read and set parameters of a running controller.", is_group=True),
    Entry("save", "Save the running state of a controller as a configuration file."),
    Entry("lifecycle", "Look at the states of controllers and change them.", is_group=True),
    Entry("node", "List nodes and what they exchange.", is_group=True),
    Entry("plugins", "List installed plugins.", is_group=True),
)


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the application for a command line.

    Importing NumPy, Pinocchio and MuJoCo for a list of commands would take a second, so all
    commands but the one that the arguments name are stand-ins with a name and a help text.
    """
    app = typer.Typer(
        name="controlit",
        help="Whole-body operational space control for torque-controlled robots.",
        callback=_options,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",  # rich's own would swallow [s] and [default: ...]
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    words = [*arguments, *os.environ.get(COMPLETION_WORDS, "").split()[1:]]
    wanted = next((word for word in words if not word.startswith("-")), None)
    for entry in ENTRIES:
        _add(app, entry, is_wanted=entry.name == wanted)
    return app


def _add(app: typer.Typer, entry: Entry, *, is_wanted: bool) -> None:
    if not is_wanted:
        app.command(entry.name, help=entry.help)(_stand_in)
        return
    module = import_module(entry.module)
    if entry.is_group:
        app.add_typer(module.app, name=entry.name, help=entry.help, no_args_is_help=True)
    else:
        settings = getattr(module, "SETTINGS", None)
        app.command(entry.name, context_settings=settings)(module.command)


def _stand_in() -> None:
    pass


def _show_version(value: bool) -> None:  # noqa: FBT001 - called by typer
    if value:
        typer.echo(f"controlit {__version__}")
        raise typer.Exit


def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
