"""Dynamics and kinematics against recursive Newton-Euler, MuJoCo and finite differences."""

import re

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from robots_for_tests import (
    ARM_ROTORS,
    DREAMER_URDF,
    SEEDS,
    chain,
    configuration,
    dreamer,
    example_robot,
    moved,
    needs_example_robots,
    random_robots,
    random_state,
    velocity,
    write_robot,
)

from controlit_ros.model import ModelOptions, RobotDescription, RobotModel

EPSILON = 1e-6
EXAMPLES = (
    "panda_description/urdf/panda.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "tiago_description/robots/tiago_dual.urdf",
)


def updated(description, state):
    model = RobotModel(description)
    model.update(state)
    return model


def check_against_newton_euler(description, state):
    """Build A column by column, and B, G, from inverse dynamics on data of our own."""
    model = updated(description, state)
    robot, q, v = (
        description.pinocchio,
        configuration(description, state),
        velocity(description, state),
    )
    data, nv = robot.createData(), description.nv

    def rnea(v, a):
        return pin.rnea(robot, data, q, v, a).copy()

    rest = np.zeros(nv)
    gravity = rnea(rest, rest)
    columns = [rnea(rest, column) - gravity for column in np.eye(nv)]
    scale = 1.0 + np.abs(gravity).max()
    np.testing.assert_allclose(model.q, q, atol=1e-15)
    np.testing.assert_array_equal(model.v, v)
    np.testing.assert_allclose(model.A, np.array(columns).T, atol=1e-10 * scale)
    np.testing.assert_allclose(model.G, gravity, atol=1e-10 * scale)
    np.testing.assert_allclose(model.BG, rnea(v, rest), atol=1e-10 * scale)
    np.testing.assert_allclose(model.B, rnea(v, rest) - gravity, atol=1e-10 * scale)
    np.testing.assert_allclose(model.compensation, model.BG, atol=1e-10 * scale)
    np.testing.assert_array_equal(model.A, model.A.T)


@given(random_robots(), SEEDS)
def test_dynamics_of_random_robots(robot, seed):
    description = robot.description()
    check_against_newton_euler(description, random_state(description, np.random.default_rng(seed)))


def test_dynamics_of_dreamer(dreamer_description, rng):
    for _ in range(5):
        check_against_newton_euler(dreamer_description, random_state(dreamer_description, rng))


@needs_example_robots
@pytest.mark.parametrize("name", EXAMPLES)
def test_dynamics_of_example_robots(name, rng):
    description = RobotDescription(example_robot(name))
    check_against_newton_euler(description, random_state(description, rng))


def mujoco_dynamics(urdf, description, state):
    """Return A and B + G of MuJoCo in the order and frames of the model."""
    text = re.sub(
        r"(<robot[^>]*>)",
        r'\1<mujoco><compiler fusestatic="false" inertiafromgeom="false" '
        r'balanceinertia="false"/></mujoco>',
        re.sub(r"<(visual|collision)>.*?</\1>", "", urdf, flags=re.DOTALL),
        count=1,
    )
    spec = mujoco.MjSpec.from_string(text)
    if not any(joint.type == mujoco.mjtJoint.mjJNT_FREE for joint in spec.joints):
        spec.body(description.root_link).add_freejoint()
    for joint, inertia in description.options.rotor_inertia.items():
        spec.joint(joint).armature = inertia
    model = spec.compile()
    model.opt.gravity[:] = description.options.world_gravity
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data = mujoco.MjData(model)
    rotation = pin.Quaternion(state.base_orientation).toRotationMatrix()
    x, y, z, w = state.base_orientation
    free = next(i for i in range(model.njnt) if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_FREE)
    q, v = model.jnt_qposadr[free], model.jnt_dofadr[free]
    data.qpos[q : q + 7] = [*state.base_position, w, x, y, z]
    data.qvel[v : v + 3] = rotation @ state.base_velocity[:3]
    data.qvel[v + 3 : v + 6] = state.base_velocity[3:]
    dofs = []
    for i, name in enumerate(state.joint_names):
        joint = model.joint(name)
        data.qpos[joint.qposadr[0]] = state.position[i]
        data.qvel[joint.dofadr[0]] = state.velocity[i]
        dofs.append(joint.dofadr[0])
    mujoco.mj_forward(model, data)
    inertia = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, inertia)
    order = [*range(v, v + 6), *dofs]
    # MuJoCo: base velocity in the world, and its derivative lacks the term w x v of the body frame
    to_mujoco = np.eye(model.nv)
    to_mujoco[:3, :3] = rotation
    inertia = to_mujoco.T @ inertia[np.ix_(order, order)] @ to_mujoco
    extra = np.zeros(model.nv)
    extra[:3] = np.cross(state.base_velocity[3:], state.base_velocity[:3])
    bias = to_mujoco.T @ data.qfrc_bias[order] + inertia @ extra
    return inertia, bias


def check_against_mujoco(urdf, description, state):
    model = updated(description, state)
    inertia, bias = mujoco_dynamics(urdf, description, state)
    np.testing.assert_allclose(model.A, inertia, atol=1e-8)
    np.testing.assert_allclose(model.BG, bias, atol=1e-7)


@given(random_robots(), SEEDS)
def test_random_robots_agree_with_mujoco(robot, seed):
    description = robot.description(world_gravity=(1.0, -2.0, -7.0))
    state = random_state(description, np.random.default_rng(seed))
    check_against_mujoco(robot.urdf, description, state)


def test_dreamer_agrees_with_mujoco(rng):
    # the published wrist inertia is that of no real body: MuJoCo refuses it
    urdf = DREAMER_URDF.replace('izz="0.0009"', 'izz="0.0002"')
    assert urdf != DREAMER_URDF
    description = dreamer(urdf)
    for _ in range(3):
        check_against_mujoco(urdf, description, random_state(description, rng))


def test_rotor_inertia_adds_to_the_diagonal_of_its_joint(rng):
    plain, geared = dreamer(rotor_inertia={}), dreamer()
    state = random_state(plain, rng)
    difference = updated(geared, state).A - updated(plain, state).A
    expected = np.zeros(plain.nv)
    for joint, inertia in ARM_ROTORS.items():
        expected[plain.joint_index(joint) + 6] = inertia
    np.testing.assert_allclose(difference, np.diag(expected), atol=1e-12)


def test_world_gravity_is_the_weight_of_the_robot(rng):
    robot = chain(3, ("revolute", "prismatic"))
    gravity = np.array([0.3, -1.0, 2.0])
    description = robot.description(world_gravity=tuple(gravity))
    state = random_state(description, rng)
    mass = sum(inertia.mass for inertia in description.pinocchio.inertias)
    base = pin.Quaternion(state.base_orientation).toRotationMatrix()
    np.testing.assert_allclose(
        base @ updated(description, state).G[:3], -mass * gravity, rtol=1e-12
    )
    weightless = robot.description(world_gravity=(0.0, 0.0, 0.0))
    np.testing.assert_array_equal(updated(weightless, state).G, 0.0)


def test_the_gravity_mask_leaves_gravity_of_its_joints_uncompensated(rng):
    masked = ("left_elbow", "torso_lower_pitch")
    description = dreamer(gravity_compensation_mask=masked)
    model = updated(description, random_state(description, rng))
    kept = np.ones(description.nv)
    kept[description.indices(masked) + 6] = 0.0
    np.testing.assert_allclose(model.compensation, model.B + kept * model.G, atol=1e-12)
    np.testing.assert_allclose(model.BG, model.B + model.G, atol=1e-12)
    assert np.abs(model.G[kept == 0.0]).min() > 1e-3


@given(SEEDS)
def test_joint_groups_are_decoupled_and_the_inertia_stays_positive_definite(seed):
    rng = np.random.default_rng(seed)
    joints = list(dreamer(rotor_inertia={}).real_joints)
    rng.shuffle(joints)
    groups = (tuple(joints[:5]), tuple(joints[5:9]))
    free, grouped = dreamer(), dreamer(coupled_joint_groups=groups)
    state = random_state(free, rng)
    A, decoupled = updated(free, state).A, updated(grouped, state).A
    group_of = {joint: i for i, group in enumerate(groups) for joint in group}
    members = ["rest"] * 6 + [group_of.get(joint, "rest") for joint in free.real_joints]
    for i, one in enumerate(members):
        for j, other in enumerate(members):
            assert decoupled[i, j] == (A[i, j] if one == other else 0.0)
    np.linalg.cholesky(decoupled)


@given(random_robots(), SEEDS)
def test_frames_by_finite_differences(robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description()
    state = random_state(description, rng)
    body = rng.choice(robot.links)
    frame = description.frame_id(body)
    model = updated(description, state)
    placement = model.placement(frame).copy()
    jacobian = model.jacobian(frame).copy()
    for column in range(description.nv):
        step = np.zeros(description.nv)
        step[column] = EPSILON
        after = updated(description, moved(description, state, step)).placement(frame)
        before = updated(description, moved(description, state, -step)).placement(frame)
        linear = (after.translation - before.translation) / (2 * EPSILON)
        angular = pin.log3(after.rotation @ before.rotation.T) / (2 * EPSILON)
        np.testing.assert_allclose(jacobian[:3, column], linear, atol=1e-7)
        np.testing.assert_allclose(jacobian[3:, column], angular, atol=1e-7)
    np.testing.assert_allclose(placement.rotation @ placement.rotation.T, np.eye(3), atol=1e-12)


def test_the_center_of_mass_is_the_weighted_mean_of_the_links(dreamer_description, rng):
    state = random_state(dreamer_description, rng)
    model = updated(dreamer_description, state)
    robot = dreamer_description.pinocchio
    data = robot.createData()
    pin.forwardKinematics(robot, data, configuration(dreamer_description, state))
    weighted = sum(
        inertia.mass * data.oMi[i].act(inertia.lever)
        for i, inertia in enumerate(robot.inertias)
        if i > 0
    )
    total = sum(inertia.mass for inertia in robot.inertias)
    assert total == pytest.approx(44.665, abs=1e-3)
    np.testing.assert_allclose(model.center_of_mass().position, weighted / total, atol=1e-12)


def test_a_continuous_joint_turns_on_without_end(rng):
    description = write_robot(1, ("continuous",), (0,)).description()
    state = random_state(description, rng)
    one = updated(description, state)
    state.position += 2 * np.pi * 7
    another = updated(description, state)
    np.testing.assert_allclose(one.A, another.A, atol=1e-12)
    np.testing.assert_allclose(one.q, another.q, atol=1e-12)


def test_an_update_depends_on_nothing_before_it(dreamer_description, rng):
    first, second = (random_state(dreamer_description, rng) for _ in range(2))
    model = updated(dreamer_description, first)
    model.update(second)
    model.update(first)
    fresh = updated(dreamer_description, first)
    for name in ("A", "B", "G", "BG", "compensation", "q", "v"):
        np.testing.assert_array_equal(getattr(model, name), getattr(fresh, name))


def test_arrays_are_allocated_once(dreamer_description, rng):
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    names = ("A", "BG", "J", "dJ", "compensation", "q", "v")
    before = [getattr(model, name) for name in names]
    model.update(random_state(dreamer_description, rng))
    for name, array in zip(names, before, strict=True):
        assert getattr(model, name) is array


def test_the_given_state_is_copied(dreamer_description, rng):
    state = random_state(dreamer_description, rng)
    model = updated(dreamer_description, state)
    state.position[:] = 9.0
    assert not (model.state.position == 9.0).any()


def test_options_of_one_model_do_not_reach_another():
    one = RobotDescription(DREAMER_URDF, ModelOptions(world_gravity=(0.0, 0.0, 0.0)))
    other = RobotDescription(DREAMER_URDF)
    assert one.pinocchio.gravity.linear[2] == 0.0
    assert other.pinocchio.gravity.linear[2] == pytest.approx(-9.81)
