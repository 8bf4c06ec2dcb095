"""NullSpaceProjector: what a lower level is left by the levels above."""

from abc import ABC, abstractmethod

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel


class NullSpaceProjector(ABC):
    """Projects the levels below a level into its null space.

        N* ← (I − W J*ᵀ (J* W J*ᵀ)⁺ J*) N*

    A projector chooses the weighting W. With W = Φ efforts of lower levels accelerate no higher
    level; any other W gives up that property for one of its own.

    A plugin: the class is named in the entry point group `controlit.null_space_projectors`.
    """

    is_dynamically_consistent = False
    """Whether W is Φ; then `write_weighting` is never called."""

    @abstractmethod
    def write_weighting(self, model: ConstrainedModel, weighting: Array) -> None:
        """Write W, `(na, na)`, symmetric positive definite; servo thread.

        Args:
            model: The model the command is computed from.
            weighting: `(na, na)` over the command joints.
        """
