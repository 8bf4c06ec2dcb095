"""Whether numbers are numbers, at little cost, and what to say when they are not."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError


class NotFiniteError(ControlItError):
    """Something computed what is not a number.

    Args:
        owner: What did.
        what: Which of its quantities.
        values: The quantity.
    """

    def __init__(self, owner: str, what: str, values: Array) -> None:
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            at = ", ".join(str(i) for i in bad[0])
            found = f"{values[tuple(bad[0])]} at [{at}]"
        else:
            found = f"numbers up to {np.abs(values).max():g}"
        super().__init__(f"{owner}: {what} is not finite: found {found}")


def is_finite(values: Array) -> bool:
    """Tell whether every entry is finite (and below 1e154, where squares end).

    Args:
        values: Of any shape; contiguous, or it is copied.
    """
    # a dot product costs a quarter of isfinite().all() and, unlike a sum, never warns of infinities
    flat = values if values.ndim == 1 else values.reshape(-1)
    return math.isfinite(flat.dot(flat))
