"""DynamicallyConsistent: lower levels accelerate no higher one."""

import numpy as np
import numpy.typing as npt

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.null_space_projector import NullSpaceProjector

Array = npt.NDArray[np.float64]


class DynamicallyConsistent(NullSpaceProjector):
    """W = Φ (paper section 3): `J* Φ τ = 0` for the efforts τ of every lower level."""

    is_dynamically_consistent = True

    def write_weighting(self, model: ConstrainedModel, weighting: Array) -> None:
        """Write Φ."""
        np.copyto(weighting, model.Phi)
