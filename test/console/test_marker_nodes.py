"""What a controller draws of itself, in the scene of the page."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.marker_nodes import SEEN_THROUGH, MarkerNodes
from controlit_console.seen_marker import SeenMarker
from controlit_ros.introspection.marker import CUBE


class DrawnScene:
    """Keeps how opaque boxes are, by name."""

    def __init__(self):
        self.opacities = {}

    def add_box(self, name, *, opacity, **_look):
        self.opacities[name] = opacity


@pytest.fixture
def scene():
    return DrawnScene()


def box(name, edges, opaque=1.0, number=0):
    color = np.array([0.0, 0.0, 0.0, opaque])
    return SeenMarker(name, number, CUBE, scale=np.array(edges), color=color)


def test_a_wall_is_seen_through(scene):
    edges = ((0.1, 3.0, 2.0), (3.0, 0.1, 2.0))
    walls = [box("scene/wall", along, number=number) for number, along in enumerate(edges)]
    MarkerNodes(scene).show(walls)
    assert list(scene.opacities.values()) == [SEEN_THROUGH] * 2


@pytest.mark.parametrize(
    ("name", "edges"),
    [("scene/step", (2.0, 1.2, 0.45)), ("scene/ball", (0.1, 0.1, 0.1)), ("Task", (2.0, 2.0, 2.0))],
)
def test_others_are_not(scene, name, edges):
    MarkerNodes(scene).show([box(name, edges)])
    assert list(scene.opacities.values()) == [None]


def test_what_is_transparent_stays_so(scene):
    MarkerNodes(scene).show([box("scene/glass", (3.0, 3.0, 3.0), opaque=0.5)])
    assert list(scene.opacities.values()) == [0.5]
