"""WrenchSensor: what measures the force and moment that a contact bears."""

from typing import NamedTuple


class Mount(NamedTuple):
    """A link that moves with a sensor, in whose frame a driver may report.

    Attributes:
        link: Its name.
        position: `(3,)` its origin in the frame of the touching body [m].
        orientation: `(4,)` its axes in that frame, quaternion xyzw.
    """

    link: str
    position: tuple[float, float, float]
    orientation: tuple[float, float, float, float]


class WrenchSensor(NamedTuple):
    """A sensor as robot interfaces know it.

    Its wrench is what the world exerts on the touching body: force, then moment about `point`, in
    the axes of the body's frame [N, N m].

    Attributes:
        contact: Name of the contact.
        link: The touching body.
        point: `(3,)` the touching point in the body's frame, as configured [m].
        mounts: The links that are fixed to the body, itself among them.
    """

    contact: str
    link: str
    point: tuple[float, float, float]
    mounts: tuple[Mount, ...]
