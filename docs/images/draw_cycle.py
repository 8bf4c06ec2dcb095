# ruff: noqa: INP001 - a script beside the picture it makes
"""Draw docs/images/cycle.png: where the time of a cycle goes, before and now.

Takes two files that `controlit bench parts --json` wrote: of a version before, and of this one.
"""

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

ALL = "all"
COLOURS = {
    "dynamics": "#4c78a8", "projections": "#72b7b2", "tasks": "#54a24b",
    "errors and laws": "#eeca3b", "recursion": "#f58518",
}  # fmt: skip
PYTHON = "#d9d9d9"
NARROW = 2.2  # [µs] what is narrower has no name in it

Row = dict[str, Any]


def rows_of(path: Path) -> dict[str, list[Row]]:
    """Return the rows of each robot."""
    found: dict[str, list[Row]] = {}
    for row in json.loads(path.read_text(encoding="utf-8"))["benchmarks"]["parts"]["rows"]:
        if row["part"] != ALL:
            found.setdefault(row["robot"], []).append(row)
    return found


def draw(axes: Axes, rows: list[Row], top: float) -> float:
    """Draw the parts of a cycle, and below each what of it is compiled; return how long it is."""
    begin = 0.0
    for row in rows:
        whole, compiled = row["whole [µs]"], row["compiled [µs]"]
        name = row["part"]
        axes.barh(top, whole, left=begin, height=0.4, color=COLOURS[name], edgecolor="white")
        axes.barh(
            top - 0.3, compiled, left=begin, height=0.2, color=COLOURS[name], edgecolor="white",
            alpha=0.55,
        )  # fmt: skip
        axes.barh(
            top - 0.3, whole - compiled, left=begin + compiled, height=0.2, color=PYTHON,
            edgecolor="white",
        )  # fmt: skip
        if whole > NARROW:
            axes.text(begin + 0.5 * whole, top, f"{whole:.1f}", ha="center", va="center", size=8)
        begin += whole
    return begin


def main() -> None:
    """Write the picture beside this file."""
    before, now = (rows_of(Path(name)) for name in sys.argv[1:3])
    figure, axes = plt.subplots(figsize=(9.0, 4.6), layout="constrained")
    ticks, labels = [], []
    for i, robot in enumerate(now):
        for j, (words, found) in enumerate((("before", before), ("now", now))):
            top = -2.2 * i - 0.9 * j
            end = draw(axes, found[robot], top)
            axes.text(end + 0.6, top - 0.1, f"{end:.1f} µs", va="center", size=9)
            ticks.append(top - 0.1)
            labels.append(f"{robot}, {words}")
    axes.set_yticks(ticks, labels, size=9)
    axes.set_xlabel(
        "a single-threaded cycle, hot [µs]; below each part: compiled, and Python in grey"
    )
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in COLOURS.values()]
    axes.legend(handles, COLOURS, loc="upper right", frameon=False, fontsize=9)
    figure.savefig(Path(__file__).with_name("cycle.png"), dpi=110)


if __name__ == "__main__":
    main()
