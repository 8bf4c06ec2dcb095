"""Shared vectors: the values of bindings in shared memory, for both sides of them.

Another process moves a goal and watches an error like this:

    with VectorSender("/arm/Hand/goal_position", 3) as goal:
        goal.send([0.1, -0.3, 0.8])

    with VectorReceiver("/arm/Hand/error", 3) as error:
        error.wait(1.0)
        print(error.receive())
"""

import os
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array
from controlit_ros.robots.channel import ChannelReader, ChannelWriter

_End = TypeVar("_End", bound="_VectorEnd")


def channel_name(topic: str) -> str:
    """Return the channel of an absolute topic in this ROS domain."""
    return f"binding.{os.environ.get('ROS_DOMAIN_ID', '0')}{topic.replace('/', '.')}"


def layout_text(labels: Sequence[str]) -> str:
    """Return what the numbers of a vector mean, for the check that both sides agree."""
    return f"vector {','.join(labels)}" if labels else "vector"


class _VectorEnd:
    """Closes itself when left."""

    def close(self) -> None:
        """Give the channel up; idempotent."""

    def __enter__(self: _End) -> _End:  # noqa: PYI019 - typing.Self needs Python 3.11
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class VectorSender(_VectorEnd):
    """Owns the vector of a topic; what it sent last is what others see.

    Args:
        topic: Absolute name, as of a ROS topic.
        size: Number of values.
        labels: Names of the values, where the parameter has some: its joints.

    Raises:
        ChannelError: Another process sends on this topic, or there is no memory left.
    """

    def __init__(self, topic: str, size: int, labels: Sequence[str] = ()) -> None:
        self._writer = ChannelWriter(channel_name(topic), layout_text(labels), size)
        self._size = size

    def send(self, values: npt.ArrayLike) -> None:
        """Replace the vector, `(size,)`.

        Raises:
            ValueError: There are more or fewer values.
        """
        vector = np.asarray(values, dtype=np.float64).reshape(-1)
        if len(vector) != self._size:
            raise ValueError(f"found {len(vector)} values, expected {self._size}")
        self._writer.write(vector)

    def close(self) -> None:
        """Give the topic up; idempotent."""
        self._writer.close()


class VectorReceiver(_VectorEnd):
    """Sees the vector of a topic, whichever process owns it at the time.

    Args:
        topic: Absolute name, as of a ROS topic.
        size: Number of values.
        labels: Names of the values, where the parameter has some: its joints.

    Attributes:
        owner: Process that sends or last sent; 0: none was seen.
    """

    def __init__(self, topic: str, size: int, labels: Sequence[str] = ()) -> None:
        self._reader = ChannelReader(channel_name(topic), layout_text(labels), size)
        self._values = np.zeros(size)

    @property
    def owner(self) -> int:
        """Process that sends or last sent; 0: none was seen."""
        return self._reader.owner

    def attach(self, *, with_present: bool = True) -> bool:
        """Look for the sender; return whether it lives.

        Args:
            with_present: Whether what it sent before counts as new.

        Raises:
            ChannelError: It sends something else: other labels, or another number of values.
        """
        return self._reader.attach(with_present=with_present)

    def receive(self) -> Array | None:
        """Return the newest vector, `(size,)`, or `None` if there is nothing new.

        Raises:
            ChannelError: The sender sends something else.
        """
        if not self._reader.attached:
            self.attach()
        return self._values.copy() if self._reader.read(self._values) else None

    def wait(self, timeout: float) -> None:
        """Sleep until there may be something new, or for `timeout` [s] at most."""
        if not self._reader.attached:
            self.attach()
        self._reader.wait(timeout)

    def close(self) -> None:
        """Forget the sender; idempotent."""
        self._reader.detach()
