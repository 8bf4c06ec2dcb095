"""A small robot's topics, and Dreamer in step with its simulator over every interface."""

import os
import threading

import pytest
from free_ports import free_ports
from patience import wait_for_servos

from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.robot_topics import RobotTopicLink
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_ONE_THREAD
from controlit_ros.nodes.simulator import simulator_with
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.simulation_server import SimulationServer
from controlit_ros.robots.topic import Topic
from controlit_ros.transport.local import LocalTransport

ATTEMPTS = 60  # [-] of a second each: only bounds a failing test
ROBOT_TIME = 1.0  # [s] in ROS time when the robot's begins: a stamp of zero would be none
OWN_PROCESS = {"MuJoCo": {"robot_interface.mode": "in_process"}, "Benchmark": {}}
"""Interfaces without another side, and how they are set."""


class InStep:
    """A servo under the simulated clock, one measurement a cycle, however busy the machine is.

    The simulator, if it is elsewhere, waits for commands.
    """

    def __init__(self, file, interface_type, domain, settings):
        name = f"in_step_{os.getpid()}"
        remote = interface_type not in OWN_PROCESS
        own = dict(OWN_PROCESS.get(interface_type, {"robot_interface.wait": 1.0}))
        if interface_type == "UDP":
            ports = zip(("port", "robot_port"), free_ports(2), strict=True)
            own |= {f"robot_interface.{key}": port for key, port in ports}
        overrides = {
            **IN_ONE_THREAD, "name": name, "robot_interface_type": interface_type, **own, **settings
        }  # fmt: skip
        self.stack = stack = load_stack(file, overrides)
        self.transports = [LocalTransport("servo", f"/{name}", domain=domain)]
        self.node = ServoNode(stack, self.transports[0])
        self.server = None
        if remote:
            self._serve(stack, name, domain)
        self.node.start()

    def _serve(self, stack, name, domain):
        interface = stack.robot_interface
        read = interface.read
        interface.read = lambda state: any(read(state) for _ in range(ATTEMPTS))
        simulator = simulator_with(
            interface.setup, {**stack.configuration.simulator, "lock_step": True}
        )
        if isinstance(interface, Topic):
            self.transports.append(LocalTransport("robot", f"/{name}", domain=domain))
            link = RobotTopicLink(interface.topics, self.transports[1], ROBOT_TIME)
        else:
            link = interface.robot_end()
        simulation = Simulation(simulator.setup, simulator.options())
        self.server = SimulationServer(simulation, link, lock_step=simulator.steps_per_cycle)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def task(self, name):
        return next(task for task in self.stack.tasks.tasks if task.name == name)

    def close(self):
        self.node.stop()
        if self.server is not None:
            self.server.stopped = True
            self.thread.join()
        for transport in self.transports:
            transport.close()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let nobody give up on a servo because the machine is busy."""
    wait_for_servos(monkeypatch)


@pytest.fixture
def in_step(request):
    """Make a servo and its simulated robot, joined by an interface type."""
    made = []

    def make(file, interface_type, **settings):
        domain = f"{request.node.nodeid} {len(made)}"
        made.append(InStep(file, interface_type, domain, settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def arm():
    """Two links of 0.5 m from (0, 0, 1), one turning joint each; the tip is 0.5 m farther."""
    inertia = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    links = "".join(
        f'<link name="{name}"><inertial>{inertia}</inertial></link>' for name in ("base", "a", "b")
    )
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{origin}"/><axis xyz="0 1 0"/>'
        '<limit lower="-2" upper="2" effort="1" velocity="1"/></joint>'
        for name, parent, child, origin in (
            ("one", "base", "a", "0 0 1"),
            ("two", "a", "b", "0.5 0 0"),
        )
    )
    return RobotDescription(f'<robot name="arm">{links}{joints}</robot>')


@pytest.fixture
def started():
    """Start controllers, and stop them afterwards."""
    made = []

    def start(controller):
        made.append(controller)
        controller.start()
        return controller

    yield start
    for controller in made:
        controller.stop()
