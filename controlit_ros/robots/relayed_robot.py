"""RelayedRobot: a robot behind a relay that has the transport."""

from abc import abstractmethod

from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.relay_link import RelayLink
from controlit_ros.robots.remote_robot import RemoteRobot
from controlit_ros.robots.robot_interface import RobotSetup, RobotTopics
from controlit_ros.robots.shared_memory import default_channel


class RelayedRobot(RemoteRobot):
    """Base of the interfaces to joint controllers that speak messages.

    Messages are made and taken apart by a relay, in whichever thread or process has the transport;
    the servo exchanges numbers with it through shared memory and never waits for a message.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self._channel = self.declare_setting(
            "channel",
            f"{default_channel(setup)}.topic",
            "Name of the shared memory between servo and relay.",
        )

    @property
    @abstractmethod
    def topics(self) -> RobotTopics:
        """What a relay has to join."""

    def servo_end(self) -> Link:
        """Return the servo's link to the relay."""
        setup = self.setup
        return RelayLink(
            self._channel.value,
            self.topics.state_topic,
            state_layout(setup),
            command_layout(setup),
        )

    def robot_end(self) -> Link:
        """Return the relay's link to the servo."""
        setup = self.setup
        return ChannelLink(self._channel.value, command_layout(setup), state_layout(setup))
