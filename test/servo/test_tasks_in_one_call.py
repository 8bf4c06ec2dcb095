"""What compiled code updates follows each cycle at once, and no thread is woken for it."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state
from swap_world import NEVER_STALE

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.parameters import Mailbox
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.exchange import Exchange
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.notice import NoticeBoard
from controlit_ros.servo.queue import LocalQueue
from controlit_ros.servo.staleness import Staleness
from controlit_ros.servo.task_updater import TaskUpdater
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_3d import Orientation3D

HAND = "right_wrist_yaw"


class World:
    """Updaters without threads: they serve what they are woken for when told to."""

    def __init__(self, kinds, in_this_thread=(False, False)):
        self.robot = dreamer()
        constraints = [configured(FlatContact("base", self.robot))]
        self.models = ModelUpdater(
            *(ConstrainedModel(self.robot, ConstraintSet(constraints)) for _ in range(2))
        )
        self.compound = CompoundTask([kind(self.robot) for kind in kinds])
        self.tasks = TaskUpdater(self.compound.tasks)
        self.swap = ModelSwap(
            self.models,
            self.tasks,
            Mailbox(),
            Exchange(),
            Staleness(NEVER_STALE),
            in_this_thread,
            CycleFaults(NoticeBoard(LocalQueue(str))),
        )

    def cycle(self, state):
        """Play a cycle, then let the updaters serve; return which were woken."""
        self.seen = state
        self.swap.apply_mail()
        if self.swap.has_model:
            self.swap.update(state)
        else:
            self.swap.renew(state)
        self.compound.compute(0.001)
        self.swap.wake()
        woken = []
        for updater in (self.models, self.tasks):
            if updater._wake.acquire(blocking=False):
                woken.append(updater.name)
                for _ in updater.steps():
                    pass
        assert self.models.failure is None
        return woken

    def settle(self, rng, cycles=8):
        for _ in range(cycles):
            woken = self.cycle(random_state(self.robot, rng))
        return woken


def check(tasks, model):
    """Compare active states with what tasks write themselves."""
    for task in tasks:
        found = [task.active.actual.copy(), task.active.jacobian.copy()]
        task.update(model, task.inactive)
        np.testing.assert_array_equal(found[0], task.inactive.actual)
        np.testing.assert_array_equal(found[1], task.inactive.jacobian)


def hand(robot):
    return configured(CartesianPosition("hand", robot), body=HAND)


def turn(robot):
    return configured(Orientation3D("turn", robot), body=HAND)


def posture(robot):
    return configured(JointPosition("posture", robot))


def centre(robot):
    return configured(CenterOfMass("centre", robot))


def test_no_thread_is_woken_for_them_and_they_follow_the_model_that_was_swapped_in(rng):
    world = World([hand, turn, posture])
    world.settle(rng)
    for _ in range(5):
        state = random_state(world.robot, rng)
        seen = world.seen
        assert world.cycle(state) == []
        model = world.models.active.robot_model
        np.testing.assert_array_equal(model.state.position, seen.position)
        check(world.compound.tasks, model)
        fresh = ConstrainedModel(world.robot, world.models.active.constraints)
        fresh.update(seen)
        np.testing.assert_array_equal(world.models.active.drift, fresh.drift)
        np.testing.assert_array_equal(world.models.active.bias_effort, fresh.bias_effort)


@pytest.mark.parametrize("kinds", [[hand, turn, posture], [hand, centre], [centre]])
def test_in_the_servo_thread_they_follow_in_the_same_cycle(kinds, rng):
    world = World(kinds, (True, True))
    world.settle(rng)
    for _ in range(5):
        state = random_state(world.robot, rng)
        assert world.cycle(state) == []
        assert world.models.is_followed is (centre not in kinds)
        model = world.models.active.robot_model
        np.testing.assert_array_equal(model.state.position, state.position)
        check(world.compound.tasks, model)
        fresh = ConstrainedModel(world.robot, world.models.active.constraints)
        fresh.update(state)
        np.testing.assert_array_equal(world.models.active.drift, fresh.drift)
        np.testing.assert_array_equal(world.models.active.bias_effort, fresh.bias_effort)


def test_where_constraints_change_they_follow_all_the_same(rng):
    world = World([hand, posture], (True, True))
    world.settle(rng)
    (base,) = world.models.active.constraints.constraints
    for state_of_base in ("disable", "enable", "disable", "enable"):
        base.operational_state.assign(state_of_base)
        for _ in range(3):  # the rank is another one in the first of each model
            state = random_state(world.robot, rng)
            world.cycle(state)
            assert world.models.failure is None
            fresh = ConstrainedModel(world.robot, ConstraintSet([base]))
            fresh.update(state)
            assert world.models.active.rank == fresh.rank
            np.testing.assert_array_equal(world.models.active.task_map, fresh.task_map)
            check(world.compound.tasks, world.models.active.robot_model)


def test_a_parameter_that_states_are_computed_from_brings_the_thread_back_until_they_are_steady(
    rng,
):
    world = World([hand, posture])
    world.settle(rng)
    first = world.compound.tasks[0]
    first.control_point.assign((0.1, 0.0, 0.0))
    woken = [world.cycle(random_state(world.robot, rng)) for _ in range(8)]
    assert "task_updater" in woken[0]
    assert woken[-1] == []
    model = world.models.active.robot_model
    expected = first.active.actual.copy()
    first.update(model, first.inactive)
    np.testing.assert_array_equal(expected, first.inactive.actual)


def test_goals_and_gains_bring_the_thread_back_for_one_look(rng):
    world = World([hand, posture])
    world.settle(rng)
    for _ in range(4):
        world.compound.tasks[0].goal.assign(rng.normal(size=3))
        world.compound.tasks[1].controller.kp.assign(
            np.full(world.compound.tasks[1].dimension, 30.0)
        )
        woken = [world.cycle(random_state(world.robot, rng)) for _ in range(4)]
        assert ["task_updater" in names for names in woken] == [True, False, False, False]


def test_a_task_that_needs_python_keeps_the_thread(rng):
    world = World([hand, centre])
    assert world.settle(rng) == ["task_updater"]


def test_one_that_is_disabled_needs_nothing(rng):
    world = World([hand, turn])
    world.compound.tasks[1].operational_state.assign("disable")
    assert world.settle(rng) == []
    world.compound.tasks[1].operational_state.assign("enable")
    assert "task_updater" in world.cycle(random_state(world.robot, rng))
    assert world.settle(rng) == []
    assert world.compound.tasks[1].active.valid


def test_constraints_that_changed_bring_the_thread_back_for_both_models(rng):
    world = World([hand, posture])
    world.settle(rng)
    (base,) = world.models.active.constraints.constraints
    for state_of_base in ("disable", "enable", "disable"):
        base.operational_state.assign(state_of_base)
        woken = [world.cycle(random_state(world.robot, rng)) for _ in range(5)]
        assert ["model_updater" in names for names in woken] == [True, True, False, False, False]
        fresh = ConstrainedModel(world.robot, ConstraintSet([base]))
        fresh.update(world.models.active.robot_model.state)
        assert world.models.active.rank == fresh.rank
        np.testing.assert_array_equal(world.models.active.task_map, fresh.task_map)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_not_finite_is_told_by_name(number, rng):
    world = World([hand, posture])
    world.settle(rng)
    world.compound.tasks[0].control_point.value[0] = number
    world.cycle(random_state(world.robot, rng))
    assert "'hand'" in str(world.tasks.failure)


def test_no_state_that_is_not_finite_becomes_the_active_one(rng):
    world = World([hand, posture], (True, True))
    world.settle(rng)
    first = world.compound.tasks[0]
    first.control_point.value[0] = np.nan
    world.cycle(random_state(world.robot, rng))
    assert "'hand'" in str(world.tasks.failure)
    assert np.isfinite(first.active.actual).all()
