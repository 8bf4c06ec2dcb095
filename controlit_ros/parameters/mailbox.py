"""Mailbox: how other threads change parameters without touching them."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from controlit_ros.errors import ControlItError
from controlit_ros.parameters.parameter import Access, Parameter, ParameterError, Reader
from controlit_ros.parameters.receipt import Outcome, Receipt

CAPACITY = 256  # [batches] a second of goals at 100 Hz for two arms still fits


class NobodyReadsError(ControlItError):
    """The servo takes no mail at present; the text tells why."""


def _nothing() -> str:
    return ""


def _all(_assignments: "Assignments") -> bool:
    return True


def check_assignable(parameter: Parameter) -> None:
    """Check that a parameter may change at run time.

    Raises:
        ParameterError: It is an output or fixed by the configuration.
    """
    if parameter.access is not Access.RUN_TIME:
        raise ParameterError(
            f"{parameter.full_name} cannot change at run time: it is "
            + ("an output" if parameter.access is Access.OUTPUT else "configuration")
        )


def checked_values(values: Mapping[Parameter, Any]) -> dict[Parameter, Any]:
    """Return values as they would be assigned.

    Raises:
        ParameterError: One does not fit, alone or with the others, or its parameter cannot change
            at run time.
    """
    for parameter in values:
        check_assignable(parameter)
    stated = {parameter: parameter.validate(value) for parameter, value in values.items()}
    proposed: dict[Parameter, Any] = dict(stated)
    for implies in {p.implies for p in values if p.implies is not None}:
        proposed |= implies(stated)
    for fits in {p.fits for p in values if p.fits is not None}:
        fits(proposed)
    return proposed


Assignments: TypeAlias = tuple[tuple[Parameter, Any], ...]


def assign_stated(parameter: Parameter, value: Any, *, is_sample: bool) -> None:
    """Assign a value that was stated: a goal, or as it is a sample of a path.

    Args:
        parameter: Takes it.
        value: As `Parameter.validate` returned it.
        is_sample: Whether it comes with its rate, see `is_sampled`.
    """
    if is_sample:
        parameter.assign(value)
    else:
        parameter.accept(value)
    parameter.stated = True


def is_sampled(parameter: Parameter, batch: Assignments) -> bool:
    """Return whether a batch has a parameter's rate as well: it is a sample of a path."""
    return parameter.rate is not None and any(other is parameter.rate for other, _ in batch)


class Batch(NamedTuple):
    """Validated assignments that take effect together."""

    assignments: Assignments
    readers: frozenset[Reader]
    receipt: Receipt


class Mailbox:
    """Bounded queue of parameter changes from any thread to the servo thread.

    `post` validates in the caller's thread; the servo thread applies whole batches between two
    cycles, each when the threads that read its parameters rest. When the queue is full the oldest
    batch gives way and is counted in `dropped`. A map of some entries of a vector leaves the other
    entries as they are when the batch is applied, so that two posters do not undo each other.

    Attributes:
        complaint: Returns why nobody takes mail at present; empty: somebody does.
        admits: Tells whether a batch is taken when its turn comes; servo thread.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"found capacity {capacity}, expected at least 1 batch")
        self.complaint: Callable[[], str] = _nothing
        self.admits: Callable[[Assignments], bool] = _all
        self._queue: deque[Batch] = deque()
        self._posting: AbstractContextManager[bool] = (
            Lock()
        )  # among posters only: the servo thread never takes it
        self._capacity = capacity
        self._instead: Mapping[Parameter, Parameter] = {}  # replaced as a whole: threads read it
        self._head: Batch | None = None
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """Batches that were lost because too many waited."""
        return self._dropped

    def post(self, values: Mapping[Parameter, Any]) -> Receipt:
        """Queue values to be assigned all or nothing, and what they imply.

        Returns:
            Tells when the servo has assigned them.

        Raises:
            ParameterError: A value does not fit, alone or with the others, or its parameter
                cannot change at run time.
        """
        assignments = tuple(checked_values(values).items())
        with self._posting:
            return self._enqueue(tuple((self._addressee(p), value) for p, value in assignments))

    def check_read(self) -> None:
        """Check that the servo reads its mail: what waits for a stuck one would act much later.

        Raises:
            NobodyReadsError: It does not.
        """
        if complaint := self.complaint():
            raise NobodyReadsError(complaint)

    def _enqueue(self, assignments: Assignments) -> Receipt:
        """Append a batch; one poster at a time."""
        batch = Batch(assignments, self._readers(assignments), Receipt())
        if len(self._queue) >= self._capacity:
            try:
                oldest = self._queue.popleft().receipt
                self._dropped += 1
                oldest.decide(Outcome.DROPPED)
            except IndexError:  # the servo emptied it meanwhile
                pass
        self._queue.append(batch)
        return batch.receipt

    def enroll(self, parameters: Iterable[Parameter], first: int | None = None) -> int:  # noqa: ARG002 - here none has a number
        """Take in what may be posted from now on, parts that are new for example.

        Args:
            parameters: Of the new parts.
            first: Number of the first of them, as `enroll` returned it in another process.

        Returns:
            Number of the first, where parameters travel by number.
        """
        return 0

    def dismiss(self, parameters: Iterable[Parameter]) -> None:
        """Forget parameters of parts that left; what is under way to them, and to no heir, is lost.

        What is posted to others in their place is so no more.
        """
        leaving = frozenset(parameters)
        self._instead = {p: other for p, other in self._instead.items() if other not in leaving}

    def prepare_heirs(self, heirs: Mapping[Parameter, Parameter]) -> Callable[[], None]:
        """Let no value be lost while parameters take the place of others, by the others.

        From now on, what is posted to an heir goes to the parameter there is. Once what is returned
        was called, what is under way to that, or is posted to it late, goes to the heir: until this
        one has an heir itself, or leaves.

        Returns:
            To be called by the servo thread, when the heirs have the values; allocates nothing.
        """
        kept = {p: other for p, other in self._instead.items() if other not in heirs}
        after = {**kept, **heirs}
        self.dismiss([p for p in self._instead if p not in kept])  # heirs that failed; grandparents
        self._instead = {**kept, **{heir: former for former, heir in heirs.items()}}

        def hand_over() -> None:
            self._instead = after

        return hand_over

    def _addressee(self, parameter: Parameter) -> Parameter:
        return self._instead.get(parameter, parameter)

    def _readers(self, assignments: Assignments) -> frozenset[Reader]:
        """Return whose rest a batch needs, whoever takes it in the end."""
        stated = {p.reader for p, _ in assignments}
        return frozenset(stated | {self._addressee(p).reader for p, _ in assignments})

    def next(self) -> Batch | None:
        """Return the oldest batch still waiting; servo thread only."""
        if self._head is None and self._queue:
            try:
                self._head = self._queue.popleft()
            except IndexError:  # dropped by a poster meanwhile
                return None
        return self._head

    def make_room(self) -> None:
        """Drop what nobody will read; nothing here, where a poster does so itself."""

    def apply_next(self) -> None:
        """Assign the batch that `next` returned unless it was taken back; servo thread only."""
        head = self._head
        if head is None:
            return
        self._head = None
        head.receipt.conclude(lambda: self._apply(head.assignments))

    def _apply(self, assignments: Assignments) -> Outcome:
        if not self.admits(assignments):
            return Outcome.REFUSED
        for stated, value in assignments:
            sampled = is_sampled(stated, assignments)
            assign_stated(self._addressee(stated), value, is_sample=sampled)
        return Outcome.APPLIED
