"""Motion that an effort causes, integrated over one cycle."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]


@kernel
def internal_model(
    effort: Array,
    bias_effort: Array,
    Phi: Array,
    effort_map: Array,
    task_map: Array,
    drift: Array,
    command_dofs: npt.NDArray[np.intp],
    measured_position: Array,
    measured_velocity: Array,
    alpha: float,
    beta: float,
    period: float,
    position: Array,
    velocity: Array,
    work: Array,
) -> None:
    """Advance the internal model of `WBOSCImpedance`, which has the equations.

    Under an effort τ the robot accelerates by `v̇ = UNc̄ Φ (τ − UNc̄ᵀ (B + G)) − drift`, with
    `UNc̄ = T Eφᵀ`.

    Args:
        effort: `(na,)` τ.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        Phi: `(na, na)` Φ.
        effort_map: `(na, rank)` Eφ.
        task_map: `(nv, rank)` T.
        drift: `(nv,)` see `project`.
        command_dofs: `(na,)` degrees of freedom of the command joints.
        measured_position: `(na,)`.
        measured_velocity: `(na,)`.
        alpha: Share of the measured position.
        beta: Share of the measured velocity.
        period: Time step [s].
        position: `(na,)` of the internal model, advanced.
        velocity: `(na,)` of the internal model, advanced.
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
        acceleration = -drift[dof]
        for k in range(rank):
            acceleration += task_map[dof, k] * y[k]
        velocity[i] += beta * (measured_velocity[i] - velocity[i]) + period * acceleration
        position[i] += alpha * (measured_position[i] - position[i]) + period * velocity[i]
