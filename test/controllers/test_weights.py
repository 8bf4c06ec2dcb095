"""Weights of tasks and of their rows, where a level cannot have all it wants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prioritisations import each_prioritisation
from robots_for_tests import SEEDS, configured, dreamer
from test_wbosc import dreamer_setup
from test_whole_body_qp import quadratic, solve

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import DISABLE
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.internal_force import InternalForce
from controlit_ros.tasks.joint_position import JointPosition

BODY = "left_wrist_yaw"
POWERS = st.floats(-3.0, 3.0)


def rivals(description):
    """Return two tasks of one level that want one hand in two places, over a posture."""
    goals = ([0.3, 0.3, 1.0], [0.5, -0.2, 0.7])
    hands = [
        configured(
            CartesianPosition(name, description),
            body=BODY, priority=1, kp=64.0, kd=3.0, goal_position=goal,
        )
        for name, goal in zip(("one", "other"), goals, strict=True)
    ]  # fmt: skip
    return [*hands, configured(JointPosition("posture", description), kp=60.0, kd=3.0)]


def weighed(controller, seed, **weights):
    """Return what the hand does, and what both tasks want, `(3,)` each."""
    setup = dreamer_setup(rivals)
    setup.tasks[-1].operational_state.set(DISABLE)  # soft levels let it pull
    for task in setup.tasks:
        if task.name in weights:
            task.weight.set(weights[task.name])
    state = setup.consistent_state(np.random.default_rng(seed))
    setup.update(state)
    effort = setup.compute()
    if controller is not None:
        effort = solve(quadratic(setup, controller), setup)
    one, other, _ = setup.tasks
    hand = one.active.jacobian @ setup.acceleration(state, effort) + one.active.bias
    return hand, one.command.value, other.command.value


def close(found, expected):
    np.testing.assert_allclose(found, expected, atol=1e-4 * (1.0 + np.abs(expected).max()))


@given(seed=SEEDS, power=st.tuples(POWERS, POWERS))
def test_wbosc_meets_rivals_at_their_weighted_mean(seed, power):
    one, other = 10.0 ** power[0], 10.0 ** power[1]
    hand, first, second = weighed(None, seed, one=one, other=other)
    close(hand, (one * first + other * second) / (one + other))


@each_prioritisation
@given(seed=SEEDS, power=POWERS)
def test_a_program_meets_rivals_at_their_weighted_mean(prioritisation, seed, power):
    """Weights far below 1 would let the regularisation count."""
    one, other = max(10.0**power, 1.0), max(10.0**-power, 1.0)
    hand, first, second = weighed(prioritisation, seed, one=one, other=other)
    close(hand, (one * first + other * second) / (one + other))


@given(seed=SEEDS)
def test_each_row_has_a_weight(seed):
    weight = np.array([100.0, 1.0, 1e-4])
    hand, first, second = weighed(None, seed, one=weight)
    close(hand, (weight * first + second) / (weight + 1.0))


@given(seed=SEEDS)
def test_where_all_can_be_had_weights_change_nothing(seed):
    plain, heavy = (dreamer_setup(rivals) for _ in range(2))
    for setup in (plain, heavy):
        setup.tasks[1].operational_state.set(DISABLE)
    heavy.tasks[0].weight.set([100.0, 1.0, 0.01])
    state = plain.consistent_state(np.random.default_rng(seed))
    expected = plain.effort(state)
    np.testing.assert_allclose(
        heavy.effort(state), expected, atol=1e-7 * (1.0 + np.abs(expected).max())
    )


def test_a_weight_changes_while_running():
    setup = dreamer_setup(rivals)
    setup.update(setup.consistent_state(np.random.default_rng(0)))
    before, arrangements = setup.compute(), setup.compound.arrangements
    np.testing.assert_array_equal(setup.compound.weight, 1.0)
    setup.tasks[1].weight.set(50.0)
    assert np.abs(setup.compute() - before).max() > 0.1
    np.testing.assert_array_equal(setup.compound.weight[:6], [1.0] * 3 + [50.0] * 3)
    assert setup.compound.arrangements == arrangements


def test_directions_weigh_the_mean_of_their_components():
    task = configured(
        CartesianPosition("hand", dreamer()), projection=[0.6, 0.8, 0.0, 0.0, 0.0, 2.0]
    )
    weights = np.zeros(2)
    task.write_row_weights(weights)
    np.testing.assert_array_equal(weights, 1.0)
    task.weight.set([2.0, 3.0, 4.0])
    task.write_row_weights(weights)
    assert sorted(weights) == pytest.approx(sorted([0.36 * 2.0 + 0.64 * 3.0, 4.0]))


def test_a_weight_is_above_zero_and_joints_have_names():
    posture = JointPosition("posture", dreamer())
    posture.weight.set({"left_elbow": 3.0})
    assert posture.weight.value[posture.weight.labels.index("left_elbow")] == 3.0
    with pytest.raises(ParameterError, match=r"posture.weight: found 0"):
        posture.weight.set(0.0)


def test_what_stands_in_no_level_has_no_weight():
    assert "weight" not in InternalForce("tension", dreamer()).parameters
