"""Structure of a robot: orders, names, limits, floating base and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from robots_for_tests import DREAMER_URDF, chain, dreamer, random_robots, random_state, write_robot

from controlit_ros.model import (
    ModelError,
    ModelOptions,
    RobotDescription,
    RobotModel,
    RobotState,
    UnknownBodyError,
    UnknownJointError,
)

LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


def link(
    name, inertial='<mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/>'
):
    return f'<link name="{name}"><inertial>{inertial}</inertial></link>'


def joint(name, parent, child, kind="revolute", more=""):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<axis xyz="0 0 1"/>{LIMIT}{more}</joint>'
    )


def robot(*parts):
    return RobotDescription(f'<robot name="r">{"".join(parts)}</robot>')


@given(random_robots(floating=False))
def test_a_floating_base_is_added_when_the_urdf_has_none(random):
    description = random.description()
    assert description.nv == 6 + len(random.moving)
    assert set(description.real_joints) == set(random.moving)
    assert description.root_link == "link_0"


@given(random_robots(floating=True))
def test_a_floating_base_is_not_doubled(random):
    description = random.description()
    assert description.nv == 6 + len(random.moving)
    assert set(description.real_joints) == set(random.moving)
    assert description.root_link == "link_0"


def test_both_ways_to_float_give_the_same_robot(rng):
    kinds, parents = ("revolute", "continuous", "prismatic"), (0, 0, 1)
    added = write_robot(5, kinds, parents).description()
    named = write_robot(5, kinds, parents, floating=True).description()
    state = random_state(added, rng)
    one, other = RobotModel(added), RobotModel(named)
    one.update(state)
    other.update(state)
    np.testing.assert_array_equal(one.A, other.A)
    np.testing.assert_array_equal(one.BG, other.BG)


def test_the_base_pose_is_that_of_the_root_link_wherever_the_urdf_puts_the_floating_joint():
    moved = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    description = robot(
        '<link name="world"/>', link("body"), joint("free", "world", "body", "floating", moved)
    )
    state = RobotState(())
    state.base_position[:] = [0.5, 0.6, 0.7]
    model = RobotModel(description)
    model.update(state)
    placement = model.placement(description.frame_id("body"))
    np.testing.assert_allclose(placement.translation, [0.5, 0.6, 0.7])
    np.testing.assert_allclose(placement.rotation, np.eye(3), atol=1e-15)


def test_the_root_link_is_the_one_that_floats():
    description = robot(
        '<link name="world"/>', link("body"), joint("free", "world", "body", "floating")
    )
    assert description.root_link == "body"
    assert description.link_names == ("world", "body")


def test_joint_orders():
    description = dreamer(passive_joints=("left_wrist_yaw",))
    assert len(description.real_joints) == 16
    left = [j for j in description.real_joints if j != "left_wrist_yaw"]
    assert list(description.actuable_joints) == left
    assert list(description.command_joints) == [j for j in left if j != "torso_upper_pitch"]
    for joints, indices in (
        (description.actuable_joints, description.actuable_indices),
        (description.command_joints, description.command_indices),
    ):
        assert tuple(description.real_joints[i] for i in indices) == joints
    np.testing.assert_array_equal(description.command_dofs, description.command_indices + 6)
    assert tuple(description.real_joints) == tuple(description.pinocchio.names[2:])


@given(random_robots())
def test_limits_come_from_the_urdf(random):
    description = random.description()
    for i, name in enumerate(description.real_joints):
        kind = random.joint_types[int(name.removeprefix("joint_"))]
        lower, upper = (-np.inf, np.inf) if kind == "continuous" else (-2.0, 2.5)
        assert (description.lower_limits[i], description.upper_limits[i]) == (lower, upper)
        assert (description.effort_limits[i], description.velocity_limits[i]) == (30.0, 4.0)
        assert description.rotor_inertia[i] == random.rotor_inertia[name]
        assert description.is_sliding[i] == (kind == "prismatic")


def test_links_and_joints_are_found_by_name(dreamer_description):
    for name in dreamer_description.frame_names:
        frame = dreamer_description.pinocchio.frames[dreamer_description.frame_id(name)]
        assert frame.name == name
    assert "base_link" in dreamer_description.frame_names
    assert "left_elbow" in dreamer_description.frame_names
    assert "left_elbow_link" in dreamer_description.frame_names
    assert not {"universe", "root_joint"} & set(dreamer_description.frame_names)


def test_links_and_joints_may_have_odd_names():
    description = robot(link("universe"), link("root_joint"), joint("j", "universe", "root_joint"))
    assert description.link_names == ("universe", "root_joint")
    assert description.root_link == "universe"
    assert description.frame_id("root_joint") != description.frame_id("universe")
    with pytest.raises(ModelError, match=r"root_joint.*floating base"):
        robot(link("a"), link("b"), joint("root_joint", "a", "b"))


def test_a_link_wins_over_a_joint_of_the_same_name():
    offset = '<origin xyz="1 0 0"/>'
    description = robot(
        link("a"), link("b"), link("c"), joint("c", "a", "b"), joint("k", "b", "c", "fixed", offset)
    )
    frame = description.pinocchio.frames[description.frame_id("c")]
    np.testing.assert_allclose(frame.placement.translation, [1.0, 0.0, 0.0])


def test_limits_the_wrong_way_round():
    with pytest.raises(ModelError, match="joint 'k': limit: found 5 to 2, expected the lower"):
        robot(link("a"), link("b"), joint("k", "a", "b").replace('"-1"', '"5"'))


def test_errors_name_the_nearest(dreamer_description):
    with pytest.raises(
        UnknownBodyError, match=r"unknown body 'left_elbo'.*did you mean.*left_elbow"
    ):
        dreamer_description.frame_id("left_elbo")
    with pytest.raises(
        UnknownJointError, match=r"unknown joint 'left_elbwo'.*did you mean.*left_elbow"
    ):
        dreamer_description.joint_index("left_elbwo")
    with pytest.raises(UnknownJointError):
        dreamer_description.joint_index("left_elbow_link")
    with pytest.raises(UnknownJointError):
        dreamer_description.indices(["left_elbow", "nonsense"])


@pytest.mark.parametrize(
    "option",
    [
        {"passive_joints": ("lef_elbow",)},
        {"slaves": ("lef_elbow",)},
        {"gravity_compensation_mask": ("lef_elbow",)},
        {"coupled_joint_groups": (("lef_elbow",),)},
        {"rotor_inertia": {"lef_elbow": 1.0}},
    ],
)
def test_an_unknown_joint_in_an_option_is_reported_with_the_option(option):
    (name,) = option
    with pytest.raises(UnknownJointError, match=f"{name}: unknown joint 'lef_elbow'.*left_elbow"):
        RobotDescription(DREAMER_URDF, ModelOptions(**option))


def test_options_that_contradict_themselves_are_refused():
    with pytest.raises(ModelError, match="'left_elbow' stands in two groups"):
        dreamer(coupled_joint_groups=(("left_elbow",), ("left_elbow",)))
    for inertia in (-1.0, 1e308, np.nan, np.inf):
        with pytest.raises(ModelError, match=r"rotor_inertia.*'left_elbow'.*expected"):
            dreamer(rotor_inertia={"left_elbow": inertia})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no XML",
        '<robot name="r"><link name="a">',
        "<foo/>",
        '<robot name="r"/>',
        f'<robot name="r">{link("a")}{link("b")}</robot>',
        f'<robot name="r">{link("a")}{joint("j", "a", "b")}</robot>',
        f'<robot name="r">{link("a")}{link("b")}{joint("j", "a", "b", "wobbly")}</robot>',
    ],
)
def test_malformed_text_is_refused(text):
    with pytest.raises(ModelError, match=r"no valid URDF: [^'\[]"):
        RobotDescription(text)


@pytest.mark.parametrize("name", ["afloat", "zfloat"])
def test_a_floating_joint_is_the_base_where_nothing_else_hangs_from_its_parent(name):
    arm = (link("block"), link("arm"), joint("turn", "block", "arm"))
    floats = joint(name, "stand", "block", "floating")
    stand = '<link name="stand"/>'
    chain = tuple(f"{name}_{step}" for step in ("x", "y", "z", "yaw", "pitch", "roll"))
    marker = '<link name="mark"/>' + joint("mount", "stand", "mark", "fixed")
    for base in (stand, stand + marker):
        assert robot(base, *arm, floats).root_link == "block"
        assert robot(base, *arm, floats).real_joints == ("turn",)
    more = link("other") + joint("k", "stand", "other", "{}")
    for base in (
        link("stand"),
        stand + more.format("fixed"),
        link("stand") + more.format("revolute"),
    ):
        inside = robot(base, *arm, floats)
        assert inside.root_link == "stand"
        assert set(chain) < set(inside.real_joints)


def test_a_robot_whose_inertia_matrix_cannot_be_inverted_is_refused():
    with pytest.raises(ModelError, match="nothing with inertia moves with joint 'j'"):
        robot(link("a"), '<link name="b"/>', joint("j", "a", "b"))
    with pytest.raises(ModelError, match="root link 'a'"):
        robot('<link name="a"/>')
    point = '<mass value="1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
    offset = '<origin xyz="0 0 1"/>'
    with pytest.raises(ModelError, match="inertia matrix is singular"):
        # two coaxial joints with one mass between and beyond them
        robot(
            link("a"),
            '<link name="b"/>',
            link("c"),
            joint("i", "a", "b"),
            joint("j", "b", "c", more=offset),
        )
    with pytest.raises(ModelError, match="root link 'a'"):
        robot(link("a", point))


def test_rotor_inertia_makes_a_weightless_link_good():
    text = f'<robot name="r">{link("a")}<link name="b"/>{joint("j", "a", "b")}</robot>'
    description = RobotDescription(text, ModelOptions(rotor_inertia={"j": 0.1}))
    model = RobotModel(description)
    model.update(RobotState(description.real_joints))
    np.linalg.cholesky(model.A)


def test_other_slaves_leave_the_original_alone():
    one = chain(2, ("revolute", "revolute", "prismatic")).description()
    other = one.with_slaves(("joint_1",))
    assert one.command_joints == ("joint_0", "joint_1", "joint_2")
    assert other.command_joints == ("joint_0", "joint_2")
    np.testing.assert_array_equal(other.command_dofs, [6, 8])
    assert other.actuable_joints == one.actuable_joints


def test_robots_of_one_description_are_apart():
    """A description is read once, and everybody gets a model of his own."""
    heavy, plain = dreamer(rotor_inertia={"left_elbow": 1.0}), dreamer()
    assert heavy.pinocchio.armature.max() == 1.0
    assert plain.pinocchio.armature.max() < 1.0
