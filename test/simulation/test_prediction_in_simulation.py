"""Dreamer over known delays, with a state that is predicted."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
PREDICTED = {"state_prediction": "model", "soft_start_time": 0.2}
NOISE = {"simulator.position_noise": 1e-4, "simulator.velocity_noise": 1e-2}


def started(settings, *, reflects=True):
    """Return a run whose right hand has just got a goal 3 cm away."""
    run = SimulatedHands(HANDS, None, {**PREDICTED, **settings})
    if not reflects:
        robot = run.coordinator.robot
        read = robot.read

        def blind(state):
            is_fresh = read(state)
            state.reflected_sequence = 0
            return is_fresh

        robot.read = blind
    run.stack.clock.advance(500)
    task = run.tasks["RightHandPosition"]
    task.goal.set(task.active.actual + np.array([0.0, 0.0, 0.03]))
    return run


def speed(run, cycles):
    """Return the largest speed of a joint while time passes [rad/s]."""
    fastest = 0.0
    for _ in range(cycles // 10):
        run.stack.clock.advance(10)
        fastest = max(fastest, np.abs(run.velocity).max())
    return fastest


def test_it_is_what_mujoco_measures_later():
    """Coupled and light joints among them, while all of them move."""
    state_delay, command_delay = 0.012, 0.008
    delays = {"state": state_delay, "command": command_delay}
    run = started({"simulator.communication_delay": delays})
    steps = 20
    seen, measured = [], []
    for _ in range(400):
        run.advance(1)
        seen.append(run.coordinator.model_updater.active.robot_model.state.position.copy())
        measured.append(run.position)
    seen, measured = np.array(seen), np.array(measured)
    later = measured[steps:]
    missed = np.abs(seen[:-steps] - later).max()
    assert np.abs(measured[:-steps] - later).max() > 0.008
    assert missed < 5e-4


@pytest.mark.parametrize("reflects", [True, False])
def test_gains_that_the_delay_does_not_bear_do_with_it(reflects):
    """Without it, 20 ms each way leave the headings swinging (`docs/delays_and_friction.md`)."""
    run = started({"simulator.communication_delay": 0.03}, reflects=reflects)
    goal = run.tasks["RightHandPosition"].goal.value.copy()
    run.advance(2400)
    assert speed(run, 200) < 0.02
    assert np.linalg.norm(run.actual("RightHandPosition") - goal) < 1e-4


@pytest.mark.parametrize("stated", [0.01, 0.021, 0.03])
def test_a_delay_that_is_stated_wrongly(stated):
    """Half and half as much again, where 20 ms are the truth."""
    settings = {"simulator.communication_delay": 0.01, "round_trip_delay": stated}
    run = started(settings, reflects=False)
    run.advance(2000)
    assert speed(run, 200) < 0.04


def test_limits_are_kept_by_the_stated_delay_where_the_robot_reflects_none():
    """The guard brakes as hard as the delay lets it; it once made the robot swing by itself."""
    delay = {"simulator.communication_delay": 0.01, "state_prediction": "none"}
    run = started(delay, reflects=False)
    run.advance(600)
    assert np.isnan(run.coordinator.round_trip.latency)


def test_noise_does_not_chatter():
    run = started({"simulator.communication_delay": 0.02, **NOISE})
    run.advance(1500)
    assert not [text for text in run.complaints() if "chatter" in text or "diverges" in text]


def test_what_is_shown_is_measured_and_nothing_is_predicted_in_the_safe_state():
    run = started({"simulator.communication_delay": 0.01})
    read = run.coordinator.robot.read
    run.advance(100)
    state = run.coordinator.robot_state
    model = run.coordinator.model_updater.active.robot_model.state
    assert np.abs(model.position - state.position).max() > 1e-3
    assert model.sequence == state.sequence
    run.coordinator.robot.read = broken
    run.stack.clock.advance(100)
    run.coordinator.robot.read = read
    assert run.coordinator.state is CoordinatorState.SAFE
    run.stack.clock.advance(5)
    assert run.coordinator.state is CoordinatorState.SAFE
    model = run.coordinator.model_updater.active.robot_model.state
    np.testing.assert_array_equal(model.vector, run.coordinator.robot_state.vector)


def broken(state):
    raise OSError("unplugged")


def test_what_it_cannot_do_is_refused():
    for path, settings, text in (
        (HANDS, {"whole_body_controller_type": "WBOSCImpedance"}, "commands have gains"),
        (REPOSITORY / "config" / "trikey" / "drive.yaml", {}, "root link"),
    ):
        with pytest.raises(ControlItError, match=text):
            load_stack(path, {"state_prediction": "model", **settings})


def test_check_advises_it_and_counts_it():
    settings = {"simulator.communication_delay": 0.02}
    advised = load_stack(HANDS, settings).warnings
    assert any(text.endswith("or state_prediction: model") for text in advised)
    assert load_stack(HANDS, {**settings, "state_prediction": "model"}).warnings == ()
    settings["simulator.communication_delay"] = 0.06
    (text, *others) = load_stack(HANDS, {**settings, "state_prediction": "model"}).warnings
    assert "nothing is predicted over a round trip of 0.12 s" in text
    assert others
