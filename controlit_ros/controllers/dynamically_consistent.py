"""DynamicallyConsistent: lower levels accelerate no higher one."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.null_space_projector import NullSpaceProjector


class DynamicallyConsistent(NullSpaceProjector):
    """W = Φ (paper section 3): `J* Φ τ = 0` for the efforts τ of every lower level."""

    is_dynamically_consistent = True

    def write_weighting(self, model: ConstrainedModel, weighting: Array) -> None:
        """Write Φ."""
        np.copyto(weighting, model.Phi)
