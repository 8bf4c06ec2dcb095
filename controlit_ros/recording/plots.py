"""Pictures of a run: each task by its kind, and the servo; needs matplotlib."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from controlit_ros.recording.paper_figures import Published
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.task_track import TaskTrack, TrackKind
from controlit_ros.regular_file import opened_to_write
from controlit_ros.servo import PHASES

# Okabe and Ito: told apart by every kind of colour vision, and in grey.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#888888"
COLOURS = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", "#56B4E9")
AXES = ("x", "y", "z")
WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
RESOLUTION = 110  # [dots per inch] readable on a page, below 150 kB
BINS = 60
ABREAST = 3  # [-] tasks beside each other in a picture
MOST_ROWS = 6  # [-] of a picture: joints of a posture, or tasks below each other

Tasks = Sequence[tuple[str, TaskTrack]]


def write_plots(record: RunRecord, folder: Path) -> list[str]:
    """Write all pictures the record has data for; return their file names."""
    written = []
    for name, figure in _pictures(record):
        with opened_to_write(folder / name) as file:
            FigureCanvasAgg(figure).print_png(file)  # `savefig` draws everything twice
        written.append(name)
    return written


def _pictures(record: RunRecord) -> list[tuple[str, Figure]]:
    kinds: list[tuple[str, tuple[TrackKind, ...], int, Callable[[RunRecord, Tasks], Figure]]] = [
        ("positions", (TrackKind.POSITION,), ABREAST, positions),
        ("paths", (TrackKind.POSITION,), ABREAST, paths),
        ("orientations", (TrackKind.DIRECTION, TrackKind.ORIENTATION), MOST_ROWS, orientations),
        ("postures", (TrackKind.POSTURE,), 1, postures),
        ("forces", (TrackKind.FORCE,), ABREAST, forces),
        ("error_histograms", tuple(TrackKind), ABREAST, error_histograms),
    ]
    found = []
    for name, members, size, draw in kinds:
        tasks = _tasks(record, members)
        for page, first in enumerate(range(0, len(tasks), size)):
            suffix = f"_{page + 1}" if page else ""
            found.append((f"{name}{suffix}.png", draw(record, tasks[first : first + size])))
    for name, drawing in (("servo_latency", servo_latency), ("servo_frequency", servo_frequency)):
        figure = drawing(record)
        if figure is not None:
            found.append((f"{name}.png", figure))
    return found


def positions(record: RunRecord, tasks: Tasks) -> Figure:
    """Draw goal and actual positions per axis, and the error below."""
    rows = max(task.goal.shape[1] for _, task in tasks) + 1
    figure, axes = _grid(rows, len(tasks), (5.6 * len(tasks), 2.0 * rows), sharex=True)
    for column, (name, task) in enumerate(tasks):
        _components(record, [row[column] for row in axes], task, COLOURS[column], AXES, "m")
        panel = axes[rows - 1][column]
        panel.plot(task.times, 10.0 * task.errors(), color=COLOURS[column], lw=1.0)
        panel.set_ylabel("error [mm]")
        panel.set_xlabel("time [s]")
        _mark_phases(panel, record)
        axes[0][column].set_title(name)
        axes[0][column].legend(loc="lower center", ncols=2, frameon=False)
    highest = max(float(task.errors().max()) for _, task in tasks)
    for panel in axes[rows - 1]:
        panel.set_ylim(0.0, 11.0 * highest + 1e-9)
    return figure


def paths(_record: RunRecord, tasks: Tasks) -> Figure:
    """Draw the ways through space, seen along the axis with the least travel."""
    figure, axes = _grid(1, len(tasks), (4.6 * len(tasks), 4.2))
    for column, (name, task) in enumerate(tasks):
        panel = axes[0][column]
        travel = np.ptp(np.vstack([task.goal, task.actual]), axis=0)
        across, up = sorted(np.argsort(travel)[-2:].tolist())
        panel.plot(task.actual[:, across], task.actual[:, up], color=COLOURS[column], lw=2.2,
                   label="actual")  # fmt: skip
        panel.plot(task.goal[:, across], task.goal[:, up], color="black", lw=1.0, ls="--",
                   label="goal")  # fmt: skip
        panel.set_aspect("equal", adjustable="datalim")
        panel.set_title(name)
        panel.set_xlabel(f"{AXES[across]} [m]")
        panel.set_ylabel(f"{AXES[up]} [m]")
    axes[0][0].legend(loc="best", frameon=False)
    return figure


def orientations(record: RunRecord, tasks: Tasks) -> Figure:
    """Draw the errors of directions and orientations over time, beside the paper's means."""
    figure, axes = _grid(len(tasks), 1, (8.0, 2.7 * len(tasks)), sharex=True)
    highest = max(float(task.errors().max()) for _, task in tasks)
    for row, (name, task) in enumerate(tasks):
        panel, colour, errors = axes[row][0], COLOURS[row], task.errors()
        paper = _published(record, name)
        panel.plot(task.times, errors, color=colour, lw=1.2, label=name)
        mean = errors.mean()
        panel.axhline(mean, color=colour, lw=1.2, ls=":", label=f"mean {mean:.2f}°")
        if paper is not None:
            panel.axhline(
                paper.mean, color=GREY, lw=1.2, ls="--", label=f"paper's mean {paper.mean:.2f}°"
            )
        panel.set_ylabel("error [°]")
        panel.set_ylim(0.0, 1.05 * max(highest, 0.0 if paper is None else paper.mean) + 1e-9)
        panel.legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=3, frameon=False)
        _mark_phases(panel, record)
    axes[-1][0].set_xlabel("time [s]")
    return figure


def postures(record: RunRecord, tasks: Tasks) -> Figure:
    """Draw goal and actual positions of the joints of one posture that moved most."""
    ((name, task),) = tasks
    moved = np.ptp(np.vstack([task.goal, task.actual]), axis=0)
    joints = sorted(np.argsort(moved)[-MOST_ROWS:].tolist())
    figure, axes = _grid(len(joints), 1, (8.0, 1.6 * len(joints) + 0.6), sharex=True)
    chosen = TaskTrack(task.times, task.goal[:, joints], task.actual[:, joints], task.kind)
    names = [task.names[joint] if task.names else f"joint {joint}" for joint in joints]
    _components(record, [row[0] for row in axes], chosen, BLUE, names, "rad")
    left = moved.size - len(joints)
    axes[0][0].set_title(f"{name}: the joints that moved most" if left else name, loc="left")
    axes[0][0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=2, frameon=False)
    axes[-1][0].set_xlabel("time [s]")
    return figure


def forces(record: RunRecord, tasks: Tasks) -> Figure:
    """Draw goal and actual forces and moments per component."""
    rows = max(task.goal.shape[1] for _, task in tasks)
    figure, axes = _grid(rows, len(tasks), (5.6 * len(tasks), 1.8 * rows + 0.6), sharex=True)
    for column, (name, task) in enumerate(tasks):
        _components(record, [row[column] for row in axes], task, COLOURS[column], WRENCH, "N, N m")
        axes[0][column].set_title(name)
        axes[0][column].legend(loc="lower center", ncols=2, frameon=False)
        axes[-1][column].set_xlabel("time [s]")
    return figure


def error_histograms(record: RunRecord, tasks: Tasks) -> Figure:
    """Draw how errors are distributed."""
    figure, axes = _grid(1, len(tasks), (4.6 * len(tasks), 2.9))
    for column, (name, task) in enumerate(tasks):
        errors, panel = task.errors(), axes[0][column]
        bins = np.linspace(0.0, 1.02 * float(errors.max()) + 1e-9, BINS + 1)
        weights = np.full(len(errors), 100.0 / len(errors))
        panel.hist(errors, bins=bins, weights=weights, color=COLOURS[column])
        panel.axvline(errors.mean(), color="black", lw=1.2, ls="--")
        paper = _published(record, name)
        text = f"mean {errors.mean():.2f} {task.unit}"
        if paper is not None:
            text += f"\npaper {paper.mean:.2f} {task.unit}"
        panel.annotate(text, (0.97, 0.95), xycoords="axes fraction", ha="right", va="top")
        panel.set_title(name, loc="left", fontsize=10)
        panel.set_xlabel(f"error [{task.unit}]")
    axes[0][0].set_ylabel("samples [%]")
    return figure


def servo_latency(record: RunRecord) -> Figure | None:
    """Draw the duration of the servo's phases, beside the paper's means where it has some."""
    samples = 1e3 * record.latency.values
    if not len(samples):
        return None
    figure, axes = _grid(1, 1, (8.0, 3.6))
    panel = axes[0][0]
    low, mid, high = np.maximum(np.percentile(samples, (1.0, 50.0, 99.0), axis=0), 1e-4)
    rows = np.arange(len(PHASES))
    panel.barh(rows, high - low, left=low, height=0.5, color=BLUE, alpha=0.35, label="p1 to p99")
    panel.plot(mid, rows, "o", color=BLUE, label="median")
    published = record.published
    paper = [] if published is None else [published.latency[phase] for phase in PHASES]
    if paper:
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


def _tasks(record: RunRecord, kinds: Sequence[TrackKind]) -> Tasks:
    return [
        (name, task)
        for name, task in record.tasks.items()
        if task.kind in kinds and len(task.times)
    ]


def _published(record: RunRecord, name: str) -> Published | None:
    return None if record.published is None else record.published.errors.get(name)


def _components(
    record: RunRecord,
    panels: Sequence[Any],
    task: TaskTrack,
    colour: str,
    names: Sequence[str],
    unit: str,
) -> None:
    """Draw each component of goal and actual value into a panel of its own."""
    for row in range(task.goal.shape[1]):
        panel = panels[row]
        panel.plot(task.times, task.actual[:, row], color=colour, lw=2.2, label="actual")
        panel.plot(task.times, task.goal[:, row], color="black", lw=1.0, ls="--", label="goal")
        panel.set_ylabel(f"{names[row]} [{unit}]")
        _mark_phases(panel, record)


def _grid(rows: int, columns: int, size: tuple[float, float], **share: Any) -> tuple[Figure, Any]:
    figure = Figure(figsize=size, dpi=RESOLUTION, layout="constrained")
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
