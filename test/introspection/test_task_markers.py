"""Every type of task shows its goal and its actual value, where and as the robot's model says."""

import numpy as np
import pinocchio as pin
import pytest
from every_task import HANDS, OURS, made, touching
from robots_for_tests import chain, configuration, configured, dreamer, random_state, updated
from scene_look import WEIGHT, drawn, observed, places

from controlit_ros.introspection.joint_markers import RADIUS
from controlit_ros.introspection.marker import BLUE, GREEN, RED
from controlit_ros.model import RobotState
from controlit_ros.tasks.internal_force import InternalForce
from controlit_ros.tasks.joint_effort import JointEffort
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition

GOAL, ACTUAL = 0, 1
NUMBERS = 10
"""From the number of a shape to that of the next."""


def at_its_limits(robot, rng):
    """Return a state with every joint that has limits near one of them."""
    state = random_state(robot, rng)
    limits = np.where(rng.random(len(state.position)) < 0.5, robot.lower_limits, robot.upper_limits)
    ends = np.isfinite(limits)
    middle = 0.5 * (robot.lower_limits + robot.upper_limits)[ends]
    state.position[ends] = limits[ends] + 0.02 * np.sign(middle - limits[ends])
    return state


def take_in(task, state, rng):
    """Let a task know its actual value, as after a cycle of the servo."""
    model = updated(task.robot, state)
    for site, wrench in zip(task.robot.contacts, model.state.contact_wrench, strict=True):
        wrench[:] = rng.uniform(-1.0, 1.0, 6)
        wrench[:3] += 10.0 * model.placement(site.frame).rotation[:, 2]
    task.update(model, task.active)
    np.copyto(task.actual.value, task.active.actual)


def test_our_types_are_known():
    assert {"JointPosition", "JointLimit", "InternalForce"} < set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_every_type_shows_goal_and_actual_value(name, rng):
    task = made(name)
    state = at_its_limits(task.robot, rng)
    take_in(task, state, rng)
    _, look = observed(task, rng, state)
    markers = drawn(look())
    for role, color in ((GOAL, GREEN), (ACTUAL, BLUE)):
        shown = [mark for number, mark in markers.items() if number % NUMBERS % 2 == role]
        assert shown
        assert all(mark.color[:3] == color[:3] for mark in shown)


def joints_of(robot, state):
    """Return where the joints of a robot are, `(n, 3)`, by Pinocchio alone."""
    data = robot.pinocchio.createData()
    pin.forwardKinematics(robot.pinocchio, data, configuration(robot, state))
    return np.array([placement.translation for placement in data.oMi[2:]])


def ends_of_bones(mark):
    """Return where bones end that end at a joint: one for each joint, in the order of joints."""
    return places(mark)[1::2]


@pytest.fixture
def posture(rng):
    """A posture of two joints of Dreamer, the goal of all joints, and a look at it."""
    task = JointPosition("Posture", dreamer())
    goal = rng.uniform(-0.5, 0.5, task.dimension)
    configured(task, goal_position=goal, axes=["left_elbow", "right_shoulder_abductor"])
    state, look = observed(task, rng)
    take_in(task, state, rng)
    return task, state, look


def test_a_posture_is_a_ghost_beside_the_robot(posture):
    task, state, look = posture
    markers = drawn(look())
    there = joints_of(task.robot, state)
    assert ends_of_bones(markers[ACTUAL])[: len(there)] == pytest.approx(there)
    wanted = RobotState(task.robot.real_joints)
    wanted.copy_from(state)
    for name in task.parameter("axes").value:
        entry = task.robot.actuable_joints.index(name)
        wanted.position[task.robot.joint_index(name)] = task.goal.value[entry]
    ghost = joints_of(task.robot, wanted)
    assert ends_of_bones(markers[GOAL])[: len(ghost)] == pytest.approx(ghost)
    assert not np.allclose(ghost, there)


def test_bones_are_as_long_as_the_robot_is_built(posture):
    """From the joint that carries it, or to the middle of the last body, in whatever posture."""
    task, state, look = posture
    markers = drawn(look())
    model = task.robot.pinocchio
    known = [state.base_position, *joints_of(task.robot, state)]
    for start in places(markers[ACTUAL])[::2]:
        assert min(np.linalg.norm(start - place) for place in known) < 1e-9
    ends = [task.robot.joint_index(hand) for hand in HANDS]
    lengths = [np.linalg.norm(place.translation) for place in list(model.jointPlacements)[2:]]
    lengths += [np.linalg.norm(model.inertias[2 + end].lever) for end in sorted(ends)]
    for role in (GOAL, ACTUAL):
        bones = places(markers[role]).reshape(-1, 2, 3)
        assert np.linalg.norm(bones[:, 1] - bones[:, 0], axis=1) == pytest.approx(lengths)


@pytest.fixture(params=["dreamer", "chain"])
def limited(request, rng):
    """A limit task, a state near limits, and a look at it; the chain has joints that slide."""
    robot = (
        dreamer()
        if request.param == "dreamer"
        else chain(3, ("revolute", "prismatic", "revolute", "prismatic")).description()
    )
    task = configured(JointLimit("Limits", robot), margin=0.05)
    state = at_its_limits(robot, rng)
    take_in(task, state, rng)
    return task, *observed(task, rng, state)


def tip_of(mark):
    """Return the mark of a joint: the tip of an arrow, or the middle of a ball."""
    if mark.points is not None:
        return places(mark)[1]
    return mark.position


def test_a_dial_has_the_mark_at_the_margin_and_at_the_limit_when_the_joint_is_there(limited):
    """What carries the mark is the body: a model of the test's own moves it there."""
    task, state, look = limited
    robot = task.robot
    markers = drawn(look())
    moved = RobotState(robot.real_joints)
    for row in range(task.dimension):
        border = places(markers[NUMBERS * row + GOAL])
        mark = tip_of(markers[NUMBERS * row + ACTUAL])
        joint = robot.joint_index(task.goal.labels[row])
        if len(border) > 2:
            assert border[[0, -1]] == pytest.approx(np.tile(joints_of(robot, state)[joint], (2, 1)))
            border = border[1:-1]
        limits = np.array([robot.lower_limits[joint], robot.upper_limits[joint]])
        limit = limits[np.argmin(np.abs(limits - state.position[joint]))]
        margin = limit + 0.05 * np.sign(state.position[joint] - limit)
        frame = robot.pinocchio.getFrameId(robot.real_joints[joint], pin.FrameType.JOINT)
        on_body = updated(robot, state).placement(frame).actInv(mark)
        for position, place in ((limit, border[0]), (margin, border[-1])):
            moved.copy_from(state)
            moved.position[joint] = position
            assert place == pytest.approx(updated(robot, moved).placement(frame).act(on_body))


def test_only_joints_near_a_limit_are_drawn_and_those_held_are_red(limited):
    task, _, look = limited
    held, far = 0, 1
    task.acts.value[held] = 1.0
    task.actual.value[far] = 1.5
    markers = drawn(look())
    assert {number // NUMBERS for number in markers} == set(range(task.dimension)) - {far}
    for number, mark in markers.items():
        row, role = divmod(number, NUMBERS)
        color = GREEN if role == GOAL else RED if row == held else BLUE
        assert mark.color == color


def test_selected_joints_alone_have_dials(rng):
    task = configured(JointLimit("Limits", dreamer()), axes=["right_elbow", "left_elbow"])
    state = at_its_limits(task.robot, rng)
    take_in(task, state, rng)
    state, look = observed(task, rng, state)
    markers = drawn(look())
    there = joints_of(task.robot, state)
    for number, name in enumerate(["right_elbow", "left_elbow"]):
        start = places(markers[NUMBERS * number + ACTUAL])[0]
        assert start == pytest.approx(there[task.robot.joint_index(name)])
    assert len(markers) == 4


def test_a_tension_pulls_both_contacts_and_moments_are_opposite(rng):
    task = configured(InternalForce("Squeeze", touching()), contacts=HANDS)
    task.goal.set([20.0, 1.0, -2.0, 3.0])
    state, look = observed(task, rng)
    markers = drawn(look())
    model = updated(task.robot, state)
    first, second = (model.placement(task.robot.frame_id(h)).translation.copy() for h in HANDS)
    toward = (second - first) / np.linalg.norm(second - first)
    moment = np.array([1.0, -2.0, 3.0])
    for number, place, vector in (
        (0, first, 20.0 * toward),
        (2, first, moment),
        (4, second, -20.0 * toward),
        (6, second, -moment),
    ):
        start, end = places(markers[GOAL + number])
        assert start == pytest.approx(place)
        assert end - start == pytest.approx(vector / WEIGHT)


def test_places_on_bodies_are_those_of_the_sample(rng):
    """The thread that draws may see anything of the servo's arrays, in another process nothing."""
    task = configured(InternalForce("Squeeze", touching()), contacts=HANDS)
    point = task.robot.contacts[0].point
    state, look = observed(task, rng)

    def move_on():
        point[:] = 7.0

    start = places(drawn(look(move_on))[GOAL])[0]
    hand = updated(task.robot, state).placement(task.robot.frame_id(HANDS[0]))
    assert start == pytest.approx(hand.translation)
    assert places(drawn(look())[GOAL])[0] == pytest.approx(hand.act(np.full(3, 7.0)))


def test_efforts_are_arrows_along_the_axes_of_joints(rng):
    task = configured(JointEffort("Effort", dreamer()), axes=["left_elbow"])
    task.goal.set({"left_elbow": 12.0, "right_elbow": 5.0})
    state, look = observed(task, rng)
    state.effort[:] = 3.0
    take_in(task, state, rng)
    markers = drawn(look())
    assert len(markers) == 2
    model = updated(task.robot, state)
    joint = task.robot.real_joints.index("left_elbow")
    axis = model.J[6 + joint, 3:]
    for role, effort in ((GOAL, 12.0), (ACTUAL, 3.0)):
        start, tip = places(markers[role])
        np.testing.assert_allclose(start, joints_of(task.robot, state)[joint], atol=1e-9)
        np.testing.assert_allclose(tip - start, effort / (RADIUS * WEIGHT) * axis, atol=1e-9)
