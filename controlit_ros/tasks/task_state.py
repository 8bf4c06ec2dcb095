"""TaskState: what a task knows of one model state."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import BoundKernels
from controlit_ros.model.robot_model import Body


class TaskState:
    """Result of updating a task on a model; each task owns two, active and inactive.

    Attributes:
        jacobian: `(dim, nv)` J.
        bias: `(dim,)` `J̇ v`.
        velocity: `(dim,)` `J v`.
        actual: The controlled quantity, in the form of the task's goal.
        valid: Whether it has been computed since the task was last disabled.
        revision: Grows with the parameters it was computed from; a task whose rows change by
            themselves adds to it, so that the command is ramped.
        motions: Kernels that write it, by the body they read.
        turns: Those that write the turning part where another one writes the place.
    """

    __slots__ = ("actual", "bias", "jacobian", "motions", "revision", "turns", "valid", "velocity")

    def __init__(self, *, jacobian: Array, bias: Array, velocity: Array, actual: Array) -> None:
        self.jacobian = jacobian
        self.bias = bias
        self.velocity = velocity
        self.actual = actual
        self.valid = False
        self.revision = 0
        self.motions: BoundKernels[Body] = BoundKernels()
        self.turns: BoundKernels[Body] = BoundKernels()

    @classmethod
    def allocate(cls, dimension: int, nv: int, actual_shape: tuple[int, ...]) -> "TaskState":
        """Return a state with memory of its own."""
        return cls(
            jacobian=np.zeros((dimension, nv)),
            bias=np.zeros(dimension),
            velocity=np.zeros(dimension),
            actual=np.zeros(actual_shape),
        )

    def copy_from(self, other: "TaskState") -> None:
        """Take over another state of the same task."""
        np.copyto(self.jacobian, other.jacobian)
        np.copyto(self.bias, other.bias)
        np.copyto(self.velocity, other.velocity)
        np.copyto(self.actual, other.actual)
        self.valid = other.valid
        self.revision = other.revision
