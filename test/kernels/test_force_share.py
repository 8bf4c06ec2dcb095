"""Forces that yield to the limits of the joints, against a search for the largest share."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.kernels import force_share

SEEDS = st.integers(0, 2**32 - 1)
LEAST = 0.02


@given(SEEDS, st.integers(1, 12), st.floats(-3.0, 6.0))
def test_it_is_the_largest_share_within_the_limits(seed, joints, exponent):
    rng = np.random.default_rng(seed)
    limit = 10.0 ** rng.uniform(-2, 3, joints)
    rest = limit * rng.uniform(-0.95, 0.95, joints)
    forces = 10.0**exponent * rng.normal(size=joints) * (rng.random(joints) < 0.7)
    effort = rest + forces
    share, joint = force_share(effort, forces, limit)
    assert 0.0 < share <= 1.0
    np.testing.assert_allclose(
        effort, rest + share * forces, rtol=1e-9, atol=1e-9 * abs(forces).max()
    )
    rounding = 1e-14 * np.abs(forces).max()
    assert (np.abs(effort) <= limit + rounding).all()
    if share < 1.0:
        more = rest + 1.001 * share * forces
        assert abs(more[joint]) > limit[joint] * (1.0 - 1e-8) - rounding
    else:
        assert joint == -1


@given(SEEDS, st.integers(2, 8))
def test_a_joint_that_is_busy_already_takes_no_force_it_hardly_needs_away(seed, joints):
    rng = np.random.default_rng(seed)
    limit = np.full(joints, 100.0)
    rest = rng.uniform(-50.0, 50.0, joints)
    rest[0] = rng.uniform(100.0, 1e4)  # truncated anyway
    forces = rng.uniform(-30.0, 30.0, joints)
    forces[0] = rng.uniform(-1.0, LEAST) * limit[0]
    share, _ = force_share(rest + forces, forces, limit)
    assert share == 1.0


def test_it_does_not_step_as_another_joint_reaches_its_limit():
    forces, limit = np.array([40.0, 10.0]), np.array([100.0, 50.0])
    shares = [
        force_share(np.array([rest, 0.0]) + forces, forces, limit)[0]
        for rest in np.linspace(0.0, 200.0, 2001)
    ]
    assert shares[0] == 1.0
    assert shares[-1] > 0.0
    assert np.abs(np.diff(shares)).max() < 4e-3


def test_joints_without_limits_or_drives_do_not_count():
    forces, limit = np.array([1e6, 5.0, 1.0]), np.array([np.inf, 0.0, 10.0])
    effort = forces.copy()
    assert force_share(effort, forces, limit) == (1.0, -1)
    np.testing.assert_array_equal(effort, forces)
