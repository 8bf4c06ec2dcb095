"""RobotFigure: the robot where it is, and a ghost of it where a posture shall be."""

from types import SimpleNamespace

import numpy as np
import pinocchio as pin
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from test_link_shapes import URDF

from controlit_console.link_shapes import link_shapes
from controlit_console.posture import SAME, Posture
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

        def add(path, *arguments, **options):
            place = {"position": np.zeros(3), "wxyz": np.eye(4)[0]}
            node = SimpleNamespace(**{"name": path, "visible": True, **place, **options})
            node.arguments = arguments
            node.remove = lambda: self.remove(path)
            self.nodes[path] = node
            return node

        return add

    def remove(self, path):
        """Take a node away, and all that hangs on it, as viser does."""
        self.nodes = {
            name: node
            for name, node in self.nodes.items()
            if name != path and not name.startswith(f"{path}/")
        }


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
    return RobotFigure(scene)


def drawn(figure, moments, urdf=BOXES):
    for _ in range(10):  # shapes come one by one
        figure.draw(urdf, moments)


def ghosts(scene):
    """Return the joints that bear something of the ghost that is seen."""
    return {
        path.split("/")[-2]
        for path, node in scene.nodes.items()
        if path.startswith(GHOST) and "/:" in path and node.visible
    }


def in_world(scene, path):
    """Return where a node is: as all that it hangs on leads to it."""
    place = pin.SE3.Identity()
    for end in [*(i for i, letter in enumerate(path) if letter == "/" and i), len(path)]:
        node = scene.nodes.get(path[:end])
        if node is not None:
            w, x, y, z = node.wxyz
            turn = pin.Quaternion(np.array([x, y, z, w])).toRotationMatrix()
            place = place * pin.SE3(turn, np.array(node.position))
    return place


def test_only_links_that_are_elsewhere_are_seen_of_the_ghost(figure, scene):
    moments = FakeMoments()
    drawn(figure, moments)
    assert ghosts(scene) == set()
    moments.goal = 0.3
    drawn(figure, moments)
    assert ghosts(scene) == {"slide"}
    lower = [in_world(scene, f"{root}/root_joint/turn/slide") for root in (GHOST, "/robot")]
    assert np.linalg.norm(lower[0].translation - lower[1].translation) == pytest.approx(0.3)
    moments.position = 0.3
    figure.draw(BOXES, moments)
    assert ghosts(scene) == set()


def test_every_shape_is_where_its_link_is(figure, scene):
    moments = FakeMoments()
    moments.position = 0.2
    drawn(figure, moments)
    moments.position = -0.4
    figure.draw(BOXES, moments)
    posture = Posture(BOXES)
    for shape in link_shapes(BOXES):
        link = figure.link(shape.link)
        expected = link.act(shape.position)
        carrier, _ = posture.carrier(shape.link)
        joint = posture.model.names[carrier]
        near = [
            in_world(scene, path).translation
            for path in scene.nodes
            if path.startswith("/robot/") and f"{joint}/:" in path
        ]
        assert min(np.linalg.norm(place - expected) for place in near) < 1e-9


def test_what_rests_is_not_moved_again_and_what_creeps_arrives(figure, scene):
    moments = FakeMoments()
    drawn(figure, moments)
    slide = scene.nodes["/robot/root_joint/turn/slide"]
    turn = scene.nodes["/robot/root_joint/turn"]
    kept, before = turn.wxyz, slide.position
    for _ in range(100):
        moments.position += 0.4 * SAME  # less than is seen, each time
        figure.draw(BOXES, moments)
    assert turn.wxyz is kept
    np.testing.assert_allclose(slide.position - before, [40.0 * SAME, 0.0, 0.0], atol=SAME)


def test_meshes_that_move_as_one_are_drawn_as_one(figure, scene, tmp_path):
    path = tmp_path / "corner.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n")
    mesh = f'<geometry><mesh filename="file://{path}"/></geometry>'
    tool = f'<link name="tool"><visual><origin xyz="0 0 1"/>{mesh}</visual></link>'
    urdf = URDF.replace("package://nowhere/arm.stl", f"file://{path}")
    drawn(figure, FakeMoments(), urdf.replace('<link name="tool"/>', tool))
    (node,) = (n for name, n in scene.nodes.items() if "/robot" in name and "slide/:" in name)
    vertices, faces = node.arguments
    assert len(faces) == 2
    np.testing.assert_allclose(vertices.max(axis=0), [2.0, 4.0, 1.25])


def test_a_ghost_needs_shapes(figure):
    drawn(figure, FakeMoments())
    assert figure.has_ghost
    drawn(figure, FakeMoments(), URDF)  # a mesh that is not on this machine
    assert not figure.has_ghost


def test_all_of_it_goes(figure, scene):
    drawn(figure, FakeMoments())
    assert len(figure.places()) == 3
    figure.remove()
    assert scene.nodes == {}
    assert len(figure.places()) == 0
