"""Markers of parts that are no tasks: obstacles and planes, steps and the divergent component."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import (
    ACTUAL,
    GOAL,
    GREEN,
    ORANGE,
    VIOLET,
    Key,
    Marker,
)
from controlit_ros.introspection.solid_markers import solid_markers
from controlit_ros.introspection.views import DivergentView, FootstepView, SeenPart, SolidView

IDS = 1000  # [#] for each shape of a part: things of a scene have many parts


def other_markers(part: SeenPart) -> Iterator[Marker]:
    """Draw a part; what is not finite is not drawn."""
    for number, shape in enumerate(part.shapes):
        key = Key(part.name, IDS * number)
        if isinstance(shape, SolidView):
            yield from solid_markers(key, shape, ORANGE)
        elif isinstance(shape, FootstepView):
            yield from _footstep(key, shape)
        elif isinstance(shape, DivergentView):
            yield from _divergent(key, shape)


def _footstep(key: Key, step: FootstepView) -> Iterator[Marker]:
    if np.isfinite(step.corners).all():
        yield marker.line(key, [*step.corners, step.corners[0]], GREEN)


def _divergent(key: Key, component: DivergentView) -> Iterator[Marker]:
    """Draw where it shall be as a ball as goals are, where it is as one of its own colour."""
    for role, place, color in (
        (GOAL, component.goal, GREEN),
        (ACTUAL, component.actual, VIOLET),
    ):
        if np.isfinite(place).all():
            yield marker.sphere(key.after(role), place, color)
