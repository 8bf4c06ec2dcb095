"""WakeDelay: how late a thread that sleeps wakes up."""

SHARE = 0.98  # [-] of wakes that come by what is found
STEPS = 50.0  # [-] in the longest delay; what a wake changes is at most one of them


class WakeDelay:
    """Learns from each wake by how much sooner a sleep has to end, so that most end in time.

    It follows a quantile: a wake later than that raises it by `SHARE` of a step, any other lowers
    it by the rest, which balances where `SHARE` of them come by it (Robbins and Monro 1951).

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
        if delay > self.usual:
            self.usual = min(self.usual + SHARE * self._step, self._longest)
        else:
            self.usual = max(self.usual - (1.0 - SHARE) * self._step, 0.0)
