"""InertialUnit: what measures how the root link turns and accelerates."""

from typing import NamedTuple


class InertialUnit(NamedTuple):
    """An inertial measurement unit on the root link.

    Attributes:
        position: `(3,)` in the root link frame [m].
        orientation: `(4,)` of its axes in the root link frame, quaternion xyzw.
        link: The link it is named after, in headers of messages.
    """

    position: tuple[float, float, float]
    orientation: tuple[float, float, float, float]
    link: str
