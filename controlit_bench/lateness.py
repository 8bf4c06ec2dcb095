"""How steady the servo is while every topic has a subscriber."""

import time
from collections.abc import Callable
from typing import Any

from controlit_bench.listener import Listener
from controlit_bench.network import SETTLE, servo_and_network
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles
from controlit_bench.usage import Usage, memory_together, process_with_servo
from controlit_ros.processes.idle_loop import REAL_TIME, IdleLoop, measure_idle_loop


def measure_lateness(*, duration: float, core: int | None = None) -> Section:
    """Run the servo with a subscriber for each of its topics; report it and its process.

    Half of the time before and half of it after, a servo without work shows what the machine gives.

    Args:
        duration: Of either [s].
        core: Processor of the servo alone; none: all are everybody's.
    """
    own = () if core is None else (core,)
    real_time = REAL_TIME._replace(affinity=own)
    idle = [measure_idle_loop(0.5 * duration, real_time=real_time)]
    with servo_and_network(duration, processors=own) as (servo, network):
        listener = Listener(network)
        listener.await_compiled()
        time.sleep(SETTLE)
        assert servo.pid is not None
        pid = process_with_servo(servo.pid)
        usage = Usage(pid)
        front = Usage(servo.pid)
        received = listener.received()
        time.sleep(duration)
        processor, memory = usage.processor(), usage.memory()
        both = (front.processor(), front.memory())
        together = memory_together({servo.pid, pid})
        received = listener.received() - received
        servo.stop()
        summary = servo.left_summary()
    idle.append(measure_idle_loop(0.5 * duration, real_time=real_time))
    lateness = Quantiles(*summary["lateness"])
    total = Quantiles(*summary["phases"]["total"])
    overruns = summary["overruns"] / max(summary["cycles"], 1)

    def best(figure: Callable[[IdleLoop], float]) -> float:
        return min(figure(loop) for loop in idle)

    empty = Quantiles(*map(min, *(loop.summary.lateness for loop in idle)))
    rows: list[tuple[Any, ...]] = [
        ("lateness p50", 1e3 * lateness.p50, 1e3 * empty.p50, "ms", None),
        ("lateness p99", 1e3 * lateness.p99, 1e3 * empty.p99, "ms", 0.2),
        ("lateness p99.9", 1e3 * lateness.p999, 1e3 * empty.p999, "ms", None),
        ("total p50", 1e3 * total.p50, None, "ms", 0.06),
        ("total p99", 1e3 * total.p99, None, "ms", 0.15),
        ("overruns", 1e4 * overruns, best(lambda i: 1e4 * i.overruns), "in 10 000", 1.0),
        ("processor", 1e2 * processor, best(lambda i: 1e2 * i.processor), "% of a core", 25.0),
        ("resident memory", memory, None, "MB", 200.0),
        ("that of both processes", together, None, "MB", 220.0),
    ]
    return Section(
        name="lateness",
        title=f"Servo with transport on for {duration:g} s",
        columns=("what", "measured [-]", "without work [-]", "unit", "target [-]"),
        rows=tuple(rows),
        remarks=(
            f"{len(listener.counts)} topics with {received / duration:.0f} messages a second",
            f"the process with the transport: {1e2 * both[0]:.0f} % of a core, {both[1]:.0f} MB",
        ),
    )
