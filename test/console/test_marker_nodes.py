"""What a controller draws of itself, in the scene of the page."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.lattice import APART, lattice
from controlit_console.marker_nodes import SEEN_THROUGH, MarkerNodes
from controlit_console.seen_marker import SeenMarker
from controlit_ros.introspection.marker import CUBE, TRIANGLE_LIST


class DrawnScene:
    """Keeps how opaque boxes are, by name, and lines."""

    def __init__(self):
        self.opacities = {}
        self.lines = {}

    def add_box(self, name, *, opacity, **_look):
        self.opacities[name] = opacity

    def add_mesh_simple(self, name, *_arguments, opacity, **_look):
        self.opacities[name] = opacity

    def add_line_segments(self, name, points, *_arguments, **_look):
        self.lines[name] = points


@pytest.fixture
def scene():
    return DrawnScene()


def box(name, edges, opaque=1.0, number=0):
    color = np.array([0.0, 0.0, 0.0, opaque])
    return SeenMarker(name, number, CUBE, scale=np.array(edges), color=color)


def test_a_wall_is_drawn_by_lines_that_hide_nothing(scene):
    edges = ((0.1, 3.0, 2.0), (3.0, 0.1, 2.0))
    walls = [box("scene/wall", along, number=number) for number, along in enumerate(edges)]
    MarkerNodes(scene).show(walls)
    assert not scene.opacities
    for edge, lines in zip(edges, scene.lines.values(), strict=True):
        corners = lines.reshape(-1, 3)
        np.testing.assert_allclose(np.abs(corners).max(axis=0), 0.5 * np.array(edge))


def test_a_wall_of_triangles_is_seen_through(scene):
    corners = np.array([[0.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 2.0]])
    MarkerNodes(scene).show([SeenMarker("scene/wall", 0, TRIANGLE_LIST, points=corners)])
    assert list(scene.opacities.values()) == [SEEN_THROUGH]


def test_lines_of_a_wall_lie_on_its_faces_and_not_far_apart():
    edges = np.array([0.1, 3.0, 2.0])
    lines = lattice(edges)
    is_on_face = np.isclose(np.abs(lines), 0.5 * edges).all(axis=1)
    assert is_on_face.any(axis=1).all()
    for axis in range(3):
        places = np.unique(lines[..., axis].round(9))
        assert np.diff(places).max() <= APART


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
