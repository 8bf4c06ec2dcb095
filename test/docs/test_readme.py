"""The first page is true: its commands, its demonstrations, its picture, its links."""

import re
from pathlib import Path

import pytest

from controlit_demos.registry import demonstrations
from controlit_ros.cli.application import GROUP
from controlit_ros.installed import plugins

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN = README.partition("## ")[0]
PAGES = sorted((ROOT / "docs").glob("*.md"))
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def test_the_two_commands_are_there():
    commands = re.findall(r"^    make (\w+)", FIRST_SCREEN, re.MULTILINE)
    assert commands == ["demo", "test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in commands:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE)


def test_there_is_a_picture():
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", FIRST_SCREEN)
    assert (ROOT / picture).stat().st_size > 10_000


def test_the_demonstrations_it_names_are_there():
    """docs/cli.md names all of them."""
    (listed,) = re.findall(r"each `controlit demo NAME`:(.*?)\n\n", FIRST_SCREEN, re.DOTALL)
    named = set(re.findall(r"`(\w+)`", listed))
    assert len(named) > 3
    assert named <= set(demonstrations())


def test_the_commands_it_names_are_there():
    """docs/cli.md names all of them."""
    rows = re.findall(r"^\| (`controlit .*?) \|", README, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(?:controlit )?(\w+)", row)}
    assert len(named) > 20
    assert named <= set(plugins(GROUP))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_is_linked(page):
    assert f"](docs/{page.name})" in README


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target, _ in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"
