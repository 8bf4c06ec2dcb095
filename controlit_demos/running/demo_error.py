"""DemoError: why a demonstration cannot go on."""

from controlit_ros.errors import ControlItError


class DemoError(ControlItError):
    """The demonstration cannot go on; the text says why."""
