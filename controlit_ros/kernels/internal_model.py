"""Motion that an effort causes, integrated over one cycle."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.caused_acceleration import caused_acceleration
from controlit_ros.kernels.compile import kernel


@kernel
def internal_model(
    effort: Array,
    bias_effort: Array,
    Phi: Array,
    effort_map: Array,
    task_map: Array,
    drift: Array,
    command_dofs: Indices,
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

    Under an effort the robot accelerates as `caused_acceleration` tells.

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
        work: `(3, na)` scratch.
    """
    caused_acceleration(
        effort, bias_effort, Phi, effort_map, task_map, drift, command_dofs, work[0], work[1:]
    )
    for i in range(len(position)):
        velocity[i] += beta * (measured_velocity[i] - velocity[i]) + period * work[0, i]
        position[i] += alpha * (measured_position[i] - position[i]) + period * velocity[i]
