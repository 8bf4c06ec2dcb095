"""Projections of the constraints: the identities of WBOSC and the reaction of the constraints."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import (
    SEEDS,
    configured,
    dreamer,
    keep_constraints,
    random_robots,
    random_state,
)

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.constraint import Constraint
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.constraints.row_source import RowSource
from controlit_ros.finite import NotFiniteError
from controlit_ros.kernels import bind, is_finite_vector
from controlit_ros.parameters import Kind, Reader

ARRAYS = ("A_inv", "Jc", "Jc_bias", "Jc_bar", "Nc", "UNc", "Phi", "UNc_bar", "drift", "bias_effort")


def constraints_of(description, robot, rng, kinds):
    """Build constraints on random links, and a transmission between the first two joints."""
    result = []
    for i, kind in enumerate(kinds):
        if kind == "transmission":
            master, slave = description.real_joints[:2]
            part = Coactuation(f"c{i}", description)
            result.append(configured(part, master=master, slave=slave, ratio=-1.5))
        else:
            part = {"flat": FlatContact, "point": PointContact}[kind](f"c{i}", description)
            link, point = rng.choice(robot.links), rng.uniform(-0.3, 0.3, 3)
            result.append(configured(part, body=link, contact_point=point))
    return result


KINDS = st.lists(st.sampled_from(["flat", "point"]), max_size=2)


@given(random_robots(min_joints=3, types=("revolute", "prismatic")), KINDS, st.booleans(), SEEDS)
def test_identities(robot, kinds, has_transmission, seed):
    rng = np.random.default_rng(seed)
    slaves = ("joint_1",) if has_transmission else ()
    description = robot.description(slaves=slaves)
    if has_transmission:
        kinds = [*kinds, "transmission"]
    constraints = ConstraintSet(constraints_of(description, robot, rng, kinds))
    model = ConstrainedModel(description, constraints)
    state = random_state(description, rng)
    model.update(state)
    keep_constraints(state, model.Jc)
    model.update(state)
    A, Jc, Nc, UNc, bar = model.robot_model.A, model.Jc, model.Nc, model.UNc, model.UNc_bar
    nv = description.nv
    for name in ARRAYS:
        assert np.isfinite(getattr(model, name)).all(), name
    np.testing.assert_allclose(model.A_inv @ A, np.eye(nv), atol=1e-9)
    if is_clear_cut(Jc @ model.A_inv @ Jc.T):
        assert model.rank == np.linalg.matrix_rank(Jc, tol=1e-6)
        np.testing.assert_allclose(Jc @ Nc, 0.0, atol=1e-7)
        np.testing.assert_allclose(Nc @ Nc, Nc, atol=1e-7)
        np.testing.assert_allclose(Jc @ bar, 0.0, atol=1e-6)
        # what Nc leaves of a motion is what A weighs least: A Nc is symmetric
        np.testing.assert_allclose(A @ Nc, (A @ Nc).T, atol=1e-6)
        np.testing.assert_allclose(Jc @ model.drift, model.Jc_bias, atol=1e-5)
    U = np.eye(nv)[description.command_dofs]
    np.testing.assert_allclose(UNc, U @ Nc, atol=1e-12)
    if is_clear_cut(model.Phi):
        projector = UNc @ bar
        np.testing.assert_allclose(projector @ projector, projector, atol=1e-6)
        np.testing.assert_allclose(projector @ UNc, UNc, atol=1e-6)
        rank = np.linalg.matrix_rank(model.Phi, tol=1e-5 * np.abs(model.Phi).max())
        assert np.trace(projector) == pytest.approx(rank, abs=1e-5)
        if rank == len(UNc):
            np.testing.assert_allclose(projector, np.eye(rank), atol=1e-6)


def is_clear_cut(matrix):
    """Whether no singular value lies near the cutoff, where rounding decides on the rank."""
    values = np.linalg.svd(matrix, compute_uv=False)
    if not values.size or values[0] == 0.0:
        return True
    relative = values / values[0]
    return not ((relative > 1e-10) & (relative < 1e-4)).any() and values[0] > 1e-4


def dreamer_model(*more, **options):
    description = dreamer(**options)
    torso = Coactuation("torso", description)
    configured(torso, master="torso_lower_pitch", slave="torso_upper_pitch")
    base = configured(FlatContact("base", description))
    constraints = [base, torso, *(configured(kind("more", description), **p) for kind, p in more)]
    return ConstrainedModel(description, ConstraintSet(constraints)), constraints


def test_dreamer_is_fully_actuated(rng):
    model, _ = dreamer_model()
    for _ in range(5):
        model.update(random_state(model.robot_model.description, rng))
        assert model.rank == 7
        np.testing.assert_array_equal(model.task_map[:6], 0.0)  # exactly: in block form
        np.testing.assert_allclose(model.UNc @ model.UNc_bar, np.eye(15), atol=1e-9)
        np.testing.assert_allclose(model.Jc @ model.UNc_bar, 0.0, atol=1e-9)
        # one equation for each degree of freedom: holding still takes Uᵀτ + Jcᵀλ = B + G
        U = np.eye(22)[model.robot_model.description.command_dofs]
        left = np.hstack([U.T, model.Jc.T])
        expected = np.linalg.solve(left, model.robot_model.BG)[:15]
        np.testing.assert_allclose(model.bias_effort, expected, atol=1e-9)


def test_the_masters_inertia_includes_its_slave(rng):
    model, _ = dreamer_model()
    model.update(random_state(model.robot_model.description, rng))
    # motions that keep the constraints: E maps command joint rates to v
    description = model.robot_model.description
    E = np.eye(22)[:, description.command_dofs]
    E[6 + description.joint_index("torso_upper_pitch"), 0] = 1.0
    reduced = E.T @ model.robot_model.A @ E
    np.testing.assert_allclose(np.linalg.inv(model.Phi), reduced, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.UNc_bar, E, atol=1e-9)


def test_redundant_contacts_change_nothing(rng):
    plain, _ = dreamer_model()
    point = {"contact_point": [0.3, 0.2, 0.1]}
    doubled, _ = dreamer_model((FlatContact, point))
    for _ in range(5):
        state = random_state(plain.robot_model.description, rng)
        # a state the constraints allow, so that both contacts demand the same
        state.velocity[1] = state.velocity[0]
        state.base_velocity[:] = 0.0
        plain.update(state)
        doubled.update(state)
        assert (plain.rank, doubled.rank) == (7, 7)
        assert doubled.Jc.shape == (13, 22)
        for name in ("Nc", "UNc", "Phi", "UNc_bar", "drift", "bias_effort"):
            np.testing.assert_allclose(
                getattr(doubled, name), getattr(plain, name), atol=1e-8, err_msg=name
            )


class Broken(PointContact):
    """Yields numbers that are not finite."""

    value = np.nan
    place = "jacobian"

    def update(self, model, jacobian, bias):
        super().update(model, jacobian, bias)
        (jacobian if self.place == "jacobian" else bias)[-1] = self.value


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", ["jacobian", "bias"])
@pytest.mark.parametrize("with_reactions", [False, True])
def test_a_constraint_that_is_not_finite_is_named(rng, value, place, with_reactions):
    description = dreamer()
    base = configured(FlatContact("base", description))
    broken = configured(Broken("crooked", description), body="right_wrist_yaw")
    broken.value, broken.place = value, place
    description = description.with_contacts([base.site, broken.site])
    model = ConstrainedModel(description, ConstraintSet([base, broken]))
    model.constraints.with_reactions = with_reactions
    state = random_state(description, rng)
    with pytest.raises(NotFiniteError, match=r"'crooked'.* is not finite: found -?(nan|inf)"):
        model.update(state)
    broken.operational_state.set("disable")
    model.update(state)
    assert model.rank == 6
    assert np.isfinite(model.bias_effort).all()


def test_a_model_that_is_not_finite_is_told(rng):
    model, _ = dreamer_model()
    state = random_state(model.robot_model.description, rng)
    state.velocity[3] = np.nan
    with pytest.raises(NotFiniteError, match=r"B \+ G is not finite"):
        model.update(state)


def test_toggling_constraints_leaves_no_trace(rng):
    model, constraints = dreamer_model()
    state = random_state(model.robot_model.description, rng)
    model.update(state)
    before = {name: getattr(model, name).copy() for name in ARRAYS}
    for i in range(50):
        constraint = constraints[i % 2]
        constraint.operational_state.set("disable")
        model.update(state)
        assert model.Jc.shape[0] == 7 - constraint.dimension
        assert model.rank == 7 - constraint.dimension
        constraint.operational_state.set("enable")
    model.update(state)
    for name, array in before.items():
        np.testing.assert_array_equal(getattr(model, name), array)


def test_without_constraints_nothing_is_held(rng):
    model, constraints = dreamer_model()
    for constraint in constraints:
        constraint.operational_state.set("disable")
    model.update(random_state(model.robot_model.description, rng))
    np.testing.assert_array_equal(model.Nc, np.eye(22))
    assert model.rank == 0
    # nothing holds the robot up: it falls, whatever its joints do
    force = -model.robot_model.BG
    force[model.robot_model.description.command_dofs] += model.bias_effort
    falling = np.linalg.solve(model.robot_model.A, force)
    np.testing.assert_allclose(-model.drift, falling, atol=1e-9)
    empty = ConstrainedModel(model.robot_model.description, ConstraintSet([]))
    empty.update(model.robot_model.state)
    np.testing.assert_array_equal(empty.Phi, model.Phi)


def test_the_gravity_mask_reaches_the_bias_effort(rng):
    plain, _ = dreamer_model()
    masked, _ = dreamer_model(gravity_compensation_mask=("left_elbow",))
    state = random_state(plain.robot_model.description, rng)
    plain.update(state)
    masked.update(state)
    description = plain.robot_model.description
    difference = plain.bias_effort - masked.bias_effort
    expected = np.zeros(15)
    elbow = description.command_joints.index("left_elbow")
    expected[elbow] = plain.robot_model.G[6 + description.joint_index("left_elbow")]
    np.testing.assert_allclose(difference, expected, atol=1e-9)


def test_the_two_halves_of_an_update_are_the_update(rng):
    whole, _ = dreamer_model()
    halves, _ = dreamer_model()
    state = random_state(whole.robot_model.description, rng)
    whole.update(state)
    halves.update_dynamics(state)
    halves.update_projections()
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(halves, name), getattr(whole, name))


def test_what_was_enabled_before_is_not_arranged_again(rng):
    hand = (PointContact, {"body": "right_wrist_yaw"})
    model, (_, torso, held) = dreamer_model(hand)
    state = random_state(model.robot_model.description, rng)
    kernels, maps = [], []
    for _ in range(3):
        for changed in (held, torso, held, torso):
            changed.operational_state.set("disable" if changed.is_enabled else "enable")
            model.update(state)
            kernels.append(model._constrain)
            maps.append(model.task_map)
    assert kernels[:4] == kernels[4:8] == kernels[8:]
    assert len(set(kernels[:4])) == 4
    assert len({found.shape[1] for found in maps}) > 1
    for now, later in zip(maps[:4], maps[4:8], strict=True):
        assert now is later  # what is bound to them may stay so


class Turned(Constraint):
    """Holds the joint that a parameter says."""

    dimension = 1

    def __init__(self, name, robot):
        super().__init__(name, robot)
        self.joint = self.declare("joint", 6, kind=Kind.INTEGER, reader=Reader.MODEL_UPDATER)

    def source(self):
        self.rows = np.zeros((1, self.robot.nv))
        self.rows[0, self.joint.value] = 1.0
        return RowSource(1, self.rows)

    def update(self, model, jacobian, bias):
        jacobian[:] = 0.0
        jacobian[0, self.joint.value] = 1.0
        bias[:] = 0.0


def test_a_constraint_that_is_set_otherwise_while_it_is_off_is_so_when_it_is_on(rng):
    description = dreamer()
    base = configured(FlatContact("base", description))
    turned = configured(Turned("turned", description))
    model = ConstrainedModel(description, ConstraintSet([base, turned]))
    state = random_state(description, rng)
    for joint in (7, 9, 7, 8):
        model.update(state)
        turned.operational_state.set("disable")
        model.update(state)
        turned.joint.set(joint)
        turned.operational_state.set("enable")
        model.update(state)
        fresh = ConstrainedModel(description, ConstraintSet([base, turned]))
        fresh.update(state)
        assert not model._in_python
        assert np.flatnonzero(model.Jc[6]).tolist() == [joint]
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(model, name), getattr(fresh, name))


def test_no_number_of_changes_makes_it_grow(rng):
    model, (base, _) = dreamer_model()
    state = random_state(model.robot_model.description, rng)
    for number in range(100):
        base.contact_point.set((0.0, 0.0, 0.001 * number))
        model.update(state)
    assert len(model._arrangements) <= 32


@pytest.mark.parametrize("which", [0, 1])
def test_an_update_in_one_call_ends_where_a_rank_is_another_one(rng, which):
    model, _ = dreamer_model()
    state = random_state(model.robot_model.description, rng)
    follow = bind(is_finite_vector, np.zeros(3))
    assert not model.update(state, follow)  # nothing was known of the ranks
    assert model.update(state, follow)
    before = model._ranks.copy()
    model._ranks[which] -= 1
    assert not model.update(state, follow)
    np.testing.assert_array_equal(model._ranks, before)
    assert model.update(state, follow)
    assert not model.update(state, bind(is_finite_vector, np.full(3, np.nan)))


def test_nothing_is_kept_of_a_constraint_that_has_left(rng):
    model, (base, torso) = dreamer_model()
    state = random_state(model.robot_model.description, rng)
    follow = bind(is_finite_vector, np.zeros(3))
    model.update(state)
    assert model.update(state, follow)
    model.constraints.adopt([base])
    model.update(state)
    assert len(model._chains) == 0
    kept = {one.constraint for acting, _ in model._arrangements for one in acting}
    assert kept == {base}
    model.constraints.adopt([base, torso])
    model.update(state)
    fresh = ConstrainedModel(model.robot_model.description, model.constraints)
    fresh.update(state)
    np.testing.assert_array_equal(model.Jc, fresh.Jc)
