"""Objective: what shall be small."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.optimisation.affine import Affine


class Objective(NamedTuple):
    """`½ f(x)ᵀ metric f(x)`.

    Attributes:
        name: What it stands for.
        function: f of k entries.
        metric: `(k, k)`, symmetric, no direction below zero.
    """

    name: str
    function: Affine
    metric: Array

    @classmethod
    def square(cls, name: str, function: Affine, weight: float = 1.0) -> "Objective":
        """Return `½ weight |f(x)|²`."""
        return cls(name, function, weight * np.eye(len(function.offset)))

    def value(self, x: Array) -> float:
        """Return what it is at variables `(n,)`."""
        found = self.function(x)
        return 0.5 * float(found @ self.metric @ found)
