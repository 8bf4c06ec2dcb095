"""Timing on a machine that also does other things."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Work = Callable[[], object]
K = TypeVar("K")


class Quantiles(NamedTuple):
    """Statistics of durations [s]."""

    p50: float
    p99: float
    p999: float
    highest: float

    @classmethod
    def of(cls, values: npt.ArrayLike) -> "Quantiles":
        """Return the statistics of a sample that is not empty."""
        array = np.asarray(values, dtype=np.float64)
        p50, p99, p999 = np.percentile(array, (50.0, 99.0, 99.9))
        return cls(float(p50), float(p99), float(p999), float(array.max()))


def interleaved(works: Mapping[K, Work], *, rounds: int, calls: int) -> dict[K, list[float]]:
    """Time several works in turns, so that what else the machine does hits all of them alike.

    Args:
        works: What to time, by name.
        rounds: Turns of each.
        calls: Calls in a turn.

    Returns:
        Mean time of a call [s] in each turn, by name.
    """
    times: dict[K, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(rounds):
        for name, work in works.items():
            begin = perf_counter()
            for _ in range(calls):
                work()
            times[name].append((perf_counter() - begin) / calls)
    return times


def processors() -> set[int]:
    """Return the processors that this thread may run on; none: it is not known."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


@contextmanager
def one_processor() -> Iterator[None]:
    """Stay on one processor within, with every process that is started there.

    Processors of a machine that others use run at different speeds.
    """
    allowed = processors()
    if not allowed:
        yield
        return
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def best(times: Mapping[K, list[float]]) -> dict[K, float]:
    """Return the best turn of each [s]: the one that the machine disturbed least."""
    return {name: min(turns) for name, turns in times.items()}
