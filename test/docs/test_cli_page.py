"""docs/cli.md names every command, as the help does."""

import re
from pathlib import Path

import pytest
import typer

from controlit_ros.applications.demo_registry import DEMOS
from controlit_ros.cli.application import ENTRIES, application

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def commands():
    """Return every command with its group, as typed after `controlit`."""
    found = []
    for entry in ENTRIES:
        group = typer.main.get_command(application([entry.name])).commands[entry.name]
        below = getattr(group, "commands", None)
        found += [entry.name] if below is None else [f"{entry.name} {name}" for name in below]
    return found


COMMANDS = commands()


def test_groups_are_looked_into():
    assert {"run", "topic echo", "lifecycle set"} <= set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_is_named(words):
    assert re.search(rf"(controlit {words}|^#+ .*`{words}`.*)\b", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", DEMOS)
def test_every_demonstration_is_listed(name):
    (line,) = re.findall(rf"^{name} +(.+)$", PAGE, re.MULTILINE)
    assert line == DEMOS[name]
