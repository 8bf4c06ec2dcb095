"""SharedMailbox: parameter changes posted in one process and applied in another."""

import marshal
from collections.abc import Iterable
from functools import partial
from threading import RLock
from typing import Any

import numpy as np

from controlit_ros.parameters import Mailbox, Outcome, Parameter, ParameterError, Patch, Receipt
from controlit_ros.parameters.mailbox import (
    CAPACITY,
    Assignments,
    Batch,
    assign_stated,
    is_sampled,
)
from controlit_ros.servo.record_ring import RecordRing
from controlit_ros.servo.shared_memory import shared_memory
from controlit_ros.servo.shared_receipt import PosterReceipt, ServoReceipt, Verdicts

BYTES_PER_BATCH = 1024  # [bytes] a posture with its feed-forward
VECTOR, PATCH, PLAIN = range(3)

Before = tuple[tuple[int, Any], ...]


class SharedMailbox(Mailbox):
    """A mailbox between a process and the servo that it forks off.

    `post` validates in the process of the poster and sends the batch, whose parameters are named
    by their number, through memory that both processes share. The parameters of the posting
    process take the values at once: they are a mirror of the servo's, brought up to date by
    `adopt`. A batch that finds no room is refused and counted; while the servo makes no cycles its
    process calls `make_room`, so that the newest are kept.

    Args:
        parameters: All that may be posted; more come by `enroll`.
        capacity: Batches that may wait.
    """

    def __init__(self, parameters: Iterable[Parameter], capacity: int = CAPACITY) -> None:
        super().__init__(capacity)
        self._posting = RLock()
        self._refused = 0
        self._parameters: dict[int, Parameter] = {}
        self._numbers: dict[Parameter, int] = {}
        self._changed: dict[int, int] = {}  # `posted` after the last post of each
        self._next_number = 0  # none is given twice: what is under way goes by numbers
        self.enroll(parameters)
        self._ring = RecordRing(capacity * BYTES_PER_BATCH, shared_memory)
        self._verdicts = Verdicts(capacity)
        self._receipts: list[PosterReceipt | None] = [None] * capacity
        self._posted = 0

    @property
    def numbered(self) -> dict[int, Parameter]:
        """All that may be posted, by number."""
        return self._parameters.copy()

    def enroll(self, parameters: Iterable[Parameter], first: int | None = None) -> int:
        """Take in what may be posted from now on; see `Mailbox.enroll`."""
        with self._posting:
            number = first = self._next_number if first is None else first
            for number, parameter in enumerate(parameters, first):
                self._changed[number] = 0
                self._parameters[number] = parameter
                self._numbers[parameter] = number
            self._next_number = number + 1
            return first

    def dismiss(self, parameters: Iterable[Parameter]) -> None:
        """Forget parameters of parts that left."""
        leaving = frozenset(parameters)
        leaving |= {p for p, heir in self._instead.items() if heir in leaving}
        super().dismiss(leaving)
        with self._posting:
            for parameter in leaving:
                number = self._numbers.pop(parameter, None)
                if number is not None:
                    del self._parameters[number], self._changed[number]

    @property
    def posted(self) -> int:
        """How many batches were posted."""
        return self._posted

    @property
    def settled(self) -> int:
        """How many of them the servo is done with."""
        return self._verdicts.settled

    @property
    def dropped(self) -> int:
        """Batches that were refused or gave way."""
        return self._refused + self._verdicts.dropped

    def adopt(self, number: int, value: Any, settled: int) -> None:
        """Take a value of the servo into the mirror, unless a newer one waits to be applied.

        Args:
            number: Of the parameter.
            value: As `assign` takes it.
            settled: What `settled` was before the servo looked at the value.
        """
        with self._posting:
            if number in self._parameters and self._changed[number] <= settled:
                self._parameters[number].assign(value)

    def next(self) -> Batch | None:
        """Return the oldest batch still waiting; servo's process only."""
        if self._head is None:
            record = self._ring.peek()
            if record is None:
                return None
            assignments = tuple(
                (parameter, _decoded(form, content))
                for number, form, content in marshal.loads(record)  # noqa: S302 - our own process
                if (parameter := self._parameters.get(number)) is not None  # or it has left
            )
            readers = self._readers(assignments)
            self._head = Batch(assignments, readers, ServoReceipt(self._verdicts))
        return self._head

    def apply_next(self) -> None:
        """Assign the batch that `next` returned unless it was taken back; servo's process only."""
        head = self._head
        if head is not None:
            assert isinstance(head.receipt, ServoReceipt)
            try:
                super().apply_next()
            finally:  # also what cannot be applied is done with
                self._ring.advance()
                head.receipt.close()

    def make_room(self) -> None:
        """Drop the oldest half of what waits when there is more; servo's process, at rest only."""
        waiting = self._verdicts.posted - self.settled
        for _ in range(waiting - self._capacity // 2):
            head = self.next()
            if head is None:
                return
            self._head = None
            self._ring.advance()
            assert isinstance(head.receipt, ServoReceipt)
            head.receipt.decide(Outcome.DROPPED)
            head.receipt.close()

    def _enqueue(self, assignments: Assignments) -> Receipt:
        record = marshal.dumps([self._encoded(*assignment) for assignment in assignments])
        receipt = PosterReceipt(
            self._verdicts, self._posted, partial(self._undo, self._before(assignments))
        )
        if self._posted - self.settled < self._capacity:
            self._conclude(self._receipts[self._posted % self._capacity])
            self._verdicts.clear(self._posted)
            if self._ring.offer(record):
                self._receipts[self._posted % self._capacity] = receipt
                self._posted += 1
                self._verdicts.posted = self._posted
                self._mirror(assignments)
                return receipt
        self._refused += 1
        receipt.outcome = Outcome.DROPPED
        return receipt

    @staticmethod
    def _conclude(receipt: PosterReceipt | None) -> None:
        """Let a receipt find out what became of its batch before the place is another's."""
        assert receipt is None or receipt.outcome is not Outcome.PENDING

    def _mirror(self, assignments: Assignments) -> None:
        for parameter, value in assignments:
            self._changed[self._numbers[parameter]] = self._posted
            assign_stated(parameter, value, is_sample=is_sampled(parameter, assignments))

    def _before(self, assignments: Assignments) -> tuple[int, Before]:
        values = tuple(
            (self._numbers[p], p.value.copy() if p.is_array else p.value) for p, _ in assignments
        )
        return self._posted + 1, values

    def _undo(self, before: tuple[int, Before]) -> None:
        """Give the mirror the values back that it had before a batch that has no effect."""
        posted, values = before
        for number, value in values:
            self.adopt(number, value, posted)

    def _encoded(self, parameter: Parameter, value: Any) -> tuple[int, int, Any]:
        number = self._numbers.get(parameter)
        if number is None:
            raise ParameterError(f"{parameter.full_name} is not a parameter of this controller")
        if isinstance(value, Patch):
            indices = value.indices.astype(np.int64)
            return number, PATCH, (indices.tobytes(), value.values.tobytes())
        if isinstance(value, np.ndarray):
            return number, VECTOR, value.tobytes()
        return number, PLAIN, value


def _decoded(form: int, content: Any) -> Any:
    if form == VECTOR:
        return np.frombuffer(content)
    if form == PATCH:
        indices, values = content
        return Patch(np.frombuffer(indices, dtype=np.int64), np.frombuffer(values))
    return content
