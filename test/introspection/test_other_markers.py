"""What displays draw beside tasks: obstacles, planes, steps, cones, and a simulator's scene."""

from types import SimpleNamespace

import coal
import numpy as np
import pinocchio as pin
import pytest
from contact_oracles import biped_in_contact, standing
from robots_for_tests import dreamer, random_state
from scene_look import Keeper, places

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.introspection import RobotMirror, SceneSource
from controlit_ros.introspection.marker import (
    CUBE,
    CYLINDER,
    GREEN,
    ORANGE,
    RED,
    SPHERE,
    TRIANGLE_LIST,
    VIOLET,
    YELLOW,
    Key,
)
from controlit_ros.introspection.marker_topic import force_scale
from controlit_ros.introspection.other_markers import other_markers
from controlit_ros.introspection.robot_markers import CONES, FORCES, HIGHEST, RobotMarkers
from controlit_ros.introspection.solid_markers import solid_markers
from controlit_ros.introspection.surrounding_markers import SurroundingMarkers
from controlit_ros.introspection.views import Pose, SolidView
from controlit_ros.model import RobotState
from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo import Outbox
from controlit_ros.tasks import DivergentShape, FootstepShape, PlaneShape, SolidShape

WEIGHT = 400.0  # [N] of an arrow of one metre
QUARTER = np.array([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)])  # about z


class Surrounding(ParameterReflection):
    """A part that draws one of everything."""

    def __init__(self, name):
        super().__init__(name)
        self.enabled = self.declare("enabled", True)
        self.place = self.declare("place", (1.0, 2.0, 0.5), shape=(3,))
        self.turn = self.declare("turn", tuple(QUARTER), shape=(4,))
        self.normal = self.declare("normal", (1.0, 0.0, 0.0), shape=(3,))
        self.yaw = self.declare("yaw", np.pi / 2)
        self.slope = self.declare("slope", (0.0, 0.0), shape=(2,))
        self.half_size = self.declare("half_size", (0.1, 0.05), shape=(2,))

    def shapes(self):
        inside = pin.SE3(np.eye(3), np.array([0.3, 0.0, 0.0]))
        return (
            SolidShape(self.place, self.turn, ((coal.Box(0.2, 0.4, 0.6), inside),)),
            PlaneShape(self.place, self.normal),
            DivergentShape(self.place, self.normal),
            FootstepShape(self.place, self.yaw, self.slope, self.half_size),
        )


@pytest.fixture
def part():
    return Surrounding("Thing")


@pytest.fixture
def look(part, rng):
    """Return the markers of the part, by number."""
    robot = dreamer()
    state = random_state(robot, rng)
    outbox, keeper = Outbox(), Keeper()
    command = Command(robot.command_joints)
    mirror = RobotMirror(robot, state, ())
    SceneSource(mirror, [], command, lambda: False, outbox, [keeper], [part])

    def see():
        for sampler in outbox._samplers:
            sampler.is_wanted = True
        outbox.offer_all(1.0 + len(keeper.scenes))
        outbox.deliver_all()
        return {
            mark.key.id: mark for other in keeper.scenes[-1].others for mark in other_markers(other)
        }

    return see


def test_a_solid_is_drawn_where_it_is(part, look):
    box = look()[0]
    assert (box.key.ns, box.kind, box.color) == ("Thing", CUBE, ORANGE)
    assert box.position == pytest.approx([1.0, 2.3, 0.5])  # a quarter turn takes x to y
    assert box.scale == pytest.approx([0.2, 0.4, 0.6])
    part.place.set([0.0, 0.0, 0.0])
    assert look()[0].position == pytest.approx([0.0, 0.3, 0.0])


def test_a_plane_lies_below_its_point_and_square_to_its_normal(look):
    plane = look()[1000]
    assert plane.kind == CUBE
    x, y, z, w = plane.orientation
    assert pin.Quaternion(w, x, y, z).matrix()[:, 2] == pytest.approx([1.0, 0.0, 0.0])
    x, y, z = plane.position
    assert 0.99 < x < 1.0  # half of its thickness below
    assert (y, z) == pytest.approx((2.0, 0.5))


def test_the_divergent_component_has_a_colour_of_its_own(look):
    goal, actual = look()[2000], look()[2001]
    assert (goal.color, actual.color) == (GREEN, VIOLET)
    assert goal.position == pytest.approx([1.0, 2.0, 0.5])
    assert actual.position == pytest.approx([1.0, 0.0, 0.0])


def test_a_step_is_drawn_as_large_as_the_sole_and_turned(part, look):
    corners = places(look()[3000])
    np.testing.assert_allclose(corners[0], corners[-1])
    assert corners[:4] == pytest.approx(
        np.array([[0.95, 2.1, 0.5], [0.95, 1.9, 0.5], [1.05, 1.9, 0.5], [1.05, 2.1, 0.5]])
    )
    part.slope.assign((0.2, -0.1))  # it lies on it
    np.testing.assert_allclose(places(look()[3000])[0, 2], 0.5 - 0.05 * 0.2 - 0.1 * 0.1)
    part.yaw.assign(np.nan)  # none is planned
    assert 3000 not in look()


def test_what_is_switched_off_is_not_drawn(part, look):
    part.enabled.set(False)
    assert look() == {}


def test_solids_of_every_kind():
    tetrahedron = coal.BVHModelOBBRSS()
    tetrahedron.beginModel(4, 4)
    corners = np.vstack([np.zeros(3), np.eye(3)])
    for face in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
        tetrahedron.addTriangle(*corners[list(face)])
    tetrahedron.endModel()
    tetrahedron.buildConvexHull(True, "Qt")
    shapes = (
        coal.Sphere(0.1),
        coal.Ellipsoid(np.array([0.1, 0.2, 0.3])),
        coal.Cylinder(0.1, 0.4),
        coal.Capsule(0.1, 0.4),
        tetrahedron.convex,
    )
    pose = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    solid = SolidView(pose, tuple((shape, pin.SE3.Identity()) for shape in shapes))
    drawn = {mark.key.id: mark for mark in solid_markers(Key("Things", 0), solid, ORANGE)}
    assert [drawn[i].kind for i in (0, 5, 10, 15, 16, 17, 20)] == [
        SPHERE,
        SPHERE,
        CYLINDER,
        CYLINDER,
        SPHERE,
        SPHERE,
        TRIANGLE_LIST,
    ]
    assert [drawn[i].scale for i in (0, 5, 10)] == [
        pytest.approx([0.2, 0.2, 0.2]),
        pytest.approx([0.2, 0.4, 0.6]),
        pytest.approx([0.2, 0.2, 0.4]),
    ]
    assert [drawn[i].position[2] for i in (16, 17)] == pytest.approx([-0.2, 0.2])
    triangles = places(drawn[20]).reshape(-1, 3, 3)
    edges = triangles[:, 1:] - triangles[:, :1]
    area = 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum()
    assert area == pytest.approx(1.5 + 0.5 * np.sqrt(3.0))


@pytest.fixture
def cone():
    """Return the cone at the left foot, and the arrow in it, for a push along x [N]."""
    description, constraints, _ = biped_in_contact()
    left = constraints.contacts[0]
    left.friction.assign(0.5)
    model = ConstrainedModel(description, constraints)
    state = RobotState(description.real_joints, contacts=2)
    state.copy_from(standing(description))
    mirror = RobotMirror(description, state, constraints.constraints)
    outbox, keeper = Outbox(), Keeper()
    command = Command(description.command_joints)
    SceneSource(mirror, [], command, lambda: True, outbox, [keeper])

    def see(push, weight=WEIGHT):
        model.update(state)
        jacobian = left.update_point(model.robot_model).jacobian
        effort = model.bias_effort - push * jacobian[0, description.command_dofs]
        command.effort[:] = effort
        for sampler in outbox._samplers:
            sampler.is_wanted = True
        state.stamp += 1.0
        outbox.offer_all(state.stamp)
        outbox.deliver_all()
        sketches = RobotMarkers(weight).draw(keeper.scenes[-1])
        found = {mark.key: mark for sketch in sketches for mark in sketch.markers}
        return found[CONES, 0], found[FORCES, 0], found

    return see


def test_a_force_in_its_cone_ends_within_the_rim(cone):
    lines, arrow, found = cone(0.0)
    start, end = places(arrow)
    ends = places(lines)
    tip, height = ends[-2], end[2] - start[2]
    assert tip == pytest.approx(start)
    rim = ends[:48]
    assert rim[:, 2] == pytest.approx(np.full(48, end[2]))
    distance = np.linalg.norm(rim[:, :2] - start[:2], axis=1)
    assert distance == pytest.approx(np.full(48, 0.5 * height))
    assert np.linalg.norm((end - start)[:2]) < 0.5 * height
    assert lines.color == YELLOW
    assert (CONES, 1) not in found  # nobody knows the friction of the other


def test_the_cone_of_an_impact_does_not_hide_the_robot(cone):
    lines, arrow, _ = cone(0.0, weight=0.01 * WEIGHT)
    start, end = places(arrow)
    assert end[2] - start[2] > 10.0
    assert places(lines)[:, 2].max() - start[2] == pytest.approx(HIGHEST)
    assert lines.color == YELLOW


@pytest.mark.parametrize(("size", "arrow"), [(0.4, 0.4), (3.0, 1.0), (0.0, 1.0)])
def test_an_arrow_of_the_weight_is_no_longer_than_a_small_robot(size, arrow):
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "hip")
    model.appendBodyToJoint(joint, pin.Inertia(2.0, np.zeros(3), np.eye(3)), pin.SE3.Identity())
    for name, height in (("trunk", 0.0), ("foot", -size)):
        place = pin.SE3(np.eye(3), np.array([0.0, 0.0, height]))
        model.addBodyFrame(name, joint, place, 0)
    scale = force_scale(SimpleNamespace(pinocchio=model))
    assert 2.0 * 9.81 / scale == pytest.approx(arrow)


def test_a_force_out_of_its_cone_makes_it_red(cone):
    def along(push):
        start, end = places(cone(push)[1])
        return np.linalg.norm((end - start)[:2]) / (end - start)[2]

    pushes = [0.0, 50.0, 100.0, 200.0, 400.0, -100.0, -200.0, -400.0]
    is_red = [cone(push)[0].color == RED for push in pushes]
    assert is_red == [along(push) > 0.5 for push in pushes]
    assert len(set(is_red)) == 2


class Box:
    """Something that stands around."""

    def __init__(self):
        self.pose = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))

    def solids(self):
        return {"box": SolidView(self.pose, ((coal.Box(1.0, 1.0, 1.0), pin.SE3.Identity()),))}


def test_what_stands_around_is_told_when_it_moves_and_once_a_second():
    box = Box()
    around = SurroundingMarkers(box)
    told = [len(around.due(now)) for now in (0.0, 0.1, 0.9, 1.05, 1.1)]
    assert told == [1, 0, 0, 1, 0]
    box.pose = box.pose._replace(position=np.array([0.0, 0.0, 0.01]))
    (moved,) = around.due(1.2)
    assert (moved.key.ns, moved.position[2]) == ("scene/box", 0.01)
    assert len(around.due(0.5)) == 1  # time began anew
    assert SurroundingMarkers(None).due(0.0) == []
