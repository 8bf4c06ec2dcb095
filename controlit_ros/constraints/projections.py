"""The projections of the control law as they are written; they specify `kernels.project`."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.linear_algebra import (
    NOISE,
    ROUNDING,
    independent_rows,
    transposed_inverse,
)


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
        Phi_root: `(na, rank)` C with `Φ = C Cᵀ`.
        effort_map: `(na, rank)` E with `Cᵀ E = 1` and `Φ⁺ = E Eᵀ`.
        mobility: `(nv,)` `√(A⁻¹)_ii`.
        UNc_bar: `(nv, na)`.
    """

    A_inv: Array
    Lambda_c: Array
    Jc_bar: Array
    Nc: Array
    UNc: Array
    Phi: Array
    Phi_root: Array
    effort_map: Array
    mobility: Array
    UNc_bar: Array


def compute_projections(A: Array, Jc: Array, command_dofs: Indices) -> Projections:
    """Compute the projections from their definitions.

    With `A⁻¹ = K Kᵀ` the matrices to invert are squares: `Jc A⁻¹ Jcᵀ` that of `Jc K`, and Φ that of
    `U K P`, where P removes the rows of `Jc K`. What is independent is decided on those rows.

    Args:
        A: `(nv, nv)` joint space inertia.
        Jc: `(nc, nv)` constraint Jacobian.
        command_dofs: `(na,)` degrees of freedom that U selects.
    """
    K = np.linalg.inv(np.linalg.cholesky(A)).T
    A_inv: Array = K @ K.T
    mobility = np.sqrt(A_inv.diagonal())
    W = Jc @ K
    noise = NOISE / ROUNDING * mobility.max()
    constrained = independent_rows(W, whole=np.linalg.norm(W, axis=1) + noise)
    E = transposed_inverse(constrained.coefficients)
    Lambda_c = E @ E.T
    Jc_bar = A_inv @ Jc.T @ Lambda_c
    Nc = np.eye(len(A)) - Jc_bar @ Jc
    UNc = Nc[command_dofs]
    Phi = UNc @ A_inv @ UNc.T
    V = K[command_dofs]
    moving = V - (V @ constrained.basis.T) @ constrained.basis
    moving -= (moving @ constrained.basis.T) @ constrained.basis
    root = independent_rows(moving, whole=np.linalg.norm(V, axis=1)).coefficients
    E = transposed_inverse(root)
    UNc_bar = A_inv @ UNc.T @ E @ E.T
    return Projections(A_inv, Lambda_c, Jc_bar, Nc, UNc, Phi, root, E, mobility, UNc_bar)


def compute_drift(
    projections: Projections,
    Jc_bias: Array,
    compensation: Array,
    command_dofs: Indices,
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
