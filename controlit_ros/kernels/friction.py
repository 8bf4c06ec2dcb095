"""Friction of joints: what a model says, and what the motion tells."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel


@kernel
def friction_effort(
    velocity: Array,
    coulomb: Array,
    breakaway: Array,
    stribeck: Array,
    viscous: Array,
    smooth: Array,
    effort: Array,
) -> None:
    """Write the effort that overcomes friction at a velocity.

        f = (Fc + (Fs − Fc) exp(−(v / vs)²)) tanh(v / v0) + Fv v

    Args:
        velocity: `(na,)` v.
        coulomb: `(na,)` Fc [N m].
        breakaway: `(na,)` Fs, never taken below Fc [N m].
        stribeck: `(na,)` vs, over which friction falls from Fs to Fc [rad/s].
        viscous: `(na,)` Fv [N m s/rad].
        smooth: `(na,)` v0 [rad/s].
        effort: `(na,)` result [N m].
    """
    for i in range(len(velocity)):
        ratio = velocity[i] / stribeck[i]
        excess = max(breakaway[i] - coulomb[i], 0.0) * math.exp(-ratio * ratio)
        dry = (coulomb[i] + excess) * math.tanh(velocity[i] / smooth[i])
        effort[i] = dry + viscous[i] * velocity[i]


@kernel
def observe_disturbance(
    velocity: Array,
    last_velocity: Array,
    effort: Array,
    bias_effort: Array,
    Phi: Array,
    effort_map: Array,
    drift: Array,
    command_dofs: Indices,
    gain: float,
    period: float,
    estimate: Array,
    work: Array,
) -> None:
    """Advance the momentum observer of `FrictionCompensation`, which has the equations.

    Args:
        velocity: `(na,)` measured.
        last_velocity: `(na,)` measured one period before.
        effort: `(na,)` that acted meanwhile.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        Phi: `(na, na)` Φ.
        effort_map: `(na, rank)` Eφ.
        drift: `(nv,)` see `project`.
        command_dofs: `(na,)` degrees of freedom of the command joints.
        gain: K [1/s].
        period: Time step [s].
        estimate: `(na,)` r, advanced [N m].
        work: `(2, na)` scratch.
    """
    na, rank = effort_map.shape
    surprise, y = work[0], work[1]
    for i in range(na):
        expected = -drift[command_dofs[i]]
        for j in range(na):
            expected += Phi[i, j] * (effort[j] - bias_effort[j])
        surprise[i] = velocity[i] - last_velocity[i] - period * expected
    for k in range(rank):
        y[k] = 0.0
        for i in range(na):
            y[k] += effort_map[i, k] * surprise[i]
    for i in range(na):
        momentum = 0.0
        for k in range(rank):
            momentum += effort_map[i, k] * y[k]
        estimate[i] += gain * (momentum - period * estimate[i])
