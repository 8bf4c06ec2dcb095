"""SlopeDemo: a humanoid goes up a slope and down another."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from controlit_demos.walking.course import CourseDemo, SolePlace, course_criteria

EDGES = (0.3, 1.5, 2.1, 3.3)  # [m] along x: where the scene begins to rise, is level, sinks, ends
TOP = 0.18  # [m] of its level part
FLOOR = 0.01  # [m]
STEEP = TOP / (EDGES[1] - EDGES[0])  # [-]
AHEAD = (0.15, 0.42, 0.67, 0.92, 1.17, 1.38, 1.62, 1.80, 1.98, 2.22, 2.47, 2.72, 2.97, 3.18, 3.42)
"""Places along x that are a sole's half length and more from every edge [m]."""


class SlopeDemo(CourseDemo):
    """Talos goes up a slope of 15 % and down another, on its own sensors."""

    name = "slope"
    title = "Talos on slopes"
    scene = "slope.xml"
    criteria = course_criteria(0.17)

    def places(self) -> Sequence[SolePlace]:
        """Return places on both slopes and between them."""
        return [SolePlace(ahead, height_at(ahead), slope_at(ahead)) for ahead in AHEAD]

    def settings(self) -> dict[str, Any]:
        """Return the scene, of which less than the lowest place on a slope counts as floor."""
        return super().settings() | {"estimation.level_ground": FLOOR}


def height_at(ahead: float) -> float:
    """Return how high the ground is some way along x [m]."""
    return float(np.interp(ahead, EDGES, (0.0, TOP, TOP, 0.0)))


def slope_at(ahead: float) -> float:
    """Return how it rises there [-]."""
    up, level, down, end = EDGES
    if up < ahead < level:
        return STEEP
    return -STEEP if down < ahead < end else 0.0
