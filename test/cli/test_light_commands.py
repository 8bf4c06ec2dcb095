"""Commands of a running controller do without the libraries of models, which take seconds."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.processes, pytest.mark.commands]

LIGHT = (
    *("action", "constraint", "event", "lifecycle", "node", "param", "save", "service"),
    *("task", "topic", "wbc"),
)
HEAVY = ("pinocchio", "numba", "scipy", "mujoco")


def imported(*modules):
    """Return which of the heavy libraries come along in a process of its own."""
    code = f"import {', '.join(modules)}, sys; print(*{set(HEAVY)!r} & sys.modules.keys())"
    words = [sys.executable, "-c", code]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()


def test_no_heavy_library_comes_along():
    assert imported(*(f"controlit_ros.cli.{name}_command" for name in LIGHT)) == []


def test_the_room_of_clients_has_all_its_names():
    code = (
        "import controlit_ros.client as room; names = room.__all__; "
        "assert 'connect' in names and set(names) <= set(dir(room)); "
        "assert all(getattr(room, name) for name in names); "
        "assert not hasattr(room, 'conect') and not hasattr(room, '_connect'); "
        "from controlit_ros.client import *; assert connect is room.connect"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
