"""What can go wrong with the console itself."""

from controlit_ros.errors import ControlItError


class ConsoleError(ControlItError):
    """The page cannot be served, or does not allow what was asked for."""
