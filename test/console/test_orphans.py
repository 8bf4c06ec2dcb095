"""A console that was started beside another command ends with it, however that ends."""

import subprocess
import sys

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

pytestmark = [pytest.mark.processes, pytest.mark.commands]

PROGRAM = """
import time
from controlit_ros.cli.companion import companion
with companion("console", ["--port", "0", "--transport", "local"]):
    time.sleep(1e6)
"""


def test_it_ends_where_its_parent_is_killed():
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    while "http://" not in (line := process.stdout.readline()):
        assert line, "the console ended before it served"
    process.kill()
    process.wait()
    process.stdout.read()  # ends when nobody is left to write
