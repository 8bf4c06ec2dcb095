"""The paper's six controllers on the real servo (section 5, table 3)."""

import tempfile
import time
from pathlib import Path

from controlit_bench.cycle import TimedCycle
from controlit_bench.problems import dreamer_content, stack_of
from controlit_bench.section import Section
from controlit_bench.timing import Work, best, interleaved
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import PHASES, LatencySummary
from controlit_ros.transport import open_transport

PAPER = {  # [ms] mean latency: levels, orientation, single-threaded
    (2, "2D", False): 0.528,
    (2, "3D", False): 0.999,
    (3, "2D", False): 0.494,
    (3, "3D", False): 0.788,
    (5, "2D", False): 0.477,
    (5, "3D", False): 0.603,
    (2, "2D", True): 0.820,
    (2, "3D", True): 1.289,
    (3, "2D", True): 0.764,
    (3, "3D", True): 1.068,
    (5, "2D", True): 0.744,
    (5, "3D", True): 0.882,
}


def measure_rows(*, quick: bool, core: int | None = None) -> Section:
    """Run every row at 1 kHz on the steady clock, without robot I/O.

    Args:
        quick: Two rows, half a second each.
        core: Processor the servo thread is pinned to.
    """
    keys = [(2, "2D", False), (2, "2D", True)] if quick else list(PAPER)
    rows = []
    for levels, orientation, single in keys:
        content = dreamer_content(levels, orientation, single_threaded=single)
        if core is not None:
            content["parameters"]["cpu_affinity"] = [core]
        with tempfile.TemporaryDirectory() as folder:
            stack = stack_of(content, Path(folder))
            hot = TimedCycle(stack_of(content, Path(folder)))
        work = hot.compute if single else _command_of(hot)
        hot_time = best(interleaved({"hot": work}, rounds=10, calls=20))["hot"]
        with ServoNode(stack, open_transport("servo", "/benchmark", name="local")) as node:
            time.sleep(0.5 if quick else 3.0)
            summary = node.summary()
        paper = PAPER[levels, orientation, single]
        rows.append((levels, orientation, "single" if single else "multi", paper,
                     *_figures(summary, paper), 1e3 * hot_time))  # fmt: skip
    return Section(
        name="rows",
        title="The paper's controllers, p50 of each phase at 1 kHz; hot: computing only, in a loop",
        columns=(
            "levels", "orientation", "threads", "paper [ms]",
            *(f"{phase.replace('_', ' ')} [ms]" for phase in PHASES),
            "total p99 [ms]", "late p99 [ms]", "paper/total [-]", "hot [ms]",
        ),
        rows=tuple(rows),
    )  # fmt: skip


def _command_of(cycle: TimedCycle) -> Work:
    def work() -> None:
        cycle.compute_tasks()
        cycle.compute_command()

    return work


def _figures(summary: LatencySummary, paper: float) -> tuple[float, ...]:
    phases = summary.phases
    return (
        *(1e3 * phases[phase][0] for phase in PHASES),
        1e3 * phases["total"][1],
        1e3 * summary.lateness[1],
        1e-3 * paper / phases["total"][0],
    )
