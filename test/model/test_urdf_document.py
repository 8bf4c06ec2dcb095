"""Every reader sees the same robot, however its description spells it."""

import re

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots_for_tests import MOVING, SEEDS, random_state, write_robot
from tries import tries
from urdf_spellings import SPELLINGS

from controlit_console.joint_row import joint_limits
from controlit_console.link_shapes import link_shapes
from controlit_console.posture import Posture
from controlit_ros.mimic_joints import mimics
from controlit_ros.model import RobotDescription, RobotModel, UrdfError, lock_joints, urdf_problems
from controlit_ros.model.body_shapes import BodyShapes
from controlit_ros.model.urdf_document import LARGEST_PITCH, read_urdf, urdf_tree
from controlit_ros.robots.mujoco_model import root_link
from controlit_ros.robots.push_channel import _links

BOX = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
SHAPES = f"{BOX}{BOX.replace('visual', 'collision')}</link>"
MIMIC = '<mimic joint="{}" multiplier="2" offset="0.1"/></joint>'


def written(seed, kinds, parents, *, mimic=True):
    """Write a robot with shapes; its last moving joint may mimic its first."""
    urdf = write_robot(seed, kinds, parents).urdf.replace("</link>", SHAPES)
    moving = [i for i, kind in enumerate(kinds) if kind in MOVING]
    if mimic and len(moving) > 1:
        first, last = f"joint_{moving[0]}", f"joint_{moving[-1]}"
        begin, name, rest = urdf.partition(f'name="{last}"')
        urdf = begin + name + rest.replace("</joint>", MIMIC.format(first), 1)
    return urdf


def seen_by_readers(urdf):
    """Return what every reader of a description sees."""
    robot = RobotDescription(urdf)
    state = random_state(robot, np.random.default_rng(0))
    model = RobotModel(robot)
    model.update(state)
    shapes = BodyShapes(robot)
    console = Posture(urdf)
    return {
        "joints": robot.real_joints,
        "limits": [robot.lower_limits, robot.upper_limits, robot.effort_limits],
        "links": set(robot.link_names) - {"tip"},
        "dynamics": [model.A, model.G],
        "mimics": mimics(urdf_tree(urdf)),
        "shapes": shapes.links,
        "shown": [(shape.link, shape.kind) for shape in link_shapes(urdf)],
        "rows": {name: row for name, row in joint_limits(urdf).items() if name != "tip"},
        "console": [name for name in console.model.names if name != "tip"],
        "pushed": [name for name in _links(urdf) if name != "tip"],
        "root": root_link(urdf),
        "locked": RobotDescription(lock_joints(urdf, {robot.real_joints[-1]: 0.3})).real_joints,
        "library": list(pin.buildModelFromXML(robot.urdf).names),
    }


def assert_alike(urdf, other):
    """Check that all readers see the same robot in two texts."""
    one, two = seen_by_readers(urdf), seen_by_readers(other)
    for mine, its in zip(one.pop("dynamics"), two.pop("dynamics"), strict=True):
        assert mine == pytest.approx(its, abs=1e-12)
    np.testing.assert_equal(one, two)


TREES = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        SEEDS,
        st.lists(st.sampled_from((*MOVING, "fixed")), min_size=n, max_size=n).filter(
            lambda kinds: sum(kind in MOVING for kind in kinds) > 1
        ),
        st.tuples(*(st.integers(0, i) for i in range(n))),
    )
)


@pytest.mark.parametrize("spelling", list(SPELLINGS)[1:])
@settings(max_examples=tries(4))
@given(tree=TREES)
def test_every_reader_sees_the_robot_of_the_plain_spelling(spelling, tree):
    urdf = written(tree[0], tuple(tree[1]), tree[2])
    text = SPELLINGS[spelling](urdf)
    assert text != urdf
    assert_alike(text, urdf)


def test_a_plain_description_stays_as_it_is_written():
    urdf = written(1, ("revolute", "fixed"), (0, 1))
    assert RobotDescription(urdf).urdf is urdf
    comments = SPELLINGS["comments"](SPELLINGS["xacro declared"](urdf))
    assert RobotDescription(comments).urdf is comments


NAMES = st.text(
    st.characters(min_codepoint=32, exclude_characters='"', exclude_categories=("Cs", "Cc", "Cn")),
    min_size=1,
    max_size=8,
).filter(lambda name: name == name.strip() and "${" not in name and "$(" not in name)


@settings(max_examples=tries(40))
@given(names=st.lists(NAMES, min_size=2, max_size=2, unique=True))
def test_names_of_any_characters_are_the_same_everywhere(names):
    urdf = written(3, ("revolute", "revolute"), (0, 1))
    for i, name in enumerate(names):
        escaped = name.replace("&", "&amp;").replace("<", "&lt;")
        urdf = urdf.replace(f'"joint_{i}"', f'"{escaped}"')
    for spelling in ("plain", "prefixed"):
        seen = seen_by_readers(SPELLINGS[spelling](urdf))
        assert list(seen["joints"]) == names
        assert list(seen["rows"]) == names
        assert seen["console"][2:] == names
        assert seen["library"][1:] == names


XACRO = "http://www.ros.org/wiki/xacro"
WRONG = (
    "<axis/>",
    '<axis xyz="0 0"/>',
    '<axis xyz="0 0 1"/><axis xyz="a"/>',
    "<limit/>",
    '<limit lower="0" upper="0"/>',
    '<limit effort="-1" velocity="-1" lower="2" upper="nan"/>',
    "<dynamics/>",
    '<dynamics damping="x"/>',
    "<mimic/>",
    '<mimic joint="joint_0" multiplier="inf"/>',
    '<safety_controller k_velocity="x"/>',
    '<calibration rising="x"/>',
)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_has_no_meaning_for_a_fixed_joint_is_noted_and_ignored(wrong):
    plain = written(5, ("revolute", "revolute", "fixed"), (0, 1, 2))
    begin, name, rest = plain.partition('name="joint_2"')
    text = begin + name + rest.replace("</joint>", f"\n{wrong}</joint>", 1)
    line = text[: text.index(wrong)].count("\n") + 1
    assert_alike(text, plain)
    notes = read_urdf(text).notes
    assert {note.line for note in notes} == {line}
    assert all("joint 'joint_2'" in n.text and "ignored" in n.text for n in notes)
    moving = text.replace('name="joint_2" type="fixed"', 'name="joint_2" type="revolute"')
    assert any(line == problem.line for problem in urdf_problems(moving))


@pytest.mark.parametrize("wrong", ['lower="x"', 'upper="nan"', 'lower="" upper=""'])
def test_limits_without_meaning_for_a_continuous_joint_are_ignored(wrong):
    plain = written(5, ("revolute", "continuous"), (0, 1), mimic=False)
    limit = '<limit {} effort="3" velocity="2"/>'
    texts = [edited(plain, "joint_1", "continuous", limit.format(w)) for w in (wrong, "")]
    assert_alike(*texts)
    assert read_urdf(texts[0]).notes


def placed(robot, joints, link):
    """Return where a link is relative to the root, with joints at positions."""
    model = robot.pinocchio
    q = pin.neutral(model)
    for joint, position in joints.items():
        own = model.joints[model.getJointId(joint)]
        angle = (np.cos(position), np.sin(position))
        q[own.idx_q : own.idx_q + own.nq] = angle if own.nq == 2 else position
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    root = data.oMf[model.getFrameId(robot.root_link, pin.FrameType.BODY)]
    return root.actInv(data.oMf[model.getFrameId(link, pin.FrameType.BODY)])


def edited(urdf, name, kind, content):
    """Give a joint another type, and other elements than an axis and limits."""
    pattern = rf'(<joint name="{name}" type=)"[a-z]+"(.*?)<axis [^>]*/>(?:<limit [^>]*/>)?'
    return re.sub(pattern, rf'\g<1>"{kind}"\g<2>{content}', urdf, count=1)


def with_joint(kind, place, content=""):
    """Write a chain of three joints of which one has another type; its origin is not trivial."""
    urdf = written(7, ("revolute", "fixed", "revolute"), (0, 1, 2), mimic=False)
    if place == "root":
        urdf = edited(urdf, "joint_0", "fixed", "")
    return edited(urdf, "joint_1", kind, content)


@pytest.mark.parametrize("place", ["root", "middle"])
@settings(max_examples=tries(20))
@given(
    normal=st.tuples(*(st.floats(-1, 1).map(lambda x: round(x, 3)),) * 3).filter(
        lambda n: np.linalg.norm(n) > 0.1
    ),
    x=st.floats(-1, 1),
    y=st.floats(-1, 1),
    yaw=st.floats(-3, 3),
)
def test_a_planar_joint_moves_in_the_plane_of_its_normal(place, normal, x, y, yaw):
    axis = f'<axis xyz="{" ".join(map(repr, normal))}"/>'
    robot = RobotDescription(with_joint("planar", place, axis))
    chain = ("joint_1_x", "joint_1_y", "joint_1_yaw")
    assert set(chain) < set(robot.real_joints)
    rest = placed(robot, {}, "link_2")
    moved = placed(robot, dict(zip(chain, (x, y, yaw), strict=True)), "link_2")
    n = np.array(normal) / np.linalg.norm(normal)
    parted = rest.actInv(moved)
    assert parted.translation @ n == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(parted.translation) == pytest.approx(np.hypot(x, y), abs=1e-9)
    assert pin.exp3(n * yaw) == pytest.approx(parted.rotation, abs=1e-9)


def test_a_planar_joint_about_z_is_that_of_pinocchio():
    text = with_joint("planar", "root", '<axis xyz="0 0 1"/>')
    native = pin.buildModelFromXML(text)
    robot = RobotDescription(text)
    q = pin.neutral(native)
    joint = native.joints[native.getJointId("joint_1")]
    q[joint.idx_q : joint.idx_q + 4] = 0.3, -0.2, np.cos(0.7), np.sin(0.7)
    data = native.createData()
    pin.framesForwardKinematics(native, data, q)
    frames = [native.getFrameId(name, pin.FrameType.BODY) for name in ("link_0", "link_3")]
    expected = data.oMf[frames[0]].actInv(data.oMf[frames[1]])
    values = {"joint_1_x": 0.3, "joint_1_y": -0.2, "joint_1_yaw": 0.7}
    assert placed(robot, values, "link_3").homogeneous == pytest.approx(expected.homogeneous)


@pytest.mark.parametrize("place", ["root", "middle"])
@settings(max_examples=tries(20))
@given(
    at=st.tuples(*(st.floats(-1, 1),) * 3),
    turn=st.tuples(st.floats(-3, 3), st.floats(-LARGEST_PITCH, LARGEST_PITCH), st.floats(-3, 3)),
)
def test_a_floating_joint_inside_is_a_free_flyer(place, at, turn):
    """The oracle: a translation, then yaw, pitch and roll, as of REP-103."""
    robot = RobotDescription(with_joint("floating", place))
    steps = ("x", "y", "z", "yaw", "pitch", "roll")
    values = {f"joint_1_{s}": v for s, v in zip(steps, (*at, *turn), strict=True)}
    assert set(values) < set(robot.real_joints)
    rest, moved = placed(robot, {}, "link_2"), placed(robot, values, "link_2")
    expected = pin.SE3(pin.rpy.rpyToMatrix(*turn[::-1]), np.array(at))
    assert rest.actInv(moved).homogeneous == pytest.approx(expected.homogeneous, abs=1e-9)


def test_limits_of_a_planar_joint_hold_for_each_direction():
    limit = '<limit lower="x" effort="7" velocity="2"/>'
    text = with_joint("planar", "middle", f'<axis xyz="0 0 1"/>{limit}')
    robot = RobotDescription(text)
    own = [robot.joint_index(f"joint_1_{step}") for step in ("x", "y", "yaw")]
    assert robot.effort_limits[own] == pytest.approx(7.0)
    assert robot.velocity_limits[own] == pytest.approx(2.0)
    notes = [note.text for note in read_urdf(text).notes]
    assert any("limit lower" in note and "ignored" in note for note in notes)
    assert any("'joint_1_x', 'joint_1_y', 'joint_1_yaw'" in note for note in notes)


def test_names_of_a_chain_avoid_those_that_are_taken():
    text = with_joint("planar", "middle", '<axis xyz="0 0 1"/>').replace("joint_2", "joint_1_x")
    robot = RobotDescription(text)
    assert {"joint_1_x", "joint_1_x_", "joint_1_y"} < set(robot.real_joints)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot>\n<link name='a'/></robot>", "line 1: found a robot without name"),
        ("\n<robot name=' '><link name='a'/></robot>", "line 2: found a robot without name"),
        ("<robot name='r' version='2.0'><link name='a'/></robot>", "version: found '2.0'.*1.2"),
        ("<sdf version='1.7'/>", "found <sdf>, expected <robot>"),
        (
            f"<robot name='r' xmlns:xacro='{XACRO}'>\n<link name='a'/>\n<xacro:arm/></robot>",
            "line 3: found <xacro:arm>, expected a URDF: xacro FILE",
        ),
        (
            f"<robot name='r' xmlns:x='{XACRO}'><link name='a'/><x:arm/></robot>",
            "found <x:arm>, expected a URDF",
        ),
        ("<robot name='r'>\n<link name='${name}'/></robot>", "line 2: link.*xacro FILE"),
        ("<robot name='r'><link name='a'/>\n</rob>", "line 2: no XML: mismatched tag"),
    ],
)
def test_what_no_library_reads_is_refused_at_its_line(text, message):
    with pytest.raises(UrdfError, match=message):
        RobotDescription(text)
