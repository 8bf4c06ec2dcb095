"""How steady the servo is while every topic has a subscriber."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from controlit_bench.cycle_count import Count, CycleCount
from controlit_bench.listener import Listener
from controlit_bench.network import SETTLE, servo_and_network
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles
from controlit_bench.usage import Usage, memory_together, process_with_servo
from controlit_ros.processes.idle_loop import FREQUENCY, REAL_TIME, IdleLoop, measure_idle_loop

MORE_OVERRUNS = {1000.0: 1.0, 4000.0: 10.0}
"""Goals [in 10 000] by frequency [Hz]: how many more than a servo without work misses."""


class _Taken(NamedTuple):
    """What was measured of the servo and of the process with the transport.

    Attributes:
        processor: Share of a core, of either.
        memory: Resident [MB], of either.
        together: Memory of both with what they share counted once [MB].
        counts: Cycles and overruns before and after the time that is measured.
    """

    processor: tuple[float, float]
    memory: tuple[float, float]
    together: float
    counts: tuple[Count, Count]


def measure_lateness(
    *, duration: float, core: int | None = None, frequency: float = FREQUENCY
) -> Section:
    """Run the servo with a subscriber for each of its topics; report it and its process.

    Half of the time before and half of it after, a servo without work shows what the machine gives.

    Args:
        duration: Of either [s].
        core: Processor of the servo alone; none: all are everybody's.
        frequency: Of the servo [Hz].
    """
    own = () if core is None else (core,)

    def without_work() -> IdleLoop:
        return measure_idle_loop(0.5 * duration, frequency, REAL_TIME._replace(affinity=own))

    idle = [without_work()]
    settings = {"servo_frequency": frequency}
    with servo_and_network(duration, parameters=settings, processors=own) as (servo, network):
        listener, count = Listener(network), CycleCount(network)
        listener.await_compiled(servo)
        time.sleep(SETTLE)
        assert servo.pid is not None
        processes = (process_with_servo(servo.pid), servo.pid)
        before = count.next(servo)
        usages = [Usage(pid) for pid in processes]
        received = listener.received()
        time.sleep(duration)
        received = listener.received() - received
        taken = _Taken(
            (usages[0].processor(), usages[1].processor()),
            (usages[0].memory(), usages[1].memory()),
            memory_together(set(processes)),
            (before, count.next(servo)),
        )
        servo.stop()
        summary = servo.left_summary()
    idle.append(without_work())
    return Section(
        name="lateness",
        title=f"Servo at {frequency:g} Hz with transport on for {duration:g} s",
        columns=("what", "measured [-]", "without work [-]", "unit", "target [-]"),
        rows=tuple(_rows(summary, taken, idle, frequency)),
        remarks=(
            f"{len(listener.counts)} topics with {received / duration:.0f} messages a second",
        ),
    )


def _rows(
    summary: dict[str, Any], taken: _Taken, idle: list[IdleLoop], frequency: float
) -> list[tuple[Any, ...]]:
    """Return the rows of the table; of what there is without work, the better is told."""

    def best(figure: Callable[[IdleLoop], float]) -> float:
        return min(figure(loop) for loop in idle)

    def usual(target: float) -> float | None:
        return target if frequency == FREQUENCY else None

    before, after = taken.counts
    lateness, total = Quantiles(*summary["lateness"]), Quantiles(*summary["phases"]["total"])
    empty = Quantiles(*map(min, *(loop.summary.lateness for loop in idle)))
    missed = best(lambda loop: 1e4 * loop.overruns)
    more = MORE_OVERRUNS.get(frequency)
    return [
        ("lateness p50", 1e3 * lateness.p50, 1e3 * empty.p50, "ms", None),
        ("lateness p99", 1e3 * lateness.p99, 1e3 * empty.p99, "ms", usual(0.2)),
        ("lateness p99.9", 1e3 * lateness.p999, 1e3 * empty.p999, "ms", None),
        ("total p50", 1e3 * total.p50, None, "ms", usual(0.06)),
        ("total p99", 1e3 * total.p99, None, "ms", usual(0.15)),
        (
            "overruns",
            1e4 * after.rate_since(before),
            missed,
            "in 10 000",
            None if more is None else missed + more,
        ),
        ("overruns of the start", before.overruns, None, "in all", None),
        (
            "processor",
            1e2 * taken.processor[0],
            best(lambda loop: 1e2 * loop.processor),
            "% of a core",
            usual(15.0),
        ),
        ("processor, transport", 1e2 * taken.processor[1], None, "% of a core", usual(10.0)),
        ("resident memory", taken.memory[0], None, "MB", None),
        ("resident memory, transport", taken.memory[1], None, "MB", None),
        ("resident memory, both", taken.together, None, "MB", usual(220.0)),
    ]
