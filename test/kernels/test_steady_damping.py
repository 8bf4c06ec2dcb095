"""Gains that a dead time can bear, against the motion they cause."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.kernels import free_response, steady_damping, steady_gains

SEEDS = st.integers(0, 2**32 - 1)


def mobility(seed, size, spread):
    """Return a random positive definite matrix whose diagonal spans orders of magnitude."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((size, size)) + 0.1 * np.eye(size)
    scale = 10.0 ** rng.uniform(-spread, spread, size)
    return scale[:, None] * (root @ root.T) * scale


@settings(max_examples=tries(60), deadline=None)
@given(SEEDS, st.integers(1, 20), st.floats(0.0, 4.0), st.floats(-3.0, 5.0), st.floats(0.0, 4.0))
def test_no_velocity_fades_faster_than_allowed(seed, size, spread, wanted, fastest):
    Phi, damping = mobility(seed, size, spread), np.zeros(size)
    wanted, fastest = 10.0**wanted, 10.0**fastest
    steady_damping(Phi, wanted, fastest, damping)
    assert ((damping > 0.0) & (damping <= wanted)).all()
    assert np.abs(np.linalg.eigvals(Phi * damping)).max() <= fastest * (1.0 + 1e-9)


@settings(max_examples=tries(20), deadline=None)
@given(SEEDS, st.integers(1, 8), st.integers(1, 30))
def test_velocities_fade_after_a_dead_time_without_swinging(seed, size, dead_cycles):
    period = 1e-3
    Phi, damping = mobility(seed, size, 3.0), np.zeros(size)
    steady_damping(Phi, 1e9, 1.0 / (np.e * (dead_cycles + 1) * period), damping)
    rng = np.random.default_rng(seed)
    past = [np.linalg.cholesky(Phi) @ rng.standard_normal(size)] * (dead_cycles + 1)
    energies = []
    for _ in range(60 * (dead_cycles + 1)):
        velocity = past[-1] - period * Phi @ (damping * past[-1 - dead_cycles])
        past.append(velocity)
        energies.append(velocity @ np.linalg.solve(Phi, velocity))
    assert max(energies) <= energies[0] * (1.0 + 1e-9)
    assert energies[-1] < energies[0]


@settings(max_examples=tries(40), deadline=None)
@given(SEEDS, st.integers(1, 12))
def test_free_response_is_the_inverse_inertia_of_the_command_joints(seed, size):
    rng = np.random.default_rng(seed)
    A = mobility(seed, size, 1.0)
    dofs = rng.permutation(size)[: rng.integers(1, size + 1)]
    Phi = np.zeros((len(dofs), len(dofs)))
    assert free_response(A, dofs, np.zeros((2, size, size)), Phi)
    expected = np.linalg.inv(A)[np.ix_(dofs, dofs)]
    np.testing.assert_allclose(Phi, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max())
    assert not free_response(-A, dofs, np.zeros((2, size, size)), Phi)


def test_what_is_heavy_enough_gets_what_is_wanted():
    damping = np.zeros(3)
    steady_damping(np.diag([1.0, 0.1, 0.0]), 2.0, 10.0, damping)
    np.testing.assert_array_equal(damping, 2.0)


@settings(max_examples=tries(60), deadline=None)
@given(SEEDS, st.integers(1, 12), st.floats(0.0, 3.0), st.floats(-2.0, 6.0), st.floats(1.0, 4.0))
def test_drives_neither_fade_nor_swing_faster_than_allowed(seed, size, spread, gain, fastest):
    rng = np.random.default_rng(seed)
    Phi, fastest = mobility(seed, size, spread), 10.0**fastest
    wanted = 10.0**gain * rng.uniform(0.0, 1.0, (2, size))
    stiffness, damping = wanted.copy()
    is_less = steady_gains(Phi, fastest, stiffness, damping)
    assert is_less == bool((np.stack([stiffness, damping]) < wanted).any())
    assert (stiffness <= wanted[0]).all()
    assert (damping <= wanted[1]).all()
    assert np.abs(np.linalg.eigvals(Phi * damping)).max() <= fastest * (1.0 + 1e-9)
    assert np.sqrt(np.abs(np.linalg.eigvals(Phi * stiffness)).max()) <= fastest * (1.0 + 1e-9)
