"""What joints do while commands are under way, and what accelerates them beside these."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

TURN = 2.0 * math.pi  # [rad]
REMEMBERED = 1.0  # [s] how long what came once is expected to come again


@kernel
def observe_unexplained(
    velocity: Array,
    last_velocity: Array,
    caused: Array,
    newest: int,
    cycles: int,
    gain: float,
    period: float,
    estimate: Array,
    largest: Array,
) -> None:
    """Advance an estimate of what accelerates joints beside the efforts: friction, loads, pushes.

        â ← â + min(K T, 1) ((q̇ − q̇_last) / T − q̈ − â)

    A first-order observer (De Luca et al. 2006 have it for momenta): it follows what is constant
    within 1 / K, and lets through K of the noise of velocities. q̈ is the mean of what the efforts
    of the cycles between the two measurements caused.

    Args:
        velocity: `(na,)` q̇ measured [rad/s].
        last_velocity: `(na,)` measured one period before.
        caused: `(size, na)` ring: q̈ by the effort of each cycle [rad/s²].
        newest: Row of the last effort that the measurement shows; negative: from the end.
        cycles: Positive; of how many cycles until there.
        gain: K [1/s].
        period: T, positive [s].
        estimate: `(na,)` â, advanced [rad/s²].
        largest: `(na,)` size of the largest â, advanced; fades within `REMEMBERED` [rad/s²].
    """
    share, size = min(gain * period, 1.0), len(caused)
    fading = max(1.0 - period / REMEMBERED, 0.0)
    for i in range(len(velocity)):
        expected = 0.0
        for k in range(cycles):
            expected += caused[(newest - k) % size, i]
        measured = (velocity[i] - last_velocity[i]) / period
        estimate[i] += share * (measured - expected / cycles - estimate[i])
        largest[i] = max(abs(estimate[i]), fading * largest[i])


@kernel
def observe_unmeasured(
    measured: Array, last: Array, largest: Array, period: float, memory: float, estimate: Array
) -> None:
    """Advance an estimate of the speed that positions show and measured speeds do not.

        b ← b + (clip(Δq − T (q̇ + q̇_last) / 2) − T b) / M

    Zero where both are true: what is low-passed is their difference, so that b does not lag behind
    a joint that gets faster.

    Args:
        measured: `(2, na)` q [rad] and q̇ [rad/s]; a whole turn of q is none.
        last: `(2, na)` measured one period before.
        largest: `(na,)` what a measured speed may be wrong by [rad/s].
        period: T, positive [s].
        memory: M [s].
        estimate: `(na,)` b, advanced [rad/s].
    """
    share = min(period / memory, 1.0)
    for i in range(len(estimate)):
        moved = measured[0, i] - last[0, i]
        moved -= TURN * round(moved / TURN)
        missing = moved / period - 0.5 * (measured[1, i] + last[1, i])
        missing = min(max(missing, -largest[i]), largest[i])
        estimate[i] += share * (missing - estimate[i])


@kernel
def lead_joints(
    measured: Array,
    unmeasured: Array,
    caused: Array,
    newest: int,
    cycles: int,
    period: float,
    unexplained: Array,
    position: Array,
    velocity: Array,
) -> None:
    """Lead joints over the efforts that a measurement does not show.

    With n cycles of T, `q̇⁺ = q̇ + T Σ q̈_k + n T â`, and b where that makes the joint faster;
    `q⁺ = q + n T q̇⁺`.

    Args:
        measured: `(2, na)` q [rad] and q̇ [rad/s].
        unmeasured: `(na,)` b, see `observe_unmeasured` [rad/s].
        caused: `(size, na)` ring: q̈ by the effort of each cycle [rad/s²].
        newest: Row of the newest.
        cycles: n, at most `size`.
        period: T [s].
        unexplained: `(na,)` â [rad/s²].
        position: `(na,)` q⁺, result.
        velocity: `(na,)` q̇⁺, result.
    """
    size, lead = len(caused), cycles * period
    for i in range(len(position)):
        total = 0.0
        for k in range(cycles):
            total += caused[(newest - k) % size, i]
        speed = measured[1, i] + period * total
        if unmeasured[i] * (speed + unmeasured[i]) > 0.0:
            speed += unmeasured[i]
        speed += lead * unexplained[i]
        velocity[i] = speed
        position[i] = measured[0, i] + lead * speed
