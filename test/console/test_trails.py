"""Trails: lines behind points that move, which go when they are old."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.seen_marker import SeenMarker
from controlit_console.trails import KEPT, STEP, Trails
from controlit_ros.introspection.marker import DELETE, SPHERE

GOAL, ACTUAL = 0, 1


class DrawnScene:
    """Keeps what is drawn, by name."""

    def __init__(self):
        self.nodes = {}

    def add_line_segments(self, name, points, _colors, *, visible, **_look):
        self.nodes[name] = SimpleNamespace(
            points=points, visible=visible, remove=lambda: self.nodes.pop(name)
        )
        return self.nodes[name]


@pytest.fixture
def scene():
    return DrawnScene()


@pytest.fixture
def trails(scene):
    return Trails(scene)


def ball(x, number=ACTUAL, action=0, name="a/b"):
    place = np.array([x, 0.0, 1.0])
    return SeenMarker(name, number, SPHERE, action, place)


def test_a_point_that_moves_leaves_a_line(trails, scene):
    for i in range(4):
        trails.follow([ball(2.0 * STEP * i)], 0.1 * i)
    (node,) = scene.nodes.values()
    assert node.visible
    np.testing.assert_allclose(node.points[:, 0, 0], 2.0 * STEP * np.arange(3), atol=1e-7)
    np.testing.assert_allclose(node.points[:, 1, 0], 2.0 * STEP * np.arange(1, 4), atol=1e-7)


def test_a_point_that_rests_leaves_none(trails, scene):
    for i in range(10):
        trails.follow([ball(0.01 * STEP * i)], 0.1 * i)
    assert not any(node.visible for node in scene.nodes.values())


def test_what_is_old_goes(trails, scene):
    trails.follow([ball(0.0)], 0.0)
    trails.follow([ball(1.0)], 0.1)
    (node,) = scene.nodes.values()
    assert node.visible
    trails.follow([ball(1.0)], 0.2 + KEPT)
    assert not node.visible


def test_goals_leave_none(trails, scene):
    trails.follow([ball(0.0, GOAL), ball(0.0, GOAL + 10)], 0.0)
    assert not scene.nodes


def test_one_that_is_deleted_takes_its_trail_along(trails, scene):
    trails.follow([ball(0.0), ball(0.0, name="c")], 0.0)
    trails.follow([ball(0.0, action=DELETE)], 0.1)
    assert len(scene.nodes) == 1
    trails.clear()
    assert not scene.nodes
