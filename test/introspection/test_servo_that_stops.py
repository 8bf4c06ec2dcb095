"""A servo thread that is stuck or dead is an error wherever one looks, and in the exit code."""

import os
import subprocess
import threading
from pathlib import Path

import pytest
from dds_isolation import domain_environment
from installed_console import installed_console
from patience import GENEROUS

from controlit_bench.free_domain import free_domain
from controlit_ros.interfaces import new
from controlit_ros.introspection.lifecycle_graph import ERRORPROCESSING
from controlit_ros.servo import servo_thread
from controlit_ros.transport import EVENTS, LATCHED

pytestmark = pytest.mark.processes

CONTROLIT = installed_console()
ERROR = b"\x02"


@pytest.fixture(autouse=True)
def nobody_is_stuck():
    """Here somebody is."""


class Surfaces:
    """Everything of a node that tells how its servo fares."""

    def __init__(self, peer):
        self.peer = peer
        self.states, self.errors, self.diagnostics = [], [], []
        text = "std_msgs/msg/String"
        peer.subscribe("diagnostics/state", text, lambda m: self.states.append(m.data), LATCHED)
        peer.subscribe("diagnostics/errors", text, lambda m: self.errors.append(m.data), EVENTS)
        array = "diagnostic_msgs/msg/DiagnosticArray"
        peer.subscribe("/diagnostics", array, lambda m: self.diagnostics.append(m.status[0]))

    def call(self, service, kind, **fields):
        client = self.peer.client(service, kind)
        answer = client.call(new(f"{kind}_Request", **fields), GENEROUS)
        client.close()
        return answer

    @property
    def lifecycle(self):
        answer = self.call("/cli_still/servo/get_state", "lifecycle_msgs/srv/GetState")
        return answer.current_state.label

    def set_priority(self):
        kind = "controlit/srv/SetTaskPriority"
        return self.call("control/setTaskPriority", kind, task="Posture", priority=3)

    def set_parameter(self):
        value = {"name": "Posture.kp", "value": {"type": 3, "double_value": 1.0}}
        kind = "rcl_interfaces/srv/SetParameters"
        return self.call("/cli_still/servo/set_parameters", kind, parameters=[value]).results[0]


@pytest.fixture(name="running")
def run(make_node, peer, poll, monkeypatch):
    monkeypatch.setattr(servo_thread, "STOP_PATIENCE", 0.1)
    node = make_node()
    surfaces = Surfaces(peer)
    node.start()
    poll(lambda: surfaces.states[-1:] == ["active"])
    poll(lambda: surfaces.diagnostics)
    poll(lambda: surfaces.lifecycle == "active")  # a busy machine may hold it up for a moment
    return node, surfaces


def check_surfaces(surfaces, poll, state, complaint):
    poll(lambda: surfaces.states[-1:] == [state])
    poll(lambda: any(complaint in text for text in surfaces.errors))
    poll(lambda: complaint in surfaces.diagnostics[-1].message)
    found = surfaces.diagnostics[-1]
    assert found.level in (2, ERROR)
    assert {v.key: v.value for v in found.values}["state"] == state
    assert surfaces.lifecycle == ERRORPROCESSING.label
    for refused, reason in (
        (not surfaces.set_priority().success, surfaces.set_priority().message),
        (not surfaces.set_parameter().successful, surfaces.set_parameter().reason),
    ):
        assert refused
        assert complaint in reason


def test_a_stuck_thread_and_its_return(running, poll):
    node, surfaces = running
    release, read = threading.Event(), node.stack.robot_interface.read
    node.stack.robot_interface.read = lambda state: release.wait() and read(state)
    try:
        check_surfaces(surfaces, poll, "stuck", "the servo has made no cycle")
        assert node.liveliness.state == "stuck"
    finally:
        release.set()
    poll(lambda: surfaces.states[-1:] == ["active"])
    poll(lambda: surfaces.lifecycle == "active")
    poll(lambda: surfaces.diagnostics[-1].level not in (2, ERROR))
    poll(lambda: surfaces.set_priority().success)
    assert node.failure == ""


def test_a_stuck_thread_is_no_orderly_end(running, poll):
    node, _ = running
    release, read = threading.Event(), node.stack.robot_interface.read
    node.stack.robot_interface.read = lambda state: release.wait() and read(state)
    try:
        poll(lambda: node.liveliness.state == "stuck")
        node.stop()
        assert "has not come to the end of its cycle" in node.failure
    finally:
        release.set()


def test_a_dead_thread(running, poll):
    node, surfaces = running

    def die(_now):
        raise MemoryError

    node.coordinator.servo_update = die
    check_surfaces(surfaces, poll, "dead", "the servo thread has ended")
    assert "the servo thread has ended" in node.failure
    node.stop()
    assert "the servo thread has ended" in node.failure


MODULE = """
from controlit_ros.servo.steady_clock import SteadyClock


class Clock(SteadyClock):
    def _play(self, coordinator, begin):
        for k in range(300):
            coordinator.servo_update(begin + 1e-3 * k)
        raise RuntimeError("the crystal broke")
"""


def test_the_exit_code_tells_of_a_dead_thread(tmp_path):
    (tmp_path / "mortal.py").write_text(MODULE)
    metadata = tmp_path / "mortal-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mortal\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[controlit.servo_clocks]\nMortal = mortal:Clock\n")
    still = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
    own = domain_environment(free_domain())
    done = subprocess.run(
        [CONTROLIT, "run", still, "--set", "servo_clock_type=Mortal", "--duration", "60"],
        capture_output=True,
        text=True,
        timeout=GENEROUS,
        check=False,
        env={**os.environ, **own, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 1, done.stderr
    assert "the crystal broke" in done.stderr
    assert "the servo thread has ended" in done.stderr
    assert "Traceback" not in done.stderr
