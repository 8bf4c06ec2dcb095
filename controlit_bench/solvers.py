"""Time of a command by quadratic programs, however they are made, beside the law by projections."""

import tempfile
from collections.abc import Callable, Mapping
from itertools import cycle
from pathlib import Path

import numpy as np

from controlit_bench.cycle import TimedCycle
from controlit_bench.problems import dreamer_content, stack_of
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles, interleaved
from controlit_ros.configuration import ConfigurationError, ControllerParameters
from controlit_ros.configuration.plugins import PluginKind, available

CASES = {
    "none met": (0.0, 1.0),
    "efforts at theirs": (0.0, 300.0),
    "with limit_horizon": (0.05, 300.0),
}
"""`limit_horizon` [s] of the limits a problem has, and how much is asked for [m/s², rad/s²]."""
LEAST_SCALE, SCALES = 0.2, 7
"""The commands of the tasks are these parts of what they are, in turn: no problem is the last."""


def measure_solvers(*, quick: bool) -> Section:
    """Measure Dreamer with five tasks on two levels; every solver and prioritisation, in turns."""
    cycles: dict[tuple[str, str], TimedCycle] = {}
    missing = []
    with tempfile.TemporaryDirectory() as name:
        cycles["WBOSC", "afterwards"] = _cycle(Path(name), {}, {})
        for solver, chosen in _choices().items():
            parameters = {"whole_body_controller_type": "WholeBodyQP", **chosen}
            try:
                for limits, (horizon, _) in CASES.items():
                    controller = {"limit_horizon": horizon}
                    cycles[solver, limits] = _cycle(Path(name), parameters, controller)
            except ConfigurationError:
                missing.append(f"{solver}: not installed")
    asked = {limits: most for limits, (_, most) in CASES.items()}
    works = {key: _changing(timed, asked.get(key[1], 1.0)) for key, timed in cycles.items()}
    times = interleaved(works, rounds=6 if quick else 600, calls=SCALES)
    quantiles = {key: Quantiles.of(turns) for key, turns in times.items()}
    law = quantiles["WBOSC", "afterwards"].p50
    return Section(
        name="solvers",
        title="Command of Dreamer by quadratic programs",
        columns=("solver", "limits", "p50 [µs]", "p99 [µs]", "p50 beside WBOSC [-]"),
        rows=tuple(
            (*key, 1e6 * found.p50, 1e6 * found.p99, found.p50 / law)
            for key, found in quantiles.items()
        ),
        remarks=tuple(missing),
    )


def _choices() -> dict[str, dict[str, str]]:
    """Return what to measure: every solver as it is, and every other prioritisation."""
    solvers = {name: {"qp_solver_type": name} for name in available(PluginKind.QP_SOLVER)}
    usual = ControllerParameters()
    others = set(available(PluginKind.PRIORITISATION)) - {usual.prioritisation_type}
    levels = {
        f"{usual.qp_solver_type}, {name}": {"prioritisation_type": name} for name in sorted(others)
    }
    return solvers | levels


def _cycle(
    folder: Path, parameters: Mapping[str, str], controller: Mapping[str, float]
) -> TimedCycle:
    content = dreamer_content(single_threaded=True)
    content["parameters"] |= parameters
    if controller:
        content["whole_body_controller"] = dict(controller)
    return TimedCycle(stack_of(content, folder))


def _changing(timed: TimedCycle, most: float) -> Callable[[], None]:
    """Return what computes one command, each of another problem."""
    tasks = timed.stack.tasks
    wanted = most * np.random.default_rng(0).normal(size=tasks.command.shape)
    scales = cycle(range(SCALES))

    def work() -> None:
        np.multiply(wanted, LEAST_SCALE * next(scales), out=tasks.command)
        timed.compute_command()

    return work
