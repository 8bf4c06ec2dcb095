"""Criterion: a figure of a scenario, and what it must be."""

import math
from typing import NamedTuple


class Criterion(NamedTuple):
    """What is measured, and within which bounds it is good.

    Attributes:
        name: Of the figure, by which scenarios tell it.
        unit: Of the figure and its bounds.
        least: It must not be below; `None`: no matter.
        most: It must not be above; `None`: no matter.
    """

    name: str
    unit: str = ""
    least: float | None = None
    most: float | None = None

    @property
    def heading(self) -> str:
        """Name and unit."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name

    @property
    def bounds(self) -> str:
        """The bounds in words; empty without any."""
        words = (("at least", self.least), ("at most", self.most))
        return ", ".join(f"{word} {bound:g}" for word, bound in words if bound is not None)

    def is_met(self, value: float) -> bool:
        """Whether a figure is within the bounds; one that is not a number meets none."""
        if math.isnan(value):
            return self.least is None and self.most is None
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )
