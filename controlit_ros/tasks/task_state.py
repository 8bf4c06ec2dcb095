"""TaskState: what a task knows of one model state."""

import numpy as np
import numpy.typing as npt


class TaskState:
    """Result of updating a task on a model; each task owns two, active and inactive.

    Attributes:
        jacobian: `(dim, nv)` J.
        bias: `(dim,)` `J̇ v`.
        velocity: `(dim,)` `J v`.
        actual: The controlled quantity, in the form of the task's goal.
        valid: Whether it has been computed since the task was last disabled.
    """

    __slots__ = ("actual", "bias", "jacobian", "valid", "velocity")

    def __init__(self, dimension: int, nv: int, actual_shape: tuple[int, ...]) -> None:
        self.jacobian: npt.NDArray[np.float64] = np.zeros((dimension, nv))
        self.bias: npt.NDArray[np.float64] = np.zeros(dimension)
        self.velocity: npt.NDArray[np.float64] = np.zeros(dimension)
        self.actual: npt.NDArray[np.float64] = np.zeros(actual_shape)
        self.valid = False
