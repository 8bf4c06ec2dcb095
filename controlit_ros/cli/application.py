"""The tree of commands, of which only the one asked for is imported."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Annotated

import typer

from controlit_ros import __version__
from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.installed import PluginError, load, named, plugins, summary

COMPLETION_WORDS = "COMP_WORDS"
"""Environment variable in which shells give the line that is to be completed."""


GROUP = "controlit.commands"
"""Group of entry points: name of a command to a module with a function `command`, or with a Typer
`app` for a group of commands. The first line of its docstring is its line in the overview."""


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
    known = plugins(GROUP)
    for name, entry in known.items():
        if name == wanted:
            _add(app, entry)
        else:  # nobody reads the lines of others beside a command
            app.command(name, help="" if wanted in known else summary(entry))(_stand_in)
    return app


def _add(app: typer.Typer, entry: EntryPoint) -> None:
    lines, is_completing = StatusLines(sys.stderr), COMPLETION_WORDS in os.environ
    with StartProgress(lines, "loading libraries", is_quiet=is_completing):
        module = load(entry, "command")
    group, function = getattr(module, "app", None), getattr(module, "command", None)
    if isinstance(group, typer.Typer):
        app.add_typer(group, name=entry.name, help=summary(entry), no_args_is_help=True)
    elif callable(function):
        settings = getattr(module, "SETTINGS", None)
        app.command(entry.name, context_settings=settings)(function)
    else:
        raise PluginError(
            f"{named(entry, 'command')} is none: expected {entry.value} to have a function "
            "`command` or a Typer `app`"
        )


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
