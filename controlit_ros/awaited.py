"""Waits for cycles of a servo, so that who lets its time pass lets none pass for nobody."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any

from controlit_ros.awake_time import AwakeTime

LOOK = 0.0005  # [s] between two looks whether somebody waits
LONGEST = 5.0  # [s] without anybody who waits, after which time passes all the same

_waits: dict[object, Callable[[], bool]] = {}


@contextmanager
def awaiting(is_over: Callable[[], bool]) -> Iterator[None]:
    """Tell that a thread waits for cycles of a servo until a condition holds."""
    key = object()
    _waits[key] = is_over
    try:
        yield
    finally:
        del _waits[key]


def are_cycles_awaited() -> bool:
    """Return whether a thread waits for what only cycles bring."""
    return any(not is_over() for is_over in tuple(_waits.values()))


def step_until_done(answer: "Future[Any]", step: Callable[[], object]) -> None:
    """Let simulated time pass while somebody waits for it, until an answer is there.

    What others compute takes none of it, so the same calls take the same time on every machine.

    Args:
        answer: Of another thread.
        step: Lets a cycle pass, or some.
    """
    idle = AwakeTime()
    while not answer.done():
        if are_cycles_awaited() or idle.look() > LONGEST:
            step()
        else:
            wait((answer,), LOOK)
