"""RemotePart: what all parts of a running controller have in common."""

from controlit_ros.client.steered import Steered


class RemotePart:
    """A part of a running controller, known by its name.

    Args:
        name: Of the part.
        robot: Whose it is.

    Attributes:
        name: Of the part.
    """

    def __init__(self, name: str, robot: Steered) -> None:
        self.name = name
        self._robot = robot

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"
