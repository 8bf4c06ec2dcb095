"""The highest gains are where theory sees them, and what bounds them is what bounds them."""

import numpy as np
import pytest
from one_joint import pendulum
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.scripting import SimulatedController
from controlit_ros.tuning.tuner import Bound, Tuner, reflected_inertia

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
PANDA = REPOSITORY / "config" / "panda" / "reach.yaml"
DELAYED = {"simulator.communication_delay": 0.01}  # [s] each way
STEP = 0.01  # [m, rad]
SETTLING, WATCHED = 2500, 500  # [cycles]


def tuned(file, overrides, *names):
    tuning = Tuner(load_configuration(file, overrides), lambda _: None).tune(names)
    assert tuning.together
    return tuning.tasks


def left_of_a_step(file, overrides, name, gains):
    """Return how far a task still goes back and forth, seconds after a step.

    Infinity: control has been given up meanwhile, be it that it has been taken up again.

    Nothing of the tuner is used: the goal of a task at rest moves to one side.
    """
    settings = {**overrides, "soft_start_time": 0.0, "log_level": "ERROR"}
    with SimulatedController(file, settings) as controller:
        task = controller.task(name)
        controller.advance(0.2)
        for parameter, value in zip((task.controller.kp, task.controller.kd), gains, strict=True):
            parameter.assign(value)
        goal = task.active.actual.copy()
        goal[0] += STEP
        task.goal.assign(goal)
        was_active, values = True, []
        for _ in range(SETTLING + WATCHED):
            controller.stack.clock.advance(1)
            was_active = was_active and controller.state.value == "active"
            values.append(task.active.actual.copy())
    return float(np.ptp(values[SETTLING:], axis=0).max()) / STEP if was_active else np.inf


def beyond(gains):
    """Return gains a quarter faster, as users make them: kp and kd apart."""
    return 1.25**2 * gains.kp, 1.25 * gains.kd


def test_dreamer_over_a_delay_bears_what_theory_says():
    (hand,) = tuned(HANDS, DELAYED, "RightHandPosition")
    assert hand.bound is Bound.DELAY
    assert hand.dead_time == pytest.approx(0.0215)
    theory = hand.present.delay_margin / hand.dead_time
    found = np.sqrt(hand.highest.kp / hand.present.kp)
    np.testing.assert_allclose(found, theory, rtol=0.15)
    assert hand.margin == pytest.approx(2.0)
    assert 0.9 * hand.dead_time < hand.delay_margin < 1.2 * hand.dead_time
    kp, _, kd = hand.recommended
    assert left_of_a_step(HANDS, DELAYED, hand.name, (kp, kd)) < 0.01
    assert left_of_a_step(HANDS, DELAYED, hand.name, beyond(hand.highest)) > 0.5


@needs_example_robots
def test_panda_has_less_effort_than_its_clock_would_bear():
    (hand,) = tuned(PANDA, {}, "HandPosition")
    assert hand.bound is Bound.EFFORT
    assert hand.margin > 4.0
    assert hand.effort < 0.95
    kp, _, kd = hand.recommended
    assert left_of_a_step(PANDA, {}, hand.name, (kp, kd)) < 0.01
    assert left_of_a_step(PANDA, {}, hand.name, beyond(hand.highest)) > 0.1


@pytest.mark.parametrize(
    ("simulator", "effort", "bound"),
    [
        ("seed: 1", 1e5, Bound.SAMPLE_TIME),
        ("communication_delay: 0.01", 1e5, Bound.DELAY),
        ("velocity_noise: 0.04", 8, Bound.NOISE),
        ("seed: 1", 3, Bound.EFFORT),
    ],
)
def test_what_bounds_a_pendulum(tmp_path, simulator, effort, bound):
    (posture,) = tuned(pendulum(tmp_path, simulator=simulator, effort=effort), {})
    assert posture.bound is bound
    assert (posture.recommended.kp <= 0.251 * posture.highest.kp).all()
    assert (posture.highest.kp < posture.beyond.kp).all()


@pytest.mark.parametrize(
    ("delay", "prediction", "expected"),
    [
        (0.02, "none", 0.043),
        (0.02, "model", 0.003),
        (0.06, "model", 0.123),  # longer than anything is predicted
    ],
)
def test_the_dead_time_is_the_one_that_check_tells(tmp_path, delay, prediction, expected):
    """A cycle and a half at 500 Hz, and what is not predicted of the way there and back."""
    file = pendulum(tmp_path, "kp: 2500, kd: 100", f"communication_delay: {delay}")
    configuration = load_configuration(file, {"state_prediction": prediction})
    tuner = Tuner(configuration, lambda _: None)
    assert tuner.dead_time == pytest.approx(expected)
    told = [text for text in tuner.stack.warnings if "is answered after" in text]
    assert all(f"after {1e3 * expected:.3g} ms" in text for text in told)
    assert bool(told) == (expected > 0.01)


def test_the_inertia_is_that_of_the_arm(tmp_path):
    stack = load_stack(pendulum(tmp_path))
    assert reflected_inertia(stack)["Posture"] == pytest.approx(0.02 + 1.0 * 0.2**2)


def test_tasks_are_chosen_by_name(tmp_path):
    tuner = Tuner(load_configuration(pendulum(tmp_path)), lambda _: None)
    with pytest.raises(ControlItError, match=r"no task 'Postur'.*Posture"):
        tuner.tune(["Postur"])
    with pytest.raises(ControlItError, match="Idle cannot be tuned: it is in the state sense"):
        tuner.tune(["Idle"])


def test_a_momentum_is_no_matter_of_gains_that_swing(tmp_path):
    file = pendulum(tmp_path, "kp: 5")
    text = file.read_text().replace("Posture", "Rest")
    file.write_text(text.replace("JointPosition", "CentroidalMomentum", 1))
    with pytest.raises(ControlItError, match="Rest cannot be tuned: its law is of first order"):
        Tuner(load_configuration(file), lambda _: None).tune(["Rest"])
