"""Shaking: what alternates quickly, and what swings ever more."""

from typing import NamedTuple

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import kernel

CHATTER_ROWS = 5
"""Of what `chatter` keeps: mean, deviation, crossings a cycle, side, how long."""
SWING_ROWS = 9
"""Of what `swings` keeps: mean, side, peak, cycles, last peak, growth, where it began, strong, mean
cycles."""

COMMANDED, MEASURED = 0, CHATTER_ROWS
SWINGING = MEASURED + CHATTER_ROWS
EFFORT_SWINGING = SWINGING + SWING_ROWS
KEPT_ROWS = EFFORT_SWINGING + SWING_ROWS
"""Of what `shakes` keeps: chatter of commands and of what is measured, swings of both."""

TOLD, LEAST, STRONG, GROWN, MOVES, LEVEL_ROWS = 0, 1, 3, 5, 6, 7
"""Of what `shakes` compares with; `LEAST` and `STRONG` for velocity and effort each."""

CHATTERS, CHATTER_IS_MEASURED, DIVERGES = 1, 2, 4
"""What `shakes` finds, added up."""


class Pace(NamedTuple):
    """How `shakes` counts time.

    Attributes:
        chatter_mean: Share of a sample in the mean that chatter is about.
        window: Share of a sample in the deviation and the rate of chatter.
        often: Crossings a cycle from which chatter counts.
        sustained: Cycles it must go on.
        swing_mean: Share of a sample in the mean that swings are about.
        longest: Cycles a swing may last.
        growth: Of the last swing over the first, from which those that grow count.
        growing: How many swings in a row must grow.
        many: How many strong ones in a row count.
        jump: Of a swing over the one before, from which it is a jerk and no growth.
    """

    chatter_mean: float
    window: float
    often: float
    sustained: float
    swing_mean: float
    longest: float
    growth: float
    growing: float
    many: float
    jump: float


@kernel
def shakes(
    command: Array,
    velocity: Array,
    effort: Array,
    joints: Indices,
    levels: Array,
    pace: Array,
    kept: Array,
    signals: Array,
    found: Flags,
    result: Indices,
) -> bool:
    """Follow chatter and swings of one cycle: the next three kernels, for all that is looked at.

    Args:
        command: `(na,)` effort that goes to the robot [N m].
        velocity: `(n,)` measured, of all joints [rad/s].
        effort: `(n,)` likewise [N m].
        joints: `(na,)` those that are commanded.
        levels: `(LEVEL_ROWS, na)` deviation from which chatter is told [N m]; half of the dead zone
            and from where a swing is strong, of velocity and of effort each; velocity from which
            swings that grow count, and efforts that swing.
        pace: `(10,)` a `Pace`.
        kept: `(KEPT_ROWS, na)` zero at the beginning.
        signals: `(2, na)` scratch.
        found: `(na,)` the joints that diverge.
        result: `(1,)` the sum of what is found.

    Returns:
        Whether nothing is.
    """
    for i in range(len(joints)):
        signals[0, i] = velocity[joints[i]]
        signals[1, i] = effort[joints[i]]
    total = 0
    mean, window, often, sustained = pace[0], pace[1], pace[2], pace[3]
    told = levels[TOLD]
    if chatter(command, mean, window, told, often, sustained, kept[COMMANDED:MEASURED]):
        total += CHATTERS
    if chatter(signals[1], mean, window, told, often, sustained, kept[MEASURED:SWINGING]):
        total += CHATTER_IS_MEASURED
    swing, effort_swing = kept[SWINGING:EFFORT_SWINGING], kept[EFFORT_SWINGING:]
    slow, longest, jump = pace[4], pace[5], pace[9]
    swings(signals[0], slow, longest, jump, levels[LEAST], levels[STRONG], swing)
    swings(command, slow, longest, jump, levels[LEAST + 1], levels[STRONG + 1], effort_swing)
    if diverging(
        swing, effort_swing, levels[GROWN], levels[MOVES], pace[6], pace[7], pace[8], found
    ):
        total += DIVERGES
    result[0] = total
    return total == 0


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
    jump: float,
    least: Array,
    strong: Array,
    state: Array,
) -> None:
    """Count the swings of a signal about its own mean that grow, and those that are strong.

    A swing is what lies between two crossings of the mean, seen with a dead zone. Growing ones are
    each larger than the one before, but not as much as a jerk is larger than noise.

    Args:
        signal: `(n,)` new sample.
        slow: Share of a sample in the mean.
        longest: Cycles a swing may last; a longer one ends the count.
        jump: Of a swing over the one before, from which it is a jerk; that ends what grew.
        least: `(n,)` half of the dead zone.
        strong: `(n,)` from where a swing is strong.
        state: `(SWING_ROWS, n)` kept by the caller: the mean, the side the signal is on, the peak
            and the cycles of the present swing, the last peak, how many swings in a row grew, the
            peak with which that began, how many in a row were strong, the mean cycles of the latest
            swings; zero at the beginning.
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
        if jump * last > peak > last > 0.0:
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
        state[8, i] = 0.5 * (state[8, i] + state[3, i])
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
