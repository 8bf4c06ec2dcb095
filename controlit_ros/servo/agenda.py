"""Agenda: which samplers a cycle has to look at."""

import math
from collections.abc import Callable, Iterator

from controlit_ros.servo.sampler import RAISED, Sampler

CYCLES = 4  # [cycles] over which those are spread that are due at the same time
FEW = 4  # [samplers] not worth it


class Agenda:
    """The samplers that somebody wants, sorted by how often they have to be looked at.

    Most topics have the same rate and would be due in the same cycle, which thirty of them make
    three times as long. So a cycle offers a share of those that are paced, and leaves the others
    to the next ones, until they are late.

    Args:
        wanted: Their bytes of interest.
        samplers: All there are, by the places of these.
    """

    def __init__(self, wanted: bytes, samplers: dict[int, Sampler]) -> None:
        self.wanted = wanted
        self.samplers = samplers
        # the writer may want one that is no longer here
        found = [samplers[place] for place in raised_in(wanted) if place in samplers]
        self._often = [sampler for sampler in found if not sampler.is_paced]
        self._paced = [sampler for sampler in found if sampler.is_paced]
        self._share = max(FEW, -(-len(self._paced) // CYCLES))  # of these, in a cycle
        self._due = -math.inf  # when the first of the paced ones is [s]

    def restart(self) -> None:
        """Look at all in the next cycle: what time it is may have changed."""
        self._due = -math.inf

    def offer(self, now: float, offer: Callable[[Sampler, float], bool]) -> bool:
        """Offer those that are due at a time [s]; return whether there are any."""
        has_mail = False
        for sampler in self._often:
            has_mail |= offer(sampler, now)
        if now >= self._due:
            has_mail |= self._offer_paced(now, offer)
        return has_mail

    def _offer_paced(self, now: float, offer: Callable[[Sampler, float], bool]) -> bool:
        """Offer a share of those that are due by their rates, and all that are late."""
        left, due = self._share, math.inf
        for sampler in self._paced:
            if left > 0 or sampler.is_late(now):
                left -= offer(sampler, now)
            due = min(due, sampler.due)
        self._due = due
        return left < self._share


def raised_in(flags: "bytes | memoryview[int]") -> Iterator[int]:
    """Yield the places of the flags that are raised now, whatever becomes of them meanwhile."""
    found = bytes(flags)
    place = found.find(RAISED)
    while place >= 0:
        yield place
        place = found.find(RAISED, place + 1)
