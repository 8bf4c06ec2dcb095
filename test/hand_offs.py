"""Both ends of a hand-off: rows that are easy to check, and all that nobody has read yet."""

import sys
import threading
from contextlib import contextmanager

PIECES = 4


def drained(hand_off):
    """Return copies, oldest first; what is offered meanwhile is left."""
    samples, end = [], hand_off.written[0]
    while (sample := hand_off.take(hand_off.copy_at, end)) is not None:
        samples.append(sample)
    return samples


def offer_numbered(hand_off, rows, pieces=(slice(None),)):
    """Offer rows whose stamp and numbers are all their own number, written in pieces."""
    for number in range(rows):
        values = hand_off.begin(float(number))
        for part in pieces:
            values[part] = number
        hand_off.commit()


@contextmanager
def hammered(hand_off, width, rows):
    """Have rows offered by a thread that any switch of threads interrupts; return the thread."""
    size = max(width // PIECES, 1)
    pieces = [slice(i, i + size) for i in range(0, width, size)]  # so that a switch can tear them
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    writer = threading.Thread(target=offer_numbered, args=(hand_off, rows, pieces))
    try:
        writer.start()
        yield writer
        writer.join()
    finally:
        sys.setswitchinterval(interval)
