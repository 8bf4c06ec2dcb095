"""Footprint: the part of a body that touches the world, as a simulator needs it."""

from typing import NamedTuple

Point = tuple[float, float, float]


class Footprint(NamedTuple):
    """Where a contact constraint says that a link touches the world.

    Attributes:
        link: The touching link.
        center: `(3,)` middle of the touching surface in the link's frame [m].
        half_size: `(2,)` half length and half width along x and y of the link; zeros: a ball [m].
        radius: Of the ball [m].
    """

    link: str
    center: Point
    half_size: tuple[float, float]
    radius: float
