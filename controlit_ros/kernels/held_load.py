"""Forces that a robot exerts on what holds it."""

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import kernel


@kernel
def force_load(jacobian: Array, command: Array, is_force: Flags, load: Array) -> None:
    """Write what the surroundings bear, `Σ Jᵀ F` over the rows that command forces.

    Args:
        jacobian: `(rows, nv)`.
        command: `(rows,)`.
        is_force: `(rows,)`.
        load: `(nv,)` result.
    """
    for k in range(len(load)):
        load[k] = 0.0
    for i in range(len(command)):
        if is_force[i]:
            for k in range(len(load)):
                load[k] += jacobian[i, k] * command[i]


@kernel
def hold_load(
    load: Array,
    task_map: Array,
    effort_map: Array,
    unheld: Array,
    bias_effort: Array,
    drift: Array,
    work: Array,
    held_effort: Array,
    held_drift: Array,
) -> None:
    """Write effort and drift of a robot whose surroundings bear a load; see `HeldLoad`.

    Args:
        load: `(nv,)` see `force_load`.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        unheld: `(nv, nv)` `Nc A⁻¹ − T Tᵀ`, or `(0, 0)` where that is zero.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        drift: `(nv,)` see `project`.
        work: `(rank or more,)` scratch.
        held_effort: `(na,)` result.
        held_drift: `(nv,)` result.
    """
    nv, rank = task_map.shape
    for r in range(rank):
        work[r] = 0.0
    for k in range(nv):
        held_drift[k] = drift[k]
        if load[k] != 0.0:
            for r in range(rank):
                work[r] += task_map[k, r] * load[k]
    for i in range(len(held_effort)):
        held_effort[i] = bias_effort[i]
        for r in range(rank):
            held_effort[i] += effort_map[i, r] * work[r]
    for k in range(unheld.shape[0]):
        for j in range(nv):
            held_drift[k] += unheld[k, j] * load[j]
