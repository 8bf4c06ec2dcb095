"""How messages of a topic are kept and delivered."""

from dataclasses import dataclass, replace
from enum import Enum

from .errors import TransportError


class Durability(Enum):
    """Whether who comes late still gets the last messages."""

    VOLATILE = "volatile"
    TRANSIENT_LOCAL = "transient_local"


@dataclass(frozen=True)
class Qos:
    """Quality of service of a publisher or subscription.

    A subscription gets nothing from a publisher that offers less than it asks for: a reliable
    one needs a reliable publisher, a transient-local one a transient-local publisher.

    Attributes:
        reliable: lost messages are sent again.
        durability: `TRANSIENT_LOCAL` gives a late subscription the last `depth` messages.
        depth: messages kept on each side when the receiver is slower than the sender; beyond
            that the oldest is dropped.
        adapts: a reliable subscription hears best-effort publishers as well: it asks them, and them
            only, for no more than they offer.
    """

    reliable: bool = True
    durability: Durability = Durability.VOLATILE
    depth: int = 50
    adapts: bool = False

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise TransportError(f"depth {self.depth} of a Qos: expected at least 1")

    @property
    def words(self) -> str:
        """What others see of it, for messages."""
        reliability = "reliable" if self.reliable else "best effort"
        return f"{reliability}, {self.durability.value.replace('_', ' ')}"

    def satisfies(self, requested: "Qos") -> bool:
        """Return whether a publisher with this Qos serves a subscription that asks `requested`."""
        return (self.reliable or not requested.reliable or requested.adapts) and (
            self.durability is Durability.TRANSIENT_LOCAL
            or requested.durability is Durability.VOLATILE
        )

    @property
    def best_effort(self) -> "Qos":
        """The same, asking for or offering no reliability."""
        return replace(self, reliable=False, adapts=False)


SENSOR_STATE = Qos(reliable=False, depth=1)
"""Joint states and odometry at the servo rate: only the newest counts, a resend comes too late."""

COMMAND = Qos(reliable=True, depth=1)
"""Commands: the newest must arrive, older ones no longer matter."""

GOAL = Qos(reliable=True, depth=1, adapts=True)
"""Goals: likewise; who streams them best effort is heard, too."""

DEFAULT = Qos(reliable=True, depth=50)
"""Everything else: 50 messages at 1 kHz bridge the 10 ms for which a Python reader may stall."""

EVENTS = Qos(reliable=True, depth=1000)
"""Events, errors and warnings: each counts, and they come in bursts."""

LATCHED = Qos(reliable=True, durability=Durability.TRANSIENT_LOCAL, depth=1)
"""Descriptions and states that change rarely: who comes late gets the last one."""

ROSOUT = Qos(reliable=True, durability=Durability.TRANSIENT_LOCAL, depth=1000)
"""Logs, as ROS 2 has them: who comes late reads what was before."""
