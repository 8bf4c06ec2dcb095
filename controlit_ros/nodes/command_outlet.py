"""Where the commands of a robot's topics go out: to whoever listens, or to ros2_control."""

from collections.abc import Callable
from typing import Protocol

from controlit_ros.nodes.controller_switch import ControllerSwitch
from controlit_ros.nodes.forwarded_commands import ForwardedCommands
from controlit_ros.nodes.robot_messages import CommandMessages
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.robot_interface import Forwarding, RobotTopics
from controlit_ros.transport import COMMAND, Transport


class CommandOutlet(Protocol):
    """Publishes commands."""

    def start(self) -> None:
        """Begin; idempotent."""

    def send(self, frame: CommandFrame, now: float) -> None:
        """Publish a command of this moment on the monotonic clock [s]."""

    def rest(self) -> None:
        """There are no commands now."""

    def stop(self) -> None:
        """End; idempotent."""


class OpenOutlet:
    """Sends commands to whoever listens.

    Args:
        topics: Where to, and as what.
        transport: Topics are relative to its namespace.
        clock_offset: Seconds from the machine's monotonic clock to ROS time.
    """

    def __init__(self, topics: RobotTopics, transport: Transport, clock_offset: float) -> None:
        self._offset = clock_offset
        self._messages = CommandMessages(topics.setup.command_names, topics.command_type)
        self._publisher = transport.publisher(topics.command_topic, topics.command_type, COMMAND)

    def start(self) -> None:
        """Do nothing."""

    def send(self, frame: CommandFrame, now: float) -> None:
        """Publish a command."""
        self._publisher.publish(self._messages.write(frame, now + self._offset))

    def rest(self) -> None:
        """Do nothing: joint controllers notice the silence."""

    def stop(self) -> None:
        """Do nothing."""


class ForwardingOutlet:
    """Sends commands to a controller of ros2_control, which is active while there are some.

    Args:
        topics: Where to.
        forwarding: Which controller.
        transport: Reaches it and its manager.
        report: Takes a sentence about what is wrong.
    """

    def __init__(
        self,
        topics: RobotTopics,
        forwarding: Forwarding,
        transport: Transport,
        report: Callable[[str], None],
    ) -> None:
        self._messages = ForwardedCommands(topics.setup.command_names, forwarding.interface)
        self._switch = ControllerSwitch(forwarding, self._messages, transport, report)
        self._publisher = transport.publisher(topics.command_topic, topics.command_type, COMMAND)

    def start(self) -> None:
        """Look for the controller manager when there are commands."""
        self._switch.start()

    def send(self, frame: CommandFrame, _now: float) -> None:
        """Publish a command if the controller takes it."""
        self._switch.want(True)
        order = self._switch.order
        message = None if order is None else self._messages.write(frame, order)
        if message is not None:
            self._publisher.publish(message)

    def rest(self) -> None:
        """Give other controllers their place back."""
        self._switch.want(False)

    def stop(self) -> None:
        """Likewise, for good."""
        self._switch.stop()


def command_outlet(
    topics: RobotTopics,
    transport: Transport,
    report: Callable[[str], None],
    clock_offset: float,
) -> CommandOutlet:
    """Return where the commands of a robot go out.

    Args:
        topics: Of the robot.
        transport: Carries them.
        report: Takes a sentence about what keeps them from going out.
        clock_offset: Seconds from the machine's monotonic clock to ROS time.
    """
    if topics.forwarding is None:
        return OpenOutlet(topics, transport, clock_offset)
    return ForwardingOutlet(topics, topics.forwarding, transport, report)
