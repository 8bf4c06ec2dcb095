"""Joints locked in the description move nothing else: the free robot, held there, is the oracle."""

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.model import LockedJointError, UrdfError, lock_joints

URDF = """
<robot name="chain">
  <link name="base"/>
  <joint name="turn" type="revolute">
    <origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/><parent link="base"/><child link="a"/>
    <axis xyz="0 1 2"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <link name="a">{inertia}</link>
  <joint name="finger_slide" type="prismatic">
    <parent link="a"/><child link="b"/>
    <axis xyz="1 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <link name="b">{inertia}</link>
  <joint name="finger_spin" type="continuous">
    <origin xyz="0 0 0.4"/><parent link="b"/><child link="c"/>
    <axis xyz="0 0 3"/><mimic joint="turn"/>
  </joint>
  <link name="c">{inertia}</link>
  <joint name="last" type="revolute">
    <origin xyz="0.2 0 0" rpy="1 0 0"/><parent link="c"/><child link="d"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <link name="d">{inertia}</link>
  <joint name="stuck" type="fixed"><parent link="d"/><child link="e"/></joint>
  <link name="e"/>
  <joint name="float" type="floating"><parent link="d"/><child link="f"/></joint>
  <link name="f">{inertia}</link>
</robot>
""".format(
    inertia='<inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" '
    'ixy="0.1" ixz="0" iyz="0"/></inertial>'
)
FLOATING = """<robot name="free"><link name="world"/><link name="body"/>
<joint name="float" type="floating"><parent link="world"/><child link="body"/></joint></robot>"""
ROBOT = URDF.replace('<joint name="float" type="floating">', '<joint name="float" type="fixed">')


def placements(urdf, positions):
    """Return where links are, and the inertia matrix, with joints at their positions."""
    model = pin.buildModelFromXML(urdf)
    data = model.createData()
    configuration = pin.neutral(model)
    for name in model.names[1:]:
        joint = model.joints[model.getJointId(name)]
        position = positions[name]
        value = [position] if joint.nq == 1 else [np.cos(position), np.sin(position)]
        configuration[joint.idx_q : joint.idx_q + joint.nq] = value
    pin.framesForwardKinematics(model, data, configuration)
    inertia = pin.crba(model, data, configuration)
    return {
        link: data.oMf[model.getFrameId(link, pin.FrameType.BODY)].homogeneous for link in "abcdef"
    }, inertia


@pytest.mark.parametrize(
    "locked",
    [
        {"turn": 0.7},
        {"finger_slide": -0.3},
        {"finger_spin": 2.5},
        {"finger_*": 0.4, "turn": -1.0},
        {"finger_*": 0.4, "finger_spin": 0.1},
    ],
)
def test_the_rest_of_the_robot_is_the_same(locked):
    positions = {"turn": 0.2, "finger_slide": 0.1, "finger_spin": -0.4, "last": 0.9}
    for pattern, position in locked.items():
        for name in positions:
            if name == pattern or (pattern == "finger_*" and name.startswith("finger_")):
                positions[name] = position
    fixed = lock_joints(ROBOT, locked)
    expected, inertia = placements(ROBOT, positions)
    found, reduced = placements(fixed, positions)
    for link, placement in expected.items():
        assert found[link] == pytest.approx(placement, abs=1e-12)
    names = list(pin.buildModelFromXML(ROBOT).names[1:])
    rest = [names.index(name) for name in pin.buildModelFromXML(fixed).names[1:]]
    assert len(rest) < len(names)
    upper = np.triu(inertia)[np.ix_(rest, rest)]
    assert np.triu(reduced) == pytest.approx(upper, abs=1e-12)


def test_without_locked_joints_nothing_changes():
    assert lock_joints(URDF, {}) is URDF


@pytest.mark.parametrize(
    ("urdf", "locked", "message"),
    [
        (URDF, {"trun": 0.0}, "no moving joint is named 'trun'.*turn"),
        (URDF, {"stuck": 0.0}, "no moving joint is named 'stuck'"),
        (URDF, {"thumb_*": 0.0}, "no moving joint is named 'thumb_"),
        (URDF, {"float": 0.0}, "no moving joint is named 'float'.*'float_z'"),
        (FLOATING, {"float": 0.0}, "'float' is of type 'floating', expected one of revolute"),
        ("<robot", {"turn": 0.0}, "no XML"),
    ],
)
def test_mistakes(urdf, locked, message):
    with pytest.raises((LockedJointError, UrdfError), match=message):
        lock_joints(urdf, locked)
