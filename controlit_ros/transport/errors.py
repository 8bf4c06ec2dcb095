"""What can go wrong between nodes."""

from controlit_ros.errors import ControlItError


class TransportError(ControlItError):
    """Root of the exceptions of this room."""


class InvalidNameError(TransportError):
    """The name of a node, topic or service breaks the rules of ROS."""


class TypeConflictError(TransportError):
    """A topic or service is used with two types in one process."""


class TransportClosedError(TransportError):
    """The transport, or the part of it that was called, has been closed."""


class ServiceTimeoutError(TransportError, TimeoutError):
    """A service did not answer in time, or there is none of that name."""
