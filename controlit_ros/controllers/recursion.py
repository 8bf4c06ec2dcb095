"""The recursion over levels as it is written: the specification of `kernels.prioritised_effort`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.linear_algebra import symmetric_pseudo_inverse

Array = npt.NDArray[np.float64]


class LevelRows(NamedTuple):
    """Rows of one priority level.

    Attributes:
        jacobian: `(rows, nv)` J.
        acceleration: `(rows,)` accelerations to reach, bias taken off; unused for force rows.
        force: `(rows,)` forces to exert; unused for acceleration rows.
        is_force: `(rows,)`.
    """

    jacobian: Array
    acceleration: Array
    force: Array
    is_force: npt.NDArray[np.bool_]


def compute_effort(
    levels: Sequence[LevelRows],
    UNc_bar: Array,
    Phi: Array,
    *,
    reach_lower_levels: bool = False,
) -> Array:
    """Return the effort of all levels, highest priority first, without bias compensation, `(na,)`.

    From `N*₀ = I` and `τ = 0`, level by level (paper section 3):

        J* = J_i UNc̄ N*    Λ* = (J* Φ J*ᵀ)⁺
        τ += J*ᵀ (Λ* u_i − Λ* J* Φ τ)
        N* ← (I − Φ J*ᵀ Λ* J*) N*

    Rows that command a force F contribute `J*ᵀ F`; rows of the same level that command an
    acceleration make up for what the forces would add to it.

    `J* Φ τ` is zero for the τ of the levels above, because J* is projected. On request
    (`reach_lower_levels`) the unprojected `J_i UNc̄ Φ τ` takes its place, so that a lower level
    reaches its acceleration wherever the levels above leave room for it.
    """
    effort = np.zeros(len(Phi))
    N = np.eye(len(Phi))
    for level in levels:
        unprojected = level.jacobian @ UNc_bar
        disturbance = np.zeros(len(unprojected))
        if reach_lower_levels:
            disturbance = unprojected @ Phi @ effort
        J = unprojected @ N
        J_Phi = J @ Phi
        inertia = symmetric_pseudo_inverse(J_Phi @ J.T).inverse
        moves = ~level.is_force
        effort += J[level.is_force].T @ level.force[level.is_force]
        inertia_of_moves = symmetric_pseudo_inverse(J_Phi[moves] @ J[moves].T).inverse
        missing = level.acceleration[moves] - disturbance[moves] - J_Phi[moves] @ effort
        effort += J[moves].T @ (inertia_of_moves @ missing)
        N -= J_Phi.T @ inertia @ J @ N
    return effort
