"""What velocity is asked for, and for how long it counts."""

import numpy as np

from controlit_ros.locomotion.wanted_velocity import WantedVelocity
from controlit_ros.parameters import ParameterReflection

FAR = np.full(3, 10.0)


def a_velocity():
    velocity = WantedVelocity(ParameterReflection("Walk"))
    velocity.begin(10.0)
    return velocity


def test_what_is_old_does_not_count():
    velocity = a_velocity()
    velocity.wanted.set((0.4, 0.0, 0.0))
    velocity.hear(11.0)
    assert velocity.target[0] == 0.4
    velocity.hear(11.4)
    assert velocity.target[0] == 0.4
    velocity.hear(11.6)
    assert not velocity.target.any()
    velocity.wanted.set((0.4, 0.0, 0.0))  # the same again is news
    velocity.hear(11.7)
    assert velocity.target[0] == 0.4


def test_without_timeout_it_counts_for_ever():
    velocity = a_velocity()
    velocity.timeout.set(0.0)
    velocity.wanted.set((0.0, 0.1, 0.0))
    velocity.hear(11.0)
    velocity.hear(1000.0)
    assert velocity.target[1] == 0.1


def test_what_was_asked_for_before_does_not_count():
    velocity = a_velocity()
    velocity.timeout.set(0.0)
    velocity.wanted.set((0.4, 0.0, 0.0))
    velocity.hear(11.0)
    velocity.begin(12.0)
    velocity.hear(12.0)
    assert not velocity.target.any()


def test_it_is_followed_in_small_changes():
    velocity = a_velocity()
    velocity.wanted.set((0.25, -0.1, 0.0))
    velocity.hear(10.1)
    steps = [velocity.next(FAR) for _ in range(3)]
    np.testing.assert_allclose(steps, [(0.1, -0.06, 0), (0.2, -0.1, 0), (0.25, -0.1, 0)])


def test_a_stop_is_at_once():
    velocity = a_velocity()
    velocity.wanted.set((0.25, -0.1, 0.3))
    velocity.hear(10.1)
    assert [velocity.next(FAR) for _ in range(3)][-1].all()
    velocity.wanted.set((0.0, 0.0, 0.0))
    velocity.hear(10.2)
    assert not velocity.next(FAR).any()


def test_what_is_out_of_reach_does_not_count():
    velocity = a_velocity()
    velocity.wanted.set((5.0, 0.0, -5.0))
    velocity.hear(10.1)
    reach = np.array([0.15, 0.1, 0.2])
    steps = [velocity.next(reach) for _ in range(3)]
    np.testing.assert_allclose(steps, [(0.1, 0, -0.15), (0.15, 0, -0.2), (0.15, 0, -0.2)])


def test_next_to_nothing_is_nothing():
    velocity = a_velocity()
    velocity.wanted.set((9e-4, -9e-4, 9e-4))
    velocity.hear(10.1)
    assert not velocity.target.any()
    velocity.wanted.set((2e-3, 0.0, 0.0))
    assert velocity.target.any()
