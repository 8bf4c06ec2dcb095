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
        self._is_open = True

    @property
    def is_waiting(self) -> bool:
        """Whether there is a change to make."""
        return bool(self._offers)

    def offer(self, change: Change) -> Receipt:
        """Queue a change.

        Returns:
            Tells when the servo has made it; taken back at once if no cycle will come.
        """
        receipt, was_open = Receipt(), self._is_open
        if was_open:
            self._offers.append(_Offer(change, receipt))
        if not (was_open and self._is_open):  # who closes it meanwhile may not see this one
            receipt.decide(Outcome.WITHDRAWN)
        return receipt

    def open(self) -> None:
        """Let changes wait for cycles that will come."""
        self._is_open = True

    def close(self) -> None:
        """Let no change wait: no cycle will come. Those that do are taken back."""
        self._is_open = False
        for offer in tuple(self._offers):  # which stay: the servo alone takes out
            offer.receipt.decide(Outcome.WITHDRAWN)

    def make_next(self) -> None:
        """Make the oldest change unless it was taken back; servo thread only."""
        change, receipt = self._offers.popleft()
        receipt.conclude(lambda: _made(change))


def _made(change: Change) -> Outcome:
    change()
    return Outcome.APPLIED
