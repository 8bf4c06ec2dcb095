"""PostureHold: joints stay where they were, without any task."""

import math

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.model import RobotState

LEAST_MOBILITY = 1e-3  # [1/(kg m²)] of joints that the constraints hold


class PostureHold:
    """Efforts that hold a posture under the constraints, for robots that must balance meanwhile.

        τ_i = (kp (q₀ − q)_i − 2 √kp q̇_i) / Φ_ii

    beside the compensation `UNc̄ᵀ (B + G)`: a spring and a damper at each joint, as strong as what
    the joint moves under the constraints is heavy. Springs also act where the constraints let
    nothing move, and so load the foot a robot leans towards; `Φ⁺` in their place, which moves the
    same and exerts no such forces, lets it tip over. On enough contacts the joints hold the base.
    Nothing of a task or a controller is needed.

    Args:
        joints: `(na,)` where the command joints stand among the real joints.
        kp: Stiffness per inertia [1/s²].
    """

    def __init__(self, joints: Indices, kp: float) -> None:
        self._joints = joints
        self._kp, self._kd = kp, 2.0 * math.sqrt(kp)
        self._posture: Array = np.zeros(len(joints))
        self._acceleration: Array = np.zeros(len(joints))
        self._part: Array = np.zeros(len(joints))

    def latch(self, state: RobotState) -> None:
        """Hold the posture of a state from now on."""
        state.position.take(self._joints, out=self._posture, mode="clip")

    def add(self, model: ConstrainedModel, state: RobotState, effort: Array) -> None:
        """Add the efforts that lead from a state to the posture.

        Args:
            model: Its constraints hold.
            state: Measured.
            effort: `(na,)` added to [N m].
        """
        wanted, part = self._acceleration, self._part
        state.position.take(self._joints, out=part, mode="clip")
        np.subtract(self._posture, part, out=wanted)
        wanted *= self._kp
        state.velocity.take(self._joints, out=part, mode="clip")
        part *= self._kd
        wanted -= part
        np.maximum(model.Phi.diagonal(), LEAST_MOBILITY, out=part)
        wanted /= part
        effort += wanted
