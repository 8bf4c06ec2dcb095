"""Pictures of a gait; needs matplotlib."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from controlit_demos.walking.gait_observer import Gait
from controlit_ros.arrays import Array
from controlit_ros.recording.plots import BLUE, GREY, ORANGE, RESOLUTION
from controlit_ros.regular_file import opened_to_write

PANEL = (11.0, 1.9)  # [inch]
STOOD = 0.08  # [s] on the ground until a place counts as a footstep


def write_gait_pictures(gait: Gait, half_size: Array, folder: Path) -> list[str]:
    """Write the gait over time and from above; return the file names."""
    figures = {"gait.png": over_time(gait, half_size), "steps.png": from_above(gait, half_size)}
    for name, figure in figures.items():
        with opened_to_write(folder / name) as file:
            figure.savefig(file, format="png", dpi=RESOLUTION)
    return list(figures)


def over_time(gait: Gait, half_size: Array) -> Figure:
    """Draw ξ beside its plan, pressure, forces, and the error of the estimate; phases are shaded.

    Grey: the left foot alone bears the robot; darker: the right one alone. Feet that are points
    have no pressure to draw.
    """
    has_soles = bool(half_size.any())
    rows = 6 if has_soles else 4
    figure = Figure(figsize=(PANEL[0], rows * PANEL[1]), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, sharex=True)
    times = gait.times
    for axis, column, name in zip(axes[:2], (0, 1), "xy", strict=True):
        axis.plot(times, gait.dcm_goal[:, column], color=GREY, linestyle="--", label="planned")
        axis.plot(times, gait.dcm[:, column], color=BLUE, linewidth=1.0, label="ξ")
        axis.set_ylabel(f"ξ {name} [m]")
    axes[0].legend(frameon=False, ncols=2)
    if has_soles:
        _draw_pressure(axes[2:4], gait, half_size)
    forces, errors = axes[-2:]
    for foot, colour in ((0, BLUE), (1, ORANGE)):
        forces.plot(times, gait.forces[:, foot], color=colour, linewidth=1.0)
    forces.set_ylabel("force [N]")
    for column, name in enumerate("xyz"):
        error = 1e3 * (gait.estimate - gait.base)[:, column]
        errors.plot(times, error, linewidth=1.0, label=name)
    errors.set_ylabel("estimate off [mm]")
    errors.legend(frameon=False, ncols=3)
    errors.set_xlabel("time [s]")
    for axis in axes:
        axis.grid(visible=True, alpha=0.3)
        _shade(axis, gait)
    return figure


def _draw_pressure(axes: Sequence[Any], gait: Gait, half_size: Array) -> None:
    """Draw centres of pressure along and across the soles, which have edges there."""
    for axis, shift, name in zip(axes, (0, 1), "xy", strict=True):
        for foot, colour, label in ((0, BLUE, "left"), (1, ORANGE, "right")):
            values = 100.0 * gait.pressure[:, 2 * foot + shift]
            axis.plot(gait.times, values, color=colour, linewidth=1.0, label=label)
        for edge in (-100.0 * half_size[shift], 100.0 * half_size[shift]):
            axis.axhline(edge, color=GREY, linestyle="--", linewidth=1.0)
        axis.set_ylabel(f"pressure {name} [cm]")
    axes[0].legend(frameon=False, ncols=2)


def from_above(gait: Gait, half_size: Array) -> Figure:
    """Draw where soles stood, and the ways of ξ and of the root link."""
    figure = Figure(figsize=(11.0, 6.0), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    for foot, colour in ((0, BLUE), (1, ORANGE)):
        for place in footprints(gait, foot):
            if half_size.any():
                axis.add_patch(Polygon(_corners(place, half_size), fill=False, edgecolor=colour))
            else:
                axis.plot(*place[:2], "o", color=colour, markersize=4.0)
    axis.plot(*gait.base[:, :2].T, color="black", linewidth=0.8, label="root link")
    axis.plot(*gait.dcm[:, :2].T, color=GREY, linewidth=0.8, label="ξ")
    axis.set_aspect("equal", adjustable="datalim")
    axis.legend(frameon=False)
    axis.set_xlabel("x [m]")
    axis.set_ylabel("y [m]")
    axis.grid(visible=True, alpha=0.3)
    return figure


def footprints(gait: Gait, foot: int) -> list[Array]:
    """Return where a foot (0: left) stood: x, y, z, yaw, one a stand."""
    bears = np.isfinite(gait.pressure[:, 2 * foot])
    found, since = [], 0
    for i in range(1, len(bears) + 1):
        if i < len(bears) and bears[i] == bears[since]:
            continue
        if bears[since] and gait.times[i - 1] - gait.times[since] >= STOOD:
            found.append(gait.feet[(since + i) // 2, 4 * foot : 4 * foot + 4])
        since = i
    return found


def _corners(place: Array, half_size: Array) -> Array:
    x, y, _, yaw = place
    c, s = np.cos(yaw), np.sin(yaw)
    corners = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * half_size
    found: Array = corners @ np.array([[c, s], [-s, c]]) + (x, y)
    return found


def _shade(axis: Any, gait: Gait) -> None:
    bears = np.isfinite(gait.pressure[:, ::2])
    low, high = axis.get_ylim()
    for foot, alpha in ((0, 0.08), (1, 0.2)):
        alone = bears[:, foot] & ~bears[:, 1 - foot]
        axis.fill_between(gait.times, low, high, where=alone, color="black", alpha=alpha, lw=0)
    axis.set_ylim(low, high)
