"""Where the time of a cycle goes, part by part: compiled code, and the Python around it."""

import math
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from controlit_bench.cycle import TimedCycle
from controlit_bench.peers import BAXTER, baxter_content
from controlit_bench.problems import dreamer_content, example_robot, stack_of
from controlit_bench.scaling import talos_cycle
from controlit_bench.section import Section
from controlit_bench.timing import Work
from controlit_ros.errors import ControlItError

WARM = 5  # [cycles] until tasks are steady and everything is bound
_CALLING = ("bind", "chain")  # the modules that make what Python calls
TURNS, CALLS = 50, 100  # of the clock alone


class _Clock:
    """Adds up how long compiled code ran that was called from Python.

    Attributes:
        time: All of it [s].
        calls: How often.
    """

    def __init__(self) -> None:
        self.time = 0.0
        self.calls = 0

    def clocked(self, kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
        """Return what `functools.partial` does, with a clock in it."""
        bound = partial(kernel, *arguments)

        def call(*given: Any) -> Any:
            begin = perf_counter()
            result = bound(*given)
            self.time += perf_counter() - begin
            self.calls += 1
            return result

        return call

    def cost(self) -> float:
        """Return what it adds to a call beside what it measures [s]; the least of some turns."""
        nothing = self.clocked(_nothing)
        least = math.inf
        for _ in range(TURNS):
            counted, begin = self.time, perf_counter()
            for _ in range(CALLS):
                nothing()
            least = min(least, perf_counter() - begin - (self.time - counted))
        return least / CALLS


class _PartTurn(NamedTuple):
    """A call in the mean of a turn [s].

    Attributes:
        whole: All of it.
        compiled: Of it, compiled code with what numba does around it.
        calls: Of compiled code [-].
    """

    whole: float
    compiled: float
    calls: float


def measure_parts(*, quick: bool) -> Section:
    """Measure single-threaded cycles of three robots, hot, each part in turns with the others."""
    rounds, calls = (3, 3) if quick else (150, 20)
    rows: list[tuple[object, ...]] = []
    remarks = []
    clock = _Clock()
    with tempfile.TemporaryDirectory() as name, _kernels_clocked(clock):
        for robot, create in _ROBOTS.items():
            try:
                cycle = create(Path(name))
            except ControlItError as error:
                remarks.append(f"{robot}: not installed: {error}")
                continue
            for _ in range(WARM):
                cycle.compute()
            rows += _rows(robot, _turns(_parts(cycle), clock, rounds, calls), clock.cost())
    return Section(
        name="parts",
        title="Where the time of a single-threaded cycle goes, hot",
        columns=("robot", "part", "whole [µs]", "compiled [µs]", "Python [µs]", "calls [-]"),
        rows=tuple(rows),
        remarks=tuple(remarks),
    )


def _parts(cycle: TimedCycle) -> dict[str, Work]:
    model, state = cycle.model, cycle.state
    return {
        "dynamics": lambda: model.update_dynamics(state),
        "projections": model.update_projections,
        "tasks": cycle.update_tasks,
        "errors and laws": cycle.compute_tasks,
        "recursion": cycle.compute_command,
        "dynamics and projections": cycle.update_model,
        "laws and recursion": cycle.compute_all,
        "all": cycle.compute,
    }


def _turns(parts: dict[str, Work], clock: _Clock, rounds: int, calls: int) -> dict[str, _PartTurn]:
    """Return the best turn of each part."""
    best: dict[str, _PartTurn] = {}
    for _ in range(rounds):
        for name, work in parts.items():
            work()
            before, count = clock.time, clock.calls
            begin = perf_counter()
            for _ in range(calls):
                work()
            whole = (perf_counter() - begin) / calls
            turn = _PartTurn(whole, (clock.time - before) / calls, (clock.calls - count) / calls)
            if name not in best or whole < best[name].whole:
                best[name] = turn
    return best


def _rows(robot: str, turns: dict[str, _PartTurn], cost: float) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for name, (whole, compiled, calls) in turns.items():
        own = whole - calls * cost
        found.append((robot, name, 1e6 * own, 1e6 * compiled, 1e6 * (own - compiled), calls))
    return found


def _dreamer(folder: Path) -> TimedCycle:
    return TimedCycle(stack_of(dreamer_content(), folder))


def _baxter(folder: Path) -> TimedCycle:
    return TimedCycle(stack_of(baxter_content(example_robot(BAXTER)), folder))


_ROBOTS: dict[str, Callable[[Path], TimedCycle]] = {
    "Dreamer, 2 levels": _dreamer,
    "Baxter, two hands": _baxter,
    "Talos, 15 tasks": talos_cycle,
}


@contextmanager
def _kernels_clocked(clock: _Clock) -> Iterator[None]:
    """Let a clock see the kernels that are bound within, and the chains."""
    modules: list[Any] = [import_module(f"controlit_ros.kernels.{name}") for name in _CALLING]
    for module in modules:
        module.partial = clock.clocked
    try:
        yield
    finally:
        for module in modules:
            module.partial = partial


def _nothing() -> None:
    pass
