"""The internal model of WBOSCImpedance against forward dynamics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, random_robots
from test_wbosc import dreamer_setup, hands_and_posture, random_setup

from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.controllers.wbosc_impedance import WBOSCImpedance
from controlit_ros.finite import NotFiniteError

PERIOD = 0.002


def with_impedance(setup, **parameters):
    """Replace the controller of a setup."""
    setup.controller = WBOSCImpedance(setup.description, setup.controller.max_rows)
    setup.controller.period = PERIOD
    for name, value in parameters.items():
        setup.controller.parameter(name).set(value)
    setup.controller.configure(setup.compound)
    setup.command = setup.controller.create_command()
    return setup


@given(random_robots(min_joints=3), SEEDS, st.booleans())
def test_the_desired_motion_is_that_of_forward_dynamics(robot, seed, grounded):
    setup, rng = random_setup(robot, seed, grounded=grounded, passive=robot.moving[2:3])
    with_impedance(setup, alpha=1.0, beta=1.0)
    state = setup.consistent_state(rng)
    effort = setup.effort(state)
    joints = setup.description.command_indices
    acceleration = setup.acceleration(state, effort)[setup.description.command_dofs]
    velocity = state.velocity[joints] + acceleration * PERIOD
    scale = 1.0 + np.abs(acceleration).max()
    np.testing.assert_allclose(setup.command.velocity, velocity, atol=1e-6 * scale * PERIOD)
    position = state.position[joints] + velocity * PERIOD
    np.testing.assert_allclose(setup.command.position, position, atol=1e-6 * scale * PERIOD**2)


def test_the_internal_model_is_drawn_to_the_measured_state(rng):
    setup = with_impedance(dreamer_setup(hands_and_posture), alpha=0.3, beta=0.2)
    joints = setup.description.command_indices
    position = velocity = None
    for _ in range(20):
        state = setup.consistent_state(rng)
        effort = setup.effort(state)
        acceleration = setup.acceleration(state, effort)[setup.description.command_dofs]
        measured = state.position[joints], state.velocity[joints]
        if position is None:
            position, velocity = measured
        velocity = 0.8 * velocity + 0.2 * measured[1] + acceleration * PERIOD
        position = 0.7 * position + 0.3 * measured[0] + velocity * PERIOD
        np.testing.assert_allclose(setup.command.velocity, velocity, atol=1e-6)
        np.testing.assert_allclose(setup.command.position, position, atol=1e-6)


def test_the_effort_is_that_of_wbosc(rng):
    plain = dreamer_setup(hands_and_posture)
    stiff = with_impedance(dreamer_setup(hands_and_posture), stiffness={"left_elbow": 7.0})
    state = plain.consistent_state(rng)
    np.testing.assert_array_equal(stiff.effort(state), plain.effort(state))
    assert isinstance(plain.controller, WBOSC)
    elbow = stiff.description.command_joints.index("left_elbow")
    assert stiff.command.stiffness[elbow] == 7.0
    np.testing.assert_array_equal(np.delete(stiff.command.stiffness, elbow), 100.0)
    np.testing.assert_array_equal(stiff.command.damping, 10.0)


def test_a_state_that_was_not_finite_leaves_no_trace(rng):
    setup = with_impedance(dreamer_setup(hands_and_posture))
    state = setup.consistent_state(rng)
    setup.effort(state)
    state.velocity[0] = np.nan
    with pytest.raises(NotFiniteError, match="not finite"):
        setup.effort(state)
    state.velocity[0] = 0.0
    setup.effort(state)
    assert np.isfinite(setup.command.position).all()
    joints = setup.description.command_indices
    np.testing.assert_allclose(setup.command.position, state.position[joints], atol=0.01)


def test_a_rehearsal_does_not_advance_the_internal_model(rng):
    setup = with_impedance(dreamer_setup(hands_and_posture))
    state = setup.consistent_state(rng)
    setup.effort(state)
    before = setup.command.position.copy(), setup.controller._position.copy()
    setup.controller.rehearse(setup.model, setup.compound)
    np.testing.assert_array_equal(setup.command.position, before[0])
    np.testing.assert_array_equal(setup.controller._position, before[1])
