"""All rows of a hand-off that nobody has read yet."""


def drained(hand_off):
    """Return copies, oldest first; what is offered meanwhile is left."""
    samples, end = [], hand_off.written[0]
    while (sample := hand_off.take(hand_off.copy_at, end)) is not None:
        samples.append(sample)
    return samples
