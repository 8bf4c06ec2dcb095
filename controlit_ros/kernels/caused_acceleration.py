"""Acceleration that an effort causes."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel


@kernel
def caused_acceleration(
    effort: Array,
    bias_effort: Array,
    Phi: Array,
    effort_map: Array,
    task_map: Array,
    drift: Array,
    command_dofs: Indices,
    acceleration: Array,
    work: Array,
) -> None:
    """Write the acceleration of the command joints under an effort and the constraints.

        q̈ = U (UNc̄ Φ (τ − UNc̄ᵀ (B + G)) − drift),   UNc̄ = T Eφᵀ

    Args:
        effort: `(na,)` τ.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        Phi: `(na, na)` Φ.
        effort_map: `(na, rank)` Eφ.
        task_map: `(nv, rank)` T.
        drift: `(nv,)` see `project`.
        command_dofs: `(na,)` degrees of freedom of the command joints.
        acceleration: `(na,)` result.
        work: `(2, na)` scratch.
    """
    na, rank = effort_map.shape
    moving, y = work[0], work[1]
    for i in range(na):
        moving[i] = 0.0
        for j in range(na):
            moving[i] += Phi[i, j] * (effort[j] - bias_effort[j])
    for k in range(rank):
        y[k] = 0.0
        for i in range(na):
            y[k] += effort_map[i, k] * moving[i]
    for i in range(na):
        dof = command_dofs[i]
        acceleration[i] = -drift[dof]
        for k in range(rank):
            acceleration[i] += task_map[dof, k] * y[k]
