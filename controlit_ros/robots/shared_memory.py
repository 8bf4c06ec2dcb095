"""SharedMemory: joint controllers in another process of this machine."""

import os

from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.remote_robot import RemoteRobot
from controlit_ros.robots.robot_interface import RobotSetup
from controlit_ros.ros_arguments import pushed_namespace


def default_channel(setup: RobotSetup) -> str:
    """Return a name that controllers of one name in one ROS domain share, and no others."""
    name = f"{pushed_namespace()}/{setup.name}".strip("/").replace("/", ".")
    return f"{name}.{os.environ.get('ROS_DOMAIN_ID', '0')}"


class SharedMemory(RemoteRobot):
    """Exchanges the latest state and command through two channels of shared memory.

    The quickest way to joint controllers on the same machine. Each side owns one channel and sees
    when the owner of the other dies. `docs/robots.md` has the layout, byte by byte.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self._channel = self.declare_setting(
            "channel",
            default_channel(setup),
            "Name of the shared memory, the same on both sides.",
        )

    @property
    def place(self) -> str:
        """Where the robot is reached."""
        return f"channel {self._channel.value}"

    def servo_end(self) -> Link:
        """Return a link that owns `<channel>.command` and reads `<channel>.state`."""
        setup = self.setup
        return ChannelLink(self._channel.value, state_layout(setup), command_layout(setup))

    def robot_end(self) -> Link:
        """Return a link that owns `<channel>.state` and reads `<channel>.command`."""
        setup = self.setup
        return ChannelLink(self._channel.value, command_layout(setup), state_layout(setup))
