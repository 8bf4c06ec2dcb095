"""How late threads wake on this machine: the servo, one without work, and another program's."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from controlit_bench.cyclictest import WakeUps, run_cyclictest
from controlit_bench.heard_servo import summary_while_heard
from controlit_bench.network import SETTLE
from controlit_bench.section import Section
from controlit_ros.errors import ControlItError
from controlit_ros.processes.idle_loop import IdleLoop, measure_idle_loop
from controlit_ros.servo import LATENESS_EDGES

COLUMNS = (
    "what",
    "servo [-]",
    "without work, before [-]",
    "without work, after [-]",
    "cyclictest [-]",
    "unit",
)
PAPER = "the paper's servo: 1005.4 ± 15.7 Hz"


class Wakes(NamedTuple):
    """What a column tells; `None` where the program does not.

    Attributes:
        late: Cycles in each class of lateness, as in `LatencySummary`.
        largest: Largest lateness [s].
        overruns: Cycles that ended after the next one should have begun, for each cycle.
        frequency: Mean and standard deviation [Hz].
    """

    late: tuple[int, ...]
    largest: float
    overruns: float | None = None
    frequency: tuple[float, float] | None = None


def measure_jitter(*, duration: float) -> Section:
    """Run each of them for a while, one after the other.

    Args:
        duration: Of the servo and of cyclictest [s]; half of it of each loop without work.
    """
    before = measure_idle_loop(0.5 * duration)
    servo = _measure_servo(duration)
    after = measure_idle_loop(0.5 * duration)
    remarks = [PAPER]
    other = None
    try:
        other = _of_program(run_cyclictest(duration))
    except ControlItError as error:
        remarks.append(str(error))
    return Section(
        name="jitter",
        title=f"How late threads wake, the servo with transport on for {duration:g} s",
        columns=COLUMNS,
        rows=jitter_rows((servo, _of_loop(before), _of_loop(after), other)),
        remarks=tuple(remarks),
    )


def jitter_rows(columns: Sequence[Wakes | None]) -> tuple[tuple[Any, ...], ...]:
    """Return a row for each class of lateness, and those of what else is known of each column."""
    edges = [round(1e6 * edge) for edge in LATENESS_EDGES]
    titles = [*(f"late by at most {edge} µs" for edge in edges), f"by more than {edges[-1]} µs"]

    def row(title: str, unit: str, values: Sequence[float | None]) -> tuple[Any, ...]:
        return (title, *values, unit)

    def share(column: Wakes, index: int) -> float:
        return 1e4 * column.late[index] / max(sum(column.late), 1)

    known = [Wakes((), 0.0) if column is None else column for column in columns]
    overruns = [None if it.overruns is None else 1e4 * it.overruns for it in known]
    means = [None if it.frequency is None else it.frequency[0] for it in known]
    deviations = [None if it.frequency is None else it.frequency[1] for it in known]
    classes = [
        row(title, "in 10 000", [share(it, index) if it.late else None for it in known])
        for index, title in enumerate(titles)
    ]
    return (
        *classes,
        row("cycles", "-", [sum(it.late) if it.late else None for it in known]),
        row("largest lateness", "µs", [1e6 * it.largest if it.late else None for it in known]),
        row("overruns", "in 10 000", overruns),
        row("frequency, mean", "Hz", means),
        row("frequency, standard deviation", "Hz", deviations),
    )


def _measure_servo(duration: float) -> Wakes:
    summary = summary_while_heard(SETTLE + duration)
    mean, deviation, *_ = summary["frequency"]
    return Wakes(
        late=tuple(summary["late"]),
        largest=summary["lateness"][-1],
        overruns=summary["overruns"] / max(summary["cycles"], 1),
        frequency=(mean, deviation),
    )


def _of_loop(loop: IdleLoop) -> Wakes:
    summary = loop.summary
    return Wakes(summary.late, summary.lateness[-1], loop.overruns, summary.frequency[:2])


def _of_program(found: WakeUps) -> Wakes:
    return Wakes(found.late, found.largest)
