"""ChannelLink: servo and robot joined by shared memory."""

from controlit_ros.arrays import Array
from controlit_ros.robots.channel import ChannelError, ChannelReader, ChannelWriter
from controlit_ros.robots.layout import Layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.robot_interface import RobotInterfaceError

SILENCE = 0.05  # [s] many measurements; who is silent for so long may have died


class ChannelLink(Link):
    """Two channels of shared memory, one each way: `<name>.state` and `<name>.command`.

    `tend` notices the death of the peer by the lock that the system takes from it, and joins
    whichever process owns the channel next.

    Args:
        name: Name of the shared memory, the same on both sides.
        incoming: What the peer sends.
        outgoing: What this end sends.

    Attributes:
        is_foreign: Whether the incoming channel carries something else than expected.
    """

    def __init__(self, name: str, incoming: Layout, outgoing: Layout) -> None:
        super().__init__(incoming, outgoing)
        self._name = name
        self._reader = ChannelReader(f"{name}.{incoming.kind}", incoming.text, incoming.size)
        self._writer: ChannelWriter | None = None
        self._trouble = ""
        self.is_foreign = False

    @property
    def silence(self) -> float:
        """Time since the peer wrote last, infinite before [s]."""
        return self._reader.silence

    def open(self) -> None:
        """Own the outgoing channel and look for the owner of the other; idempotent."""
        if self._writer is not None:
            return
        layout = self.outgoing
        try:
            self._writer = ChannelWriter(f"{self._name}.{layout.kind}", layout.text, layout.size)
        except ChannelError as error:
            raise RobotInterfaceError(str(error)) from None
        self.tend()

    def send(self, vector: Array) -> None:
        """Leave a vector for the peer."""
        writer = self._writer
        if writer is not None:
            writer.write(vector)

    def wait(self, timeout: float) -> None:
        """Sleep until the peer writes."""
        self._reader.wait(timeout)

    def tend(self) -> bool:
        """Join the owner of the incoming channel if there is another than before."""
        if self._reader.silence < SILENCE:
            self._trouble = ""
            return True
        try:
            alive = self._reader.attach()
        except ChannelError as error:
            self.counts.malformed += not self.is_foreign
            self._trouble = str(error)
            self.is_foreign = True
            return False
        self.is_foreign = False
        self._trouble = "" if alive else self._absence()
        return alive

    def explain(self) -> str:
        """Tell whether the peer is dead, silent or another."""
        return self._trouble or self._explain_numbers() or self._silent()

    def close(self) -> None:
        """Give the outgoing channel up and forget the other."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
        self._reader.detach()

    def _take(self, vector: Array) -> bool:
        return self._reader.read(vector)

    def _absence(self) -> str:
        path, owner = self._reader.path, self._reader.owner
        if owner:
            return f"process {owner}, which wrote {path}, has ended"
        return f"no living process owns {path}"

    def _silent(self) -> str:
        if self._reader.silence < SILENCE:
            return ""
        return f"process {self._reader.owner} lives but writes nothing to {self._reader.path}"
