"""Pictures of a run, in the manner of the paper's figures 14 and 15; needs matplotlib."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from controlit_ros.applications.paper_figures import HAND_ERRORS, LATENCY
from controlit_ros.applications.run_record import RunRecord
from controlit_ros.servo import PHASES

# Okabe and Ito: told apart by every kind of colour vision, and in grey.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
SIDES = (("Right", BLUE), ("Left", ORANGE))
AXES = ("x", "y", "z")
RESOLUTION = 110  # [dots per inch] readable on a page, below 150 kB
BINS = 60


def write_plots(record: RunRecord, folder: Path) -> list[str]:
    """Write all pictures the record has data for; return their file names."""
    pictures: dict[str, Callable[[RunRecord], Figure | None]] = {
        "hand_positions.png": hand_positions,
        "hand_orientations.png": hand_orientations,
        "error_histograms.png": error_histograms,
        "servo_latency.png": servo_latency,
        "servo_frequency.png": servo_frequency,
    }
    written = []
    for name, draw in pictures.items():
        figure = draw(record)
        if figure is not None:
            FigureCanvasAgg(figure)
            figure.savefig(folder / name, dpi=RESOLUTION)
            written.append(name)
    return written


def hand_positions(record: RunRecord) -> Figure | None:
    """Draw desired and actual hand positions per axis, and the error below."""
    sides = _sides(record, "HandPosition")
    if not sides:
        return None
    figure, axes = _grid(4, len(sides), (5.6 * len(sides), 8.0), sharex=True)
    for column, (side, colour, name) in enumerate(sides):
        task = record.tasks[name]
        for row, axis in enumerate(AXES):
            panel = axes[row][column]
            panel.plot(task.times, task.actual[:, row], color=colour, lw=2.2, label="actual")
            panel.plot(task.times, task.goal[:, row], color="black", lw=1.0, ls="--", label="goal")
            panel.set_ylabel(f"{axis} [m]" if column == 0 else "")
            _mark_phases(panel, record)
        axes[0][column].set_title(f"{side} hand")
        axes[0][column].legend(loc="lower center", ncols=2, frameon=False)
        panel = axes[3][column]
        panel.plot(task.times, 10.0 * task.errors(), color=colour, lw=1.0)
        panel.set_ylabel("error [mm]" if column == 0 else "")
        panel.set_xlabel("time [s]")
        _mark_phases(panel, record)
    highest = max(float(record.tasks[name].errors().max()) for *_, name in sides)
    for panel in axes[3]:
        panel.set_ylim(0.0, 11.0 * highest)
    return figure


def hand_orientations(record: RunRecord) -> Figure | None:
    """Draw the orientation errors over time beside the paper's means."""
    sides = _sides(record, "HandOrientation")
    if not sides:
        return None
    figure, axes = _grid(len(sides), 1, (8.0, 2.7 * len(sides)), sharex=True)
    highest = max(
        max(HAND_ERRORS[name].mean, float(record.tasks[name].errors().max())) for *_, name in sides
    )
    for row, (side, colour, name) in enumerate(sides):
        task, panel = record.tasks[name], axes[row][0]
        errors = task.errors()
        panel.plot(task.times, errors, color=colour, lw=1.2, label=f"{side.lower()} hand")
        panel.axhline(
            errors.mean(), color=colour, lw=1.2, ls=":", label=f"mean {errors.mean():.2f}°"
        )
        paper = HAND_ERRORS[name].mean
        panel.axhline(paper, color=GREY, lw=1.2, ls="--", label=f"paper's mean {paper:.2f}°")
        panel.set_ylabel("orientation error [°]")
        panel.set_ylim(0.0, 1.05 * highest)
        panel.legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=3, frameon=False)
        _mark_phases(panel, record)
    axes[-1][0].set_xlabel("time [s]")
    return figure


def error_histograms(record: RunRecord) -> Figure | None:
    """Draw how errors are distributed."""
    kinds = [
        (label, unit, sides)
        for suffix, label, unit in (
            ("HandPosition", "position error", "cm"),
            ("HandOrientation", "orientation error", "°"),
        )
        if (sides := _sides(record, suffix))
    ]
    if not kinds:
        return None
    figure, axes = _grid(2, len(kinds), (4.6 * len(kinds), 5.2), sharex="col")
    for column, (label, unit, sides) in enumerate(kinds):
        highest = max(float(record.tasks[name].errors().max()) for *_, name in sides)
        bins = np.linspace(0.0, 1.02 * highest + 1e-9, BINS + 1)
        for row, (side, colour, name) in enumerate(sides):
            errors, panel = record.tasks[name].errors(), axes[row][column]
            weights = np.full(len(errors), 100.0 / len(errors))
            panel.hist(errors, bins=bins, weights=weights, color=colour)
            panel.axvline(errors.mean(), color="black", lw=1.2, ls="--")
            panel.annotate(
                f"mean {errors.mean():.2f} {unit}\npaper {HAND_ERRORS[name].mean:.2f} {unit}",
                (0.97, 0.95),
                xycoords="axes fraction",
                ha="right",
                va="top",
            )
            panel.set_title(f"{side} hand", loc="left", fontsize=10)
            panel.set_ylabel("samples [%]" if column == 0 else "")
        axes[-1][column].set_xlabel(f"{label} [{unit}]")
    return figure


def servo_latency(record: RunRecord) -> Figure | None:
    """Draw the duration of the servo's phases beside the paper's means."""
    samples = 1e3 * record.latency.values
    if not len(samples):
        return None
    figure, axes = _grid(1, 1, (8.0, 3.6))
    panel = axes[0][0]
    low, mid, high = np.maximum(np.percentile(samples, (1.0, 50.0, 99.0), axis=0), 1e-4)
    rows = np.arange(len(PHASES))
    panel.barh(rows, high - low, left=low, height=0.5, color=BLUE, alpha=0.35, label="p1 to p99")
    panel.plot(mid, rows, "o", color=BLUE, label="median")
    paper = [LATENCY[phase] for phase in PHASES]
    panel.plot(paper, rows, "D", color=ORANGE, label="paper, mean")
    for row, value in zip(rows, mid, strict=True):
        panel.annotate(
            f"{value:.3f}", (value, row), (0, 9), textcoords="offset points", ha="center"
        )
    panel.set_xscale("log")
    panel.set_xlim(0.7 * min(*low, *paper), 1.4 * max(*high, *paper))
    panel.set_yticks(rows, [phase.replace("_", " ") for phase in PHASES])
    panel.invert_yaxis()
    panel.set_xlabel("duration [ms]")
    panel.legend(loc="upper center", bbox_to_anchor=(0.45, 1.14), ncols=3, frameon=False)
    panel.grid(axis="x", alpha=0.3)
    return figure


def servo_frequency(record: RunRecord) -> Figure | None:
    """Draw how the servo frequency is distributed."""
    samples = record.frequency.values.reshape(-1)
    if not len(samples):
        return None
    figure, axes = _grid(1, 1, (8.0, 3.2))
    panel = axes[0][0]
    low, high = np.percentile(samples, (0.5, 99.5))
    shown = samples[(samples >= low) & (samples <= high)]
    panel.hist(shown, bins=BINS, color=BLUE)
    panel.set_yscale("log")
    panel.axvline(samples.mean(), color="black", lw=1.2, ls="--")
    panel.set_title(
        f"mean {samples.mean():.1f} Hz, std {samples.std():.1f} Hz, "
        f"{samples.min():.0f} to {samples.max():.0f} Hz; "
        f"drawn: central 99 % of {len(samples)} samples",
        loc="left",
        fontsize=10,
    )
    panel.set_xlabel("servo frequency of single cycles [Hz]")
    panel.set_ylabel("samples")
    return figure


def _sides(record: RunRecord, suffix: str) -> list[tuple[str, str, str]]:
    return [
        (side, colour, f"{side}{suffix}")
        for side, colour in SIDES
        if f"{side}{suffix}" in record.tasks and len(record.tasks[f"{side}{suffix}"].times)
    ]


def _grid(rows: int, columns: int, size: tuple[float, float], **share: Any) -> tuple[Figure, Any]:
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **share)
    for panel in axes.flat:
        panel.spines[["top", "right"]].set_visible(False)
        panel.yaxis.set_major_locator(MaxNLocator(5))
    return figure, axes


def _mark_phases(panel: Any, record: RunRecord) -> None:
    """Shade the pauses."""
    begins = [begin for begin, _ in record.phases] + [record.duration]
    for (begin, name), end in zip(record.phases, begins[1:], strict=True):
        if name == "pause" and begin < record.duration:
            panel.axvspan(begin, min(end, record.duration), color=GREY, alpha=0.15, lw=0)
    panel.margins(x=0.0)
