"""Ros2Control: the hardware of ros2_control, reached through its controllers."""

from controlit_ros.robots.relayed_robot import RelayedRobot
from controlit_ros.robots.robot_interface import (
    Forwarding,
    RobotInterfaceError,
    RobotSetup,
    RobotTopics,
)
from controlit_ros.robots.topic import JOINT_STATE

EFFORT, POSITION, VELOCITY = "effort", "position", "velocity"
FLOATS = "std_msgs/msg/Float64MultiArray"
DEFAULT_MANAGER = "/controller_manager"


class Ros2Control(RelayedRobot):
    """Takes states from joint_state_broadcaster and commands a forward_command_controller.

    When the servo commands, the controller is activated through controller_manager's services in
    the place of those that command the same joints; when it commands no more, they get their place
    back. Which joint each number is for is what controller_manager says.

    Joints that are commanded by position or velocity follow the internal model of a controller that
    integrates accelerations, as `WBOSCImpedance` does, within the same limits as efforts. The gains
    of the drives are the hardware's.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self._manager = self.declare_setting(
            "controller_manager", DEFAULT_MANAGER, "Name of the node controller_manager."
        )
        self._controller = self.declare_setting(
            "controller",
            "",
            "Controller that forwards commands, one number for each command joint in any order. "
            "Empty: forward_<command_interface>_controller.",
        )
        self._interface = self.declare_setting(
            "command_interface",
            EFFORT,
            "What the joints are commanded by.",
            choices=(EFFORT, POSITION, VELOCITY),
        )
        self._state_topic = self.declare_setting(
            "state_topic", "", "Topic of joint_state_broadcaster. Empty: joint_states beside it."
        )

    @property
    def topics(self) -> RobotTopics:
        """What a relay has to join."""
        beside = self._manager.value.rpartition("/")[0]
        controller = self._controller.value or f"forward_{self._interface.value}_controller"
        return RobotTopics(
            self.setup,
            self._channel.value,
            self._state_topic.value or f"{beside}/joint_states",
            JOINT_STATE,
            f"{beside}/{controller}/commands",
            FLOATS,
            tuple(f"robot/{sensor.contact}/wrench" for sensor in self.setup.sensors),
            Forwarding(self._manager.value, controller, self._interface.value),
        )

    @property
    def place(self) -> str:
        """Where the robot is reached."""
        forwarding = self.topics.forwarding
        return f"{forwarding.controller} of {forwarding.manager}" if forwarding else ""

    @property
    def needs_motion(self) -> bool:
        """Whether commands need positions and velocities."""
        return bool(self._interface.value != EFFORT)

    def configure(self) -> None:
        """Check that the states tell all the servo has to know.

        Raises:
            RobotInterfaceError: The base moves, which no joint state tells, or the name of the
                controller manager is not absolute.
        """
        if not self._manager.value.startswith("/"):
            raise RobotInterfaceError(
                f"controller_manager: found {self._manager.value!r}, expected an absolute name, "
                f"{DEFAULT_MANAGER} for example"
            )
        if not self.setup.fixed_base:
            raise RobotInterfaceError(
                "the base of this robot moves, and joint_state_broadcaster does not tell where it "
                "is; expected a contact that bolts it, or the interface Topic with RobotState"
            )
        super().configure()
