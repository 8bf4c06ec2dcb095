"""Scenes of tasks that tell how they look themselves, without a servo."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state, updated
from scene_look import drawn, observed, places

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.parameters import Access
from controlit_ros.tasks import PIDController, Shape, ShapeKind, Task
from controlit_ros.tasks.center_of_pressure import CenterOfPressure
from controlit_ros.tasks.external_force import ExternalForce

POINT = (0.1, 0.0, -0.05)


class Push(Task):
    """Draws a wrench and a point of a sole, as a third party's task may."""

    def __init__(self, name, robot):
        super().__init__(name, robot, 6)
        self.body = self.declare_body()
        self.goal = self.declare("goal_wrench", np.zeros(6), shape=(6,))
        self.actual = self.declare("actual_wrench", np.zeros(6), shape=(6,), access=Access.OUTPUT)
        self.spot = self.declare("spot", (0.0, 0.0), shape=(2,))
        self.controller = PIDController(self, 6)

    def shapes(self):
        frame = self.robot.frame_id(self.body.value)
        place = np.array(POINT)
        return (
            Shape(ShapeKind.WRENCH, self.goal, None, frame, body=frame, body_point=place),
            Shape(ShapeKind.PLANE_POINT, self.spot, None, frame, body=frame, body_point=place),
        )

    def _update(self, model, state):
        pass


@pytest.fixture
def world(rng):
    """A task, the state of its robot, and a look at them."""
    task = configured(Push("Push", dreamer()), body="left_wrist_yaw")
    return task, *observed(task, rng)


def test_wrenches_turn_with_their_frame(world):
    task, state, look = world
    task.goal.set([10.0, 0.0, 0.0, 0.0, 2.0, 0.0])
    scene = look()
    wrist = updated(task.robot, state).placement(task.robot.frame_id("left_wrist_yaw"))
    wrench, spot = scene.tasks[0].shapes
    assert wrench.place == pytest.approx(wrist.act(np.array(POINT)))
    assert wrench.goal[:3] == pytest.approx(10.0 * wrist.rotation[:, 0])
    assert wrench.goal[3:] == pytest.approx(2.0 * wrist.rotation[:, 1])
    assert wrench.actual is None
    markers = drawn(scene)
    start, end = places(markers[0])
    assert start == pytest.approx(wrench.place)
    assert end - start == pytest.approx(0.1 * wrist.rotation[:, 0])
    assert list(markers) == [0, 2, 10]
    assert spot.goal == pytest.approx(wrench.place)


def test_a_shape_that_fails_takes_no_other_with_it(rng, caplog):
    class Odd(Push):
        def shapes(self):
            wrench, spot = super().shapes()
            return Shape(ShapeKind.POSE, self.goal, None), wrench, spot

    task = configured(Odd("Push", dreamer()), body="left_wrist_yaw")
    _, look = observed(task, rng)
    for _ in range(3):
        assert [shape.shape.kind.value for shape in look().tasks[0].shapes] == [
            "wrench",
            "plane point",
        ]
    (told,) = [record.getMessage() for record in caplog.records]
    assert "Push is not drawn as a whole: ValueError(" in told
    assert "expected goal and actual value of 7 numbers" in told


def test_points_of_a_plane_count_from_the_place(world):
    task, state, look = world
    task.spot.set([0.02, -0.01])
    (seen,) = look().tasks
    wrist = updated(task.robot, state).placement(task.robot.frame_id("left_wrist_yaw"))
    assert seen.shapes[1].goal == pytest.approx(
        wrist.act(np.array(POINT) + np.array([0.02, -0.01, 0.0]))
    )


def test_scenes_follow_the_state(world, rng):
    task, state, look = world
    first = look().tasks[0].shapes[0].place.copy()
    state.copy_from(random_state(task.robot, rng))
    assert not np.allclose(look().tasks[0].shapes[0].place, first)


def test_what_is_not_finite_is_not_drawn(world):
    task, _, look = world
    task.goal.value[:] = np.nan
    assert list(drawn(look())) == [10]


def test_disabled_tasks_are_not_seen(world):
    task, _, look = world
    task.operational_state.set("disable")
    assert look().tasks == ()
    assert look().effort is None


def test_an_external_force_is_drawn_where_it_acts(rng):
    task = configured(
        ExternalForce("Press", dreamer()),
        body="left_wrist_yaw",
        control_point=POINT,
        goal_wrench={"x": 30.0},
    )
    state, look = observed(task, rng)
    (shape,) = look().tasks[0].shapes
    wrist = updated(task.robot, state).placement(task.robot.frame_id("left_wrist_yaw"))
    assert shape.place == pytest.approx(wrist.act(np.array(POINT)))
    assert shape.goal == pytest.approx([30.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def test_a_center_of_pressure_is_drawn_in_the_sole(rng):
    plain = dreamer()
    sole = configured(FlatContact("sole", plain), body="left_wrist_yaw", contact_point=POINT)
    task = configured(
        CenterOfPressure("Pressure", plain.with_contacts([sole.site])),
        contact="sole",
        goal_position=[0.03, 0.01],
    )
    state, look = observed(task, rng)
    (shape,) = look().tasks[0].shapes
    wrist = updated(task.robot, state).placement(task.robot.frame_id("left_wrist_yaw"))
    there = np.array(POINT) + np.array([0.03, 0.01, 0.0])
    assert shape.goal == pytest.approx(wrist.act(there))
