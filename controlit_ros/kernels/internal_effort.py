"""Efforts that press contacts against each other and move nothing."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel


@kernel
def internal_effort(
    jacobian: Array,
    force: Array,
    command_dofs: Indices,
    effort_map: Array,
    Phi: Array,
    effort: Array,
    work: Array,
) -> None:
    """Add `L*ᵀ U Jᵀ F`, with `L* = I − UNc UNc̄ = I − Φ Φ⁺` (paper eq. 8).

    Args:
        jacobian: `(rows, nv)` J.
        force: `(rows,)` F [N or N m].
        command_dofs: `(na,)` columns of the command joints.
        effort_map: `(na, rank)` Eφ, with `Φ⁺ = Eφ Eφᵀ`.
        Phi: `(na, na)` Φ.
        effort: `(na,)` added to [N m].
        work: `(3, na)` scratch.
    """
    na, rank = effort_map.shape
    wanted, moving, along = work[0], work[1], work[2]
    for i in range(na):
        wanted[i] = 0.0
        for j in range(len(force)):
            wanted[i] += jacobian[j, command_dofs[i]] * force[j]
    for i in range(na):
        moving[i] = 0.0
        for j in range(na):
            moving[i] += Phi[i, j] * wanted[j]
    for k in range(rank):
        along[k] = 0.0
        for i in range(na):
            along[k] += effort_map[i, k] * moving[i]
    for i in range(na):
        effort[i] += wanted[i]
        for k in range(rank):
            effort[i] -= effort_map[i, k] * along[k]
