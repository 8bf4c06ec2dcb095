"""Affine: a vector that follows from the variables."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array


class Affine(NamedTuple):
    """A vector `f(x) = matrix x + offset` of k entries, over n variables.

    Attributes:
        matrix: `(k, n)`.
        offset: `(k,)`.
    """

    matrix: Array
    offset: Array

    def __call__(self, x: Array) -> Array:
        """Return f(x), `(k,)`, at variables `(n,)`."""
        value: Array = self.matrix @ x + self.offset
        return value

    def through(self, rows: Array, offset: Array | float = 0.0) -> "Affine":
        """Return `rows f(x) + offset`, with rows `(m, k)` and an offset `(m,)`."""
        return Affine(rows @ self.matrix, rows @ self.offset + offset)

    def plus(self, other: "Affine") -> "Affine":
        """Return the sum with another of as many entries."""
        return Affine(self.matrix + other.matrix, self.offset + other.offset)

    @classmethod
    def constant(cls, value: Array, variables: int) -> "Affine":
        """Return one that is `value`, `(k,)`, whatever the variables are."""
        return cls(np.zeros((len(value), variables)), value.copy())
