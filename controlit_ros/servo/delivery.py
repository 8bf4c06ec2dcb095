"""Delivery: what becomes of the rows of a sampler."""

from collections.abc import Callable
from typing import Any, Protocol

from controlit_ros.arrays import Array
from controlit_ros.servo.hand_off import HandOff, Sample


class Delivery(Protocol):
    """Reads rows and gives on what it has read; writer thread."""

    def reader(self, hand_off: HandOff) -> Callable[[int], Any]:
        """Return what reads the row at a place, and returns `None` if its checksum is wrong."""

    def give(self, read: Any) -> None:
        """Give on what was read; the next row is read afterwards."""


class Copies:
    """Gives copies of rows to a function; implements `Delivery`.

    Args:
        take: Takes stamp [s] and values, its own from now on.
    """

    def __init__(self, take: Callable[[float, Array], None]) -> None:
        self._take = take

    def reader(self, hand_off: HandOff) -> Callable[[int], Sample | None]:
        """Return what copies a row."""
        return hand_off.copy_at

    def give(self, read: Sample) -> None:
        """Give a copy on."""
        self._take(*read)
