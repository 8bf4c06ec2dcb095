"""ConversionError: a message and a parameter that do not fit each other."""

from controlit_ros.errors import ControlItError


class ConversionError(ControlItError):
    """A message does not fit a parameter; the text names both."""
