"""LinearInequality: what must stay between bounds."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.optimisation.affine import Affine


class LinearInequality(NamedTuple):
    """`lower ≤ f(x) ≤ upper`, infinite where nothing bounds.

    Attributes:
        name: What it stands for.
        function: f of k entries.
        lower: `(k,)`.
        upper: `(k,)`.
    """

    name: str
    function: Affine
    lower: Array
    upper: Array

    def violation(self, x: Array) -> float:
        """Return by how much the worst bound is passed at variables `(n,)`; 0: none is."""
        found = self.function(x)
        passed = np.maximum(self.lower - found, found - self.upper)
        return float(passed.max(initial=0.0))
