"""Probe: a look at the servo when somebody asks."""

import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from controlit_ros.arrays import Array
from controlit_ros.awaited import awaiting
from controlit_ros.awake_time import AwakeTime
from controlit_ros.errors import ControlItError
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.hand_off import Sample
from controlit_ros.servo.members import Members
from controlit_ros.servo.standing_row import StandingRow

RATE = 100.0  # [Hz] of samples while somebody waits
PATIENCE = 1.0  # [s] many cycles of any servo, and less than callers wait
LOOK = 0.05  # [s] between two looks at the clock


class SilentServoError(ControlItError):
    """The servo makes no cycles."""


class ProbedRow(StandingRow):
    """Numbers of the servo that somebody asks for."""

    @abstractmethod
    def of(self: "R", members: Members) -> "R":
        """Return the row that tells of other members."""


R = TypeVar("R", bound=ProbedRow)


class RowSampler(Sampler, Generic[R]):
    """Brings a row out of the servo.

    Args:
        row: What is brought.
        deliver, wanted: See `Sampler`.
    """

    is_on_demand = True

    def __init__(
        self, row: R, deliver: Callable[[float, Array], None], wanted: Callable[[], bool]
    ) -> None:
        super().__init__(row.width, row, deliver, rate=RATE, wanted=wanted)
        self.row = row


class Probe(Generic[R]):
    """Brings one row of numbers out of the servo thread on request; a `Follower`.

    Args:
        row: What to bring.
        outbox: Brings it.
    """

    def __init__(self, row: R, outbox: Outbox) -> None:
        self._changed = threading.Condition()
        self._waiting = 0
        self._count = 0
        self._sample: Sample | None = None
        self._outbox = outbox
        self._sampler = self._prepare(row)

    @property
    def row(self) -> R:
        """What is brought."""
        return self._sampler.row

    @property
    def sampler(self) -> Sampler:
        """What brings it; who sets another one lets nobody ask meanwhile."""
        return self._sampler

    @sampler.setter
    def sampler(self, sampler: Sampler) -> None:
        assert isinstance(sampler, RowSampler)
        self._sampler = sampler

    def follow(self, members: Members, begin: int | None = None) -> Sampler:
        """Return what brings the row of other members (see `Follower`)."""
        return self._prepare(self.row.of(members), begin)

    def _prepare(self, row: R, begin: int | None = None) -> RowSampler[R]:
        sampler = RowSampler(row, self._keep, lambda: self._waiting > 0)
        self._outbox.add_sampler(sampler, begin)
        return sampler

    def sample(self) -> Sample:
        """Return values of a cycle that began after the call.

        Raises:
            SilentServoError: No cycle was made.
        """
        with self._changed:
            self._waiting += 1
            before = self._count

            def has_arrived() -> bool:
                # the first may have waited in the ring since the last time somebody asked
                return self._count > before + 1

            try:
                waited = AwakeTime()
                with awaiting(has_arrived):
                    while not self._changed.wait_for(has_arrived, LOOK):
                        if waited.look() > PATIENCE:
                            break
            finally:
                self._waiting -= 1
            if not has_arrived() or self._sample is None:
                raise SilentServoError(
                    f"the servo made no cycle within {PATIENCE:g} s: is it configured?"
                )
            return self._sample

    def _keep(self, stamp: float, values: Array) -> None:
        with self._changed:
            self._sample = Sample(stamp, values)
            self._count += 1
            self._changed.notify_all()
