"""docs/architecture.md knows every thread that is started by name, and files that are there."""

import re

import pytest
from test_readme import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = re.compile(r'(?:running_thread|SamplingThread|Thread)\((?:[^()]|\([^()]*\))*?f?"([a-z ]+)')


def threads():
    """Return the names of threads in the code, and the files that start them."""
    found = {}
    for package in ("controlit_ros", "controlit_console"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in NAMED.findall(path.read_text(encoding="utf-8")):
                found.setdefault(name.strip(), path)
    return found


def test_many_are_found():
    assert {"outbox", "gripper", "liveliness", "servo", "parts"} <= set(threads())


@pytest.mark.parametrize("name", sorted(threads()))
def test_a_thread_is_on_the_page(name):
    assert re.search(rf"`{name}( NAME)?`", PAGE), f"{name!r} of {threads()[name]}"


def places():
    """Return the files and folders that the page names."""
    return sorted(set(re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", PAGE)))


def test_many_places_are_named():
    assert {"estimation/", "servo/cycle.py", "controlit_console/panels/page_panels.py"} <= {
        *places()
    }


@pytest.mark.parametrize("place", places())
def test_a_place_is_there(place):
    assert (ROOT / "controlit_ros" / place).exists() or (ROOT / place).exists()
