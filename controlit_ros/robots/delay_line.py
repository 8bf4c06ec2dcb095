"""DelayLine: vectors that come out a fixed number of steps after they went in."""

import numpy as np

from controlit_ros.arrays import Array


class DelayLine:
    """Ring buffer of vectors, allocated once.

    Args:
        steps: Number of steps a vector spends inside; 0 hands it on at once.
        size: Length of the vectors.
    """

    def __init__(self, steps: int, size: int) -> None:
        self._ring = np.zeros((steps + 1, size))
        self._next = 0

    def fill(self, vector: Array) -> None:
        """Make everything inside equal to `vector`, `(size,)`."""
        self._ring[:] = vector

    def push(self, vector: Array) -> Array:
        """Put a vector in and return the one that comes out.

        Args:
            vector: `(size,)`, copied.

        Returns:
            `(size,)` a view, valid until the next `push`.
        """
        newest = self._next
        self._ring[newest] = vector
        self._next = (newest + 1) % len(self._ring)
        oldest: Array = self._ring[self._next]
        return oldest
