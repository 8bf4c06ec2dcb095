"""End: what the publishers, subscriptions, services and clients of all middlewares share."""

from abc import ABC, abstractmethod

from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.sent import Sent


class End(ABC):
    """One end of a topic or service: what it is called, and whether it is in use.

    Publishers and subscriptions call the name `topic`, services and clients `name`.

    Args:
        endpoint: The topic or service, remapped.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._closed = False

    @property
    def lost(self) -> int:
        """Messages it missed while open, as far as the middleware can tell."""
        return 0

    @property
    def sent(self) -> Sent | None:
        """What a publisher has sent while open; `None` of other ends."""
        return None

    @property
    def name(self) -> str:
        """Absolute name of the topic or service, remapped."""
        return self.endpoint.name

    topic = name

    @property
    def type_name(self) -> str:
        """Name of the message or service type."""
        return self.endpoint.type_name

    @property
    def is_open(self) -> bool:
        """Whether this end is still in use."""
        return not self._closed

    @abstractmethod
    def close(self) -> None:
        """Give up this end; idempotent."""
