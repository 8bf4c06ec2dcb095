"""Kinematics and dynamics of trees of bodies, against Pinocchio's."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_model import RobotModel

SEEDS = st.integers(0, 2**32 - 1)
KINDS = ("revolute", "continuous", "prismatic")


def random_robot(rng, joints):
    """Return the URDF of a tree with joints of every kind along any axis."""

    def numbers(*values):
        return " ".join(f"{value:.6g}" for value in values)

    def link(name):
        a, b, c = rng.uniform(0.01, 0.05, 3)
        return (
            f'<link name="{name}"><inertial><mass value="{rng.uniform(0.2, 5.0):.6g}"/>'
            f'<origin xyz="{numbers(*rng.uniform(-0.2, 0.2, 3))}" '
            f'rpy="{numbers(*rng.uniform(-3.0, 3.0, 3))}"/>'
            f'<inertia ixx="{b + c:.6g}" iyy="{a + c:.6g}" izz="{a + b:.6g}" ixy="0" ixz="0" '
            'iyz="0"/></inertial></link>'
        )

    parts = [link("l0")]
    for i in range(1, joints + 1):
        axis = rng.normal(size=3) if rng.random() < 0.4 else np.eye(3)[rng.integers(3)]
        if rng.random() < 0.2:
            axis = -axis
        kind = KINDS[rng.integers(3)]
        parts.append(
            f'{link(f"l{i}")}<joint name="j{i}" type="{kind}">'
            f'<parent link="l{rng.integers(i)}"/><child link="l{i}"/>'
            f'<origin xyz="{numbers(*rng.uniform(-0.5, 0.5, 3))}" '
            f'rpy="{numbers(*rng.uniform(-3.0, 3.0, 3))}"/><axis xyz="{numbers(*axis)}"/>'
            '<limit lower="-9" upper="9" effort="9" velocity="9"/></joint>'
        )
    return "".join(['<robot name="tree">', *parts, "</robot>"])


def random_state(rng, robot, far=1.0):
    """Return a robot anywhere, moving."""
    state, n = robot.create_state(), len(robot.real_joints)
    state.base_position[:] = far * rng.normal(size=3)
    turn = rng.normal(size=4)
    state.base_orientation[:] = turn / np.linalg.norm(turn)
    state.base_velocity[:] = rng.normal(size=6)
    state.position[:], state.velocity[:] = rng.uniform(-4.0, 4.0, n), rng.normal(size=n)
    return state


def configuration(robot, state):
    """Return Pinocchio's configuration and velocity."""
    model, q = robot.pinocchio, pin.neutral(robot.pinocchio)
    q[:3], q[3:7] = state.base_position, state.base_orientation
    for i, angle in enumerate(state.position):
        joint = model.joints[2 + i]
        pair = (np.cos(angle), np.sin(angle))
        q[joint.idx_q : joint.idx_q + joint.nq] = (angle,) if joint.nq == 1 else pair
    return q, np.concatenate([state.base_velocity, state.velocity])


def close(found, expected, scale=1.0, digits=1e-12):
    size = max(scale, np.abs(expected).max())
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=digits * size)


@given(SEEDS, st.integers(1, 14), st.sampled_from([1.0, 1e3]))
def test_everything_is_what_pinocchio_computes(seed, joints, far):
    rng = np.random.default_rng(seed)
    robot = RobotDescription(random_robot(rng, joints))
    robot.pinocchio.armature[BASE_DOFS:] = rng.uniform(0.0, 0.1, joints)
    robot.pinocchio.gravity.linear = rng.normal(size=3)
    found = RobotModel(robot)
    found.update(random_state(rng, robot))  # leaves no trace
    state = random_state(rng, robot, far)
    found.update(state)
    model, data = robot.pinocchio, robot.pinocchio.createData()
    q, v = configuration(robot, state)
    effort = pin.nonLinearEffects(model, data, q, v)
    A = pin.crba(model, data, q)
    pin.computeJointJacobiansTimeVariation(model, data, q, v)
    close(found.q, q)
    close(found.v, v)
    close(found.A, np.triu(A) + np.triu(A, 1).T)
    close(found.BG, effort, scale=10.0)
    close(found.J, data.J.T)
    close(found.dJ, data.dJ.T, scale=10.0)
    for joint in range(joints):
        placement = found.joint_placement(joint)
        close(placement.rotation, data.oMi[2 + joint].rotation)
        close(placement.translation, data.oMi[2 + joint].translation)
    motion = found.center_of_mass()
    close(motion.position, pin.centerOfMass(model, data, q))
    close(motion.jacobian, pin.jacobianCenterOfMass(model, data, q))
    pin.centerOfMass(model, data, q, v, np.zeros(model.nv))
    close(motion.velocity, data.vcom[0], scale=10.0)
    close(motion.bias, data.acom[0], scale=10.0)
    pin.forwardKinematics(model, data, q, v)
    close(found.placement(robot.frame_id("l1")), pin.updateFramePlacement(
        model, data, robot.frame_id("l1")))  # fmt: skip


@pytest.mark.parametrize("what", ["position", "velocity", "base_position", "base_velocity"])
def test_what_is_not_finite_is_told(rng, what):
    robot = RobotDescription(random_robot(rng, 5))
    model, state = RobotModel(robot), random_state(rng, robot)
    model.update(state)
    getattr(state, what)[-1] = np.nan
    with pytest.raises(Exception, match=r"(?s)robot's model.*nan"):
        model.update(state)
