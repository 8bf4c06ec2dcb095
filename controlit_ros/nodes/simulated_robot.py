"""What simulates the robot of a controller, whichever interface joins both."""

from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulator import simulator_with
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.remote_robot import RemoteRobot


def simulated_robot(stack: ControllerStack) -> MuJoCo:
    """Return the simulator of a controller's robot: its interface, or what `simulator` describes.

    Raises:
        ControlItError: The robot interface is one that no simulator can be at the other end of.
    """
    interface = stack.robot_interface
    if isinstance(interface, MuJoCo):
        return interface
    if not isinstance(interface, RemoteRobot):
        raise ControlItError(
            f"{stack.configuration.source}: found the robot interface "
            f"{type(interface).__name__}, expected MuJoCo, SharedMemory, UDP or Topic: nothing "
            "else can be simulated"
        )
    return simulator_with(interface.setup, stack.configuration.simulator)
