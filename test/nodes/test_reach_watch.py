"""Goals out of reach are told when they arrive, and no goal that a posture reaches is."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots_for_tests import (
    EXAMPLE_ROBOTS,
    SEEDS,
    configuration,
    configured,
    needs_example_robots,
    random_robots,
    random_state,
)
from tries import tries

from controlit_ros.model import ModelOptions, RobotDescription
from controlit_ros.model.robot_description import moving_joints
from controlit_ros.nodes.front.reach_watch import ReachWatch
from controlit_ros.parameters import Mailbox, ParameterError
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition

KINDS = st.sampled_from([CartesianPosition, CartesianPose])
AXES = st.sampled_from([(), ("x", "z"), ("y",)])
URDFS = [] if EXAMPLE_ROBOTS is None else sorted(EXAMPLE_ROBOTS.rglob("*.urdf"))


class Watched:
    """A watch over one robot, its mail and what it complained of."""

    def __init__(self, state, *tasks, is_bolted=True):
        self.mailbox, self.texts = Mailbox(), []
        state.stamp = 1.0
        self.watch = ReachWatch(
            self.mailbox, state, lambda *told: self.texts.append(told), is_bolted=is_bolted
        )
        for task in tasks:
            self.watch.watch(task)


def within_limits(description, state, rng):
    lower = np.maximum(description.lower_limits, -4.0)
    upper = np.maximum(np.minimum(description.upper_limits, 4.0), lower)
    state.position[:] = rng.uniform(lower, upper)
    return state


def point_of(description, state, body, point):
    data = description.pinocchio.createData()
    pin.framesForwardKinematics(description.pinocchio, data, configuration(description, state))
    return data.oMf[description.frame_id(body)].act(point)


def goal_of(task, point):
    return np.append(point, [0.0, 0.0, 0.0, 1.0])[: len(task.goal.value)]


def reached(description, rng, kind, axes=(), body=None):
    """Return a state, and a task whose goal another posture on the same base reaches."""
    start, other = (random_state(description, rng) for _ in range(2))
    within_limits(description, other, rng)
    other.base_position[:] = start.base_position
    other.base_orientation[:] = start.base_orientation
    body = str(rng.choice(description.link_names)) if body is None else body
    control_point = rng.uniform(-0.5, 0.5, 3)
    task = configured(
        kind("Hand", description), body=body, control_point=control_point, axes=list(axes)
    )
    return start, task, point_of(description, other, body, control_point)


@settings(max_examples=tries(60))
@given(robot=random_robots(), seed=SEEDS, kind=KINDS, axes=AXES)
def test_no_goal_that_a_posture_reaches_is_told(robot, seed, kind, axes):
    description = robot.description()
    start, task, point = reached(description, np.random.default_rng(seed), kind, axes)
    told = Watched(start, task)
    told.watch.post({task.goal: goal_of(task, point)})
    assert told.texts == []


@needs_example_robots
@pytest.mark.thorough
@pytest.mark.parametrize("urdf", URDFS, ids=lambda path: path.stem)
def test_no_goal_that_a_robot_reaches_is_told(urdf):
    text = urdf.read_text(encoding="utf-8")
    if "<link" not in text:
        pytest.skip("found no robot in the file")
    inertia = dict.fromkeys(moving_joints(text), 0.1)
    description = RobotDescription(text, ModelOptions(rotor_inertia=inertia))
    rng = np.random.default_rng(1)
    for _ in range(tries(20)):
        start, task, point = reached(description, rng, CartesianPosition)
        told = Watched(start, task)
        told.watch.post({task.goal: point})
        assert told.texts == []


@given(robot=random_robots(), seed=SEEDS, kind=KINDS)
def test_what_is_far_away_is_told_and_handed_on(robot, seed, kind):
    description, rng = robot.description(), np.random.default_rng(seed)
    start, task, point = reached(description, rng, kind, body=robot.links[-1])
    told = Watched(start, task)
    far = goal_of(task, point + 100.0 * (point - start.base_position + 1.0))
    told.watch.post({task.goal: far})
    ((name, text),) = told.texts
    assert name == "Hand"
    assert f"{task.goal.full_name}: the goal is " in text
    told.mailbox.next()
    told.mailbox.apply_next()
    assert np.array_equal(task.goal.value, far)


def resting(arm):
    state = arm.create_state()
    state.base_position[:] = 2.0, 0.0, 0.0
    state.base_orientation[:] = 0.0, 0.0, 0.0, 1.0
    return state


def tip(arm, **parameters):
    return configured(
        CartesianPosition("Tip", arm), body="b", control_point=(0.5, 0.0, 0.0), **parameters
    )


@pytest.mark.parametrize(("x", "is_told"), [(2.99, False), (3.01, True), (1.01, False)])
def test_distance_and_reach_are_told(arm, x, is_told):
    task = tip(arm)
    told = Watched(resting(arm), task)
    told.watch.post({task.goal: [x, 0.0, 1.0]})
    assert told.texts == (
        [
            (
                "Tip",
                (
                    "Tip.goal_position: the goal is 1.010 m from where 'base' holds the links "
                    "that move, of which 'b' reaches 1.000 m in any posture"
                ),
            )
        ]
        if is_told
        else []
    )


def test_a_longer_hand_reaches_farther_at_once(arm):
    task = tip(arm)
    told = Watched(resting(arm), task)
    task.control_point.set((0.6, 0.0, 0.0))
    told.watch.post({task.goal: [3.05, 0.0, 1.0]})
    assert told.texts == []


def test_what_nobody_knows_is_not_told(arm):
    far = [9.0, 0.0, 0.0]
    state = resting(arm)
    moving = tip(arm, frame="a")
    task = tip(arm)
    cases = [
        Watched(state, moving),
        Watched(state, task, is_bolted=False),
        Watched(state),
        Watched(resting(arm), task),
    ]
    cases[2].watch.watch(task)
    cases[2].watch.forget(task)
    cases[3].watch._state.stamp = 0.0
    for told in cases:
        told.watch.post({moving.goal: far, task.goal: far})
        assert told.texts == []


def test_what_is_refused_is_not_told_as_well(arm):
    task = tip(arm)
    told = Watched(resting(arm), task)
    with pytest.raises(ParameterError):
        told.watch.post({task.goal: [np.nan, 0.0, 1.0]})
    assert told.texts == []
