"""Shaking: what alternates quickly, and what swings ever more."""

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import kernel

CHATTER_ROWS = 5
"""Of what `chatter` keeps: mean, deviation, crossings a cycle, side, how long."""
SWING_ROWS = 8
"""Of what `swings` keeps: mean, side, peak, cycles, last peak, growth, where it began, strong."""


@kernel
def chatter(
    signal: Array,
    slow: float,
    window: float,
    least: Array,
    often: float,
    sustained: float,
    state: Array,
) -> bool:
    """Follow how far and how often a signal alternates about its own mean.

    Args:
        signal: `(n,)` new sample.
        slow: Share of a sample in the mean.
        window: Share of a sample in the deviation and in the rate.
        least: `(n,)` deviation from which it counts.
        often: Crossings a cycle from which it counts.
        sustained: Cycles it must go on.
        state: `(CHATTER_ROWS, n)` kept by the caller: the mean, the mean distance from it, how
            often a cycle it is crossed, the side the signal is on, and for how many cycles it has
            counted; zero at the beginning.

    Returns:
        Whether any entry has counted for long enough.
    """
    found = False
    for i in range(len(signal)):
        state[0, i] += slow * (signal[i] - state[0, i])
        away = signal[i] - state[0, i]
        state[1, i] += window * (abs(away) - state[1, i])
        side = -1.0 if away < 0.0 else 1.0
        crossed = 1.0 if side * state[3, i] < 0.0 else 0.0
        state[2, i] += window * (crossed - state[2, i])
        state[3, i] = side
        counts = state[1, i] > least[i] and state[2, i] > often
        state[4, i] = state[4, i] + 1.0 if counts else 0.0
        found = found or state[4, i] >= sustained
    return found


@kernel
def swings(
    signal: Array,
    slow: float,
    longest: float,
    least: Array,
    strong: Array,
    state: Array,
) -> None:
    """Count the swings of a signal about its own mean that grow, and those that are strong.

    A swing is what lies between two crossings of the mean, seen with a dead zone. Growing ones are
    each larger than the one before.

    Args:
        signal: `(n,)` new sample.
        slow: Share of a sample in the mean.
        longest: Cycles a swing may last; a longer one ends the count.
        least: `(n,)` half of the dead zone.
        strong: `(n,)` from where a swing is strong.
        state: `(SWING_ROWS, n)` kept by the caller: the mean, the side the signal is on, the peak
            and the cycles of the present swing, the last peak, how many swings in a row grew, the
            peak with which that began, how many in a row were strong; zero at the beginning.
    """
    for i in range(len(signal)):
        state[0, i] += slow * (signal[i] - state[0, i])
        away = signal[i] - state[0, i]
        state[3, i] += 1.0
        if state[3, i] > longest:
            state[4, i] = 0.0
            state[5, i] = 0.0
            state[7, i] = 0.0
        if (away * state[1, i] >= 0.0 and state[1, i] != 0.0) or abs(away) < least[i]:
            state[2, i] = max(state[2, i], abs(away))
            continue
        peak, last = state[2, i], state[4, i]
        if peak > last > 0.0:
            if state[5, i] == 0.0:
                state[6, i] = last
            state[5, i] += 1.0
        else:
            state[5, i] = 0.0
        is_swing = state[3, i] <= longest
        state[7, i] = state[7, i] + 1.0 if is_swing and peak >= strong[i] else 0.0
        state[4, i] = peak if is_swing else 0.0
        state[1, i] = -1.0 if away < 0.0 else 1.0
        state[2, i] = abs(away)
        state[3, i] = 0.0


@kernel
def diverging(
    velocity: Array,
    effort: Array,
    grown: Array,
    moves: Array,
    growth: float,
    growing: float,
    many: float,
    found: Flags,
) -> bool:
    """Tell the joints that swing ever more, or at their limits.

    Args:
        velocity: `(SWING_ROWS, n)` what `swings` keeps of the velocities.
        effort: `(SWING_ROWS, n)` the same of the efforts.
        grown: `(n,)` velocity from which swings that grow count.
        moves: `(n,)` velocity from which efforts count.
        growth: Of the last swing over the first of those that grow, from which they count.
        growing: How many swings in a row must grow.
        many: How many strong ones in a row count, whether they grow or not.
        found: `(n,)` result.

    Returns:
        Whether there is one.
    """
    any_found = False
    for i in range(len(found)):
        last = velocity[4, i]
        grows = velocity[5, i] >= growing and last >= max(grown[i], growth * velocity[6, i])
        shakes = velocity[7, i] >= many or (effort[7, i] >= many and last >= moves[i])
        found[i] = grows or shakes
        any_found = any_found or found[i]
    return any_found
