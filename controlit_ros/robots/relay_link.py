"""RelayLink: the servo's link to a relay that speaks for the robot."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.robots.channel import ChannelError, ChannelReader, ChannelWriter
from controlit_ros.robots.channel_link import SILENCE, ChannelLink
from controlit_ros.robots.episode import Episode
from controlit_ros.robots.layout import Layout

_SUFFIX = "refused"
_LAYOUT = "refused messages"


def refusal_writer(name: str) -> ChannelWriter:
    """Return the channel in which a relay leaves the number of messages it refused.

    Raises:
        ChannelError: Another relay owns it.
    """
    return ChannelWriter(f"{name}.{_SUFFIX}", _LAYOUT, 1)


class RelayLink(ChannelLink):
    """A `ChannelLink` whose peer counts the messages that were no states of the robot.

    Args:
        name: Name of the shared memory.
        topic: Where the relay hears the robot, for messages to the user.
        incoming: What the peer sends.
        outgoing: What this end sends.
    """

    def __init__(self, name: str, topic: str, incoming: Layout, outgoing: Layout) -> None:
        super().__init__(name, incoming, outgoing)
        self._topic = topic
        self._refusals = ChannelReader(f"{name}.{_SUFFIX}", _LAYOUT, 1)
        self._refused = np.zeros(1)
        self._refused_now = Episode()

    def receive(self, vector: Array) -> bool:
        """Take the newest vector that came, and count what the relay refused."""
        if self._refusals.read(self._refused):
            total = int(self._refused.item())
            self._refused_now.add(max(total - self.counts.malformed, 1))
            self.counts.malformed = total
        return super().receive(vector)

    def tend(self) -> bool:
        """Join the relay that owns the channels."""
        is_joined = super().tend()
        try:
            self._refusals.attach()
        except ChannelError as error:
            self._trouble = self._trouble or str(error)
        return is_joined

    def explain(self) -> str:
        """Tell whether the relay is dead or hears nothing that fits."""
        if self._trouble:
            return f"the relay of topic {self._topic}: {self._trouble}"
        refused = self._refused_now.count
        if refused and self.silence > SILENCE:
            return f"{refused} messages on topic {self._topic} were refused just now"
        if self.silence > SILENCE:
            return f"no message came on topic {self._topic}"
        return self._explain_numbers()
