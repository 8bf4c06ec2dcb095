"""Receipt: what became of a batch of parameter changes."""

import time
from collections.abc import Callable
from enum import Enum
from threading import Lock

from controlit_ros.awaited import awaiting
from controlit_ros.awake_time import AwakeTime

POLL = 0.001  # [s] a cycle of the servo


class Outcome(Enum):
    """Where a batch ended."""

    PENDING = "pending"
    APPLIED = "applied"
    DROPPED = "dropped"
    """It gave way to newer ones in a full mailbox."""
    REFUSED = "refused"
    """It was not taken when its turn came: see `Mailbox.admits`."""
    WITHDRAWN = "withdrawn"
    """Its poster took it back before it was applied, or nobody would have applied it."""
    FAILED = "failed"
    """Something raised while it was applied."""


class Receipt:
    """Tells a poster what became of its batch; see `Mailbox`.

    A batch is either applied or taken back, never both: whoever claims it first decides.

    Attributes:
        outcome: Where the batch ended, so far.
    """

    __slots__ = ("_claim", "outcome")

    def __init__(self) -> None:
        self.outcome = Outcome.PENDING
        self._claim = Lock()

    def claim(self) -> bool:
        """Return whether the caller is the first, and so may decide; never blocks."""
        return self._claim.acquire(blocking=False)

    def conclude(self, work: Callable[[], Outcome]) -> None:
        """Do what the batch asks for unless it was taken back, and tell; once only.

        Args:
            work: Does it, and returns where that ended; what it raises is raised.
        """
        if self.claim():
            outcome = Outcome.FAILED
            try:
                outcome = work()
            finally:  # a poster would wait for ever
                self.outcome = outcome

    def decide(self, outcome: Outcome) -> bool:
        """Let the batch end so, unless it is decided where it ends; return whether it does."""
        if not self.claim():
            return False
        self.outcome = outcome
        return True

    def settle(self, timeout: float) -> Outcome:
        """Wait until the batch is applied or dropped; after the timeout [s] take it back.

        Returns:
            Anything but `PENDING`: what was taken back has no effect later.
        """
        waited = AwakeTime()
        with awaiting(lambda: self.outcome is not Outcome.PENDING):
            while self.outcome is Outcome.PENDING:
                if waited.look() > timeout and self.decide(Outcome.WITHDRAWN):
                    break
                time.sleep(POLL)
        return self.outcome
