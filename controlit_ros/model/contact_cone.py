"""ContactCone: the wrenches that a contact bears, as half-spaces."""

from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array


class ContactBound(Enum):
    """What of a contact a row of its cone bounds."""

    FRICTION = "friction"
    """Neither pulls nor slips."""
    SOLE = "sole"
    """The centre of pressure stays within the sole."""
    TWIST = "twist"
    """It does not turn about the ground's normal."""
    LEAST = "least normal force"
    """It is pressed at least so much."""
    GREATEST = "greatest normal force"
    """It is pressed no more; the last row of every cone."""


class ContactCone(NamedTuple):
    """Wrenches w with `rows w ≤ limits`: force, then moment about the contact point, in its axes.

    Attributes:
        rows: `(k, 6)` each of a length that makes its product a force.
        limits: `(k,)` [N]; infinite where nothing is bounded.
        bounds: `k` of them, what each row bounds.
    """

    rows: Array
    limits: Array
    bounds: tuple[ContactBound, ...]

    def beyond(self, wrench: Array) -> float:
        """Return by how much the worst row is passed by a wrench, `(6,)` [N]; below zero: none."""
        passed: Array = self.rows @ wrench - self.limits
        return float(np.max(passed))
