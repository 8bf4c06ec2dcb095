"""ModelError: what does not fit a robot."""

from controlit_ros.errors import ControlItError


class ModelError(ControlItError):
    """The robot description or what is asked of it does not fit."""
