"""No goal that a posture reaches is doubted; one farther than all links are long is."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots_for_tests import (
    SEEDS,
    configuration,
    configured,
    random_robots,
    random_state,
    updated,
)
from tries import tries

from controlit_ros.constraints import ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.nodes.checks.goals import goal_warnings
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition

CONTACTS = st.sampled_from([FlatContact, PointContact])
LIMITS = (-2.0, 2.5)  # of the random robots


def placed(description, state, frame):
    data = description.pinocchio.createData()
    pin.framesForwardKinematics(description.pinocchio, data, configuration(description, state))
    return data.oMf[frame]


@settings(max_examples=tries(60))
@given(robot=random_robots(), seed=SEEDS, contact=CONTACTS, axes=st.sampled_from([(), ("x", "z")]))
def test_what_a_posture_reaches_is_not_warned_of(robot, seed, contact, axes):
    description, rng = robot.description(), np.random.default_rng(seed)
    links = rng.choice(robot.links, 2)
    anchor = configured(
        contact("Foot", description), body=str(links[0]), contact_point=rng.uniform(-1, 1, 3)
    )
    task = configured(
        CartesianPosition("Hand", description),
        body=str(links[1]),
        control_point=rng.uniform(-1, 1, 3),
        axes=list(axes),
    )
    start, other = random_state(description, rng), random_state(description, rng)
    foot, hand = (description.frame_id(str(link)) for link in links)
    relative = placed(description, other, foot).actInv(placed(description, other, hand))
    point = relative.act(task.control_point.value)
    held = placed(description, start, foot)
    goal = held.act(point)
    if contact is PointContact:  # the foot may turn about its point as well
        pivot = anchor.contact_point.value
        turn = pin.exp3(rng.uniform(-3, 3, 3))
        goal = held.act(pivot) + turn @ (point - pivot)
    task.goal.set(goal)
    constraints = ConstraintSet([anchor])
    assert list(goal_warnings(description, constraints, [task], start)) == []


@given(robot=random_robots(), seed=SEEDS, contact=CONTACTS)
def test_what_is_far_away_is_warned_of(robot, seed, contact):
    description, rng = robot.description(), np.random.default_rng(seed)
    anchor = configured(contact("Foot", description))
    task = configured(CartesianPosition("Hand", description), body=robot.links[-1])
    start = random_state(description, rng)
    model = updated(description, start)
    lengths = sum(
        np.linalg.norm(place.translation) for place in description.pinocchio.jointPlacements
    ) + sum(np.linalg.norm(frame.placement.translation) for frame in description.pinocchio.frames)
    slides = 2.5 * len(description.real_joints)
    direction = rng.normal(size=3)
    far = (lengths + slides) * 1.01 * direction / np.linalg.norm(direction)
    task.goal.set(model.placement(anchor.site.frame).translation + far)
    ((path, text),) = goal_warnings(description, ConstraintSet([anchor]), [task], start)
    assert path == ("tasks", 0, "goal_position")
    assert f"out of reach of '{robot.links[-1]}' in any posture" in text


@pytest.mark.parametrize(
    ("goal", "frame", "is_told"),
    [
        ((0.99, 0.0, 1.0), "world", False),
        ((1.01, 0.0, 1.0), "world", True),
        ((0.0, 0.0, 0.01), "world", False),
        ((0.0, 0.0, -0.01), "world", True),
        ((9.0, 0.0, 0.0), "a", False),  # moves with the arm: nobody knows at a glance
    ],
)
def test_to_the_centimetre(arm, goal, frame, is_told):
    base = configured(FlatContact("Base", arm), body="base", contact_point=(0.3, 0.2, 0.1))
    task = configured(
        CartesianPosition("Tip", arm),
        body="b",
        control_point=(0.5, 0.0, 0.0),
        frame=frame,
        goal_position=goal,
    )
    state = random_state(arm, np.random.default_rng(0))
    state.base_position.fill(0.0)
    state.base_orientation[:] = 0.0, 0.0, 0.0, 1.0
    doubts = list(goal_warnings(arm, ConstraintSet([base]), [task], state))
    assert bool(doubts) is is_told
    if doubts:
        assert "0.010 m out of reach" in doubts[0][1]


def test_what_is_not_held_or_not_stated_is_not_warned_of(arm):
    base = configured(FlatContact("Base", arm), operational_state="disable")
    state = random_state(arm, np.random.default_rng(0))
    task = configured(CartesianPosition("Tip", arm), body="b", goal_position=(9.0, 0.0, 0.0))
    assert list(goal_warnings(arm, ConstraintSet([base]), [task], state)) == []
    base.operational_state.set("enable")
    assert len(list(goal_warnings(arm, ConstraintSet([base]), [task], state))) == 1
    free = configured(CartesianPosition("Tip", arm), body="b")
    free.goal.assign(np.array([9.0, 0.0, 0.0]))
    assert list(goal_warnings(arm, ConstraintSet([base]), [free], state)) == []


@pytest.mark.parametrize("axes", [[], ["two"]])
def test_joints_beyond_their_range(arm, axes):
    task = configured(
        JointPosition("Posture", arm), goal_position={"one": 2.1, "two": -2.5}, axes=axes
    )
    state = random_state(arm, np.random.default_rng(0))
    texts = [text for _, text in goal_warnings(arm, ConstraintSet([]), [task], state)]
    assert [text.split("'")[1] for text in texts] == (axes or ["one", "two"])
    assert texts[-1] == "the goal -2.5 of 'two' is out of its range, expected -2 to 2"
