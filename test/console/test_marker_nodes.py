"""What a controller draws of itself, in the scene of the page."""

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.marker_nodes import SEEN_THROUGH, MarkerNodes
from controlit_ros.interfaces import new
from controlit_ros.introspection.marker import CUBE

MARKER = "visualization_msgs/msg/Marker"


class DrawnScene:
    """Keeps how opaque boxes are, by name."""

    def __init__(self):
        self.opacities = {}

    def add_box(self, name, *, opacity, **_look):
        self.opacities[name] = opacity


@pytest.fixture
def scene():
    return DrawnScene()


def box(name, edges, opaque=1.0):
    return new(
        MARKER,
        ns=name,
        type=CUBE,
        scale=dict(zip("xyz", edges, strict=True)),
        color={"a": opaque},
    )


def test_a_wall_is_seen_through(scene):
    walls = [box("scene/wall", edges) for edges in ((0.1, 3.0, 2.0), (3.0, 0.1, 2.0))]
    for number, wall in enumerate(walls):
        wall.id = number
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
