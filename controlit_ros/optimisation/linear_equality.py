"""LinearEquality: what must be zero."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.optimisation.affine import Affine


class LinearEquality(NamedTuple):
    """`f(x) = 0`.

    Attributes:
        name: What it stands for.
        function: f of k entries.
    """

    name: str
    function: Affine

    def violation(self, x: Array) -> float:
        """Return the largest entry of f at variables `(n,)`, without its sign."""
        return float(np.abs(self.function(x)).max(initial=0.0))
