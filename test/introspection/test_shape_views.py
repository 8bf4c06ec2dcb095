"""Goals and actual values in the world, and the numbers of what is drawn, beside Pinocchio's."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import dreamer, random_robots, random_state, updated

from controlit_ros.introspection import stroke
from controlit_ros.introspection.marker import (
    ARROW_LENGTH,
    AXIS_LENGTH,
    BLUE,
    HEAD,
    HEAD_LENGTH,
    SHAFT,
    Key,
)
from controlit_ros.introspection.marker_forms import MarkerForms
from controlit_ros.introspection.shape_drawing import ShapeDrawing
from controlit_ros.introspection.views import look_at
from controlit_ros.kernels import take_pose
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Parameter
from controlit_ros.tasks import Shape, ShapeKind

KEY = Key("task", 0)
SEEDS = st.integers(0, 2**32 - 1)
WIDTHS = {
    ShapeKind.POINT: (3,),
    ShapeKind.PLANE_POINT: (2,),
    ShapeKind.DIRECTION: (3,),
    ShapeKind.ORIENTATION: (4,),
    ShapeKind.POSE: (7,),
    ShapeKind.WRENCH: (3, 6),
}


def unit(rng):
    turn = rng.normal(size=4)
    return turn / np.linalg.norm(turn)


def value_of(kind, width, rng):
    value = rng.normal(size=width) * 10.0 ** rng.uniform(-3.0, 3.0)
    if kind in (ShapeKind.ORIENTATION, ShapeKind.POSE):
        value[-4:] = unit(rng)
    return value


class World:
    """A shape of some kind, in some frame, at some place of some robot."""

    def __init__(self, robot, kind, width, rng):
        self.model = updated(robot, random_state(robot, rng))
        frames = [None, *range(1, len(robot.pinocchio.frames))]
        self.frame, self.body = (frames[rng.integers(len(frames))] for _ in range(2))
        self.values = [value_of(kind, width, rng) for _ in range(2)]
        self.point = rng.normal(size=3) if rng.random() < 0.5 else None
        names = ("goal", "actual")
        parameters = [
            Parameter(name, v, shape=v.shape) for name, v in zip(names, self.values, strict=True)
        ]
        known = dict(zip(map(id, parameters), self.values, strict=True))
        known[id(self.point)] = self.point
        latched, self.rest = None, None
        if rng.random() < 0.3:
            latched, self.rest = object(), pin.SE3.Random()
            rows = np.vstack([self.rest.rotation, self.rest.translation])
            known[id(latched)] = rows
        self.shape = Shape(kind, *parameters, self.frame, latched, self.body, self.point)
        self.look = look_at(self.shape, known, self.model)

    def placement(self, frame):
        return pin.SE3.Identity() if frame is None else self.model.placement(frame).copy()

    @property
    def origin(self):
        return self.placement(self.frame) if self.rest is None else self.rest

    @property
    def place(self):
        """Where it is drawn: on the body, or else at the origin of its frame."""
        if self.body is None:
            return self.origin.translation
        return self.placement(self.body).act(np.zeros(3) if self.point is None else self.point)

    def expected(self, value):
        """Return a value in the world, by rotations alone; quaternions as rotations."""
        kind, origin = self.shape.kind, self.origin
        if kind is ShapeKind.POINT:
            return [origin.act(value)]
        if kind is ShapeKind.PLANE_POINT:
            return [self.place + origin.rotation @ np.append(value, 0.0)]
        turned = [pin.Quaternion(value[-4:]).matrix()] if len(value) in (4, 7) else []
        if kind is ShapeKind.ORIENTATION:
            return [origin.rotation @ turned[0]]
        if kind is ShapeKind.POSE:
            return [origin.act(value[:3]), origin.rotation @ turned[0]]
        return [origin.rotation @ part for part in value.reshape(-1, 3)]


def parts(kind, seen):
    """Return what is seen as `World.expected` does."""
    if kind is ShapeKind.ORIENTATION:
        return [pin.Quaternion(seen).matrix()]
    if kind is ShapeKind.POSE:
        return [seen[:3], pin.Quaternion(seen[3:]).matrix()]
    return list(seen.reshape(-1, 3))


def assert_same(found, expected, scale=1.0):
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * (1.0 + scale))


@pytest.mark.parametrize(
    ("kind", "width"), [(kind, width) for kind, widths in WIDTHS.items() for width in widths]
)
@given(robot=random_robots(), seed=SEEDS)
def test_values_are_seen_in_the_world(kind, width, robot, seed):
    rng = np.random.default_rng(seed)
    world = World(RobotDescription(robot.urdf), kind, width, rng)
    for _ in range(2):  # the second scene is in the memory of the first
        view = world.look()
        scale = np.abs(np.concatenate(world.values)).max() + np.abs(world.place).max()
        assert_same(view.place, world.place, scale)
        assert_same(view.frame.position, world.origin.translation, scale)
        assert_same(pin.Quaternion(view.frame.orientation).matrix(), world.origin.rotation)
        for seen, value in zip((view.goal, view.actual), world.values, strict=True):
            for found, expected in zip(parts(kind, seen), world.expected(value), strict=True):
                assert_same(found, expected, scale)
        state = random_state(world.model.description, rng)
        world.model.update(state)
        for value in world.values:
            value[:] = value_of(kind, width, rng)


@pytest.mark.parametrize(
    ("kind", "width"),
    [(ShapeKind.POINT, 2), (ShapeKind.POSE, 6), (ShapeKind.WRENCH, 4), (ShapeKind.PLANE_POINT, 3)],
)
@given(robot=random_robots())
def test_too_few_or_too_many_numbers_are_refused(kind, width, robot):
    """Compiled code would read what is beside them."""
    world = World(RobotDescription(robot.urdf), kind, width, np.random.default_rng(1))
    with pytest.raises(ValueError, match=f"expected goal and actual value of .* {kind.value}"):
        world.look()


def test_a_place_that_is_no_array_is_refused_where_it_is_looked_at(rng):
    """By then other tasks are drawn, and whoever logs what failed is there."""
    robot = dreamer()
    point = [0.0, 0.0, 0.1]
    goal = Parameter("goal", np.zeros(3), shape=(3,))
    shape = Shape(ShapeKind.POINT, goal, None, None, None, 1, point)
    look = look_at(shape, {id(goal): goal.value}, updated(robot, random_state(robot, rng)))
    with pytest.raises(ValueError, match="three of a place on a body"):
        look()


def drawn(sketches):
    return [mark for sketch in sketches for mark in sketch.markers]


@given(seed=SEEDS, length=st.sampled_from([1e-6, 0.03, 1.0, 1e3]))
def test_arrows_begin_at_the_place_and_are_as_long_as_the_force(seed, length):
    rng = np.random.default_rng(seed)
    place, wrench = rng.normal(size=3), length * rng.normal(size=6)
    line = stroke.arrows(KEY, place, wrench, 0.1, BLUE)
    force, moment = drawn(line.sketches())
    for mark, part in ((force, wrench[:3]), (moment, wrench[3:])):
        way = 0.1 * part
        assert_same(mark.points, [place, place + way], length)
        head = min(HEAD_LENGTH, 0.5 * np.linalg.norm(way))
        assert_same(mark.scale, (SHAFT, HEAD, head))
    assert (force.color, moment.color[:3]) == (BLUE, BLUE[:3])
    assert force.key != moment.key
    wrench[3:] = 0.0
    assert [mark.key for mark in drawn(line.sketches())] == [force.key]
    wrench[:3] = 0.0
    assert len(drawn(line.sketches())) == 1
    wrench[rng.integers(6)] = rng.choice([np.nan, np.inf, -np.inf])
    assert drawn(line.sketches()) == []


@pytest.mark.parametrize("axis", range(3))
def test_a_moment_about_one_axis_is_drawn(axis):
    wrench = np.zeros(6)
    wrench[3 + axis] = 1e-9
    assert len(drawn(stroke.arrows(KEY, np.zeros(3), wrench, 0.1, BLUE).sketches())) == 2


@given(seed=SEEDS)
def test_a_pose_is_another_where_one_number_differs(seed):
    rng = np.random.default_rng(seed)
    pose = (rng.normal(size=3), unit(rng))
    kept = (np.zeros(3), np.zeros(4))
    assert take_pose(*pose, 1e-9, *kept)
    assert all(map(np.array_equal, kept, pose))
    assert not take_pose(*pose, 1e-9, *kept)
    for values in pose:
        for i in range(len(values)):
            for step, is_other in ((1e-3, True), (-1e-3, True), (1e-10, False)):
                values[i] += step
                assert take_pose(*pose, 1e-9, *kept) is is_other


@given(seed=SEEDS)
def test_axes_are_those_of_the_frame(seed):
    rng = np.random.default_rng(seed)
    position, orientation = rng.normal(size=3), unit(rng)
    line = stroke.axes(KEY, position, orientation, BLUE)
    (mark,) = drawn(line.sketches())
    rotation = pin.Quaternion(orientation).matrix()
    for axis in range(3):
        begin, end = mark.points[2 * axis : 2 * axis + 2]
        assert_same(begin, position)
        assert_same(end, position + AXIS_LENGTH * rotation[:, axis])
    broken = (position, orientation)[rng.integers(2)]
    broken[0] = np.nan
    assert drawn(line.sketches()) == []


@pytest.mark.parametrize("far", [1e3, 1e160, 1e300])
def test_what_is_far_away_is_drawn_all_the_same(far):
    place = np.array([far, 0.0, 0.0])
    (mark,) = drawn(stroke.ball(KEY, place, BLUE).sketches())
    assert mark.position[0] == far
    place[1] = np.inf
    assert drawn(stroke.ball(KEY, place, BLUE).sketches()) == []


@given(robot=random_robots(), seed=SEEDS)
def test_a_direction_is_an_arrow_of_one_length(robot, seed):
    rng = np.random.default_rng(seed)
    world = World(RobotDescription(robot.urdf), ShapeKind.DIRECTION, 3, rng)
    for value in world.values:
        np.divide(value, np.linalg.norm(value), out=value)
    view = world.look()
    for mark in drawn(ShapeDrawing(KEY, view, 100.0).sketches()):
        start, end = mark.points
        assert np.linalg.norm(end - start) == pytest.approx(ARROW_LENGTH)


@given(seed=SEEDS)
def test_what_stands_is_encoded_as_it_is_in_each_scene(seed):
    rng = np.random.default_rng(seed)
    place, wrench, turn = rng.normal(size=3), rng.normal(size=6), unit(rng)
    strokes = (
        stroke.ball(Key("task", 1), place, BLUE),
        stroke.arrows(Key("task", 2), place, wrench, 0.1, BLUE),
        stroke.axes(Key("task", 9), place, turn, BLUE),
    )
    forms = MarkerForms("world")
    for number in range(6):
        place[:], wrench[:], turn[:] = rng.normal(size=3), rng.normal(size=6), unit(rng)
        wrench[3:] *= rng.random() < 0.7
        place[0] *= np.nan if rng.random() < 0.2 else 1.0
        sketches = [sketch for each in strokes for sketch in each.sketches()]
        found = bytes(forms.encode(sketches, float(number)))
        assert found == bytes(MarkerForms("world").encode(sketches, float(number)))
