"""Where and when a foot comes down after a push."""

from math import exp, log

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

PLACE_WEIGHT = 1.0  # [1/m²]
GROWTH_WEIGHT = 0.02  # [-] of Γ = e^(ωτ): half of Γ counts as 7 cm of place
OFFSET_WEIGHT = 100.0  # [1/m²] what is missed here is what falls
SLOPE, REST, KAPPA, NOMINAL, LOWER, UPPER = range(6)
"""Of an axis: o − o_nom = slope Γ + rest + κ u; u as planned, its bounds."""
AXIS = 6  # numbers
BENDS = 4  # [-] at most, in the derivative of both axes together


@kernel
def adapted_step(
    omega: float,
    double_support: float,
    dcm: Array,
    planned: Array,
    reach: Array,
    place: Array,
    end: Array,
    remaining: float,
    lower: Array,
    upper: Array,
    shortest: float,
    longest: float,
    axes: Array,
    step: Array,
) -> float:
    """Write where the other foot shall come down, where the sole presses, what is missed.

    The law is that of `locomotion.step_adaptation`, for a foot that bears any acceleration; along
    the axes of the foot that stands.

    Args:
        omega: ω [1/s].
        double_support: D [s].
        dcm: `(2,)` ξ as it is [m].
        planned: `(2,)` ξ as planned [m].
        reach: `(2,)` how far from its middle the sole can press [m].
        place: `(2,)` of the other foot, as planned [m].
        end: `(2,)` ξ when that foot is down, as planned [m].
        remaining: Time until then, as planned [s].
        lower: `(2,)` least place of the other foot [m].
        upper: `(2,)` farthest place [m].
        shortest: Least time until it is down [s].
        longest: [s].
        axes: `(2, 6)` memory.
        step: `(3, 2)` result: place, pressed, missed [m].

    Returns:
        Time until the foot is down [s].
    """
    nominal, grown = exp(omega * remaining), exp(omega * double_support)
    kappa = (1.0 - grown) / (omega * double_support)
    mending = grown * nominal / (grown * nominal + kappa)
    for i in range(2):
        middle = (end[i] - nominal * planned[i]) / (1.0 - nominal)
        offset = grown * nominal * (planned[i] - middle) + kappa * (place[i] - middle)
        mended = mending * (dcm[i] - planned[i])
        mended = max(min(mended, max(reach[i] - middle, 0.0)), min(-reach[i] - middle, 0.0))
        pressed = step[1, i] = middle + mended
        axes[i, SLOPE], axes[i, REST] = grown * (dcm[i] - pressed), -kappa * pressed - offset
        axes[i, KAPPA], axes[i, NOMINAL] = kappa, place[i]
        axes[i, LOWER], axes[i, UPPER] = lower[i], upper[i]
    growth = _lowest(axes, nominal, exp(omega * shortest), exp(omega * longest))
    for i in range(2):
        step[0, i], step[2, i] = _place(axes[i], growth), _missed(axes[i], growth)
    return log(growth) / omega


@kernel
def _free(axis: Array, growth: float) -> float:
    """Return the best place for a Γ, without bounds."""
    weight = OFFSET_WEIGHT * axis[KAPPA]
    missed = axis[SLOPE] * growth + axis[REST]
    pulled = PLACE_WEIGHT * axis[NOMINAL] - weight * missed
    found: float = pulled / (PLACE_WEIGHT + weight * axis[KAPPA])
    return found


@kernel
def _place(axis: Array, growth: float) -> float:
    """Return the best place for a Γ."""
    place: float = min(max(_free(axis, growth), axis[LOWER]), axis[UPPER])
    return place


@kernel
def _missed(axis: Array, growth: float) -> float:
    """Return o − o_nom at the best place for a Γ."""
    missed: float = axis[SLOPE] * growth + axis[REST] + axis[KAPPA] * _place(axis, growth)
    return missed


@kernel
def _derivative(axes: Array, nominal: float, growth: float) -> float:
    """Return half the derivative of the cost after Γ, at the best places."""
    found = GROWTH_WEIGHT * (growth - nominal)
    for i in range(2):
        found += OFFSET_WEIGHT * axes[i, SLOPE] * _missed(axes[i], growth)
    return found


@kernel
def _next_bend(axes: Array, after: float, most: float) -> float:
    """Return the next Γ after one at which a best place comes to a bound, or the greatest."""
    found = most
    for i in range(2):
        if axes[i, SLOPE] != 0.0:
            at_zero = _free(axes[i], 0.0)
            rate = _free(axes[i], 1.0) - at_zero
            for bound in (axes[i, LOWER], axes[i, UPPER]):
                bend = (bound - at_zero) / rate if rate != 0.0 else most
                if after < bend < found:
                    found = bend
    return found


@kernel
def _lowest(axes: Array, nominal: float, least: float, most: float) -> float:
    """Return the Γ with the least cost."""
    before, falls = least, _derivative(axes, nominal, least)
    if falls >= 0.0:
        return least
    for _ in range(BENDS + 1):
        after = _next_bend(axes, before, most)
        rises = _derivative(axes, nominal, after)
        if rises >= 0.0:
            return before - falls * (after - before) / (rises - falls)
        if after >= most:
            break
        before, falls = after, rises
    return most
