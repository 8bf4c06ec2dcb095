"""The regression gate: how much faster the kernels are than what specifies them."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from controlit_bench.cycle import TimedCycle
from controlit_bench.problems import dreamer_content, stack_of
from controlit_bench.section import Section
from controlit_bench.timing import Work, best, interleaved

ROUNDS = 60  # [turns] enough that each finds the machine quiet once
CALLS = 20  # [calls] a turn of a few milliseconds, shorter than a time slice


class Limit(NamedTuple):
    """What must stay true.

    Attributes:
        name: What is compared.
        ratio: Highest time of the kernels over that of the specification.
    """

    name: str
    ratio: float


class GateResult(NamedTuple):
    """A limit and what was found.

    Attributes:
        limit: What must stay true.
        fast: Time of the kernels [s].
        specified: Time of the specification [s].
    """

    limit: Limit
    fast: float
    specified: float

    @property
    def ratio(self) -> float:
        """Time of the kernels over that of the specification."""
        return self.fast / self.specified

    @property
    def holds(self) -> bool:
        """Whether the limit is kept; something that is not a number is not."""
        return self.ratio <= self.limit.ratio


LIMITS = (
    Limit("projections", 0.04),
    Limit("task commands", 0.55),
    Limit("recursion", 0.03),
    Limit("whole cycle", 0.03),
)
"""Two to four times what is measured; see docs/performance.md."""


def measure_gate(rounds: int = ROUNDS, calls: int = CALLS) -> list[GateResult]:
    """Measure the kernels against the specification, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        cycle = TimedCycle(stack_of(dreamer_content(), Path(folder)))
    pairs: dict[str, tuple[Work, Work]] = {
        "projections": (cycle.model.update_projections, cycle.specified_projections),
        "task commands": (cycle.compute_tasks, cycle.specified_tasks),
        "recursion": (cycle.compute_command, cycle.specified_command),
        "whole cycle": (cycle.compute, cycle.specified),
    }
    cycle.specified_projections()
    verdicts = []
    for limit in LIMITS:
        fast, specified = pairs[limit.name]
        times = best(
            interleaved({"fast": fast, "specified": specified}, rounds=rounds, calls=calls)
        )
        verdicts.append(GateResult(limit, times["fast"], times["specified"]))
    return verdicts


def gate_section(verdicts: Sequence[GateResult]) -> Section:
    """Return the table of the gate."""
    return Section(
        name="gate",
        title="Kernels against their specification in NumPy",
        columns=("what", "kernels [µs]", "NumPy [µs]", "ratio [-]", "limit [-]", "verdict"),
        rows=tuple(
            (
                verdict.limit.name,
                1e6 * verdict.fast,
                1e6 * verdict.specified,
                verdict.ratio,
                verdict.limit.ratio,
                "ok" if verdict.holds else "TOO SLOW",
            )
            for verdict in verdicts
        ),
    )
