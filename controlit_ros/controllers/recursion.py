"""The recursion over levels as it is written: the specification of `kernels.prioritised_effort`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.linear_algebra import damped_inverse, symmetric_pseudo_inverse

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
    damping: float = 0.0,
    weighting: Array | None = None,
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

    With `damping` the damped inverse takes the place of the pseudo-inverse in τ. With a `weighting`
    W, `(na, na)`, `N* ← (I − W J*ᵀ (J* W J*ᵀ)⁺ J*) N*`; the default is Φ.
    """
    weighting = Phi if weighting is None else weighting
    effort = np.zeros(len(Phi))
    N = np.eye(len(Phi))
    for level in levels:
        unprojected = level.jacobian @ UNc_bar
        J = unprojected @ N
        disturbance = (unprojected if reach_lower_levels else J) @ Phi @ effort
        moves = ~level.is_force
        push = J[level.is_force].T @ level.force[level.is_force]
        M = J[moves] @ Phi @ J[moves].T
        inertia = damped_inverse(M, damping) if damping else symmetric_pseudo_inverse(M).inverse
        missing = level.acceleration[moves] - disturbance[moves] - J[moves] @ Phi @ push
        effort += push + J[moves].T @ (inertia @ missing)
        kept = symmetric_pseudo_inverse(J @ weighting @ J.T).inverse
        N -= weighting @ J.T @ kept @ J @ N
    return effort


def compute_internal_effort(
    jacobian: Array,
    force: Array,
    Phi: Array,
    command_dofs: npt.NDArray[np.intp],
) -> Array:
    """Return `L*ᵀ U Jᵀ F` with `L* = I − Φ Φ⁺`, `(na,)` (paper eq. 8).

    Args:
        jacobian: `(rows, nv)` J.
        force: `(rows,)` F, the forces between contacts.
        Phi: `(na, na)`.
        command_dofs: `(na,)` degrees of freedom that U selects.
    """
    L_star = np.eye(len(Phi)) - Phi @ symmetric_pseudo_inverse(Phi).inverse
    effort: Array = L_star.T @ (jacobian.T @ force)[command_dofs]
    return effort
