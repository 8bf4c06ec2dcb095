"""The robot's end of an interface, stepped by the test and able to lie about what it measures."""

from collections.abc import Callable

import numpy as np

from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.nodes.robot_topics import RobotTopicLink
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulator import simulator_with
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.topic import Topic
from controlit_ros.transport.local import LocalTransport

RELAY_PATIENCE = 2.0  # [s] for a command on its way: one that is older is passed on no more
ROBOT_TIME = 1.0  # [s] in ROS time when the robot's begins: a stamp of zero would be none

Fault = Callable[[RobotState], bool]
"""Spoils a measurement in place; returns whether it is sent at all."""


def honest(_: RobotState) -> bool:
    """Leave a measurement as it is."""
    return True


class RobotSide:
    """A simulated robot that moves by one servo period before each look of the servo.

    Args:
        node: The servo, not started.
        domain: Of the transports, for robots on topics.
        settle: Waits until the servo has what was published.

    Attributes:
        fault: What happens to measurements on their way.
        simulation: The truth.
    """

    def __init__(self, node: ServoNode, domain: str, settle: Callable[[], None]) -> None:
        interface = node.stack.robot_interface
        self.fault: Fault = honest
        self._settle = settle
        self._transport = None
        if interface.parameters.get("mode") is not None:  # it steps by itself
            self.simulation = interface.simulation
            self._link = None
        else:
            simulator = simulator_with(interface.setup, node.stack.configuration.simulator)
            self._steps = simulator.steps_per_cycle
            self.simulation = Simulation(simulator.setup, simulator.options())
            if isinstance(interface, Topic):
                name = f"/{node.stack.configuration.name}"
                self._transport = LocalTransport("robot", name, domain=domain)
                self._link = RobotTopicLink(interface.topics, self._transport, ROBOT_TIME)
            else:
                self._link = interface.robot_end()
            self._link.open()
            self._link.tend()
            self._command = CommandFrame(len(simulator.setup.command_names))
        self._sent = interface.setup.create_state()
        self._read, self._write = interface.read, interface.write
        self._is_commanded = False
        interface.read, interface.write = self._read_later, self._write_noted

    def _read_later(self, state: RobotState) -> bool:
        """Stand in for the interface's `read`."""
        if self._link is None:
            return self._read(state) and self.fault(state)
        self._step()
        return self._read(state)

    def _write_noted(self, command: Command) -> None:
        """Stand in for the interface's `write`."""
        self._write(command)
        self._is_commanded = True

    def _step(self) -> None:
        if self._transport is not None:
            self._wait_for_relay()
        if self._link.receive(self._command.vector):
            self.simulation.apply_frame(self._command)
        for _ in range(self._steps):
            self.simulation.step()
        np.copyto(self._sent.vector, self.simulation.latest().vector)
        if self.fault(self._sent):
            self._link.send(self._sent.vector)
            self._settle()

    def _wait_for_relay(self) -> None:
        """Have the servo's last command, whose relay a busy machine may hold up meanwhile."""
        if self._is_commanded:
            self._link.wait(RELAY_PATIENCE)
            self._is_commanded = False
        self._transport.settle()

    def close(self) -> None:
        """Close the robot's end."""
        if self._link is not None:
            self._link.close()
        if self._transport is not None:
            self._transport.close()
