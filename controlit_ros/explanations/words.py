"""Directions and joints in words."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.tasks import Task

NAMED = 4  # [#] more names help nobody
COUNTS = 0.2  # [-] of the largest entry: smaller ones are not named


def direction(task: Task, vector: Array) -> str:
    """Return the direction of a vector over a task's components: `x of Hand`."""
    size = np.abs(vector)
    if not size.max(initial=0.0):
        return task.name
    names = task.component_names
    found = [i for i in np.argsort(-size).tolist() if size[i] >= COUNTS * size.max()]
    return f"{listed([names[i] for i in found])} of {task.name}"


def largest(names: Sequence[str], values: Array) -> list[str]:
    """Return the names of the largest values, those first that are largest."""
    size = np.abs(values)
    order = np.argsort(-size).tolist()
    return [names[i] for i in order if size[i] > COUNTS * size.max(initial=0.0)]


def listed(names: Sequence[str]) -> str:
    """Return names, at most a few of them."""
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
