"""Markers of tasks in the space of joints: postures and limits."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.introspection import marker
from controlit_ros.introspection.dial import dial
from controlit_ros.introspection.marker import ACTUAL, BLUE, GOAL, GREEN, RED, Key, Marker
from controlit_ros.introspection.skeleton import Skeleton
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.introspection.views import EffortView, LimitView, PostureView
from controlit_ros.kernels import all_finite
from controlit_ros.model import RobotModel, RobotState

NEAR = 0.2  # [rad] or [m] beyond the margin, from where on a limit is worth looking at
RADIUS = 0.12  # [m] of a dial: it sticks out of an arm
STEP = 0.1  # [rad] between the corners of an arc


class PostureDrawing:
    """Draws the robot's bones as a task wants them, and as they are, again and again.

    Args:
        key: Of the first marker.
        skeleton: The bones.
    """

    def __init__(self, key: Key, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._drawn = []
        for role, color in ((GOAL, GREEN), (ACTUAL, BLUE)):
            bones = np.zeros((skeleton.count, 2, 3))
            mark = marker.lines(key.after(role), bones, color)
            self._drawn.append((skeleton.bones(bones), Sketch.standing([mark])))

    def sketches(self, posture: PostureView, state: RobotState) -> Iterator[Sketch]:
        """Draw a posture of a robot that is in some state."""
        wanted = (posture.goal, posture.actual)
        for positions, (draw, sketch) in zip(wanted, self._drawn, strict=True):
            if all_finite(positions):
                self._skeleton.pose(state, posture.joints, positions)
                draw()
                yield sketch


def limit_markers(key: Key, limit: LimitView, model: RobotModel) -> Iterator[Marker]:
    """Draw the margin of the nearer limit and where the joint is, red while it is held off.

    A joint far from its limits is not drawn.
    """
    if not (limit.is_held or limit.distance < limit.margin + NEAR):
        return
    robot = model.description
    position = model.state.position[limit.joint]
    above = position - robot.lower_limits[limit.joint]
    away = 1.0 if above <= robot.upper_limits[limit.joint] - position else -1.0
    place = dial(model, limit.joint)
    end = -away * limit.distance  # from where the joint is
    steps = max(2, int(limit.margin / STEP) + 2)
    border = [
        place.mark(change, RADIUS)
        for change in np.linspace(end, end + away * limit.margin, steps).tolist()
    ]
    color = RED if limit.is_held else BLUE
    actual = key.after(ACTUAL)
    if place.turns:
        yield marker.line(key, [place.center, *border, place.center], GREEN)
        yield marker.arrow(actual, place.center, place.mark(0.0, RADIUS), color)
    else:
        yield marker.line(key, border, GREEN)
        yield marker.sphere(actual, place.center, color)


def effort_markers(
    key: Key, effort: EffortView, model: RobotModel, weight: float
) -> Iterator[Marker]:
    """Draw efforts as arrows along the joint's axis, a moment as if it had a lever of `RADIUS`."""
    place = dial(model, effort.joint)
    length = RADIUS * weight if place.turns else weight
    for role, value, color in ((GOAL, effort.goal, GREEN), (ACTUAL, effort.actual, BLUE)):
        if np.isfinite(value):
            tip = place.center + value / length * place.axis
            yield marker.arrow(key.after(role), place.center, tip, color)
