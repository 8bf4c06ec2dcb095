"""The transport imports what it needs, and its library finds what it asks for later."""

import subprocess
import sys

import pytest

pytest.importorskip("cyclonedds")

IMPORT = """
import sys
import controlit_ros.transport.dds
assert "asyncio" not in sys.modules
from cyclonedds import core, sub
import asyncio
assert core.asyncio.get_running_loop is sub.asyncio.get_running_loop is asyncio.get_running_loop
"""


@pytest.mark.processes
def test_asyncio_is_left_to_who_awaits():
    subprocess.run([sys.executable, "-c", IMPORT], check=True)
