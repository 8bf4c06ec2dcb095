"""Routine: what is done in each cycle, in one compiled call as long as nothing special happens."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from controlit_ros.kernels import BoundKernel, ask_python, bind, chain_from


class Duty(NamedTuple):
    """One thing that is done in each cycle.

    Attributes:
        kernel: Does it, and returns whether that was all; bound to everything it needs.
        otherwise: Does the rest at a time [s], if not.
    """

    kernel: BoundKernel
    otherwise: Callable[[float], None]


def by_python(action: Callable[[float], None]) -> Duty:
    """Return a duty of which no kernel does anything: the action is called each time."""
    return Duty(bind(ask_python), action)


def nothing_more(_now: float) -> None:
    """Do nothing: what follows a kernel that always does all."""


class Routine:
    """Does its duties in their order, with Python only where a kernel leaves something to it.

    All kernels between two such places run in one call, without the interpreter: where other work
    has emptied the caches, what Python does between two of them costs more than they do.

    Args:
        duties: In their order; compiled now.
    """

    def __init__(self, duties: Sequence[Duty]) -> None:
        self._run_from = chain_from(*(duty.kernel for duty in duties))
        self._otherwise = tuple(duty.otherwise for duty in duties)
        self._count = len(duties)
        self._run_from(self._count)  # compiled now, not in the first cycle

    def run(self, now: float) -> None:
        """Do everything once, at a time [s]; what one raises ends it."""
        at = self._run_from(0)
        while at < self._count:
            self._otherwise[at](now)
            at = self._run_from(at + 1)
