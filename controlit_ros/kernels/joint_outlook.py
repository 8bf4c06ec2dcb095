"""What joints do while commands are under way, and beside what these make them do."""

import math

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import copy
from controlit_ros.kernels.measurement_layout import STAMP_AT

TURN = 2.0 * math.pi  # [rad]
REMEMBERED = 1.0  # [s] how long what came once is expected to come again

SURE = 3.0  # [-] standard deviations: what is within is taken for noise
DEVIATION = 0.512  # [-] of a second difference's mean size: √(π / 2) / √6, for normal noise

STEADY, SOON, LARGEST, UNMEASURED, NOISY, SAMPLE, SCATTER, OBSERVED_ROWS = range(8)

POSITION, VELOCITY, SPEED, ROOM, LED_ROWS = 0, 1, 2, 3, 4

MEASURED, LAST, WRONG, FASTEST, OBSERVED = 0, 2, 4, 5, 6
LED = OBSERVED + OBSERVED_ROWS
OUTLOOK_ROWS = LED + LED_ROWS

NEWEST, MET = range(2)  # of the ring

OUTLOOK_PERIOD, STEADILY, SOON_TIME, MEMORY, ROUND_TRIP, MEASURED_AT, OUTLOOK_TIMES = range(7)

# Speed that is left free for what moves joints beside the efforts (friction that changes sides,
# loads, pushes) and is seen a round trip later: what was seen before, and no more than a part; for
# what was never seen a part of the limit as well where most of the round trip is delay.
SURPRISE_PART = 0.25  # [-] of the speed allowed
NEVER_SEEN_PART = 0.08  # [-] of the speed allowed


@kernel
def look_ahead(
    motion: Array,
    position: Array,
    velocity: Array,
    joints: Indices,
    outlook: Array,
    caused: Array,
    ring: Indices,
    times: Array,
) -> bool:
    """Take over a measurement if it is a new one, and lead joints on: both of the next kernels.

    A round trip counts by at least a period, and by at most half of the ring. Where stamps run
    backwards, and at the first measurement, what was observed is forgotten.

    Args:
        motion: `(16 + 4 n,)` measured, see `RobotState`: its stamp tells whether it is new; 0: it
            is, and as old as the period.
        position: `(n,)` of it, of all joints [rad].
        velocity: `(n,)` likewise [rad/s].
        joints: `(na,)` those that matter.
        outlook: `(OUTLOOK_ROWS, na)` advanced: q and q̇ measured; the same one period before; by
            what q̇ may be wrong; its limit; what is observed; where it leads.
        caused: `(size, na)` ring, see `lead_joints`.
        ring: `(2,)` its newest row; and, advanced, the cycles since the measurement came.
        times: `(OUTLOOK_TIMES,)` period of the servo; time in which what is unexplained is known
            without noise; in which it is known soon; see `observe_joints` for the memory; round
            trip from a command to the measurement of what it did, 0: unknown; and when the last
            measurement was made, which is written, not a number: there was none [s].

    Returns:
        True.
    """
    period, size, newest = times[OUTLOOK_PERIOD], len(caused), ring[NEWEST]
    round_trip = max(min(times[ROUND_TRIP], size // 2 * period), period)
    under_way = round(round_trip / period) - 1  # cycles that a new measurement does not show
    measured, last, observed = outlook[MEASURED:LAST], outlook[LAST:WRONG], outlook[OBSERVED:LED]
    ring[MET] += 1
    elapsed = _elapsed(motion[STAMP_AT], times)
    times[MEASURED_AT] = motion[STAMP_AT]
    if not math.isnan(elapsed):
        for i in range(len(joints)):
            measured[0, i] = position[joints[i]]
            measured[1, i] = velocity[joints[i]]
        if elapsed > 0.0:
            observe_joints(
                measured,
                last,
                caused,
                newest - under_way,
                min(ring[MET], size - under_way),
                outlook[WRONG],
                (1.0 / times[STEADILY], 1.0 / times[SOON_TIME]),
                times[MEMORY],
                elapsed,
                observed,
            )
        else:
            observed[:] = 0.0
            copy(measured, last)
        ring[MET] = 0
    lead_joints(
        measured,
        observed,
        caused,
        newest,
        min(under_way + ring[MET], size),
        period,
        round_trip,
        outlook[FASTEST],
        outlook[LED:],
    )
    return True


@kernel
def _elapsed(stamp: float, times: Array) -> float:
    """Return how long after the last measurement one was made; not a number: it is the same [s].

    Not positive: it is the first, or time began anew.
    """
    before = times[MEASURED_AT]
    if stamp == 0.0:
        return float(times[OUTLOOK_PERIOD])
    if stamp == before:
        return math.nan
    return 0.0 if math.isnan(before) else stamp - before


@kernel
def observe_joints(
    measured: Array,
    last: Array,
    caused: Array,
    newest: int,
    cycles: int,
    wrong: Array,
    gains: tuple[float, float],
    memory: float,
    period: float,
    observed: Array,
) -> None:
    """Advance what is known of joints beside their measurement.

    What accelerates them beside the efforts (friction, loads, pushes), and the speed that positions
    show and measured speeds do not:

        â ← â + min(K T, 1) ((q̇ − q̇_last) / T − q̈ − â)
        b ← b + min(T / M, 1) (clip(Δq / T − (q̇ + q̇_last) / 2) − b)

    The first is an observer of first order (De Luca et al. 2006 have it for momenta): it follows
    what is constant within 1 / K, and lets through K of the noise of velocities. There are two: one
    that is steady, and one that is soon there, less `SURE` standard deviations of what noise makes
    of it, or the first if that is more. q̈ is the mean of what the efforts of the cycles between the
    two measurements caused. b is zero where positions and speeds are both true, and lags behind no
    joint that gets faster.

    Args:
        measured: `(2, na)` q [rad] and q̇ [rad/s]; a whole turn of q is no motion.
        last: `(2, na)` measured one period before; becomes `measured`.
        caused: `(size, na)` ring: q̈ by the effort of each cycle [rad/s²].
        newest: Row of the last effort that the measurement shows; negative: from the end.
        cycles: Positive; of how many cycles until there.
        wrong: `(na,)` what a measured speed may be wrong by, the ends of the clip [rad/s].
        gains: K of the first, steady â, and of the other, soon there [1/s].
        memory: M [s].
        period: T, positive [s].
        observed: `(OBSERVED_ROWS, na)` advanced: both â [rad/s²], the largest size of the other,
            which fades within `REMEMBERED`, b [rad/s], and what the observer needs: the other with
            its noise, the last sample and by how much these scatter [rad/s²].
    """
    steady, soon = min(gains[0] * period, 1.0), min(gains[1] * period, 1.0)
    show, fading = min(period / memory, 1.0), max(1.0 - period / REMEMBERED, 0.0)
    size, deviation = len(caused), DEVIATION * soon * math.sqrt(2.0 / (2.0 - soon))
    for i in range(measured.shape[1]):
        expected = 0.0
        for k in range(cycles):
            expected += caused[(newest - k) % size, i]
        unexplained = (measured[1, i] - last[1, i]) / period - expected / cycles
        observed[STEADY, i] += steady * (unexplained - observed[STEADY, i])
        observed[NOISY, i] += soon * (unexplained - observed[NOISY, i])
        scatter = abs(unexplained - observed[SAMPLE, i])
        observed[SCATTER, i] += min(period / REMEMBERED, 1.0) * (scatter - observed[SCATTER, i])
        observed[SAMPLE, i] = unexplained
        noise = SURE * deviation * observed[SCATTER, i]
        sure = max(abs(observed[NOISY, i]) - noise, 0.0)
        observed[SOON, i] = observed[STEADY, i]
        if sure > abs(observed[STEADY, i]):
            observed[SOON, i] = math.copysign(sure, observed[NOISY, i])
        observed[LARGEST, i] = max(abs(observed[SOON, i]), fading * observed[LARGEST, i])
        moved = measured[0, i] - last[0, i]
        moved -= TURN * round(moved / TURN)
        missing = moved / period - 0.5 * (measured[1, i] + last[1, i])
        missing = min(max(missing, -wrong[i]), wrong[i])
        observed[UNMEASURED, i] += show * (missing - observed[UNMEASURED, i])
        last[0, i], last[1, i] = measured[0, i], measured[1, i]


@kernel
def lead_joints(
    measured: Array,
    observed: Array,
    caused: Array,
    newest: int,
    cycles: int,
    period: float,
    round_trip: float,
    fastest: Array,
    led: Array,
) -> None:
    """Lead joints over the efforts that a measurement does not show.

    With n cycles of T, `q̇⁺ = q̇ + T Σ q̈_k + n T â` and `q⁺ = q + n T q̇⁺`; the speed, with more
    noise, is that of the other â, and b where that makes the joint faster. What is to be left free
    of it is, with `R` the round trip, the largest |â| of late times R, at most `SURPRISE_PART` of
    the limit, and at least `NEVER_SEEN_PART (1 − T / R)` of it.

    Args:
        measured: `(2, na)` q [rad] and q̇ [rad/s].
        observed: `(OBSERVED_ROWS, na)` see `observe_joints`.
        caused: `(size, na)` ring: q̈ by the effort of each cycle [rad/s²].
        newest: Row of the newest.
        cycles: n, at most `size`.
        period: T [s].
        round_trip: R, at least T [s].
        fastest: `(na,)` limits of speed, infinite for none [rad/s].
        led: `(LED_ROWS, na)` result: q⁺, q̇⁺, the speed and what to leave free of it; zero where
            it is not limited.
    """
    size, lead, unseen = len(caused), cycles * period, 1.0 - period / round_trip
    for i in range(measured.shape[1]):
        total = 0.0
        for k in range(cycles):
            total += caused[(newest - k) % size, i]
        velocity, unmeasured = measured[1, i] + period * total, observed[UNMEASURED, i]
        led[VELOCITY, i] = velocity + lead * observed[STEADY, i]
        led[POSITION, i] = measured[0, i] + lead * led[VELOCITY, i]
        led[SPEED, i] = velocity + lead * observed[SOON, i]
        if unmeasured * (velocity + unmeasured) > 0.0:
            led[SPEED, i] += unmeasured
        led[ROOM, i] = 0.0
        if fastest[i] < np.inf:
            seen = min(observed[LARGEST, i] * round_trip, SURPRISE_PART * fastest[i])
            led[ROOM, i] = max(seen, NEVER_SEEN_PART * unseen * fastest[i])
