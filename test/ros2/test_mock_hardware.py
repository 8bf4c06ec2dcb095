"""`Ros2Control` with the controllers and the mock hardware of ros2_control itself."""

import re
from contextlib import contextmanager
from pathlib import Path

import pytest
from one_joint import pendulum
from patience import HOLDS_ON
from ros2_commands import Running, needs, ros2
from ruamel.yaml import YAML

LAUNCH = Path(__file__).parent / "peers" / "mock_hardware.launch.py"
FORWARD = "forward_command_controller/ForwardCommandController"
BROADCASTER = "joint_state_broadcaster/JointStateBroadcaster"
INTERFACES = ("effort", "position", "velocity")
RIVAL = "arm_controller"  # commands the same joint, and is active before
STATE = "sensor_msgs/msg/JointState"
START, GOAL = 0.3, 0.8  # [rad]
HARDWARE = """<ros2_control name="mock" type="system">
<hardware><plugin>mock_components/GenericSystem</plugin>
<param name="calculate_dynamics">{dynamics}</param></hardware>
<joint name="hinge"><command_interface name="position"/><command_interface name="velocity"/>
<command_interface name="effort"/>
<state_interface name="position"><param name="initial_value">{start}</param></state_interface>
<state_interface name="velocity"/><state_interface name="effort"/></joint></ros2_control></robot>"""

pytestmark = [
    pytest.mark.timeout(900),
    needs(
        "controlit",
        "robot_state_publisher",
        "controller_manager",
        "ros2controlcli",
        "joint_state_broadcaster",
        "forward_command_controller",
    ),
]


class Hardware:
    """A pendulum below a controller manager, whose own arm controller holds it."""

    def __init__(self, folder, namespace, *, dynamics):
        self.file = pendulum(folder, gains="kp: 64, kd: 16, max_velocity: 2")
        self.manager = f"{namespace}/controller_manager"
        self._states = f"{namespace}/joint_states"
        urdf = folder / "mock.urdf"
        hardware = HARDWARE.format(dynamics=str(dynamics).lower(), start=START)
        text = (folder / "pendulum.urdf").read_text(encoding="utf-8")
        urdf.write_text(text.replace("</robot>", hardware), encoding="utf-8")
        self._parameters = folder / "controllers.yaml"
        forwarding = {f"forward_{interface}_controller": interface for interface in INTERFACES}
        forwarding[RIVAL] = "position"
        types = {name: {"type": FORWARD} for name in forwarding}
        types["joint_state_broadcaster"] = {"type": BROADCASTER}
        nodes = {
            f"{namespace}/{name}": {"joints": ["hinge"], "interface_name": interface}
            for name, interface in forwarding.items()
        }
        nodes[self.manager] = {"update_rate": 200, **types}
        with self._parameters.open("w", encoding="utf-8") as file:
            YAML().dump({name: {"ros__parameters": node} for name, node in nodes.items()}, file)
        self.running = Running(
            *("launch", str(LAUNCH), f"namespace:={namespace}"),
            *(f"urdf:={urdf}", f"parameters:={self._parameters}"),
        )
        self._spawn("joint_state_broadcaster", RIVAL)
        self._spawn(*(name for name in forwarding if name != RIVAL), "--inactive")

    def states(self):
        """Return which controller is in which state, as `ros2 control` tells it."""
        words = ros2("control", "list_controllers", "-c", self.manager)
        lines = re.sub(r"\x1b\[[\d;]*m", "", words).splitlines()
        return {line.split()[0]: line.split()[-1] for line in lines if "/" in line}

    def joint(self):
        """Return position and effort of the joint."""
        state = next(
            YAML(typ="safe").load_all(ros2("topic", "echo", "--once", self._states, STATE))
        )
        return state["position"][0], state["effort"][0]

    def _spawn(self, *words):
        told = ("-c", self.manager, "--param-file", str(self._parameters))
        ros2("run", "controller_manager", "spawner", *words, *told)


@contextmanager
def hardware_of(tmp_path_factory, transport, *, dynamics):
    name = "moves" if dynamics else "stands"
    made = Hardware(
        tmp_path_factory.mktemp("hardware"), f"/{name}_on_{transport}", dynamics=dynamics
    )
    try:
        yield made
    finally:
        made.running.close()


@pytest.fixture(scope="module", params=["dds", "rclpy"])
def transport(request):
    return request.param


@pytest.fixture(scope="module")
def moving(tmp_path_factory, transport):
    """Hardware that goes where it is told to by positions and velocities."""
    with hardware_of(tmp_path_factory, transport, dynamics=True) as made:
        yield made


@pytest.fixture(scope="module")
def standing(tmp_path_factory, transport):
    """Hardware that tells the efforts it gets and stays where it is."""
    with hardware_of(tmp_path_factory, transport, dynamics=False) as made:
        yield made


def servo(hardware, transport, interface, *settings):
    """Run a controller on it."""
    chosen = {
        "name": f"{interface}_on_{transport}",
        "robot_interface_type": "Ros2Control",
        "robot_interface.controller_manager": hardware.manager,
        "robot_interface.command_interface": interface,
    }
    if interface != "effort":
        chosen |= {
            "whole_body_controller_type": "WBOSCImpedance",
            "whole_body_controller.alpha": "0.1",
            "whole_body_controller.beta": "0.02",
        }
    words = [word for item in chosen.items() for word in ("--set", "=".join(item))]
    told = [word for setting in settings for word in ("--set", setting)]
    return Running(
        *("run", "controlit", "controlit", "run", str(hardware.file)),
        *("--transport", transport, *words, *HOLDS_ON, *told),
    )


@pytest.mark.parametrize("interface", ["velocity", "position"])
def test_it_moves_and_gives_its_place_back(moving, transport, interface, poll):
    forward = f"forward_{interface}_controller"
    assert moving.states()[RIVAL] == "active"
    with servo(moving, transport, interface) as running:
        running.wait_for("control is active")
        poll(lambda: moving.states()[forward] == "active")
        assert moving.states()[RIVAL] == "inactive"
        ros2(
            *("topic", "pub", "--once", "-w", "1"),
            *(f"/{interface}_on_{transport}/Posture/goal_position", STATE),
            f"{{name: [hinge], position: [{GOAL}]}}",
        )
        poll(lambda: moving.joint()[0] == pytest.approx(GOAL, abs=1e-3))
        assert running.interrupt() == 0, running.text
    states = moving.states()
    assert (states[RIVAL], states[forward]) == ("active", "inactive")


def test_efforts_arrive(standing, transport, poll):
    with servo(standing, transport, "effort") as running:
        running.wait_for("control is active")
        poll(lambda: standing.states()["forward_effort_controller"] == "active")
        ros2(
            *("topic", "pub", "--once", "-w", "1"),
            *(f"/effort_on_{transport}/Posture/goal_position", STATE),
            f"{{name: [hinge], position: [{GOAL}]}}",
        )
        # what moves the arm and what its weight takes, of which the mock takes no notice
        poll(lambda: standing.joint()[1] > 2.0)
        assert standing.joint()[0] == START
        assert running.interrupt() == 0, running.text
    assert standing.states()[RIVAL] == "active"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            (),
            r"did not activate \['forward_effort_controller'\] in the place of",
        ),
        (
            ("robot_interface.controller=forward_efort_controller",),
            r"has no controller 'forward_efort_controller' \(did you mean 'forward_effort_cont",
        ),
        (
            ("robot_interface.controller_manager=/nobody",),
            "/nobody/list_controllers does not answer",
        ),
    ],
    ids=["refused", "absent", "no manager"],
)
def test_what_is_not_there_is_said(moving, transport, settings, expected):
    told = [f"robot_interface.state_topic={moving.manager.rpartition('/')[0]}/joint_states"]
    with servo(moving, transport, "effort", *told, *settings) as running:
        running.wait_for(expected)
        assert moving.states()[RIVAL] == "active"
