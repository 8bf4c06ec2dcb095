"""What can go wrong between nodes."""

from controlit_ros.errors import ControlItError


class TransportError(ControlItError):
    """Root of the exceptions of this room.

    Attributes:
        name: Of the node, topic or service that it is about; `None` where it is about none.
    """

    def __init__(self, text: str = "", name: str | None = None) -> None:
        super().__init__(text)
        self.name = name


class InvalidNameError(TransportError):
    """The name of a node, topic or service breaks the rules of ROS."""


class TypeConflictError(TransportError):
    """A topic or service is used with two types in one process."""


class TransportClosedError(TransportError):
    """The transport, or the part of it that was called, has been closed."""


class ServiceTimeoutError(TransportError, TimeoutError):
    """A service did not answer in time, or there is none of that name."""
