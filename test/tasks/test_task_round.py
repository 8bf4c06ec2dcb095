"""Tasks updated at once are what they are when each updates itself."""

import numpy as np
import pytest
from robots_for_tests import configured, random_state

from controlit_ros.finite import NotFiniteError
from controlit_ros.model import RobotModel
from controlit_ros.tasks import TaskSet
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D
from controlit_ros.tasks.task_round import MOST, TaskRound

HAND = "right_wrist_yaw"
FIELDS = ("jacobian", "bias", "velocity", "actual")


class Own(CartesianPosition):
    """A plugin's task, which writes what it wants."""

    def _update(self, model, state):
        super()._update(model, state)
        state.actual[:] += 1.0


def built_in(robot):
    """Return one of each task that can be computed at once."""
    return [
        configured(CartesianPosition("place", robot), body=HAND, control_point=(0.1, 0.2, 0.3)),
        configured(CartesianPose("pose", robot), body=HAND, control_point=(0.0, 0.0, 0.1)),
        configured(Orientation2D("heading", robot), body=HAND, body_vector=(0.0, 0.0, 1.0)),
        configured(Orientation3D("turn", robot), body="left_wrist_yaw"),
        configured(JointPosition("posture", robot)),
    ]


def others(robot):
    """Return tasks that need Python."""
    return [
        configured(CartesianPosition("held", robot), body=HAND, frame="left_wrist_yaw"),
        configured(CartesianPosition("axis", robot), body=HAND, axes=("x",)),
        configured(CenterOfMass("centre", robot)),
        configured(Own("own", robot), body=HAND),
    ]


@pytest.fixture
def robot(dreamer_description):
    return dreamer_description


def updated_twice(tasks, model):
    for task in tasks:
        for _ in range(2):
            task.update(model, task.inactive)
            task.swap()


def check(task, model, state):
    """Compare a state with what the task writes into its other one."""
    other = task.inactive if state is task.active else task.active
    for field in FIELDS:
        getattr(other, field).fill(7.0 if field != "jacobian" else 0.0)
    if isinstance(task, JointPosition):  # its rows are constant
        np.copyto(other.jacobian, state.jacobian)
        np.copyto(other.bias, state.bias)
    task.update(model, other)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(state, field), getattr(other, field), err_msg=field)


@pytest.mark.parametrize("activates", [True, False])
def test_each_is_what_it_writes_itself(robot, rng, activates):
    tasks, models = [*built_in(robot), *others(robot)], [RobotModel(robot), RobotModel(robot)]
    TaskSet.of(tasks, robot.nv)
    for model in models:
        model.update(random_state(robot, rng))
    updated_twice(tasks, models[0])
    at_once = TaskRound(tasks)
    tasks[1].swap()  # not all in step
    for model in (*models, *models):
        model.update(random_state(robot, rng))
        before = [task.active for task in tasks]
        assert at_once.compute(model, activates=activates) == tuple(tasks[:5])
        for task, state in zip(tasks, before, strict=True):
            is_done = task in tasks[:5]
            assert (task.active is not state) is (activates and is_done)
            if is_done:
                check(task, model, task.active if activates else task.inactive)


def test_only_tasks_whose_states_are_steady_are_computed_at_once(robot, rng):
    tasks, model = built_in(robot), RobotModel(robot)
    TaskSet.of(tasks, robot.nv)
    model.update(random_state(robot, rng))
    at_once = TaskRound(tasks)
    assert at_once.compute(model, activates=True) == ()
    updated_twice(tasks, model)
    assert at_once.compute(model, activates=True) == tuple(tasks)
    tasks[0].control_point.assign((0.3, 0.2, 0.1))  # carries a revision to the command
    assert at_once.compute(model, activates=True) == tuple(tasks[1:])
    updated_twice(tasks[:1], model)
    assert at_once.compute(model, activates=True) == tuple(tasks)
    check(tasks[0], model, tasks[0].active)
    updated_twice(tasks[:1], model)
    tasks[3].operational_state.assign("disable")
    tasks[4].invalidate()
    assert at_once.compute(model, activates=True) == tuple(tasks[:3])
    tasks[2].goal.assign((0.0, 1.0, 0.0))  # nothing that the task updater reads
    assert at_once.compute(model, activates=True) == tuple(tasks[:3])


def test_tasks_settle_though_nothing_changes(robot, rng):
    tasks, model = [*built_in(robot), *others(robot)], RobotModel(robot)
    TaskSet.of(tasks, robot.nv)
    model.update(random_state(robot, rng))
    at_once, counts = TaskRound(tasks), []
    for _ in range(4):
        done = at_once.compute(model, activates=True)
        counts.append(len(done))
        for task in tasks:
            if task not in done:
                task.update(model, task.inactive)
                task.swap()
    assert counts == [0, 0, 5, 5]


def test_what_is_not_finite_is_left_to_the_task(robot, rng):
    tasks, model = built_in(robot), RobotModel(robot)
    TaskSet.of(tasks, robot.nv)
    model.update(random_state(robot, rng))
    updated_twice(tasks, model)
    at_once, before = TaskRound(tasks), [task.active for task in tasks]
    assert at_once.compute(model, activates=True) == tuple(tasks)
    model.dJ[:] = np.nan
    assert at_once.compute(model, activates=True) == ()
    assert all(task.active is not state for task, state in zip(tasks, before, strict=True))
    with pytest.raises(NotFiniteError, match="place"):
        tasks[0].update(model, tasks[0].inactive)


class Replacing(CartesianPosition):
    """Tells of a point that it replaces when it is set."""

    def motions(self):
        self.told = self.control_point.value.copy()
        return (super().motions()[0]._replace(given=self.told),)


def test_tasks_that_come_back_are_bound_no_more(robot, rng, monkeypatch):
    tasks, model = built_in(robot), RobotModel(robot)
    TaskSet.of(tasks, robot.nv)
    model.update(random_state(robot, rng))
    updated_twice(tasks, model)
    at_once, bound = TaskRound(tasks), []
    bind = at_once._bind
    monkeypatch.setattr(at_once, "_bind", lambda model: bound.append(model) or bind(model))
    for _ in range(3):
        assert at_once.compute(model, activates=True) == tuple(tasks)
        tasks[3].operational_state.assign("disable")
        tasks[3].invalidate()
        assert at_once.compute(model, activates=True) == (*tasks[:3], tasks[4])
        tasks[3].operational_state.assign("enable")
        updated_twice(tasks[3:4], model)
    assert len(bound) == 2
    check(tasks[3], model, tasks[3].active)


def test_a_task_that_is_set_otherwise_while_it_is_off_is_so_when_it_comes_back(robot, rng):
    tasks = [configured(Replacing("point", robot), body=HAND), *built_in(robot)]
    model = RobotModel(robot)
    TaskSet.of(tasks, robot.nv)
    model.update(random_state(robot, rng))
    updated_twice(tasks, model)
    at_once = TaskRound(tasks)
    assert at_once.compute(model, activates=True) == tuple(tasks)
    tasks[0].operational_state.assign("disable")
    tasks[0].invalidate()
    assert at_once.compute(model, activates=True) == tuple(tasks[1:])
    tasks[0].control_point.assign((0.3, 0.2, 0.1))
    tasks[0].operational_state.assign("enable")
    updated_twice(tasks[:1], model)
    assert at_once.compute(model, activates=True) == tuple(tasks)
    check(tasks[0], model, tasks[0].active)


def test_no_number_of_changes_makes_it_grow(robot, rng):
    tasks, model = built_in(robot), RobotModel(robot)
    TaskSet.of(tasks, robot.nv)
    model.update(random_state(robot, rng))
    at_once = TaskRound(tasks)
    for number in range(MOST + 20):
        tasks[0].control_point.assign((0.0, 0.0, 0.001 * number))
        updated_twice(tasks, model)
        at_once.compute(model, activates=True)
    assert len(at_once._kernels) == MOST
