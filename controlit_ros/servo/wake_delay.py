"""WakeDelay: how late a thread that sleeps wakes up."""

SHARE = 0.98  # [-] of wakes that come by what is found
STEPS = 50.0  # [-] in the longest delay; what a wake changes is at most one of them


class WakeDelay:
    """Learns from each wake by how much sooner a sleep has to end, so that most end in time.

    Args:
        longest: Delay that is made up for at most, and what is assumed at first [s].

    Attributes:
        usual: By which `SHARE` of wakes come [s].
    """

    def __init__(self, longest: float) -> None:
        self.usual = longest
        self._longest = longest
        self._step = longest / STEPS

    def took(self, delay: float) -> None:
        """Take note of how late a wake came [s]."""
        self.usual = follow(
            self.usual, delay, share=SHARE, step=self._step, least=0.0, most=self._longest
        )


def follow(
    quantile: float, found: float, *, share: float, step: float, least: float, most: float
) -> float:
    """Return a quantile after one more of what it is of (Robbins and Monro 1951).

    One that is greater raises it by `share` of a step, any other lowers it by the rest, which
    balances where `share` of them are no greater.

    Args:
        quantile: As it was.
        found: The one that was found.
        share: Of all, 0 to 1.
        step: By which it changes at most.
        least: It is lowered no further.
        most: It is raised no further.
    """
    if found > quantile:
        return min(quantile + share * step, most)
    return max(quantile - (1.0 - share) * step, least)
