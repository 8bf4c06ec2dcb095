"""Contact wrenches against the equations of motion solved as one system, and against statics."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, keep_constraints, random_state

from controlit_ros.constraints import ConstrainedModel, ConstraintSet, contact_wrenches
from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.omni_wheel_contact import OmniWheelContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.model import FramePoint, RobotState


def build(*parts):
    """Dreamer with a coactuated torso and contacts, each a type and its parameters."""
    description = dreamer()
    contacts = [
        configured(kind(f"contact_{i}", description), **parameters)
        for i, (kind, parameters) in enumerate(parts)
    ]
    torso = configured(
        Coactuation("torso", description), master="torso_lower_pitch", slave="torso_upper_pitch"
    )
    constraints = ConstraintSet([*contacts[:1], torso, *contacts[1:]])
    sites = [contact.site for contact in constraints.contacts]
    return ConstrainedModel(description.with_contacts(sites), constraints)


def moving_state(model, rng):
    state = random_state(model.robot_model.description, rng)
    model.update(state)
    keep_constraints(state, model.Jc)
    model.update(state)
    return state


BASE = (FlatContact, {"body": "base_link", "contact_point": [0.1, 0.2, 0.0]})
HAND = (PointContact, {"body": "left_wrist_yaw", "contact_point": [0.0, 0.0, -0.1]})
BALL = (
    PointContact,
    {
        "body": "left_wrist_yaw",
        "contact_point": [0.0, 0.0, -0.1],
        "radius": 0.2,
        "ground_normal": [0.6, 0.0, 0.8],
    },
)
WHEEL = (OmniWheelContact, {"body": "base_link", "center": [0.0, 0.3, 0.1], "radius": 0.1})


@pytest.mark.parametrize("parts", [(BASE,), (BASE, HAND), (HAND,), (HAND, WHEEL), (BASE, BALL)])
def test_the_wrenches_keep_the_constraints(parts, rng):
    """A motion that keeps the constraints, caused by efforts and wrenches alone, is found again."""
    model = build(*parts)
    moving_state(model, rng)
    robot = model.robot_model
    effort = rng.uniform(-20.0, 20.0, len(robot.description.command_dofs))
    load = -robot.BG
    load[robot.description.command_dofs] += effort
    for contact, found in zip(
        model.constraints.contacts, contact_wrenches(model, effort), strict=True
    ):
        assert found.name == contact.name
        point = contact.update_point(robot)
        assert found.point == pytest.approx(point.position)
        load += point.full_jacobian.T @ found.wrench
    rows = model.Jc[~model.Jc[:, :6].any(axis=1)]  # the transmission: it does not move the base
    size = robot.description.nv
    system = np.block([[robot.A, -rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    acceleration = np.linalg.solve(system, [*load, *np.zeros(len(rows))])[:size]
    np.testing.assert_allclose(model.Jc @ acceleration, -model.Jc_bias, atol=1e-6)


def test_the_base_of_a_robot_at_rest_bears_its_weight(rng):
    model = build((FlatContact, {"body": "base_link", "contact_point": [0.1, 0.2, 0.0]}))
    state = random_state(model.robot_model.description, rng, speed=0.0)
    state.base_orientation[:] = 0.0, 0.0, 0.0, 1.0
    model.update(state)
    robot = model.robot_model
    (found,) = contact_wrenches(model, model.bias_effort)
    mass = sum(inertia.mass for inertia in robot.description.pinocchio.inertias)
    weight = np.array([0.0, 0.0, 9.81 * mass])
    np.testing.assert_allclose(found.wrench[:3], weight, atol=1e-6)
    arm = robot.center_of_mass().position - found.point
    np.testing.assert_allclose(found.wrench[3:], np.cross(arm, weight), atol=1e-6)


def test_a_point_bears_no_moment_and_what_is_off_bears_nothing(rng):
    model = build(BASE, HAND)
    moving_state(model, rng)
    effort = np.zeros(len(model.robot_model.description.command_dofs))
    assert contact_wrenches(model, effort)[1].wrench[3:] == pytest.approx(np.zeros(3), abs=1e-9)
    model.constraints.contacts[0].operational_state.set("disable")
    model.update_projections()
    assert [found.name for found in contact_wrenches(model, effort)] == ["contact_1"]


def test_footprints():
    description = dreamer()
    plain = configured(FlatContact("foot", description), contact_point=[0.1, 0.0, -0.2])
    assert plain.footprint().tolist() == [[0.1, 0.0, -0.2]]
    sized = configured(
        FlatContact("foot", description), contact_point=[0.1, 0.0, -0.2], half_size=[0.1, 0.05]
    )
    corners = sorted(np.round(sized.footprint(), 12).tolist())
    assert corners == [[x, y, -0.2] for x in (0.0, 0.2) for y in (-0.05, 0.05)]


MECANUM = (OmniWheelContact, {**WHEEL[1], "roller_angle": 0.7, "ground_normal": [0.1, 0.2, 1.0]})


@pytest.mark.parametrize(
    "parts", [(BASE,), (BASE, HAND), (BASE, BALL), (HAND, WHEEL), (HAND, MECANUM)]
)
def test_the_servo_computes_the_same(parts, rng):
    """The compiled estimate of the servo is that of the readable formula."""
    model = build(*parts)
    model.constraints.with_reactions = True
    moving_state(model, rng)
    effort = rng.uniform(-20.0, 20.0, len(model.robot_model.description.command_dofs))
    compiled = np.zeros((len(parts), 6))
    model.write_contact_wrenches(effort, compiled)
    readable = [found.wrench for found in contact_wrenches(model, effort)]
    np.testing.assert_allclose(compiled, readable, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("wheel", [WHEEL, MECANUM])
def test_a_wheel_is_pushed_along_its_own_axes_at_its_rim(wheel, rng):
    """Square to the ground and where the rollers block; the moment is that of its lowest point."""
    model = build(HAND, wheel)
    model.constraints.with_reactions = True
    moving_state(model, rng)
    robot, contact = model.robot_model, model.constraints.contacts[1]
    effort = rng.uniform(-20.0, 20.0, len(robot.description.command_dofs))
    wrenches = np.zeros((2, 6))
    model.write_contact_wrenches(effort, wrenches)
    axes = contact.axes(robot)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    along, free, _ = axes.T @ wrenches[1, :3]
    assert abs(along) > 1.0
    assert free == pytest.approx(0.0, abs=1e-9)
    axle = robot.placement(contact.site.frame).rotation @ contact.wheel_axis.value
    rim = np.cross(np.cross(axle, axes[:, 2]), axle)
    arm = -contact.radius.value * rim / np.linalg.norm(rim)
    np.testing.assert_allclose(wrenches[1, 3:], np.cross(arm, wrenches[1, :3]), atol=1e-9)


def test_what_is_pushed_on_loads_the_contacts(rng):
    """A hand that pushes leaves the base what it pushes with: statics of the whole robot."""
    model = build(BASE)
    model.constraints.with_reactions = True
    moving_state(model, rng)
    robot = model.robot_model
    hand = FramePoint(robot.description.nv)
    hand.update(robot, robot.description.frame_id("left_wrist_yaw"), np.zeros(3))
    push = np.array([30.0, -20.0, 10.0])
    load = hand.jacobian.T @ push
    effort = np.zeros(len(robot.description.command_dofs))
    wrenches = np.zeros((2, 1, 6))
    model.write_contact_wrenches(effort, wrenches[0])
    model.write_contact_wrenches(effort + model.UNc_bar.T @ load, wrenches[1], load)
    change = (wrenches[1] - wrenches[0])[0]
    point = model.constraints.contacts[0].update_point(robot).position
    np.testing.assert_allclose(change[:3], push, atol=1e-8)
    np.testing.assert_allclose(change[3:], np.cross(hand.position - point, push), atol=1e-8)
    (found,) = contact_wrenches(model, effort, load)
    (without,) = contact_wrenches(model, effort)
    model.write_contact_wrenches(effort, wrenches[1], load)
    np.testing.assert_allclose(found.wrench, wrenches[1][0], atol=1e-8)
    assert np.abs(found.wrench - without.wrench).max() > 1.0


@pytest.mark.parametrize("radius", [0.0, 1e-3, 1.0])
def test_the_moment_of_a_sensor_is_brought_to_the_bottom_of_a_ball(rng, radius):
    kind, parameters = BALL
    model = build(BASE, (kind, {**parameters, "radius": radius, "wrench_sensor": True}))
    robot = model.robot_model
    state = RobotState(robot.description.real_joints, sensors=1, contacts=2)
    state.position[:] = rng.uniform(-1.0, 1.0, len(state.position))
    model.update(state)
    rotation = robot.placement(robot.description.frame_id("left_wrist_yaw")).rotation
    force, normal = rng.normal(size=3), np.array([0.6, 0.0, 0.8])
    moment = np.cross(-radius * normal, force)  # about the centre, of a force at the bottom
    state.sensed_wrench[0] = [*(rotation.T @ force), *(rotation.T @ moment)]
    model.update(state)
    np.testing.assert_allclose(robot.state.contact_wrench[1], [*force, 0, 0, 0], atol=1e-9)
