"""A picture of the steps that were tried; needs matplotlib."""

from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from controlit_ros.recording.plots import BLUE, GREEN, ORANGE, RESOLUTION
from controlit_ros.regular_file import opened_to_write
from controlit_ros.tuning.step_trial import STEP
from controlit_ros.tuning.tuner import Tuning

COLOURS = {"recommended": GREEN, "highest": BLUE, "beyond": ORANGE}
SIZE = (8.0, 2.4)  # [in] of a task
FLOOR = 1e-6  # [m, rad] errors below are as good as none


def write_picture(tuning: Tuning, names: list[str], path: Path) -> None:
    """Draw how the error of each task fades, rings or grows.

    Args:
        tuning: What was found.
        names: All tasks of the controller, in the order of the file.
        path: Of the picture, a PNG.
    """
    rows = max(1, len(tuning.tasks))
    figure = Figure(figsize=(SIZE[0], SIZE[1] * rows), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(rows, 1, squeeze=False)[:, 0]
    for panel, task in zip(panels, tuning.tasks, strict=False):
        column = names.index(task.name)
        for key, record in task.records.items():
            if len(record.times):
                errors = np.maximum(record.errors[:, column], FLOOR)
                label = f"{key}: {record.course.value}"
                panel.semilogy(record.times, errors, color=COLOURS[key], lw=1.0, label=label)
        panel.set_title(f"{task.name}: limited by {task.bound.value}", loc="left", fontsize=10)
        panel.set_ylabel("error [m, rad]")
        panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    panels[-1].set_xlabel(f"time since the goal stepped by {STEP:g} m or rad [s]")
    with opened_to_write(path) as file:
        figure.savefig(file, format="png", dpi=RESOLUTION)
