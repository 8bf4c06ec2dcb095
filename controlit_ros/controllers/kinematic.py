"""Kinematic: lower levels exert no static force on a higher one."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.null_space_projector import NullSpaceProjector


class Kinematic(NullSpaceProjector):
    """W = I: the orthogonal projector `N* ← (I − J*⁺ J*) N*`, which knows no inertia.

    `J* τ = 0` for the efforts τ of every lower level. They do accelerate higher levels, which make
    up for it only where a level above them does; in exchange an error in the inertia does not
    rotate the null space.
    """

    def write_weighting(self, model: ConstrainedModel, weighting: Array) -> None:  # noqa: ARG002 - it knows no inertia
        """Write the identity."""
        weighting.fill(0.0)
        np.fill_diagonal(weighting, 1.0)
