"""Agenda: which samplers a cycle has to look at."""

import math
from collections.abc import Callable, Iterable, Iterator

from controlit_ros.kernels.offer_rows import RAISED
from controlit_ros.parameters import Parameter
from controlit_ros.servo.row_copies import CopiedRow, RowCopies
from controlit_ros.servo.sampler import Sampler

CYCLES = 4  # [cycles] over which those are spread that are due at the same time
SPREAD = 2.0 * CYCLES  # [cycles] the least period of one that can wait
FEW = 4  # [samplers] that are not worth it
NEVER = -1  # a number of changes that there never is


class Agenda:
    """The samplers that somebody wants, sorted by how often they have to be looked at.

    Most topics have the same rate and would be due in the same cycle, which thirty of them make
    twice as long. So a cycle offers a share of those that can wait, whose periods are long beside
    the cycles that it takes to offer them all.

    Args:
        wanted: Their bytes of interest.
        samplers: All there are, by the places of these.
        copies: Offers those whose vectors stand in memory that is known.

    Attributes:
        moves: Of parameters, when that memory was found.
    """

    def __init__(self, wanted: bytes, samplers: dict[int, Sampler], copies: RowCopies) -> None:
        self.moves = Parameter.moves
        self.wanted = wanted
        self.samplers = samplers
        # the writer may want one that is no longer here
        found = [(place, samplers[place]) for place in raised_in(wanted) if place in samplers]
        copied: list[CopiedRow] = []
        others: list[Sampler] = []
        for place, sampler in found:
            if sources := sampler.sources:
                copied.append(CopiedRow(place, sampler, sources))
            else:
                others.append(sampler)
        copies.adopt(copied, _share(row.sampler for row in copied))
        self._copies = copies
        self._waiting = [sampler for sampler in others if sampler.waits_for_change]
        self._often = [s for s in others if not (s.is_paced or s.waits_for_change)]
        self._paced = [sampler for sampler in others if sampler.is_paced]
        self._share = _share(others)
        self._due = -math.inf  # when the first of the paced ones is [s]
        self._changes = NEVER

    def restart(self) -> None:
        """Look at all in the next cycle: what time it is may have changed."""
        self._due = -math.inf
        self._changes = NEVER
        self._copies.restart()

    def holds(self, wanted: bytes, samplers: dict[int, Sampler]) -> bool:
        """Return whether it is still what these need."""
        is_same = wanted == self.wanted and samplers is self.samplers
        return is_same and self.moves == Parameter.moves

    def offer(self, now: float, elapsed: float, offer: Callable[[Sampler, float], bool]) -> bool:
        """Offer those that are due; return whether there are any.

        Args:
            now: The present time [s].
            elapsed: Since the cycle before [s].
            offer: Offers one; tells whether it did.
        """
        has_mail: bool = self._copies.offer(now, elapsed)
        for sampler in self._often:
            has_mail |= offer(sampler, now)
        if self._changes != Parameter.changes:
            has_mail |= self._offer_changed(now, offer)
        if now >= self._due:
            has_mail |= self._offer_paced(now, SPREAD * elapsed, offer)
        return has_mail

    def _offer_changed(self, now: float, offer: Callable[[Sampler, float], bool]) -> bool:
        """Offer those whose parameter changed; again in the next cycle while one is not due."""
        self._changes, has_mail = Parameter.changes, False
        for sampler in self._waiting:
            has_mail |= offer(sampler, now)
            if sampler.has_untold:
                self._changes = NEVER
        return has_mail

    def _offer_paced(
        self, now: float, brief: float, offer: Callable[[Sampler, float], bool]
    ) -> bool:
        """Offer a share of those that are due, and all whose periods are brief [s]."""
        has_mail, left, due = False, self._share, math.inf
        paced, end = self._paced, 0
        for place, sampler in enumerate(paced):
            can_wait = sampler.period >= brief
            if now >= sampler.due and (left > 0 or not can_wait):
                has_mail |= offer(sampler, now)
                if can_wait:
                    left, end = left - 1, place + 1
            due = min(due, sampler.due)
        self._due = due
        self._paced = paced[end:] + paced[:end]  # who waits has the first turn in the next cycle
        return has_mail


def _share(samplers: Iterable[Sampler]) -> int:
    """Return how many a cycle offers of those of some samplers that can wait."""
    return max(FEW, -(-sum(sampler.is_paced for sampler in samplers) // CYCLES))


def raised_in(flags: "bytes | memoryview[int]") -> Iterator[int]:
    """Yield the places of the flags that are raised now, whatever becomes of them meanwhile."""
    found = bytes(flags)
    place = found.find(RAISED)
    while place >= 0:
        yield place
        place = found.find(RAISED, place + 1)
