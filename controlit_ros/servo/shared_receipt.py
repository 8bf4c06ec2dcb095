"""Receipts of batches that one process posts and another applies."""

import time
from collections.abc import Callable

from controlit_ros.awake_time import AwakeTime
from controlit_ros.parameters import Outcome, Receipt
from controlit_ros.servo.shared_memory import shared_memory

# [s] for the servo to finish a batch it has begun: it takes microseconds, but a busy machine may
# keep the servo's process from running; one that dies over it is noticed elsewhere
VERDICT_PATIENCE = 5.0
PAUSE = 0.0005  # [s]
WORD = 8  # [bytes]
I_POSTED, I_BEGUN, I_SETTLED, I_DROPPED, WORDS = range(5)
OUTCOMES = (
    Outcome.WITHDRAWN,
    Outcome.APPLIED,
    Outcome.DROPPED,
    Outcome.REFUSED,
    Outcome.FAILED,
)  # by the servo's verdict


class Verdicts:
    """What becomes of the last batches, in memory that two processes share.

    Poster and servo write different bytes. The servo says that it begins a batch before it looks
    whether the poster wants it back; the poster says so before it looks whether the servo has
    begun. So at least one of them sees the other, and then the servo alone decides.

    Args:
        capacity: How many batches may be under way.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.words = shared_memory(WORD * WORDS).cast("Q")
        self.is_unwanted = shared_memory(capacity)
        self.verdicts = shared_memory(capacity)

    @property
    def posted(self) -> int:
        """How many batches were posted."""
        return self.words[I_POSTED]

    @posted.setter
    def posted(self, posted: int) -> None:
        self.words[I_POSTED] = posted

    @property
    def settled(self) -> int:
        """How many batches the servo is done with."""
        return self.words[I_SETTLED]

    @property
    def dropped(self) -> int:
        """How many batches the servo's process dropped."""
        return self.words[I_DROPPED]

    def clear(self, number: int) -> None:
        """Forget what became of the batch that had the place of a new one."""
        place = number % self.capacity
        self.is_unwanted[place] = self.verdicts[place] = 0


class ServoReceipt(Receipt):
    """The servo's side of a receipt, for the oldest batch that is not settled."""

    __slots__ = ("_number", "_outcome", "_verdicts")

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts
        self._number = verdicts.settled
        super().__init__()

    def claim(self) -> bool:
        """Return whether the batch shall be applied."""
        verdicts = self._verdicts
        verdicts.words[I_BEGUN] = self._number + 1
        super().claim()  # also keeps the processor from looking before it has written
        return not verdicts.is_unwanted[self._number % verdicts.capacity]

    @property
    def outcome(self) -> Outcome:
        """Where the batch ended."""
        return self._outcome

    @outcome.setter
    def outcome(self, outcome: Outcome) -> None:
        self._outcome = outcome
        if outcome is not Outcome.PENDING:
            verdicts = self._verdicts
            verdicts.verdicts[self._number % verdicts.capacity] = OUTCOMES.index(outcome)
            verdicts.words[I_DROPPED] += int(outcome is Outcome.DROPPED)

    def close(self) -> None:
        """Tell the poster that the servo is done with the batch."""
        self._verdicts.words[I_SETTLED] = self._number + 1


class PosterReceipt(Receipt):
    """The poster's side of a receipt.

    Args:
        verdicts: What becomes of the batches.
        number: Which of them it is.
        undo: Called when it turns out that the batch has no effect.
    """

    __slots__ = ("_number", "_outcome", "_undo", "_verdicts")

    def __init__(self, verdicts: Verdicts, number: int, undo: Callable[[], None]) -> None:
        self._verdicts = verdicts
        self._number = number
        self._undo = undo
        super().__init__()

    def claim(self) -> bool:
        """Return whether the batch will have no effect because the poster wants it back."""
        verdicts = self._verdicts
        verdicts.is_unwanted[self._number % verdicts.capacity] = 1
        super().claim()  # also keeps the processor from looking before it has written
        waited = AwakeTime()
        while verdicts.words[I_BEGUN] > self._number:
            if self.outcome is not Outcome.PENDING:
                return False
            if waited.look() > VERDICT_PATIENCE:
                break  # the servo died over it
            time.sleep(PAUSE)
        return True

    @property
    def outcome(self) -> Outcome:
        """Where the batch ended, so far."""
        verdicts = self._verdicts
        if self._outcome is Outcome.PENDING and verdicts.settled > self._number:
            self.outcome = OUTCOMES[verdicts.verdicts[self._number % verdicts.capacity]]
        return self._outcome

    @outcome.setter
    def outcome(self, outcome: Outcome) -> None:
        self._outcome = outcome
        if outcome not in (Outcome.PENDING, Outcome.APPLIED):
            self._undo()
