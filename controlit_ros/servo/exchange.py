"""Exchange: how other threads change what a servo consists of."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from controlit_ros.parameters import Outcome, Receipt

Change = Callable[[], None]
"""Puts parts that were made beforehand in the place of others; does nothing that takes time."""


class _Offer(NamedTuple):
    change: Change
    receipt: Receipt


class Exchange:
    """Queue of changes from any thread to the servo thread, which makes them between two cycles.

    What a change needs is built and checked by who offers it. The servo makes one a cycle, when
    no other thread uses what it replaces.
    """

    def __init__(self) -> None:
        self._offers: deque[_Offer] = deque()

    @property
    def is_waiting(self) -> bool:
        """Whether there is a change to make."""
        return bool(self._offers)

    def offer(self, change: Change) -> Receipt:
        """Queue a change.

        Returns:
            Tells when the servo has made it.
        """
        receipt = Receipt()
        self._offers.append(_Offer(change, receipt))
        return receipt

    def make_next(self) -> None:
        """Make the oldest change unless it was taken back; servo thread only."""
        change, receipt = self._offers.popleft()
        if receipt.claim():
            change()
            receipt.outcome = Outcome.APPLIED
