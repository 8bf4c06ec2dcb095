"""First files begin with bent arms, inside limits; the choice is reported."""

import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import EXAMPLE_ROBOTS, chain, needs_example_robots

from controlit_ros.cli.main import main
from controlit_ros.model import BASE_DOFS, RobotDescription
from controlit_ros.nodes.building import load_stack
from controlit_ros.starters.dexterity import LEAST, Dexterity, find_hands
from controlit_ros.starters.first_configuration import first_controller
from controlit_ros.starters.limbs import Limb, LimbKind, configuration, find_limbs

PLANAR = {"finger_edu"}  # three parallel axes: the third direction is out of reach everywhere
REFUSED = {"double_pendulum", "double_pendulum_simple"}  # no joint has a range
ROBOTS = (
    []
    if EXAMPLE_ROBOTS is None
    else sorted(
        path.relative_to(EXAMPLE_ROBOTS).as_posix()
        for path in EXAMPLE_ROBOTS.rglob("*.urdf")
        if "quadrotor" not in path.name
        and "iris" not in path.name
        and path.name != "ur3.urdf"
        and path.stem not in REFUSED
    )
)
STRETCHED = """<robot name="arm"><link name="base"><inertial><mass value="5"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>{}</robot>"""
PART = """<link name="arm_{0}"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="joint_{0}" type="revolute"><parent link="{1}"/><child link="arm_{0}"/>
<origin xyz="{2} 0 0"/><axis xyz="{3}"/>
<limit lower="{4}" upper="{5}" effort="200" velocity="2"/></joint>"""
AXES = ("0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0")


def arm(joints=6, lower=-2.5, upper=2.5):
    """Return the text of an arm that is stretched along x where all joints are at zero."""
    parts = [
        PART.format(
            i, f"arm_{i - 1}" if i else "base", 0.4 if i else 0, AXES[i % len(AXES)], lower, upper
        )
        for i in range(joints)
    ]
    return STRETCHED.format("".join(parts))


def smallest(robot, limb, position):
    """Return the smallest singular value by finite differences of Pinocchio's placements."""
    model, data = robot.pinocchio, robot.pinocchio.createData()
    frame = model.getFrameId(limb.body, pin.FrameType.BODY)

    def place(q):
        pin.framesForwardKinematics(model, data, q)
        return data.oMf[frame].copy()

    q = configuration(robot, position)
    here, columns = place(q), []
    length = sum(
        np.linalg.norm(model.jointPlacements[model.getJointId(joint)].translation)
        for joint in limb.joints[1:]
    ) + np.linalg.norm(model.frames[frame].placement.translation)
    for joint in robot.indices(limb.joints):
        step = np.zeros(model.nv)
        step[BASE_DOFS + joint] = 1e-6
        there = place(pin.integrate(model, q, step))
        turn = pin.log3(there.rotation @ here.rotation.T)
        columns.append(
            np.concatenate([(there.translation - here.translation) / length, turn]) / 1e-6
        )
    rows = np.array(columns).T[: 6 if len(limb.joints) >= 6 else 3]
    return np.linalg.svd(rows, compute_uv=False)[-1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("joints", [3, 5, 6, 7])
def test_values_are_those_of_finite_differences(seed, joints, rng):
    robot = chain(seed, ("revolute",) * joints).description()
    (limb,) = find_limbs(robot)
    position = rng.uniform(-1.0, 1.0, joints)
    (values,) = Dexterity(robot, [limb]).values(position)
    assert values[-1] == pytest.approx(smallest(robot, limb, position), abs=1e-5)


def test_hands_are_arms_or_chains_of_other_names():
    short = Limb(LimbKind.ARM, "a", ("1", "2"))
    other = Limb(LimbKind.OTHER, "b", ("1", "2", "3"))
    long = Limb(LimbKind.ARM, "c", ("1", "2", "3"))
    assert find_hands([short, other]) == [other]
    assert find_hands([short, other, long]) == [long]


@pytest.mark.parametrize("joints", [4, 5, 6])
@pytest.mark.parametrize("limits", [(-2.5, 2.5), (0.0, 2.5), (-2.5, 0.0), (-0.4, 1.0)])
def test_an_arm_that_is_stretched_at_zero_begins_bent(joints, limits, tmp_path):
    (tmp_path / "arm.urdf").write_text(arm(joints, *limits))
    first = first_controller(str(tmp_path / "arm.urdf"), "first", tmp_path)
    robot = RobotDescription(arm(joints, *limits))
    (limb,) = find_limbs(robot)
    assert smallest(robot, limb, np.zeros(joints)) < 1e-6
    assert smallest(robot, limb, first.start.position) >= LEAST
    low, high = limits
    assert (first.start.position >= low + 0.1 * (high - low) - 1e-9).all()
    assert (first.start.position <= high - 0.1 * (high - low) + 1e-9).all()
    (tmp_path / "first.yaml").write_text(first.text)
    stack = load_stack(tmp_path / "first.yaml")
    np.testing.assert_allclose(stack.start.position, first.start.position, atol=1e-4)
    assert f"# {first.start.reason}" in first.text


def test_the_command_tells_the_posture_and_how_to_change_it(tmp_path, capsys):
    (tmp_path / "arm.urdf").write_text(arm())
    target = tmp_path / "arm.yaml"
    assert main(["new", "robot", str(tmp_path / "arm.urdf"), "-o", str(target)]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "start: bent" in words
    assert "joint_2 " in words
    assert "simulator.initial_position" in words


@pytest.mark.thorough
@needs_example_robots
@pytest.mark.parametrize("name", ROBOTS)
def test_stock_robots_begin_bent_inside_their_limits(name, tmp_path):
    first = first_controller(f"package://example-robot-data/robots/{name}", "first", tmp_path)
    path = tmp_path / "first.yaml"
    path.write_text(first.text)
    stack = load_stack(path)
    robot = stack.robot
    position = stack.start.position
    assert (robot.lower_limits <= position).all()
    assert (position <= robot.upper_limits).all()
    if name.rpartition("/")[2].removesuffix(".urdf") in PLANAR:
        return
    for hand in find_hands(find_limbs(robot)):
        assert smallest(robot, hand, position) >= LEAST - 1e-5
        inner = robot.indices(hand.joints[:-1])
        low, high = robot.lower_limits[inner], robot.upper_limits[inner]
        room = np.minimum(position[inner] - low, high - position[inner])
        assert not (room < 0.01 * (high - low)).any()
