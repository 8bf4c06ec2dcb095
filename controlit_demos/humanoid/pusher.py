"""Pusher: disturbs a simulated robot, in this process or its own."""

from typing import Protocol

from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.push_channel import PushWriter


class Pusher(Protocol):
    """Pushes links."""

    def push(self, link: str, force: tuple[float, float, float], duration: float) -> None:
        """Push a link at its centre of mass with a force [N] in the world for a time [s]."""

    def close(self) -> None:
        """Stop; idempotent."""


def pusher(stack: ControllerStack) -> Pusher:
    """Return who pushes the robot of a controller.

    Raises:
        ControlItError: The robot cannot be simulated.
    """
    interface = simulated_robot(stack)
    try:
        return _OwnPusher(interface)
    except ControlItError:
        return PushWriter(interface.setup.urdf, interface.channel)


class _OwnPusher:
    """Pushes the robot of a simulation in this process."""

    def __init__(self, interface: MuJoCo) -> None:
        self._simulation = interface.simulation

    def push(self, link: str, force: tuple[float, float, float], duration: float) -> None:
        self._simulation.push(link, force, duration)

    def close(self) -> None:
        pass
