"""Contacts tell what they cannot bear, and nothing else."""

import numpy as np
import pytest
from contact_oracles import biped_in_contact, standing
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, chain, configured

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.omni_wheel_contact import OmniWheelContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.model.contact_hold import EDGE, ContactHold
from controlit_ros.parameters import ParameterError

SOLE = ContactHold(friction=0.5, torsional_friction=0.1, half_size=(0.1, 0.05), least_force=1.0)
SIZES = st.floats(-3.0, 4.0).map(lambda power: 10.0**power)


@given(
    seed=SEEDS,
    normal=SIZES,
    friction=SIZES,
    share=st.floats(0.0, 2.0).filter(lambda share: abs(share - 1.0) > 1e-6),
)
def test_it_slips_where_the_force_leaves_the_friction_cone(seed, normal, friction, share):
    angle = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi)
    along = share * friction * normal
    force = np.array([along * np.cos(angle), along * np.sin(angle), normal])
    text = SOLE._replace(friction=friction, least_force=0.0).complaint(force, np.zeros(3))
    assert ("slip" in text) == (share > 1.0)
    if text:
        assert f"need a friction of {along / normal:.3g}" in text
        assert f"friction: {friction:g}" in text


@given(normal=SIZES, x=st.floats(-0.3, 0.3), y=st.floats(-0.3, 0.3), twist=st.floats(-0.3, 0.3))
def test_it_tips_at_its_edge_and_twists_beyond_its_friction(normal, x, y, twist):
    moment = normal * np.array([y, -x, twist])
    text = SOLE._replace(least_force=0.0).complaint(np.array([0.0, 0.0, normal]), moment)
    if abs(abs(x) - 0.1 * EDGE) > 1e-9:
        assert ("at x =" in text) == (abs(x) > 0.1 * EDGE)
    if abs(abs(y) - 0.05 * EDGE) > 1e-9:
        assert ("at y =" in text) == (abs(y) > 0.05 * EDGE)
    if abs(abs(twist) - 0.1) > 1e-9:
        assert ("twist" in text) == (abs(twist) > 0.1)


def test_what_nobody_knows_is_not_told():
    plain = SOLE._replace(torsional_friction=0.0, half_size=(0.0, 0.0))
    assert plain.complaint(np.array([0.0, 0.0, 10.0]), np.array([50.0, 50.0, 50.0])) == ""


@pytest.mark.parametrize(
    ("force", "word"),
    [
        ([0.0, 0.0, -5.0], "pulls at the world with 5 N"),
        ([0.9, 0.0, -0.9], ""),  # less than counts
        ([0.0, 0.9, 0.5], ""),
        ([0.0, 2.0, 0.0], "slip"),
        ([0.0, 2.0, -0.5], "slip"),
        ([np.nan] * 3, ""),
        ([0.0, np.nan, 5.0], ""),
    ],
)
def test_what_hardly_bears_is_not_looked_at(force, word):
    text = SOLE.complaint(np.array(force), np.zeros(3))
    assert (word in text) if word else text == ""


@pytest.mark.parametrize(
    ("normal", "words"),
    [
        (20.0, "less than it shall: 20 N square to the ground, found least_normal_force: 50"),
        (49.5, ""),  # by less than counts
        (100.0, ""),
        (200.5, ""),
        (230.0, "more than it shall: 230 N square to the ground, found greatest_normal_force: 200"),
    ],
)
def test_it_tells_loads_that_it_shall_not_bear(normal, words):
    text = SOLE._replace(normal_force=(50.0, 200.0)).complaint(
        np.array([0.0, 0.0, normal]), np.zeros(3)
    )
    assert (words in text) if words else text == ""


@pytest.mark.parametrize("name", ["least_normal_force", "greatest_normal_force"])
@pytest.mark.parametrize("kind", [FlatContact, PointContact, OmniWheelContact])
def test_loads_are_looked_at_with_friction(kind, name):
    with pytest.raises(ParameterError, match=f"sole.{name}: found 5, .*sole.friction beside it"):
        configured(kind("sole", chain(1, ("revolute",)).description()), **{name: 5.0})


def test_the_least_load_is_no_more_than_the_greatest():
    with pytest.raises(
        ParameterError, match=r"least_normal_force: found 5, expected no more .* 4 "
    ):
        biped_in_contact(friction=0.5, least_normal_force=5.0, greatest_normal_force=4.0)


def loaded(contact, model, force, moment=(0.0, 0.0, 0.0)):
    """Return what a contact says of a wrench in its own axes."""
    axes = contact.axes(model)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    contact.wrench.value[:] = [*(axes @ force), *(axes @ moment)]
    return contact.complaint(model)


def test_a_sole_looks_in_its_own_axes(rng):
    description, constraints, model = biped_in_contact()
    state = standing(description)
    state.base_orientation[:] = [0.3, -0.2, 0.5, 0.7]
    state.base_orientation /= np.linalg.norm(state.base_orientation)
    model.update(state)
    robot = model.robot_model
    foot = configured(
        FlatContact("foot", description), body="left_foot", friction=0.5, half_size=[0.1, 0.05]
    )
    rotation = robot.placement(description.frame_id("left_foot")).rotation
    np.testing.assert_allclose(foot.axes(robot), rotation)
    assert loaded(foot, robot, [40.0, 0.0, 100.0]) == ""
    assert "0.6" in loaded(foot, robot, [60.0, 0.0, 100.0])
    assert "at y = 0.06" in loaded(foot, robot, [0.0, 0.0, 100.0], [6.0, 0.0, 0.0])
    assert "pulls" in loaded(foot, robot, [0.0, 0.0, -100.0])
    assert not constraints.contacts[0].complaint(robot)  # it tells no friction


@pytest.mark.parametrize("normal", [[0, 0, 1], [1, 0, 0], [0, -0.6, 0.8]])
def test_a_point_looks_square_to_its_ground(normal):
    description, _, model = biped_in_contact()
    model.update(standing(description))
    foot = configured(
        PointContact("foot", description), body="left_foot", friction=0.5, ground_normal=normal
    )
    np.testing.assert_allclose(foot.axes(model.robot_model)[:, 2], normal, atol=1e-12)
    assert loaded(foot, model.robot_model, [0.0, 40.0, 100.0]) == ""
    assert "slip" in loaded(foot, model.robot_model, [0.0, 60.0, 100.0])


def test_the_wrenches_of_rows_are_not_made_anew_in_each_cycle():
    """They never change, and each update of a model asks every contact for them."""
    _, constraints, model = biped_in_contact(PointContact)
    left, right = (c.reaction_basis(model.robot_model) for c in constraints.contacts)
    assert np.shares_memory(left, right)
    np.testing.assert_array_equal(left, np.eye(6)[:, :3])


def test_only_who_tells_friction_asks_for_what_is_borne():
    description = chain(1, ("revolute",)).description()
    for kind in (FlatContact, PointContact, OmniWheelContact):
        assert not configured(kind("foot", description)).needs_reactions
        assert configured(kind("foot", description), friction=0.5).needs_reactions


def test_torsional_friction_alone_is_refused():
    description = chain(1, ("revolute",)).description()
    with pytest.raises(ParameterError, match=r"torsional_friction: found 0.1.*foot.friction"):
        configured(FlatContact("foot", description), torsional_friction=0.1)
