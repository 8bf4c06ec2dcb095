"""The set stacks enabled constraints, and nothing accumulates when they are toggled."""

import numpy as np
import pytest
from robots_for_tests import configured, random_state, updated

from controlit_ros.constraints import ConstraintSet, Coupling, slaves_of
from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.kernels import constraint_rows


@pytest.fixture
def constraints(dreamer_description):
    return (
        configured(FlatContact("base", dreamer_description)),
        configured(PointContact("hand", dreamer_description), body="left_wrist_yaw"),
        configured(
            Coactuation("torso", dreamer_description),
            master="torso_lower_pitch",
            slave="torso_upper_pitch",
        ),
    )


def filled(constraint_set, model):
    jacobian = np.full((constraint_set.max_rows, model.v.size), np.nan)
    bias = np.full(constraint_set.max_rows, np.nan)
    count = constraint_set.update(model, jacobian, bias)
    return count, jacobian, bias


def check_rows(constraints, model):
    count, jacobian, bias = filled(ConstraintSet(constraints), model)
    row = 0
    for constraint in constraints:
        if constraint.operational_state.value == "enable":
            alone = np.zeros((constraint.dimension, model.v.size))
            alone_bias = np.zeros(constraint.dimension)
            constraint.update(model, alone, alone_bias)
            np.testing.assert_array_equal(jacobian[row : row + constraint.dimension], alone)
            np.testing.assert_array_equal(bias[row : row + constraint.dimension], alone_bias)
            row += constraint.dimension
    assert count == row
    assert np.isnan(jacobian[row:]).all()
    assert np.isnan(bias[row:]).all()


def test_rows_stand_in_the_order_given(constraints, dreamer_description, rng):
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    assert ConstraintSet(constraints).max_rows == 10
    check_rows(constraints, model)
    check_rows(constraints[::-1], model)


def test_toggling_accumulates_no_rows(constraints, dreamer_description, rng):
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    constraint_set = ConstraintSet(constraints)
    _, before, _ = filled(constraint_set, model)
    for i in range(100):
        constraint = constraints[i % 3]
        constraint.operational_state.set("disable")
        check_rows(constraints, model)
        constraint.operational_state.set("enable")
    count, after, _ = filled(constraint_set, model)
    assert count == constraint_set.max_rows == 10
    np.testing.assert_array_equal(after, before)


def test_contacts_couplings_and_slaves_do_not_depend_on_the_state(constraints):
    constraint_set = ConstraintSet(constraints)
    for constraint in constraints:
        constraint.operational_state.set("disable")
    assert constraint_set.contacts == constraints[:2]
    assert constraint_set.couplings == (Coupling("torso_lower_pitch", "torso_upper_pitch", 1.0),)
    assert slaves_of(constraint_set.couplings) == ("torso_upper_pitch",)


def test_slaves_are_named_once():
    couplings = [Coupling("m", slave, 1.0) for slave in ("b", "a", "b")]
    assert sorted(slaves_of(couplings)) == ["a", "b"]
    assert slaves_of([]) == ()


class Own(PointContact):
    """A plugin's constraint, which writes what it wants."""

    def update(self, model, jacobian, bias):
        super().update(model, jacobian, bias)
        bias += 1.0


def by_table(constraint_set, model):
    """Return the rows that the kernel writes."""
    count = constraint_set.enabled_rows
    Jc, bias = np.full((count, model.v.size), np.nan), np.full(count, np.nan)
    table = constraint_set.table(model)
    assert constraint_rows(table, model.J, model.dJ, model.v, Jc, bias)
    return Jc, bias


def test_the_kernel_writes_the_same_rows(constraints, dreamer_description, rng):
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    constraint_set = ConstraintSet(constraints)
    for off in range(len(constraints) + 1):
        for i, constraint in enumerate(constraints):
            constraint.operational_state.assign("disable" if i == off else "enable")
        count, jacobian, bias = filled(constraint_set, model)
        found, found_bias = by_table(constraint_set, model)
        np.testing.assert_array_equal(found, jacobian[:count])
        np.testing.assert_array_equal(found_bias, bias[:count])
    constraints[1].contact_point.assign((0.1, 0.2, 0.3))
    np.testing.assert_array_equal(
        by_table(constraint_set, model)[0], filled(constraint_set, model)[1]
    )


def test_rows_that_need_python_have_no_table(constraints, dreamer_description, rng):
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    ball = configured(PointContact("ball", dreamer_description), body="left_wrist_yaw", radius=0.05)
    own = configured(Own("own", dreamer_description), body="left_wrist_yaw")
    for other in (ball, own):
        constraint_set = ConstraintSet((*constraints, other))
        assert constraint_set.table(model) is None
        other.operational_state.assign("disable")
        assert constraint_set.table(model) is not None
