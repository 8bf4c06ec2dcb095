"""Time the servo on the paper's six controllers (section 5, table 3): `make bench`.

Each row runs the real coordinator at 1 kHz on the steady clock without robot I/O. Print p50 and
p99 of every phase beside the paper's mean, and the machine they were measured on.
"""

import platform
import time
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from ruamel.yaml import YAML

from controlit_ros.configuration import load_configuration
from controlit_ros.nodes.controller_stack import build_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import PHASES, LatencySummary
from controlit_ros.share import share_directory
from controlit_ros.transport import open_transport

DURATION = 4.0  # [s] a row
PRIORITIES = {2: (1, 1, 1, 1, 0), 3: (2, 2, 1, 1, 0), 5: (4, 3, 2, 1, 0)}
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


class Row(NamedTuple):
    """One controller and what it took."""

    levels: int
    orientation: str
    single_threaded: bool
    summary: LatencySummary


def measure(levels: int, orientation: str, *, single_threaded: bool) -> LatencySummary:
    """Run one controller for a while."""
    path = share_directory() / "config" / "dreamer" / "benchmark.yaml"
    content = YAML(typ="safe", pure=True).load(path.read_text())
    for task in content["tasks"]:
        task["type"] = task["type"].replace("Orientation2D", f"Orientation{orientation}")
    for entry, priority in zip(content["compound_task"], PRIORITIES[levels], strict=True):
        entry["priority"] = priority
    content["parameters"] |= {
        "single_threaded_model": single_threaded,
        "single_threaded_tasks": single_threaded,
    }
    stack = build_stack(load_configuration(_text(content)))
    with ServoNode(stack, open_transport("servo", "/benchmark", name="local")) as node:
        node.wait(lambda: False, DURATION)
        return node.summary()


def rows() -> Iterator[Row]:
    """Measure every row of the paper."""
    for levels, orientation, single_threaded in PAPER:
        summary = measure(levels, orientation, single_threaded=single_threaded)
        yield Row(levels, orientation, single_threaded, summary)


def main() -> None:
    """Print the table."""
    print(
        f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, "
        f"{time.strftime('%Y-%m-%d')}; p50 / p99 in ms"
    )
    print(
        f"{'levels':>6} {'orient':>6} {'threads':>8} {'paper':>6}  "
        + " ".join(f"{phase:>15}" for phase in PHASES)
        + f" {'lateness':>15}"
    )
    for row in rows():
        paper = PAPER[row.levels, row.orientation, row.single_threaded]
        cells = [row.summary.phases[phase] for phase in PHASES] + [row.summary.lateness]
        threads = "single" if row.single_threaded else "multi"
        print(
            f"{row.levels:>6} {row.orientation:>6} {threads:>8} {paper:>6.3f}  "
            + " ".join(f"{1e3 * c[0]:>7.4f}/{1e3 * c[1]:>7.4f}" for c in cells)
        )


def _text(content: object) -> str:
    stream = StringIO()
    YAML().dump(content, stream)
    return stream.getvalue()


if __name__ == "__main__":
    main()
