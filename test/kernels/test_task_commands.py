"""All tasks in one kernel against each task by itself."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state, updated

from controlit_ros.model.quaternion import rotation_vector
from controlit_ros.tasks import DISABLE, ENABLE, SENSE, CommandKind, CompoundTask, ControlLaw
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.force_controller import ForceController
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D
from controlit_ros.tasks.sliding_mode import SlidingMode

PERIOD = 1e-3
SLIDING = {"slope": 4.0, "reach": 2.0, "boundary_layer": 0.3}


class Cubic(ControlLaw):
    """A law of a third party, in Python."""

    def __init__(self, owner, dimension, **options):
        super().__init__(owner, dimension, **options)
        self.stiffness = self.declare_gain("stiffness", "1", "of the cube")

    def compute(self, error, velocity, goal_velocity, goal_acceleration, period, command):
        command[:] = self.stiffness.value * error**3 + goal_velocity - velocity
        return float(np.linalg.norm(error))


class Push(CenterOfMass):
    """A task that commands a force, measured where the actual value is a number."""

    command_kind = CommandKind.FORCE
    has_control_law = False

    def __init__(self, name, robot):
        super().__init__(name, robot)
        for parameter in self.controller.parameters:
            if parameter.name in self.parameters:
                self.retract(parameter)
        self.controller = ForceController(self, 3)

    def _fed_forward(self, *, has_expired):
        return self.goal.value

    def _update(self, model, state):
        super()._update(model, state)
        state.actual[1] = np.nan


def with_law(task, name, law):
    task.use_law(name, law)
    return task


class Doubled(CartesianPosition):
    """A task with an error of its own."""

    def _error(self, state, error):
        np.multiply(2.0, self.goal.value - state.actual, out=error)


def create(robot, rng, *, limited):
    hand = {"body": "right_wrist_yaw"}
    gains = {"kp": 50.0, "kd": 8.0, "ki": 20.0, "max_integral": 0.3}
    speed = {"max_velocity": 0.05} if limited else {}
    unit = rng.normal(size=4)
    return [
        configured(
            CartesianPosition("a", robot), **hand, **gains, **speed, goal_position=[1, 2, 3]
        ),
        configured(Orientation2D("b", robot), **hand, **gains, **speed, goal_vector=[0, 1, 0]),
        configured(Orientation3D("c", robot), **hand, **gains, **speed, goal_orientation=unit),
        configured(CenterOfMass("d", robot), **gains, **speed, goal_velocity=[0.1, 0.2, 0.3]),
        configured(Doubled("e", robot), **hand, **gains, **speed, goal_acceleration=[1, 0, 2]),
        configured(JointPosition("f", robot), **gains, **speed, goal_position=0.4),
        configured(
            CartesianPosition("g", robot),
            **hand,
            **gains,
            **speed,
            axes=["z", "x"],
            frame="base_link",
        ),
        configured(
            Orientation3D("h", robot), **hand, **gains, **speed, projection=[1, 1, 0, 0, 1, 2]
        ),
        configured(JointPosition("i", robot), **gains, **speed, axes=["left_elbow", "right_elbow"]),
        configured(
            with_law(Orientation3D("j", robot), "SlidingMode", SlidingMode),
            **hand,
            **SLIDING,
            goal_velocity=[0.1, 0.2, 0.3],
        ),
        configured(
            with_law(JointPosition("k", robot), "SlidingMode", SlidingMode),
            **SLIDING,
            axes=["left_elbow"],
        ),
        configured(
            with_law(CartesianPosition("l", robot), "Cubic", Cubic),
            **hand,
            stiffness=[3, 4, 5],
            axes=["y"],
        ),
        configured(
            Push("m", robot), kp=0.5, ki=3.0, kd=0.2, max_rate=[0, 50, 90], goal_position=[9, 8, 7]
        ),
    ]


@pytest.mark.parametrize("limited", [False, True])
def test_every_task_gets_what_it_would_compute_alone(rng, limited):
    robot = dreamer()
    alone = create(robot, np.random.default_rng(3), limited=limited)
    together = create(robot, np.random.default_rng(3), limited=limited)
    compound = CompoundTask(together)
    for cycle in range(20):
        model = updated(robot, random_state(robot, rng))
        for task in (*alone, *together):
            task.update(model, task.inactive)
            task.swap()
        for task in (alone[cycle % 13], together[cycle % 13]):
            task.controller.gains or task.controller.stiffness.set(40.0 + cycle)
            for gain in task.controller.gains[:1]:
                gain.set(40.0 + cycle)  # gains change between two cycles
        if cycle == 10:
            for task in (*alone, *together):
                task.goal_timeout.set(5.5 * PERIOD)  # feed-forward runs out
        compound.compute(PERIOD)
        for one, other in zip(alone, together, strict=True):
            one.compute(PERIOD)
            for name in ("error", "command", one.actual.name):
                found, expected = other.parameter(name).value, one.parameter(name).value
                np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
            norm = pytest.approx(one.error_norm.value, rel=1e-12, nan_ok=True)
            assert other.error_norm.value == norm
        moving, pushing = compound.levels
        for level, tasks in ((moving, together[:-1]), (pushing, together[-1:])):
            commands, jacobians, biases = [], [], []
            for task in tasks:
                P = np.eye(task.dimension) if task.projection is None else task.projection
                commands.append(P @ np.nan_to_num(task.command.value))
                jacobians.append(P @ task.active.jacobian)
                biases.append(P @ task.active.bias)
            stacked = np.nan_to_num(compound.command[level.rows])
            np.testing.assert_allclose(stacked, np.concatenate(commands), rtol=1e-12, atol=1e-12)
            for array, parts in ((compound.jacobian, jacobians), (compound.bias, biases)):
                expected = np.concatenate(parts)
                np.testing.assert_allclose(array[level.rows], expected, rtol=1e-12, atol=1e-12)


def test_the_rotation_error_is_that_of_the_quaternion_room(rng):
    robot = dreamer()
    task = configured(Orientation3D("t", robot), body="left_elbow", kp=1.0)
    compound = CompoundTask([task])
    for _ in range(50):
        goal = rng.normal(size=4)
        task.goal.set(goal)
        task.update(updated(robot, random_state(robot, rng)), task.inactive)
        task.swap()
        compound.compute(PERIOD)
        expected = rotation_vector(task.active.actual, goal / np.linalg.norm(goal))
        np.testing.assert_allclose(task.error.value, expected, atol=1e-12)


def test_skipped_tasks_know_no_error_and_sensing_ones_wind_nothing_up(rng):
    robot = dreamer()
    tasks = create(robot, rng, limited=False)
    compound = CompoundTask(tasks)
    tasks[0].operational_state.set(DISABLE)
    tasks[1].operational_state.set(SENSE)
    model = updated(robot, random_state(robot, rng))
    for _ in range(5):
        for task in tasks[1:]:
            task.update(model, task.inactive)
            task.swap()
        compound.compute(PERIOD)
    assert np.isnan(tasks[0].error_norm.value)
    assert tasks[1].error_norm.value > 0.0
    assert not tasks[1].controller.integral.any()
    assert tasks[2].controller.integral.any()


def test_a_task_that_joins_is_announced_once_and_before_it_is_computed(rng):
    robot = dreamer()
    task = configured(CartesianPosition("t", robot), body="left_elbow", kp=1.0)
    compound = CompoundTask([task])
    compound.on_join = lambda joining: joining.latch_goal()
    for _ in range(2):
        task.operational_state.set(DISABLE)
        compound.compute(PERIOD)
        task.operational_state.set(ENABLE)
        task.update(updated(robot, random_state(robot, rng)), task.inactive)
        task.swap()
        compound.compute(PERIOD)
        assert task.error_norm.value == 0.0
        task.goal.set([9.0, 9.0, 9.0])
        compound.compute(PERIOD)
        assert task.error_norm.value > 1.0
