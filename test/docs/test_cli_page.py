"""docs/cli.md names every command, as the help does."""

import re
from pathlib import Path

import pytest
import typer

from controlit_demos.registry import demonstrations
from controlit_ros.cli.application import GROUP, application
from controlit_ros.installed import plugins

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def commands():
    """Return every command with its group, as typed after `controlit`."""
    found = []
    for command in plugins(GROUP):
        group = typer.main.get_command(application([command])).commands[command]
        below = getattr(group, "commands", None)
        found += [command] if below is None else [f"{command} {name}" for name in below]
    return found


COMMANDS = commands()


def test_groups_are_looked_into():
    assert {"run", "topic echo", "lifecycle set"} <= set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_is_named(words):
    assert re.search(rf"(controlit {words}|^#+ .*`{words}`.*)\b", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("name", "description"), demonstrations().items())
def test_every_demonstration_is_listed(name, description):
    (line,) = re.findall(rf"^{name} +(.+)$", PAGE, re.MULTILINE)
    assert line == description
