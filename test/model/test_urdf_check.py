"""A sound robot description with one attribute or element spoilt is refused at its line."""

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots_for_tests import EXAMPLE_ROBOTS, needs_example_robots
from tries import tries

from controlit_ros.model import ModelError, RobotDescription, UrdfError, lock_joints, urdf_problems

FOLDER = Path(__file__).parents[2] / "urdf"
SHIPPED = sorted(FOLDER.glob("*.urdf"))
SMALL = (FOLDER / "trikey.urdf").read_text(encoding="utf-8")

NUMBERS = {
    ("mass", "value"),
    ("axis", "xyz"),
    ("origin", "xyz"),
    ("origin", "rpy"),
    *(("inertia", name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    *(("limit", name) for name in ("lower", "upper", "effort", "velocity")),
    *(("dynamics", name) for name in ("damping", "friction")),
}
NO_NUMBERS = (
    "",
    "abc",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e-320",
    "1,5",
    "0x10",
    "1_0",
    "é",
    "1 2 3 4",
)


def attributes(urdf):
    """Every attribute that holds numbers of the dynamics: line, element, name, value, column."""
    return [
        (number, tag[1], pair[1], pair[2], tag.start(2) + pair.start())
        for number, line in enumerate(urdf.splitlines(), start=1)
        for tag in re.finditer(r"<(\w+)([^<>]*?)/?>", line)
        for pair in re.finditer(r'(\w+)="([^"]*)"', tag[2])
        if (tag[1], pair[1]) in NUMBERS
    ]


def spoilt(urdf, place, value):
    number, _, name, old, column = place
    lines = urdf.splitlines()
    line = lines[number - 1]
    assert line[column:].startswith(f'{name}="{old}"')
    lines[number - 1] = (
        f'{line[:column]}{name}="{value}"{line[column + len(name) + len(old) + 3 :]}'
    )
    return "\n".join(lines)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_is_shipped_is_sound(path):
    assert urdf_problems(path.read_text(encoding="utf-8")) == ()


@pytest.mark.thorough
@needs_example_robots
def test_the_robots_of_example_robot_data_are_sound():
    files = sorted(EXAMPLE_ROBOTS.rglob("*.urdf"))
    assert len(files) > 40
    broken = {path.name for path in files if urdf_problems(path.read_text(encoding="utf-8"))}
    assert broken <= {"ur3.urdf"}  # which has no link


@settings(max_examples=tries(200))
@given(place=st.sampled_from(attributes(SMALL)), value=st.sampled_from(NO_NUMBERS))
def test_an_attribute_that_is_no_number_is_told_at_its_line(place, value):
    problems = urdf_problems(spoilt(SMALL, place, value))
    assert [problem.line for problem in problems] == [place[0]]
    assert f"{place[1]} {place[2]}: found" in problems[0].text


@settings(max_examples=tries(200))
@given(
    place=st.sampled_from(attributes(SMALL)),
    exponent=st.floats(-330, 330),
    sign=st.sampled_from((1, -1)),
)
def test_any_size_is_refused_or_gives_a_finite_model(place, exponent, sign):
    """Where nothing is said, Pinocchio's dynamics of the model are finite."""
    value = sign * math.pow(10.0, exponent) if exponent < 308 else sign * math.inf
    count = len(place[3].split())
    urdf = spoilt(SMALL, place, " ".join([repr(value)] * count))
    try:
        model = RobotDescription(urdf).pinocchio
    except ModelError:
        return
    q, v = pin.neutral(model), np.ones(model.nv)
    assert np.isfinite(pin.crba(model, model.createData(), q)).all()
    assert np.isfinite(pin.nle(model, model.createData(), q, v)).all()


ELEMENTS = [
    (parent.tag, child.tag)
    for parent in ET.fromstring(SMALL).iter()
    for child in parent
    if parent.tag in ("link", "joint", "inertial") and child.tag not in ("visual", "collision")
]


@pytest.mark.parametrize(("outer", "inner"), sorted(set(ELEMENTS)))
def test_an_element_that_stands_twice_is_told(outer, inner):
    robot = ET.fromstring(SMALL)
    holder = next(element for element in robot.iter(outer) if element.find(inner) is not None)
    holder.append(holder.find(inner))
    problems = urdf_problems(ET.tostring(robot, encoding="unicode"))
    assert any(f"<{inner}> stands twice, first in line" in problem.text for problem in problems)


MOMENTS = 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"'
LINK = f'<link name="{{}}"><inertial><mass value="1"/><inertia {MOMENTS}/></inertial></link>'
A, B, C = (LINK.format(name) for name in "abc")
JOINT = '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'
LIMIT = '<limit lower="{}" upper="{}" effort="1" velocity="1"/>'


def turn(name="j", parent="a", child="b", more=""):
    return JOINT.format(name, "continuous", parent, child, more)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "found no link"),
        (A + A, "line 1: the link 'a' stands twice, first in line 1"),
        (A + B, "link 'b' hangs from no joint, nor does 'a': expected one root"),
        (A + B + turn() + turn(), "the joint 'j' stands twice"),
        (A + B + turn() + turn("k"), "'b' hangs from another joint already"),
        (A + B + turn(parent="x"), "joint 'j': unknown parent 'x'"),
        (A + B + turn(child="bb"), r"unknown child 'bb' \(did you mean 'b'\?\)"),
        (A + B + turn(parent="b"), "'b' hangs in a ring of joints"),
        (
            A + B + C + turn("i", "b", "c") + turn("j", "c", "b"),
            "hangs in a ring of joints",
        ),
        (A + B + turn(name=" "), "found a joint without name"),
        (A + B + turn(more='<axis xyz="0 0 0"/>'), "axis xyz: found '0 0 0', expected a direction"),
        (A + B + turn(more='<axis xyz="1e-200 0 0"/>'), "expected a direction of length 1"),
        (A + B + turn(more="<axis/>"), "axis xyz is missing, expected 3 numbers"),
        (A + B + JOINT.format("j", "revolte", "a", "b", ""), "'revolte'.*did you mean 'revolute'"),
        (A + B + JOINT.format("j", "revolute", "a", "b", ""), "is revolute: <limit> is missing"),
        (
            A + B + JOINT.format("j", "prismatic", "a", "b", LIMIT.format(2, 1)),
            "limit: found 2 to 1, expected the lower one first",
        ),
        (A + '<joint name="j" type="fixed"/>', "<parent> is missing.*<child> is missing"),
        ('<link name="a"><inertial/></link>', "inertial: <mass> is missing.*<inertia> is missing"),
        (
            '<link name="a"><inertial><mass/><inertia ixx="1"/></inertial></link>',
            "mass value is missing.*inertia iyy is missing",
        ),
        ('<link name="a"><visual><geometry/></visual></link>', "<geometry> without shape"),
        ("<a>" * 100 + "</a>" * 100, "nested deeper than 64 levels"),
        pytest.param("<a/>" * 100_001, "more than 100000 elements", marks=pytest.mark.thorough),
        ("".join(LINK.format(i) for i in range(1001)), "found 1001 links, expected at most 1000"),
    ],
)
def test_mistakes_of_structure(content, message):
    with pytest.raises(UrdfError, match=message):
        RobotDescription(f'<robot name="r">{content}</robot>')
    with pytest.raises(UrdfError, match=message):
        lock_joints(f'<robot name="r">{content}</robot>', {"j": 0.0})


def test_a_text_that_grows_by_entities_is_refused():
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(UrdfError, match="line 2: found the entity 'a'"):
        RobotDescription(f"<!DOCTYPE robot [\n{entities}]><robot name='&i;'/>")


@pytest.mark.thorough
def test_a_chain_as_long_as_is_allowed_is_read():
    links = "".join(LINK.format(i) for i in range(200))
    joints = "".join(turn(f"j{i}", str(i), str(i + 1)) for i in range(199))
    assert len(RobotDescription(f'<robot name="r">{links}{joints}</robot>').real_joints) == 199


def test_everything_is_told_at_once():
    urdf = SMALL
    for place in attributes(SMALL)[::7]:
        urdf = spoilt(urdf, place, "x" * len(place[3])) if urdf else urdf
    wrong = [place[0] for place in attributes(SMALL)[::7]]
    with pytest.raises(UrdfError) as caught:
        RobotDescription(urdf)
    assert sorted({problem.line for problem in caught.value.problems}) == sorted(set(wrong))
