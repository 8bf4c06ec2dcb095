"""Fingers of stock robots follow as their descriptions say; Pinocchio reads these by itself."""

import xml.etree.ElementTree as ET

import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import example_robot, needs_example_robots

from controlit_ros.configuration import load_configuration
from controlit_ros.controllers import Command
from controlit_ros.nodes.building import build_stack

ROBOTS = {  # and how many joints follow others
    "panda_description/urdf/panda.urdf": 1,
    "baxter_description/urdf/baxter.urdf": 2,
    "pr2_description/urdf/pr2.urdf": 10,
    "tiago_pro_description/robots/tiago_pro.urdf": 10,
    "talos_data/robots/talos_full_v2.urdf": 12,
    "romeo_description/urdf/romeo.urdf": 22,
}
STEPS = 150  # [ms]
CLOSE = 5e-4  # [rad or m] of what a transmission yields
MOVED = 2e-3  # [rad or m]

pytestmark = [pytest.mark.simulation, needs_example_robots]


def build(robot, **parameters):
    text = (
        f"name: r\nrobot_description: package://example-robot-data/robots/{robot}\n"
        "robot_interface: {mode: in_process}\nsimulator: {joint_damping: 0.1}\n"
        "constraints: [{name: Bolts, type: FlatContact}]\nconstraint_set: [{name: Bolts}]\n"
    )
    settings = {"rotor_inertia": 0.05, "world_gravity": [0.0, 0.0, 0.0], **parameters}
    return build_stack(load_configuration(text, settings))


def direct_mimics(robot):
    """Return slave, master, multiplier and offset as they are written."""
    for joint in ET.fromstring(example_robot(robot)).findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            numbers = float(mimic.get("multiplier", 1.0)), float(mimic.get("offset", 0.0))
            yield joint.get("name"), mimic.get("joint"), *numbers


@pytest.mark.parametrize("robot", ROBOTS)
def test_fingers_follow_in_simulation(robot):
    stack = build(robot)
    slaves = {coupling.slave for coupling in stack.constraints.couplings}
    assert len(slaves) == ROBOTS[robot]
    assert not slaves.intersection(stack.robot.command_joints)
    simulation = stack.robot_interface.simulation
    start = _positions(simulation)
    command = Command(stack.robot.command_joints)
    masters = {coupling.master for coupling in stack.constraints.couplings}
    for i, joint in enumerate(command.joint_names):
        middle = np.mean(simulation.model.joint(joint).range)
        command.effort[i] = np.sign(middle - start[joint]) * (joint in masters)
    for _ in range(STEPS):
        simulation.apply(command)
        simulation.step()
    end = _positions(simulation)
    for master in masters:
        limit = simulation.model.jnt_actfrcrange[simulation.model.joint(master).id, 1]
        is_blocked = limit == 0.0 or any(f"follows {master!r}" in text for text in stack.warnings)
        assert is_blocked or abs(end[master] - start[master]) > MOVED
    for slave, master, multiplier, offset in direct_mimics(robot):
        assert end[slave] == pytest.approx(multiplier * end[master] + offset, abs=CLOSE)
    _compare_links(robot, simulation, end)


@pytest.mark.parametrize("robot", ROBOTS)
def test_all_joints_stay_in_their_ranges_when_the_masters_do(robot):
    """What is allowed to masters is allowed to all that follow, unless ranges do not meet."""
    stack = build(robot)
    lower, upper = (
        dict(zip(stack.robot.real_joints, limits.tolist(), strict=True))
        for limits in (stack.robot.lower_limits, stack.robot.upper_limits)
    )
    told = "".join(stack.warnings)
    for coupling in stack.constraints.couplings:
        for end in (lower[coupling.master], upper[coupling.master]):
            position = coupling.ratio * end + coupling.offset
            is_inside = lower[coupling.slave] - 1e-9 <= position <= upper[coupling.slave] + 1e-9
            assert is_inside or f"{coupling.slave!r} follows {coupling.master!r}" in told


@pytest.mark.parametrize("robot", ["pr2_description/urdf/pr2.urdf"])
def test_they_move_by_themselves_where_nobody_wants_that(robot):
    assert build(robot, mimic_joints=False).constraints.couplings == ()


@pytest.mark.parametrize("robot", list(ROBOTS)[:3])
def test_followers_of_what_is_locked_are_locked_where_that_holds_them(robot):
    masters = {}
    for slave, master, multiplier, offset in direct_mimics(robot):
        masters.setdefault(master, []).append((slave, multiplier, offset))
    held = build(robot, locked_joints=dict.fromkeys(masters, 0.01))
    assert held.constraints.couplings == ()
    expected = dict.fromkeys(masters, 0.01)
    for master, followers in masters.items():
        expected |= {slave: r * expected[master] + o for slave, r, o in followers}
    assert not set(expected).intersection(held.robot.real_joints)
    free = pin.buildModelFromXML(example_robot(robot))
    locked = pin.buildModelFromXML(held.robot.urdf)
    q = _configuration(free, expected)
    free_data, data = free.createData(), locked.createData()
    pin.framesForwardKinematics(free, free_data, q)
    pin.framesForwardKinematics(locked, data, pin.neutral(locked))
    for frame in free.frames:
        if frame.type == pin.FrameType.BODY:
            one = free_data.oMf[free.getFrameId(frame.name, pin.FrameType.BODY)]
            other = data.oMf[locked.getFrameId(frame.name, pin.FrameType.BODY)]
            assert one.isApprox(other, 1e-9)


def _positions(simulation):
    state = simulation.latest()
    return dict(zip(state.joint_names, state.position.tolist(), strict=True))


def _configuration(model, positions):
    q = pin.neutral(model)
    for name, position in positions.items():
        joint = model.joints[model.getJointId(name)]
        value = [position] if joint.nq == 1 else [np.cos(position), np.sin(position)]
        q[joint.idx_q : joint.idx_q + joint.nq] = value
    return q


def _compare_links(robot, simulation, positions):
    """Compare with where Pinocchio puts the links, when it follows the masters alone."""
    try:
        model = pin.buildModelFromXML(example_robot(robot), mimic=True)
    except ValueError:  # it wants masters before their slaves
        return
    slaves = {model.names[i] for i in model.mimicking_joints}
    q = _configuration(model, {n: p for n, p in positions.items() if n not in slaves})
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    for frame_id, frame in enumerate(model.frames):
        if frame.type == pin.FrameType.BODY and frame.name != "universe":
            place = simulation.data.body(frame.name).xpos
            assert np.allclose(place, data.oMf[frame_id].translation, atol=CLOSE)
