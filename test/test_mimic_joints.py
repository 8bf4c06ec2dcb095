"""What joints mimic in the end; the chain followed by hand is the oracle."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.mimic_joints import mimics


def robot(*joints):
    """Write joints, each a name, a type and the attributes of its mimic element."""
    return ET.fromstring(
        "<robot>"
        + "".join(
            f'<joint name="{name}" type="{kind}">{f"<mimic {mimic}/>" if mimic else ""}</joint>'
            for name, kind, mimic in joints
        )
        + "</robot>"
    )


NUMBERS = st.floats(-1e3, 1e3).filter(lambda x: x == 0.0 or abs(x) > 1e-3)


@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6),
    position=st.floats(-3.0, 3.0),
    order=st.randoms(use_true_random=False),
)
def test_a_chain_ends_at_its_first_joint(rows, position, order):
    joints = [("j0", "revolute", "")] + [
        (f"j{i}", "prismatic", f'joint="j{i - 1}" multiplier="{r!r}" offset="{o!r}"')
        for i, (r, o) in enumerate(rows, start=1)
    ]
    order.shuffle(joints)
    found, wrong = mimics(robot(*joints))
    assert not wrong
    positions = [position]
    for ratio, offset in rows:
        positions.append(ratio * positions[-1] + offset)
    assert {mimic.slave for mimic in found} == {f"j{i}" for i in range(1, len(rows) + 1)}
    for slave, master, ratio, offset in found:
        assert master == "j0"
        expected = positions[int(slave[1:])]
        scale = 1.0 + abs(ratio * position) + abs(offset) + abs(expected)
        assert abs(ratio * position + offset - expected) < 1e-9 * scale


def test_what_is_not_written_is_one_and_zero():
    found, _ = mimics(robot(("a", "revolute", ""), ("b", "revolute", 'joint="a"')))
    assert [tuple(mimic) for mimic in found] == [("b", "a", 1.0, 0.0)]


def test_a_joint_apart_is_a_master_of_its_own():
    joints = robot(
        ("a", "revolute", ""), ("b", "revolute", 'joint="a"'), ("c", "revolute", 'joint="b"')
    )
    found, _ = mimics(joints, lambda name: name == "b")
    assert [(mimic.slave, mimic.master) for mimic in found] == [("c", "b")]


def test_a_fixed_joint_mimics_nothing():
    joints = robot(("a", "revolute", ""), ("b", "fixed", 'joint="a"'))
    assert mimics(joints) == ((), ())


@pytest.mark.parametrize(
    ("mimic", "complaint"),
    [
        ('joint="elbow1"', "joint 'b' mimics 'elbow1', expected a joint of the robot"),
        ("", "mimics ''"),
        ('joint="a" multiplier="two"', "joint 'b': found the multiplier 'two' of mimic, expected"),
        ('joint="a" offset="nan"', "found the offset 'nan' of mimic, expected a finite number"),
        ('joint="a" multiplier="1e999"', "a finite number"),
        ('joint="free"', "expected both to have one degree of freedom"),
        ('joint="b"', "the joints b -> b mimic each other in a circle"),
        ('joint="c"', "the joints b -> c -> b mimic each other in a circle"),
    ],
)
def test_what_cannot_be_is_told_and_the_others_stay(mimic, complaint):
    joints = robot(
        ("a", "revolute", ""),
        ("b", "revolute", mimic or " "),
        ("c", "revolute", 'joint="b"'),
        ("d", "revolute", 'joint="a" multiplier="3"'),
        ("free", "floating", ""),
    )
    found, wrong = mimics(joints)
    assert len(wrong) == 1
    assert complaint in wrong[0]
    assert ("d", "a", 3.0, 0.0) in [tuple(entry) for entry in found]
    assert "b" not in [entry.slave for entry in found]
