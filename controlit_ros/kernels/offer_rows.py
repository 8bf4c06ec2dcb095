"""Rows of numbers, copied from where they stand into rings that another thread or process reads."""

from math import inf

from controlit_ros.arrays import Array, Indices, Octets
from controlit_ros.kernels.bind import array_at, indices_at
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.message_row import ALL, CHECKSUM, STAMP, VALUES, add_word

WRITTEN, HEADER = range(2)  # words of a ring before its rows
RING_AT, RING_WORDS, STRIDE, FIRST_SOURCE, END_SOURCE, FLAG, RING_COLUMNS = range(7)
SOURCE_AT, SOURCE_WORDS, SOURCE_COLUMNS = range(3)
PERIOD, DUE, TIME_COLUMNS = range(3)
FIRST, SHARE, COUNT, TURN_WORDS = range(4)
RAISED = 1  # a flag, or the interest of somebody


@kernel
def offer_rows(
    now: float,
    elapsed: float,
    spread: float,
    rings: Indices,
    sources: Indices,
    times: Array,
    turn: Indices,
    first_due: Array,
    flags: Octets,
) -> bool:
    """Offer a share of the rows that are due, and all whose periods are brief; tell if any was.

    The rule is that of `servo.agenda`, whose other samplers have rows that Python fills.

    Args:
        now: The present time [s].
        elapsed: Since the cycle before [s].
        spread: Cycles whose time a period must have to be one that can wait.
        rings: `(most, RING_COLUMNS)`: `RING_AT`, `RING_WORDS` of the ring (see `HandOff`), `STRIDE`
            words from row to row, `FIRST_SOURCE` to `END_SOURCE` of the numbers, `FLAG` to raise.
        sources: `(most, SOURCE_COLUMNS)` addresses of numbers and how many there are.
        times: `(most, TIME_COLUMNS)` `PERIOD`, 0: each cycle, and when it is `DUE`; updated [s].
        turn: `FIRST` that has its turn now, updated; `SHARE` of those that can wait in a cycle;
            `COUNT` of rings there are.
        first_due: `(1,)` when the first of all is due; updated [s].
        flags: Of all rings; `RAISED` where there is a new row.
    """
    if now < first_due[0]:
        return False
    count, left = turn[COUNT], turn[SHARE]
    brief, due = spread * elapsed, inf
    begin, end, has_offered = turn[FIRST], 0, False
    for k in range(count):
        i = (begin + k) % count
        period = times[i, PERIOD]
        can_wait = period > 0.0 and brief <= period
        if times[i, DUE] <= now and (left > 0 or not can_wait):
            # from the due time, not from now, so that the rate holds on average
            times[i, DUE] = max(times[i, DUE] + period, now - period)
            offer_row(now, rings[i], sources)
            flags[rings[i, FLAG]] = RAISED
            has_offered = True
            if can_wait:
                left, end = left - 1, k + 1
        due = min(due, times[i, DUE])
    first_due[0] = due
    if count > 0:
        turn[FIRST] = (begin + end) % count
    return has_offered


@kernel
def offer_row(now: float, row: Indices, sources: Indices) -> None:
    """Write a row into its ring: a reader knows by the checksum whether it has all of it.

    Args:
        now: The present time [s].
        row: `(RING_COLUMNS,)` as in `offer_rows`; whoever calls it raises the flag.
        sources: As there.
    """
    ring = indices_at(row[RING_AT], row[RING_WORDS])
    written, stride = ring[WRITTEN], row[STRIDE]
    begin = HEADER + written % ((len(ring) - HEADER) // stride) * stride
    array_at(row[RING_AT], row[RING_WORDS])[begin + STAMP] = now
    checksum, at = add_word(ALL, ring[begin + STAMP]), begin + VALUES
    for s in range(row[FIRST_SOURCE], row[END_SOURCE]):
        for word in indices_at(sources[s, SOURCE_AT], sources[s, SOURCE_WORDS]):
            ring[at] = word
            checksum = add_word(checksum, word)
            at += 1
    ring[begin + CHECKSUM] = checksum ^ ALL
    ring[WRITTEN] = written + 1
