"""Ros2Control: the states and commands of ros2_control, and whose turn it is."""

import numpy as np
import pytest
from controller_manager import ControllerManager
from dds_isolation import domain_environment
from one_joint import pendulum
from robots_for_tests import REPOSITORY

from controlit_bench.free_domain import free_domain
from controlit_ros.configuration import ConfigurationError
from controlit_ros.nodes import controller_switch
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.robot_topics import TopicRelay, robot_link
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.transport.deferred import DeferredTransport
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

STILL = REPOSITORY / "test" / "cli" / "controllers" / "still.yaml"
TRIKEY = REPOSITORY / "config" / "trikey" / "drive.yaml"
EFFORT = {"forward_effort_controller": "effort"}
BOTH = {**EFFORT, "forward_position_controller": "position"}
PATIENT = {
    "realtime_priority": 0,
    "state_timeout": 10,
    "pause_limit": 10,
    "overrun_limit": 1_000_000,
    "updater_timeout": 60,
    "transport_process": False,
}


def open_local(node, request):
    return LocalTransport(node, "/cli_still", domain=request.node.nodeid)


def open_dds(node, request):
    dds = pytest.importorskip("controlit_ros.transport.dds", reason="cyclonedds is missing")
    environment = domain_environment(request.getfixturevalue("domain"))
    return dds.DdsTransport(
        node, "/cli_still", settings=dds.DdsSettings.from_environment(environment)
    )


def open_later(node, request):
    """Return a transport that is opened once all was made, as that beside a servo's process."""
    return DeferredTransport(node, "/cli_still") if node == "servo" else open_local(node, request)


@pytest.fixture(scope="module")
def domain():
    return free_domain()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Look often, and let no answer be given up because the machine is busy."""
    monkeypatch.setattr(controller_switch, "LOOK_PERIOD", 0.02)
    monkeypatch.setattr(controller_switch, "PATIENCE", 30.0)


class Rig:
    """A relay, the servo's end of it, and what is on the other side."""

    def __init__(self, stack, transport, manager, finish):
        self.interface, self.manager = stack.robot_interface, manager
        setup = self.interface.setup
        self.reports = []
        self.servo = ChannelLink(
            self.interface.parameter("channel").value, state_layout(setup), command_layout(setup)
        )
        self.frame = CommandFrame(len(setup.command_names))
        self.frame.vector[0] = 1.0
        self.relay = TopicRelay(self.interface.topics, transport, self.reports.append, 0.0)
        finish()
        self.servo.open()
        self.relay.start()

    def send(self):
        self.servo.tend()
        self.servo.send(self.frame.vector)
        return self

    def close(self):
        self.relay.stop()
        self.servo.close()


@pytest.fixture
def make(request, channel_name):
    """Make relays to controller managers."""
    opened, made = [], []

    def make_rig(forwarding, open_transport=open_local, controller="WBOSC", **settings):
        settings = {f"robot_interface.{key}": value for key, value in settings.items()}
        stack = load_stack(
            STILL,
            {
                "robot_interface_type": "Ros2Control",
                "robot_interface.channel": channel_name,
                "whole_body_controller_type": controller,
                **settings,
            },
        )
        transports = [open_transport(node, request) for node in ("servo", "manager")]
        opened.extend(transports)
        manager = None
        if forwarding:
            names = stack.robot_interface.setup.command_names[::-1]
            manager = ControllerManager(transports[1], names, forwarding)

        def finish():
            if isinstance(transports[0], DeferredTransport):
                transports[0].open(open_local("servo", request))

        made.append(Rig(stack, transports[0], manager, finish))
        return made[-1]

    yield make_rig
    for rig in made:
        rig.close()
    for transport in opened:
        transport.close()


@pytest.mark.parametrize("open_transport", [open_local, open_dds, open_later])
def test_its_turn_comes_with_the_first_command_and_ends_with_the_last(make, poll, open_transport):
    rig = make(EFFORT, open_transport)
    manager, efforts = rig.manager, rig.frame.effort
    efforts[:] = np.arange(1.0, 1.0 + len(efforts))
    assert manager.switches == []
    poll(lambda: rig.send() and manager.commands)
    # the controller has the joints in another order than the servo
    np.testing.assert_array_equal(manager.commands[-1], efforts[::-1])
    assert manager.switches == [(["forward_effort_controller"], ["arm_controller"])]
    poll(lambda: manager.states["arm_controller"] == "active")  # nothing is sent any more
    assert manager.states["forward_effort_controller"] == "inactive"
    poll(lambda: rig.send() and manager.states["forward_effort_controller"] == "active")
    rig.close()
    assert manager.states == {"arm_controller": "active", "forward_effort_controller": "inactive"}
    assert rig.reports == []


def test_states_without_efforts_reach_the_servo(make, poll):
    rig = make(EFFORT)
    state = rig.interface.setup.create_state()
    # the robot has joints without a motor, and each must be told
    rig.manager.joints = list(rig.interface.setup.joint_names)
    rig.manager.position = np.arange(float(len(rig.manager.joints)))
    with rig.manager:
        poll(lambda: rig.servo.tend() and rig.servo.receive(state.vector))
    np.testing.assert_array_equal(state.position, rig.manager.position)
    assert not state.effort.any()


def test_position_commands_go_to_the_controller_of_positions(make, poll):
    rig = make(BOTH, controller="WBOSCImpedance", command_interface="position")
    rig.frame.position[:] = 0.25
    rig.frame.effort[:] = 7.0
    poll(
        lambda: rig.send()
        and rig.manager.states["forward_position_controller"] == "active"
    )  # fmt: skip
    assert rig.manager.commands == []  # without gains there is no motion in a command
    rig.frame.has_gains = True
    poll(lambda: rig.send() and rig.manager.commands)
    assert set(np.concatenate(rig.manager.commands)) == {0.25}


def test_without_a_manager_it_says_so(make, poll, monkeypatch):
    monkeypatch.setattr(controller_switch, "PATIENCE", 0.05)
    rig = make({})
    poll(lambda: rig.send() and rig.reports)
    expected = "/controller_manager/list_controllers does not answer: expected controller_manager"
    assert rig.reports[0].startswith(expected)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda m: m.states.pop("forward_effort_controller"), "has no controller 'forward_effort_"),
        (
            lambda m: m.states.update(forward_effort_controller="unconfigured"),
            "found unconfigured, expected it configured",
        ),
        (
            lambda m: m.needs["forward_effort_controller"].pop(),
            "one for each command joint; first missing",
        ),
        (
            lambda m: m.needs["forward_effort_controller"].append("wheel/effort"),
            "it commands 'wheel/effort', which is no command joint's",
        ),
        (
            lambda m: m.needs.update(arm_controller=["somebody/else"], hidden=[]),
            "has no active joint_state_broadcaster/JointStateBroadcaster",
        ),
    ],
    ids=["absent", "unconfigured", "too few", "foreign", "no broadcaster"],
)
def test_what_is_wrong_with_controllers_is_told_once(make, poll, change, expected):
    rig = make(EFFORT)
    change(rig.manager)
    if "broadcaster" in expected:
        rig.manager.broadcaster = "inactive"
    poll(lambda: rig.send() and rig.reports)
    assert expected in rig.reports[0]
    for _ in range(3):
        rig.send()
    assert len(set(rig.reports)) == len(rig.reports)


def test_a_controller_that_cannot_be_activated_gets_no_commands(make, poll):
    rig = make(EFFORT)
    rig.manager.refusal = "the hardware is away"
    poll(lambda: rig.send() and rig.reports)
    assert "did not activate ['forward_effort_controller']" in rig.reports[0]
    assert rig.reports[0].endswith("the hardware is away")
    rig.manager.refusal = ""
    poll(lambda: rig.send() and rig.manager.commands)


def test_a_robot_whose_base_moves_is_refused():
    with pytest.raises(ConfigurationError, match="joint_state_broadcaster does not tell where"):
        load_stack(TRIKEY, {"robot_interface_type": "Ros2Control"})


def test_efforts_alone_are_refused_where_motion_is_taken():
    settings = {
        "robot_interface_type": "Ros2Control",
        "robot_interface.command_interface": "velocity",
    }
    with pytest.raises(ConfigurationError, match="expected WBOSCImpedance, which integrates"):
        load_stack(STILL, settings)


def test_it_is_not_simulated_here(make):
    rig = make(EFFORT)
    with pytest.raises(RobotInterfaceError, match="hardware of ros2_control"):
        robot_link(rig.interface.topics, None)


def test_a_robot_commanded_by_position_goes_where_it_shall_within_its_limits(
    tmp_path, request, poll, channel_name
):
    """The hardware is at once where it is told to be, as the mock of ros2_control."""
    path = pendulum(tmp_path, gains="kp: 64, kd: 16, max_velocity: 2")
    stack = load_stack(
        path,
        {
            **PATIENT,
            "name": "cli_still",
            "robot_interface_type": "Ros2Control",
            "whole_body_controller_type": "WBOSCImpedance",
            "robot_interface.command_interface": "position",
            "robot_interface.channel": channel_name,
            "whole_body_controller.alpha": 0.1,
            "whole_body_controller.beta": 0.02,
        },
    )
    goal = stack.tasks.tasks[0].goal
    with open_local("servo", request) as near, open_local("manager", request) as far:
        manager = ControllerManager(far, ["hinge"], {"forward_position_controller": "position"})
        with manager, ServoNode(stack, near) as node:
            poll(lambda: node.state.value == "active")
            assert abs(manager.position.item()) < 0.1  # it holds where it was
            node.mailbox.post({goal: [0.8]})
            poll(lambda: abs(manager.position.item() - 0.8) < 0.02)
            node.mailbox.post({goal: [10.0]})
            poll(lambda: manager.position.item() > 1.5)
            node.mailbox.post({goal: [0.8]})
            poll(lambda: abs(manager.position.item() - 0.8) < 0.02)
        assert max(np.concatenate(manager.commands)) <= 3.0
        assert manager.states["arm_controller"] == "active"
