"""The lifecycle of a servo node: over `local` in this process, over `dds` in another."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dds_isolation import go_to_free_domain
from installed_console import installed_console
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.introspection.lifecycle_graph import INACTIVE, UNCONFIGURED
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.transport import LATCHED, open_transport

pytestmark = pytest.mark.processes

CLI = Path(__file__).parents[1] / "cli"
STILL = CLI / "controllers" / "still.yaml"
CONTROLIT = installed_console()
PATIENT = (sys.executable, str(CLI / "patient_console.py"))
NODE = "/cli_still/servo"
SRV = "lifecycle_msgs/srv"
LEGAL = {
    "unconfigured": {"configure", "shutdown"},
    "inactive": {"activate", "cleanup", "shutdown"},
    "active": {"deactivate", "shutdown"},
    "finalized": set(),
}


class Manager:
    """What `ros2 lifecycle` asks, over any transport."""

    def __init__(self, transport):
        self._transport = transport

    def call(self, service, kind, **fields):
        client = self._transport.client(f"{NODE}/{service}", f"{SRV}/{kind}")
        answer = client.call(new(f"{SRV}/{kind}_Request", **fields), GENEROUS)
        client.close()
        return answer

    @property
    def state(self):
        return self.call("get_state", "GetState").current_state.label

    @property
    def available(self):
        answer = self.call("get_available_transitions", "GetAvailableTransitions")
        return {entry.transition.label for entry in answer.available_transitions}

    def change(self, label="", number=0):
        transition = {"id": number, "label": label}
        return self.call("change_state", "ChangeState", transition=transition).success


def walk(manager):
    """Make every legal transition and try every illegal one."""
    labels = {"configure", "activate", "deactivate", "cleanup", "nonsense"}
    for label, goal in (
        ("configure", "inactive"),
        ("activate", "active"),
        ("deactivate", "inactive"),
        ("activate", "active"),
        ("deactivate", "inactive"),
        ("cleanup", "unconfigured"),
        ("configure", "inactive"),
        ("activate", "active"),
        ("shutdown", "finalized"),
    ):
        state = manager.state
        assert manager.available == LEGAL[state]
        for wrong in labels - LEGAL[state]:
            assert not manager.change(wrong)
        assert manager.state == state
        assert manager.change(label)
        assert manager.state == goal
    assert not manager.change("configure")


def test_every_transition(make_node, peer):
    make_node().start(UNCONFIGURED)
    walk(Manager(peer))


def test_states_and_graph(make_node, peer):
    make_node()
    manager = Manager(peer)
    states = manager.call("get_available_states", "GetAvailableStates").available_states
    assert [(s.id, s.label) for s in states][:4] == [
        (0, "unknown"), (1, "unconfigured"), (2, "inactive"), (3, "active")
    ]  # fmt: skip
    graph = manager.call("get_transition_graph", "GetAvailableTransitions")
    assert len(graph.available_transitions) == 25


def test_transitions_are_told(make_node, peer, poll):
    node = make_node()
    seen = []
    peer.subscribe(
        f"{NODE}/transition_event",
        "lifecycle_msgs/msg/TransitionEvent",
        lambda m: seen.append((m.transition.id, m.start_state.label, m.goal_state.label)),
    )
    node.start(INACTIVE)
    poll(lambda: len(seen) == 2)
    assert seen == [(1, "unconfigured", "configuring"), (10, "configuring", "inactive")]


def test_no_command_unless_active(make_node, peer, poll):
    node = make_node()
    robot, manager = node.stack.robot_interface, Manager(peer)
    node.start(INACTIVE)
    poll(lambda: node.coordinator.latency.cycles > 5)
    assert robot.writes == 0
    assert manager.change("activate")
    poll(lambda: robot.writes > 5)
    assert manager.change("deactivate")
    writes, cycles = robot.writes, node.coordinator.latency.cycles
    poll(lambda: node.coordinator.latency.cycles > cycles + 20)
    assert robot.writes == writes


def test_goals_nobody_stated_are_latched_at_each_activation(make_node, peer, poll):
    node = make_node(**{"robot_interface.posture": 0.2})
    posture = node.stack.tasks.tasks[0]
    manager = Manager(peer)
    node.start()
    poll(lambda: set(posture.goal.value) == {0.2})
    assert manager.change("deactivate")
    node.stack.robot_interface.parameter("posture").assign(0.3)
    poll(lambda: set(posture.actual.value) == {0.3})
    assert (posture.goal.value == 0.2).all()
    assert manager.change("activate")
    assert (posture.goal.value == 0.3).all()
    node.mailbox.post({posture.goal: 0.25})
    poll(lambda: set(posture.goal.value) == {0.25})
    assert manager.change("deactivate")
    assert manager.change("activate")
    assert (posture.goal.value == 0.25).all()


def test_silent_robot_fails_the_activation(make_node, peer, monkeypatch):
    monkeypatch.setattr("controlit_ros.nodes.servo_lifecycle.ACTIVATION_PATIENCE", 0.3)
    node = make_node()
    node.stack.robot_interface.read = lambda _state: False
    manager = Manager(peer)
    assert manager.change("configure")
    assert not manager.change("activate")
    assert manager.state == "inactive"
    monkeypatch.setattr("controlit_ros.nodes.servo_lifecycle.ACTIVATION_PATIENCE", GENEROUS)
    del node.stack.robot_interface.read
    assert manager.change("activate")


def test_unreachable_robot_fails_to_configure(make_node, peer):
    node = make_node()
    robot, manager = node.stack.robot_interface, Manager(peer)

    def refuse():
        raise RobotInterfaceError("nobody answers")

    robot.activate = refuse
    assert not manager.change("configure")
    assert manager.state == "unconfigured"
    with pytest.raises(RobotInterfaceError, match="nobody answers"):
        node.start()
    del robot.activate
    assert manager.change("configure")


def test_robot_that_does_not_let_go_ends_it(make_node, peer):
    node = make_node()
    robot, manager = node.stack.robot_interface, Manager(peer)
    assert manager.change("configure")

    def hold():
        raise OSError("stuck")

    robot.deactivate = hold
    assert not manager.change("cleanup")
    assert manager.state == "finalized"
    del robot.deactivate


def test_state_topic_is_latched(make_node, peer, poll):
    node = make_node()
    seen = []
    peer.subscribe(
        "diagnostics/state", "std_msgs/msg/String", lambda m: seen.append(m.data), LATCHED
    )
    poll(lambda: seen == ["inactive"])
    node.start()
    poll(lambda: seen[-1] == "active")
    robot = node.stack.robot_interface
    robot.read = lambda _state: False
    poll(lambda: seen[-1] == "safe")
    del robot.read
    poll(lambda: seen[-1] == "active")
    assert Manager(peer).change("shutdown")
    poll(lambda: seen[-1] == "inactive")
    late = []
    peer.subscribe(
        "diagnostics/state", "std_msgs/msg/String", lambda m: late.append(m.data), LATCHED
    )
    poll(lambda: late == ["inactive"])


@pytest.fixture
def servo_process(monkeypatch):
    """A servo in a process of its own, reached over DDS, that waits to be configured."""
    pytest.importorskip("cyclonedds")
    go_to_free_domain(monkeypatch)
    monkeypatch.setenv("CONTROLIT_TRANSPORT", "dds")
    arguments = ["run", str(STILL), "--quiet", "--lifecycle", "unconfigured"]
    with subprocess.Popen([*PATIENT, *arguments, "--ros-args", "-r", "a:=b"]) as process:
        yield process
        process.kill()


def test_every_transition_over_dds(servo_process):
    with open_transport("manager", name="dds") as transport:
        client = transport.client(f"{NODE}/get_state", f"{SRV}/GetState")
        assert client.wait_for_service(GENEROUS)
        walk(Manager(transport))
    assert servo_process.poll() is None
    servo_process.terminate()
    assert servo_process.wait(GENEROUS) == 0


def test_command_line(servo_process):
    with open_transport("waiting", name="dds") as transport:
        client = transport.client(f"{NODE}/get_state", f"{SRV}/GetState")
        assert client.wait_for_service(GENEROUS)

    def controlit(*words, code=0):
        done = subprocess.run(
            [CONTROLIT, "lifecycle", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    assert controlit("get") == f"{NODE}: unconfigured [1]\n"
    listed = json.loads(controlit("list", "servo", "--json"))
    assert [(entry["label"], entry["id"], entry["goal"]) for entry in listed] == [
        ("configure", 1, "configuring"),
        ("shutdown", 5, "shuttingdown"),
    ]
    assert controlit("set", "configure") == f"{NODE} is inactive\n"
    assert json.loads(controlit("set", NODE, "activate", "--json")) == {
        "node": NODE, "state": "active", "id": 3
    }  # fmt: skip
    assert "is active: there is no transition 'configure'" in controlit("set", "configure", code=1)
    assert "did you mean 'deactivate'" in controlit("set", "deactivat", code=1)
    assert "there is no managed node 'serv'" in controlit("get", "serv", code=1)
    assert servo_process.poll() is None
