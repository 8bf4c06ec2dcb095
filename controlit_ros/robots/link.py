"""Link: one end of a connection between servo and robot."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.state_words import word_of
from controlit_ros.robots.episode import Episode
from controlit_ros.robots.layout import STATE, Layout


@dataclass
class LinkCounts:
    """What came, and what was refused and why.

    Attributes:
        received: Vectors handed on.
        lost: Numbers that were left out between two vectors.
        duplicate: Vectors that had come before.
        reordered: Vectors older than one that had come before.
        stale: Vectors from another life of the sender, or that come out of the blue.
        malformed: What is no vector of the layout.
        not_finite: Vectors that hold infinities or what is not a number, wrenches excepted.
    """

    received: int = 0
    lost: int = 0
    duplicate: int = 0
    reordered: int = 0
    stale: int = 0
    malformed: int = 0
    not_finite: int = 0

    @property
    def refused(self) -> int:
        """How much came and was not handed on."""
        return self.duplicate + self.reordered + self.stale + self.malformed + self.not_finite


class Link(ABC):
    """Carries the latest vector of one layout to the peer, and that of another from it.

    Servo and robot each have one, with the layouts exchanged. `send` and `receive` never block;
    each belongs to one thread. `tend` may be called by another one at the same time.

    Args:
        incoming: What the peer sends.
        outgoing: What this end sends.

    Attributes:
        counts: What came and what was refused.
    """

    def __init__(self, incoming: Layout, outgoing: Layout) -> None:
        self.incoming = incoming
        self.outgoing = outgoing
        self.counts = LinkCounts()
        self._arrived = np.zeros(incoming.size)
        self._required = self._arrived[: incoming.required]
        self._not_finite = Episode()
        self._not_finite_at = 0

    @abstractmethod
    def open(self) -> None:
        """Connect; the peer may come later.

        Raises:
            RobotInterfaceError: The connection is taken or not permitted.
        """

    @abstractmethod
    def send(self, vector: Array) -> None:
        """Send a vector of the outgoing layout; the peer gets it or a later one."""

    def receive(self, vector: Array) -> bool:
        """Take the newest vector that came.

        Args:
            vector: `(incoming.size,)` receives it; left alone when there is nothing new.

        Returns:
            Whether there was a new one.
        """
        if not self._take(self._arrived):
            return False
        if not np.isfinite(self._required).all():
            self.counts.not_finite += 1
            self._not_finite.add()
            self._not_finite_at = int(np.argmin(np.isfinite(self._required)))
            return False
        self.counts.received += 1
        np.copyto(vector, self._arrived)
        return True

    @abstractmethod
    def wait(self, timeout: float) -> None:
        """Sleep until something may have come, or for `timeout` [s] at most."""

    def tend(self) -> bool:
        """Look after the connection, some times a second; return whether the peer seems there."""
        return True

    @abstractmethod
    def explain(self) -> str:
        """Say what is wrong with what comes, as the end of a sentence; empty: nothing."""

    @abstractmethod
    def close(self) -> None:
        """Disconnect; idempotent."""

    @abstractmethod
    def _take(self, vector: Array) -> bool:
        """Copy the newest vector unless it was taken before; count what is refused."""

    def _explain_numbers(self) -> str:
        count = self._not_finite.count
        if not count:
            return ""
        incoming, index = self.incoming, self._not_finite_at
        known = incoming.kind == STATE
        word = word_of(incoming.joint_names, index) if known else f"number {index}"
        return f"{count} of its vectors were not finite just now, the last at the {word}"
