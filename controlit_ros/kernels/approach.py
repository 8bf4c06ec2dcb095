"""Accelerations that keep gaps open: limits of joints, distances to obstacles."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

WEAKEST = 0.02  # [-] of the acceleration limit: the least that counts, of drives that hold no more
ENDLESS = 1e30  # [m] or [rad] gaps above bound nothing; the squares of others stay finite


@kernel
def least_gap_acceleration(
    gap: Array,
    rate: Array,
    braking: Array,
    spare: float,
    reaction: float,
    period: float,
    least: Array,
) -> None:
    """Write the least acceleration of each gap with which it can be kept open for good.

    A gap h may close with the speed that leaves it open if it goes on for the time T and is then
    braked with a:

        s(h):  s²/(2 a) + s T = h        s(h) = max(h / T, −a T) where h < 0

    so `ḣ ≥ −s(h)` can always be kept without braking harder than a (viability; Del Prete, Joint
    position and velocity bounds in discrete-time acceleration/torque control of robot arms, 2018),
    and keeps `h ≥ 0`. With `b = ḣ + s(h)` the result is the ḧ that makes of b, after a period Δ
    with constant ḧ, the part `1 − Δ/T`: b stays positive at every sample, and is met smoothly. That
    never takes more than a. Only where b is below zero, for what the gap does that nobody foresaw,
    the result may be more, up to a certain multiple of a.

    Args:
        gap: `(n,)` h [m] or [rad]; below zero: it is closed already; above `ENDLESS`:
            there is no limit.
        rate: `(n,)` ḣ.
        braking: `(n,)` a, or infinity.
        spare: Most of the result in parts of a, at least 1.
        reaction: T [s], at least Δ.
        period: Δ [s].
        least: `(n,)` result ḧ.
    """
    wide = reaction + 0.5 * period
    for i in range(len(gap)):
        h, w, a = gap[i], rate[i], braking[i]
        if h > ENDLESS:
            least[i] = -math.inf
            continue
        if h >= 0.0:
            allowed = 2.0 * h / (reaction + math.sqrt(reaction**2 + 2.0 * h / a))
        else:
            allowed = max(h / reaction, -a * reaction)
        kept = (1.0 - period / reaction) * (w + allowed)
        ahead = h + 0.5 * (w + kept) * period
        if ahead >= 0.0:
            then = 2.0 * ahead / (wide + math.sqrt(wide**2 + 2.0 * ahead / a))
        else:
            then = max(ahead / wide, -a * reaction)
        least[i] = min((kept - then - w) / period, spare * a)


@kernel
def joint_bounds(
    position: Array,
    velocity: Array,
    lower_limit: Array,
    upper_limit: Array,
    speed_limit: Array,
    acceleration_limit: Array,
    slowest_drive: Array,
    fastest_drive: Array,
    reaction: float,
    period: float,
    work: Array,
    lower: Array,
    upper: Array,
) -> float:
    """Write accelerations that keep joints within position, velocity and acceleration limits.

    Both ends of a range are gaps of `least_gap_acceleration`; a speed limit v is approached by
    `q̈ ≤ (v − q̇) / T`. What both ask of a joint that is outside gives way to the acceleration limit.

    A joint is braked, and asked back from beyond, with `acceleration_limit` or what its own drive
    gives, whichever is less; so what is asked can be had, and ranges are kept by weak drives, too.

    Args:
        position: `(n,)` [rad] or [m].
        velocity: `(n,)` [rad/s] or [m/s].
        lower_limit: `(n,)` lower end of the range, or minus infinity.
        upper_limit: `(n,)` upper end of the range, or infinity.
        speed_limit: `(n,)`, or infinity.
        acceleration_limit: `(n,)` above zero.
        slowest_drive: `(n,)` least acceleration that each drive gives by itself, see
            `drive_reach`.
        fastest_drive: `(n,)` largest, likewise.
        reaction: T [s].
        period: Of the samples [s].
        work: `(4, n)` scratch.
        lower: `(n,)` result [rad/s²] or [m/s²].
        upper: `(n,)` result.

    Returns:
        By how much more some joint would have to be braked to stay in its range; 0: none would.
    """
    n = len(position)
    gap, rate, up, down = work[0], work[1], work[2], work[3]
    for i in range(n):
        a = acceleration_limit[i]
        up[i] = min(max(fastest_drive[i], WEAKEST * a), a)
        down[i] = min(max(-slowest_drive[i], WEAKEST * a), a)
        gap[i], rate[i] = position[i] - lower_limit[i], velocity[i]
    least_gap_acceleration(gap, rate, up, 1.0, reaction, period, lower)
    shortfall = _shortfall(gap, rate, up, reaction)
    for i in range(n):
        gap[i], rate[i] = upper_limit[i] - position[i], -velocity[i]
    least_gap_acceleration(gap, rate, down, 1.0, reaction, period, upper)
    shortfall = max(shortfall, _shortfall(gap, rate, down, reaction))
    for i in range(n):
        v, a, speed = velocity[i], acceleration_limit[i], speed_limit[i]
        upper[i] = -upper[i]
        slowest = max(min((-speed - v) / reaction, up[i]), -a)
        fastest = max(min((speed - v) / reaction, a), -down[i])
        low, high = max(lower[i], slowest), min(upper[i], fastest)
        if low > high:  # a range too narrow for the limits: halfway between both
            low = high = max(min(0.5 * (low + high), a), -a)
        lower[i], upper[i] = low, high
    return shortfall


@kernel
def _shortfall(gap: Array, rate: Array, braking: Array, reaction: float) -> float:
    """Return what the braking of some gap lacks to leave it open, or to open it again within T."""
    most = 0.0
    for i in range(len(gap)):
        w, wide = -rate[i], gap[i]
        if w > 0.0 and wide <= ENDLESS:  # the smallest w times anything may be nothing
            wanted = 0.5 * w * w / wide if wide > 0.5 * w * reaction else w / reaction
            most = max(most, wanted - braking[i])
    return most


@kernel
def drive_reach(
    mobility: Array,
    held: Array,
    drift: Array,
    limit: Array,
    share: float,
    slowest: Array,
    fastest: Array,
) -> None:
    """Write the accelerations that each drive gives its joint while the others hold theirs.

        q̈ = Φ_ii (τ_i − τ₀_i) − drift_i    with |τ_i| ≤ limit_i

    of which a share of the first part counts, so that something is left beside.

    Args:
        mobility: `(n, n)` Φ.
        held: `(n,)` τ₀ [N m] or [N].
        drift: `(n,)` minus the acceleration under τ₀.
        limit: `(n,)` largest effort, or infinity.
        share: Between 0 and 1.
        slowest: `(n,)` result, the least; minus infinity where the effort has no limit.
        fastest: `(n,)` result, the largest.
    """
    for i in range(len(held)):
        slowest[i], fastest[i] = -math.inf, math.inf
        if limit[i] < ENDLESS:
            own = share * mobility[i, i]
            slowest[i] = own * (-limit[i] - held[i]) - drift[i]
            fastest[i] = own * (limit[i] - held[i]) - drift[i]
