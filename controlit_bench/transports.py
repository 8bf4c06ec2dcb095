"""The servo over rclpy beside the servo over dds."""

import importlib.util
from collections.abc import Callable
from typing import NamedTuple

from controlit_bench.heard_servo import summary_while_heard
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles, best

TRANSPORTS = ("dds", "rclpy")
LIMIT = 1.5  # [-] times over rclpy to those over dds
FLOOR = 1e-5  # [s] a hundredth of the period; ratios of less tell of the timer
TITLE = "The servo over rclpy beside dds, a subscriber on each topic"
COLUMNS = ("what", "dds [ms]", "rclpy [ms]", "rclpy/dds [-]", "limit [-]")


class _Turn(NamedTuple):
    """How one run of the servo went."""

    lateness: Quantiles
    total: Quantiles


_FIGURES: dict[str, Callable[[_Turn], float]] = {
    "lateness p50": lambda turn: turn.lateness.p50,
    "lateness p99": lambda turn: turn.lateness.p99,
    "total p50": lambda turn: turn.total.p50,
    "total p99": lambda turn: turn.total.p99,
}


def measure_transports(*, quick: bool) -> Section:
    """Run the servo over both transports in turns; the best turn of each counts."""
    if importlib.util.find_spec("rclpy") is None:
        remark = "not measured: rclpy is not importable; source ROS 2 first"
        return Section(name="transports", title=TITLE, columns=COLUMNS, rows=(), remarks=(remark,))
    duration, rounds = (1.0, 1) if quick else (10.0, 4)
    turns: dict[str, list[_Turn]] = {name: [] for name in TRANSPORTS}
    for _ in range(rounds):
        for name in TRANSPORTS:
            turns[name].append(_turn(name, duration))
    rows = []
    for what, figure in _FIGURES.items():
        found = best({name: [figure(turn) for turn in turns[name]] for name in TRANSPORTS})
        dds, rclpy = (found[name] for name in TRANSPORTS)
        ratio = max(rclpy, FLOOR) / max(dds, FLOOR)
        rows.append((what, 1e3 * dds, 1e3 * rclpy, ratio, LIMIT))
    remarks = (
        f"the best of {rounds} turns of {duration:g} s each",
        f"less than {1e3 * FLOOR:g} ms counts as that in a ratio",
    )
    return Section(
        name="transports", title=TITLE, columns=COLUMNS, rows=tuple(rows), remarks=remarks
    )


def _turn(name: str, duration: float) -> _Turn:
    summary = summary_while_heard(duration, transport=name)
    return _Turn(Quantiles(*summary["lateness"]), Quantiles(*summary["phases"]["total"]))
