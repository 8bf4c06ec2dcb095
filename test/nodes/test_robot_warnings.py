"""Joints that cannot be driven and bodies that cannot be are told before anything runs."""

import pytest

from controlit_ros.configuration import load_configuration
from controlit_ros.nodes.building import build_stack

GOOD_LIMIT = 'lower="-1" upper="1" effort="20" velocity="3"'
GOOD_INERTIA = 'ixx="0.2" iyy="0.2" izz="0.3"'
EXPECTED_BODY = "expected a mass and moments > 0, none above the sum of the two others"


def robot(limit=GOOD_LIMIT, inertia=GOOD_INERTIA, mass=1.0, scale=1.0):
    """Two joints; the limit is that of the first, the inertia that of what the second moves."""
    sound = _link("base", 20.0 * scale, f'ixx="{scale}" iyy="{scale}" izz="{scale}"')
    middle = _link("middle", 2.0 * scale, f'ixx="{scale}" iyy="{scale}" izz="{scale}"')
    return (
        f'<robot name="r">{sound}{middle}{_link("hand", mass, inertia)}<link name="tip"/>'
        f"{_joint('bend', 'base', 'middle', limit)}{_joint('turn', 'middle', 'hand', GOOD_LIMIT)}"
        '<joint name="mount" type="fixed"><parent link="hand"/><child link="tip"/></joint></robot>'
    )


def _link(name, mass, inertia):
    return (
        f'<link name="{name}"><inertial><mass value="{mass}"/>'
        f'<inertia {inertia} ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )


def _joint(name, parent, child, limit):
    return (
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit {limit}/></joint>'
    )


def warnings(urdf, **parameters):
    text = (
        f"name: r\nrobot_description: '{urdf}'\n"
        "constraints: [{name: B, type: FlatContact, body: base}]\nconstraint_set: [{name: B}]\n"
    )
    settings = {"robot_interface_type": "Benchmark", **parameters}
    return build_stack(load_configuration(text, settings)).warnings


def test_a_sound_robot():
    assert warnings(robot()) == ()


@pytest.mark.parametrize(
    ("limit", "found", "flag"),
    [
        (
            'lower="-1" upper="1" effort="0" velocity="3"',
            "an effort limit",
            "enforce_effort_limits",
        ),
        ('lower="-1" upper="1" effort="20" velocity="0"', "a velocity", "enforce_velocity_limits"),
        ('effort="20" velocity="3"', "a range", "enforce_position_limits"),
    ],
)
class TestLimitsOfZero:
    def test_is_told_with_joint_and_remedy(self, limit, found, flag):
        (warning,) = warnings(robot(limit))
        assert warning.startswith(f"2:1: robot_description: joint 'bend' with {found}")
        assert "of 0 cannot be driven; expected " in warning
        assert f"{flag} false for it, or the joint in passive_joints or locked_joints" in warning

    def test_nobody_minds_where_it_is_not_enforced(self, limit, found, flag):
        assert warnings(robot(limit), **{flag: False}) == ()
        assert warnings(robot(limit), **{flag: {"bend": False}}) == ()
        assert len(warnings(robot(limit), **{flag: {"turn": False}})) == 1

    def test_nobody_minds_where_the_joint_is_not_driven(self, limit, found, flag):
        assert warnings(robot(limit), passive_joints=["bend"]) == ()
        assert warnings(robot(limit), locked_joints=["bend"]) == ()


@pytest.mark.parametrize(
    ("inertia", "mass", "found"),
    [
        ('ixx="0.2" iyy="0.2" izz="0.41"', 1.0, "moments of inertia 0.2, 0.2, 0.41 kg"),
        ('ixx="-0.01" iyy="0.2" izz="0.2"', 1.0, "inertia -0.01, 0.2, 0.2 kg m²"),
        ('ixx="0" iyy="0.2" izz="0"', 1.0, "inertia 0, 0, 0.2 kg m²"),
        (GOOD_INERTIA, -0.5, "mass -0.5 kg"),
    ],
)  # fmt: skip
def test_bodies_that_cannot_be(inertia, mass, found):
    (warning,) = warnings(robot(inertia=inertia, mass=mass))
    assert warning.startswith("2:1: robot_description: links 'hand', 'tip' with the mass ")
    assert found in warning
    assert warning.endswith(EXPECTED_BODY)


def test_products_of_inertia_count():
    urdf = robot().replace(f'{GOOD_INERTIA} ixy="0"', f'{GOOD_INERTIA} ixy="0.19"')
    (warning,) = warnings(urdf)
    assert "inertia 0.01, 0.3, 0.39 kg m²" in warning


def test_small_bodies_count_as_large_ones():
    small = 'ixx="2e-5" iyy="2e-5" izz="5e-5"'
    (warning,) = warnings(robot(inertia=small, mass=0.01, scale=1e-4))
    assert "inertia 2e-05, 2e-05, 5e-05 kg m²" in warning
    assert warnings(robot(inertia=small, mass=0.01), rotor_inertia={"turn": 0.02}) == ()


@pytest.mark.parametrize(
    "inertia", ['ixx="0.2" iyy="0.2" izz="0"', 'ixx="0.2" iyy="0.2" izz="0.4"']
)
def test_rods_and_plates_are_bodies(inertia):
    assert warnings(robot(inertia=inertia)) == ()
