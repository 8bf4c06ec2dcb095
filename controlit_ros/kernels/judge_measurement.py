"""Whether a measurement is believed: by its stamp, by what it says, by those before it."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.implausible import implausible, incredible, not_followed
from controlit_ros.kernels.measurement_layout import (
    BECAME_FOREIGN,
    BELIEVED,
    CANDIDATE_AT,
    CANDIDATE_SINCE,
    CANDIDATE_STAMP,
    CODE,
    ELAPSED,
    GOOD,
    GOOD_AT,
    GOOD_STAMP,
    HAS_GOOD,
    HAS_STAMP,
    HEARD_AT,
    IN_A_ROW,
    IS_FOREIGN,
    JITTER,
    MOVED,
    PATIENCE,
    PERIOD,
    REFUSED,
    REMARKED,
    ROW_LIMIT,
    SEQUENCE_AT,
    STAMP,
    STAMP_AT,
    STAMP_BACKWARDS,
    STAMP_CHANGED_AT,
    STAMP_FAR,
    STAMP_FAULT,
    STAMP_RANGE,
    STUCK,
)

FOLLOWS_WITHIN = 0.01  # [s] or one period and a half: later a speed may have come and gone
NEW_LIFE = np.uint64(1000)  # one numbered above is not among the first of a robot that began anew
BACKWARDS = 1e-3  # [s] that stamps may run backwards
SILENCE_PERIODS = 3.0  # [-] or `JITTER`: after a longer silence a clock may be another


@kernel
def judge_measurement(
    found: Array,
    last: Array,
    candidate: Array,
    bounds: Array,
    base_bounds: Array,
    with_base: bool,
    settings: Array,
    history: Array,
    now: float,
) -> int:
    """Judge a measurement by the last good one, and after some refused ones by the last of those.

    What is refused is believed all the same when it fits itself for the patience, or when numbers
    and stamps begin anew: then the robot was moved, or is a simulation that was reset.

    Args:
        found: `(16 + 4 n,)` the measurement, `RobotState.motion`; a stamp of another clock is
            replaced by 0.
        last: `(16 + 4 n,)` the last good one.
        candidate: `(16 + 4 n,)` the one that was refused last; replaced.
        bounds: `(JOINT_BOUNDS, n)` see `implausible`.
        base_bounds: `(BASE_BOUNDS,)` likewise.
        with_base: Whether the base counts.
        settings: `(4,)` period of the servo [s]; farthest that a stamp may be from its time
            [s]; how many refused in a row it takes until the one before has to fit as well [-];
            time for which those refused have to fit each other to be believed [s].
        history: `(HISTORY,)` of the measurements before; changed. It tells what was found, too: the
            stamp as it was, or the time; the time that may have passed; the code of `incredible`;
            the fault of the stamp; whether it turned out just now to be of another clock. How many
            were refused since the last good one is written by the caller.
        now: Time on the servo's clock [s].

    Returns:
        `BELIEVED`; `REMARKED`, the same of one whose stamp turned out to be of another clock;
        `REFUSED`; or `MOVED`: it is believed, and the robot is not where it can have gone itself.
    """
    has_good, stated = history[HAS_GOOD] != 0.0, found[STAMP_AT]
    stamp = stated if stated != 0.0 else now  # of whatever clock
    elapsed = now - history[GOOD_AT] + settings[PERIOD]
    in_a_row = history[IN_A_ROW]
    history[BECAME_FOREIGN] = 0.0
    if sequence_of(found) < sequence_of(last):
        history[HAS_STAMP] = 0.0  # it began anew, and so may its clock
    fault = _judge_stamp(found, last, settings, history, now) if stated != 0.0 else 0
    if has_good and history[IS_FOREIGN] == 0.0 and stated != 0.0 and fault == 0:
        elapsed = max(elapsed, stated - last[STAMP_AT] + settings[PERIOD])
    history[HEARD_AT] = now
    since = 0.0
    if has_good and fault == 0:
        since = _soon(stamp - history[GOOD_STAMP], settings)
    code = incredible(found, last, bounds, base_bounds, elapsed, since, with_base)
    if in_a_row > 0 and code == GOOD and fault == 0 and since == 0.0 and has_good:
        code = _is_new_speed(found, candidate, bounds, settings, history, stamp)
    history[STAMP], history[ELAPSED] = stamp, elapsed
    history[CODE], history[STAMP_FAULT] = code, fault
    is_possible, meets_last = code == GOOD and fault == 0, False
    # the longer a robot lies, the more it may have moved, until one of its lies is possible
    if not is_possible or in_a_row >= settings[ROW_LIMIT]:
        between = now - history[CANDIDATE_AT] + settings[PERIOD]
        meets_last = (
            between <= JITTER + settings[PERIOD]
            and implausible(found, candidate, bounds, base_bounds, between, with_base) == GOOD
        )
    if is_possible and (meets_last or in_a_row < settings[ROW_LIMIT]):
        _accept(history, stamp, now)
        return BELIEVED if history[BECAME_FOREIGN] == 0.0 else REMARKED
    if has_good and (
        (
            _began_anew(found, last)
            and implausible(found, last, bounds, base_bounds, math.inf, with_base) == GOOD
        )
        or _fits_itself(found, candidate, bounds, settings, history, meets_last, stamp, now)
    ):
        history[IS_FOREIGN] = _is_far(stamp, settings, now)
        _accept(history, stamp, now)
        return MOVED
    return REFUSED


@kernel
def _accept(history: Array, stamp: float, now: float) -> None:
    """Note that a measurement is good."""
    history[HAS_GOOD] = 1.0
    history[GOOD_AT], history[GOOD_STAMP] = now, stamp
    history[CANDIDATE_AT] = history[CANDIDATE_SINCE] = -math.inf


@kernel
def _fits_itself(
    found: Array,
    candidate: Array,
    bounds: Array,
    settings: Array,
    history: Array,
    meets_last: bool,
    stamp: float,
    now: float,
) -> bool:
    """Compare a refused measurement with the one refused before it, whose place it takes.

    The robot can have moved so since that one if it `meets_last`.
    """
    fits = meets_last and _is_new_speed(found, candidate, bounds, settings, history, stamp) == GOOD
    if not fits:
        history[CANDIDATE_SINCE] = now
    for i in range(len(found)):
        candidate[i] = found[i]
    history[CANDIDATE_AT], history[CANDIDATE_STAMP] = now, stamp
    return fits and now - history[CANDIDATE_SINCE] >= settings[PATIENCE]


@kernel
def _is_new_speed(
    found: Array, candidate: Array, bounds: Array, settings: Array, history: Array, stamp: float
) -> int:
    """Compare speeds with those of the measurement that was refused last; `GOOD`: well."""
    elapsed = _soon(stamp - history[CANDIDATE_STAMP], settings)
    return not_followed(found, candidate, bounds, elapsed, False) if elapsed > 0.0 else GOOD


@kernel
def _soon(elapsed: float, settings: Array) -> float:
    """Return a time in which speeds have to show in positions; 0: another one [s]."""
    return elapsed if 0.0 < elapsed <= max(FOLLOWS_WITHIN, 1.5 * settings[PERIOD]) else 0.0


@kernel
def _is_far(stamp: float, settings: Array, now: float) -> bool:
    """Tell whether a stamp is none of the servo's clock."""
    return not abs(now - stamp) <= settings[STAMP_RANGE]


@kernel
def _judge_stamp(found: Array, last: Array, settings: Array, history: Array, now: float) -> int:
    """Return what is wrong with a stamp that is not 0; 0: nothing, or it is not used."""
    stamp = found[STAMP_AT]
    silence = now - history[HEARD_AT]
    is_first = history[HAS_STAMP] == 0.0 or silence > max(
        JITTER, SILENCE_PERIODS * settings[PERIOD]
    )
    if is_first and math.isfinite(stamp):
        was_foreign = history[IS_FOREIGN] != 0.0
        is_foreign = _is_far(stamp, settings, now)
        history[HAS_STAMP], history[IS_FOREIGN] = 1.0, is_foreign
        history[BECAME_FOREIGN] = is_foreign and not was_foreign
    if is_first or stamp != last[STAMP_AT]:
        history[STAMP_CHANGED_AT] = now
    elif history[IS_FOREIGN] == 0.0 and now - history[STAMP_CHANGED_AT] > STUCK:
        history[IS_FOREIGN] = history[BECAME_FOREIGN] = 1.0
    if history[IS_FOREIGN] != 0.0 and math.isfinite(stamp):
        found[STAMP_AT] = 0.0
        return 0
    if _is_far(stamp, settings, now):
        return STAMP_FAR
    return STAMP_BACKWARDS if not is_first and stamp < last[STAMP_AT] - BACKWARDS else 0


@kernel
def _began_anew(found: Array, last: Array) -> bool:
    """Tell whether a measurement is one of the first of a robot that was started again."""
    number = sequence_of(found)
    if not 0 < number < min(sequence_of(last), NEW_LIFE):
        return False
    return bool(found[STAMP_AT] <= last[STAMP_AT])


@kernel
def sequence_of(motion: Array) -> int:
    """Return the number of a measurement, `RobotState.motion`."""
    return int(motion[SEQUENCE_AT : SEQUENCE_AT + 1].view(np.uint64)[0])
