"""The cost of efforts against its definition, and accelerations that keep joints within limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, configured, dreamer, random_state

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.kernels import acceleration_bounds, effort_cost

EPSILON = 1e-3
WEIGHT = 50.0


def constrained(seed, contacts):
    description = dreamer()
    torso = {"master": "torso_lower_pitch", "slave": "torso_upper_pitch"}
    constraints = [configured(Coactuation("torso", description), **torso)]
    constraints += [configured(FlatContact(body, description), body=body) for body in contacts]
    model = ConstrainedModel(description, ConstraintSet(constraints))
    rng = np.random.default_rng(seed)
    model.update(random_state(description, rng))
    return model, rng


def compiled(model, jacobian, command, bias, ends, weight=None, is_force=None):
    na, rows = len(model.Phi), len(jacobian)
    weight = np.ones(rows) if weight is None else weight
    is_force = np.zeros(rows, dtype=bool) if is_force is None else is_force
    hessian, gradient = np.zeros((na, na)), np.zeros(na)
    effort_cost(
        jacobian,
        command,
        is_force,
        weight,
        bias,
        model.drift,
        np.array(ends, dtype=np.int64),
        WEIGHT,
        EPSILON,
        model.task_map,
        model.effort_map,
        model.Phi,
        model.bias_effort,
        hessian,
        gradient,
        np.full((max(1, rows), na), np.nan),
        np.full((5, na, na), np.nan),
    )
    return hessian, gradient


def cost(model, jacobian, command, bias, ends, weight, effort):
    """Return the cost of an effort as the docstring writes it."""
    p = model.projections
    x = effort - model.bias_effort
    acceleration = p.UNc_bar @ p.Phi @ x - model.drift
    missing = jacobian @ acceleration + bias - command
    L_star = np.eye(len(x)) - p.Phi @ np.linalg.pinv(p.Phi, rcond=1e-6 * len(x))
    total = EPSILON * (x @ p.Phi @ x + np.trace(p.Phi) / len(x) * np.sum((L_star @ x) ** 2))
    start = 0
    for i, end in enumerate(ends):
        total += WEIGHT**-i * (weight[start:end] @ missing[start:end] ** 2)
        start = end
    return total


@pytest.mark.parametrize("contacts", [("base_link",), ("base_link", "right_wrist_yaw"), ()])
@pytest.mark.parametrize("ends", [(), (3,), (2, 6, 20)])
@given(seed=SEEDS)
def test_is_the_cost_of_every_effort(contacts, ends, seed):
    model, rng = constrained(seed, contacts)
    rows, na = (ends[-1] if ends else 0), len(model.Phi)
    problem = (rng.normal(size=(rows, model.robot_model.A.shape[0])), *rng.normal(size=(2, rows)))
    weight = 10.0 ** rng.uniform(-2.0, 2.0, rows)
    hessian, gradient = compiled(model, *problem, ends, weight)
    np.testing.assert_array_equal(hessian, hessian.T)
    assert np.trace(hessian) == pytest.approx(na)
    efforts = rng.normal(size=(3, na))
    given_ = [0.5 * e @ hessian @ e + gradient @ e for e in efforts]
    wanted = [cost(model, *problem, ends, weight, e) for e in efforts]
    # two costs differ by the same up to the factor, whose value a third tells
    ratio = (wanted[1] - wanted[0]) / (given_[1] - given_[0])
    assert ratio > 0.0
    scale = max(map(abs, wanted)) + 1.0
    assert wanted[2] - wanted[0] == pytest.approx(
        ratio * (given_[2] - given_[0]), rel=1e-6, abs=1e-6 * scale
    )


@given(
    st.floats(-1.0, 1.0),
    st.floats(-1.0, 1.0),
    st.sampled_from([0.02, 0.1, 0.5]),
    st.sampled_from([-1.0, 1.0]),
)
def test_a_joint_at_its_bound_comes_to_rest_at_its_limit(start, speed, horizon, direction):
    period, limit = 1e-3, 1.2
    # a joint that could still brake when it was told to
    velocity = direction * min(abs(speed), (limit - direction * start) / horizon)
    position = np.array([start])
    rate = np.array([velocity])
    bounds = np.zeros((2, 1))
    for _ in range(int(25 * horizon / period)):
        acceleration_bounds(
            position, rate, np.array([-limit]), np.array([limit]), np.array([np.inf]), horizon,
            bounds[0], bounds[1],
        )  # fmt: skip
        acceleration = bounds[1] if direction > 0.0 else bounds[0]
        position += period * rate + 0.5 * period**2 * acceleration
        rate += period * acceleration
        assert direction * position[0] <= limit + 1e-9
    assert position[0] == pytest.approx(direction * limit, abs=1e-5)
    assert rate[0] == pytest.approx(0.0, abs=1e-3)


def test_a_joint_that_is_too_fast_or_outside_returns_no_faster_than_allowed():
    bounds = np.zeros((2, 4))
    position, rate = np.array([0.99, -0.99, 5.0, -5.0]), np.array([9.0, -9.0, 0.0, 0.0])
    ones = np.ones(4)
    acceleration_bounds(position, rate, -ones, ones, ones, 0.1, bounds[0], bounds[1])
    np.testing.assert_array_equal(bounds[0], bounds[1])
    np.testing.assert_allclose(bounds[0], [-100.0, 100.0, -10.0, 10.0])
