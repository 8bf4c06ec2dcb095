"""Pictures of a comparison, each figure over time for all contenders; needs matplotlib."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from controlit_demos.comparison.comparison import Comparison
from controlit_ros.recording.plots import BLUE, GREY, ORANGE, RESOLUTION
from controlit_ros.regular_file import opened_to_write

COLOURS = (BLUE, ORANGE)
SIZE = (8.0, 2.0)  # [inch] of a panel


def write_pictures(comparisons: Sequence[Comparison], folder: Path) -> dict[str, str]:
    """Write a picture of each scenario that has traces; return file names by its title."""
    names = {}
    for i, comparison in enumerate(comparisons):
        if comparison.performances[0].traces:
            names[comparison.title] = f"scenario_{i + 1}.png"
            with opened_to_write(folder / names[comparison.title]) as file:
                picture(comparison).savefig(file, format="png", dpi=RESOLUTION)
    return names


def picture(comparison: Comparison) -> Figure:
    """Draw the figures of a scenario over time, below each other."""
    panels = len(comparison.performances[0].traces)
    figure = Figure(figsize=(SIZE[0], SIZE[1] * panels), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(panels, squeeze=False, sharex=True)[:, 0]
    for performance, colour in zip(comparison.performances, COLOURS, strict=True):
        for axis, trace in zip(axes, performance.traces, strict=True):
            times, values = trace.series.track()
            axis.plot(times, values, color=colour, linewidth=1.2, label=performance.contender)
            axis.set_ylabel(trace.label)
    for axis, trace in zip(axes, comparison.performances[0].traces, strict=True):
        if trace.bound is not None:
            axis.axhline(trace.bound, color=GREY, linestyle="--", linewidth=1.0)
        axis.grid(visible=True, alpha=0.3)
    axes[0].legend(frameon=False, ncols=len(COLOURS))
    axes[0].set_title(comparison.title, loc="left")
    axes[-1].set_xlabel("time [s]")
    return figure
