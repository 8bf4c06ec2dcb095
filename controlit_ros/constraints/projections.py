"""The projections of the control law as they are written; they specify `kernels.project`."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.linear_algebra import symmetric_pseudo_inverse

Array = npt.NDArray[np.float64]


class Projections(NamedTuple):
    """Dynamics seen through the constraints (paper section 3).

        Λc = (Jc A⁻¹ Jcᵀ)⁺    Jc̄ = A⁻¹ Jcᵀ Λc    Nc = I − Jc̄ Jc
        UNc = U Nc    Φ = UNc A⁻¹ UNcᵀ    UNc̄ = A⁻¹ UNcᵀ Φ⁺

    Attributes:
        A_inv: `(nv, nv)`.
        Lambda_c: `(nc, nc)`.
        Jc_bar: `(nv, nc)`.
        Nc: `(nv, nv)`.
        UNc: `(na, nv)`.
        Phi: `(na, na)`.
        UNc_bar: `(nv, na)`.
    """

    A_inv: Array
    Lambda_c: Array
    Jc_bar: Array
    Nc: Array
    UNc: Array
    Phi: Array
    UNc_bar: Array


def compute_projections(A: Array, Jc: Array, command_dofs: npt.NDArray[np.intp]) -> Projections:
    """Compute the projections from their definitions.

    Args:
        A: `(nv, nv)` joint space inertia.
        Jc: `(nc, nv)` constraint Jacobian.
        command_dofs: `(na,)` degrees of freedom that U selects.
    """
    A_inv = np.asarray(np.linalg.inv(A), dtype=np.float64)
    Lambda_c = symmetric_pseudo_inverse(Jc @ A_inv @ Jc.T).inverse
    Jc_bar = A_inv @ Jc.T @ Lambda_c
    Nc = np.eye(len(A)) - Jc_bar @ Jc
    UNc = Nc[command_dofs]
    Phi = UNc @ A_inv @ UNc.T
    UNc_bar = A_inv @ UNc.T @ symmetric_pseudo_inverse(Phi).inverse
    return Projections(A_inv, Lambda_c, Jc_bar, Nc, UNc, Phi, UNc_bar)


def compute_drift(
    projections: Projections,
    Jc_bias: Array,
    compensation: Array,
    command_dofs: npt.NDArray[np.intp],
) -> Array:
    """Return minus the acceleration under the effort `UNc̄ᵀ (B + G)` alone, `(nv,)`.

        Jc̄ J̇c v + Nc A⁻¹ (B + G − Uᵀ UNc̄ᵀ (B + G))

    The second part is what no actuator holds: zero unless motions the constraints allow are
    underactuated.

    Args:
        projections: At this state.
        Jc_bias: `(nc,)` `J̇c v`.
        compensation: `(nv,)` `B + G`.
        command_dofs: `(na,)` degrees of freedom that U selects.
    """
    left = compensation.copy()
    left[command_dofs] -= projections.UNc_bar.T @ compensation
    drift: Array = projections.Jc_bar @ Jc_bias + projections.Nc @ projections.A_inv @ left
    return drift
