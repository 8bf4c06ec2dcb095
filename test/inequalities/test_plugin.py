"""An inequality of a third party, as the page has it, found by its entry point."""

import os
import re
import subprocess
import sys

import pytest
from patience import GENEROUS
from robots_for_tests import REPOSITORY, needs_example_robots

pytestmark = [pytest.mark.processes, needs_example_robots]

PAGE = REPOSITORY / "docs" / "inequalities.md"
PANDA = REPOSITORY / "config" / "panda" / "reach.yaml"
SECTION = """
inequalities:
  - {name: Calm, type: Calm, most: 0.5}
"""
RUN = """
import sys
import numpy as np
from controlit_ros.nodes.simulated_controller import SimulatedController

with SimulatedController(sys.argv[1], {"whole_body_controller_type": "WholeBodyQP"}) as controller:
    controller.set("HandPosition.goal_position", [0.5, 0.2, 0.5])
    fastest, before = 0.0, np.array(list(controller.velocity.values()))
    for _ in range(50):
        controller.advance(0.01)
        now = np.array(list(controller.velocity.values()))
        fastest, before = max(fastest, (now - before).max() / 0.01), now
    print(controller.state.value, fastest)
"""


@pytest.fixture
def run(tmp_path):
    """Return what runs Python beside an installed package of the page's example."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "calm_plugin.py").write_text(code, encoding="utf-8")
    about = tmp_path / "calm_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: calm_plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[controlit.inequalities]\nCalm = calm_plugin:Calm\n")
    path = tmp_path / "calm.yaml"
    path.write_text(PANDA.read_text(encoding="utf-8") + SECTION, encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments, str(path)],
            capture_output=True, text=True, timeout=GENEROUS, check=False,
            env={**os.environ, "PYTHONPATH": paths},
        )  # fmt: skip

    return run


def test_it_is_kept(run):
    result = run("-c", RUN)
    assert result.returncode == 0, result.stderr
    state, fastest = result.stdout.split()[-2:]
    assert state == "active"
    assert 0.3 < float(fastest) < 0.55  # the bound, and what ten cycles blur


def test_wbosc_refuses_it_and_says_what_replaces_it(run):
    result = run("-m", "controlit_ros.cli.main", "check")
    assert result.returncode != 0
    told = " ".join((result.stdout + result.stderr).split())
    assert "whole_body_controller of type WBOSC keeps no inequalities" in told
    assert "expected whole_body_controller_type WholeBodyQP" in told
    assert "JointLimit tasks and the limits of the servo" in told
