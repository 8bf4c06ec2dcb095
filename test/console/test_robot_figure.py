"""RobotFigure: the robot where it is, and a ghost of it where a posture shall be."""

from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from test_link_shapes import URDF

from controlit_console.robot_figure import GHOST, RobotFigure

BOXES = URDF.replace(
    '<mesh filename="package://nowhere/arm.stl" scale="2 2 2"/>', '<box size="1 1 1"/>'
)


class FakeScene:
    """A scene that keeps what is in it."""

    def __init__(self):
        self.nodes = {}

    def __getattr__(self, name):
        if not name.startswith("add_"):
            raise AttributeError(name)

        def add(path, *_arguments, **options):
            node = SimpleNamespace(**{"visible": True, **options})
            node.remove = lambda: self.nodes.pop(path, None)
            self.nodes[path] = node
            return node

        return add


class FakeMoments:
    """A robot whose joint stands somewhere and shall be elsewhere."""

    def __init__(self):
        self.position, self.goal = 0.0, 0.0

    def pose(self, posture):
        posture.set_joints(["slide"], [self.position])
        return True

    def pose_goal(self, posture):
        posture.set_joints(["slide"], [self.goal])


@pytest.fixture
def scene():
    return FakeScene()


@pytest.fixture
def figure(scene):
    return RobotFigure(SimpleNamespace(scene=scene, atomic=nullcontext))


def drawn(figure, moments, urdf=BOXES):
    for _ in range(10):  # shapes come one by one
        figure.draw(urdf, moments)


def ghosts(scene):
    return {
        path.rpartition("/")[2]
        for path, node in scene.nodes.items()
        if path.startswith(f"{GHOST}/links/") and path.count("/") == 3 and node.visible
    }


def test_only_links_that_are_elsewhere_are_seen_of_the_ghost(figure, scene):
    moments = FakeMoments()
    drawn(figure, moments)
    assert ghosts(scene) == set()
    moments.goal = 0.3
    figure.draw(BOXES, moments)
    assert ghosts(scene) == {"lower"}
    lower = (
        scene.nodes[f"{GHOST}/links/lower"].position - scene.nodes["/robot/links/lower"].position
    )
    assert np.linalg.norm(lower) == pytest.approx(0.3)
    moments.position = 0.3
    figure.draw(BOXES, moments)
    assert ghosts(scene) == set()


def test_a_ghost_needs_shapes(figure):
    drawn(figure, FakeMoments())
    assert figure.has_ghost
    drawn(figure, FakeMoments(), URDF)  # a mesh that is not on this machine
    assert not figure.has_ghost


def test_all_of_it_goes(figure, scene):
    drawn(figure, FakeMoments())
    assert len(figure.places()) == 3
    figure.remove()
    kept = [path for path in scene.nodes if path.count("/") == 3 or "bones" in path]
    assert kept == []
    assert len(figure.places()) == 0
