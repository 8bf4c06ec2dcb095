"""The highest gains are where theory sees them, and what bounds them is what bounds them."""

import numpy as np
import pytest
from one_joint import pendulum
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.scripting import SimulatedController
from controlit_ros.tuning.task_gains import objection
from controlit_ros.tuning.tuner import ASSUMED, Bound, Tuner, reflected_inertia

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
PANDA = REPOSITORY / "config" / "panda" / "reach.yaml"
NO_NOISE = {"simulator.position_noise": 0.0, "simulator.velocity_noise": 0.0}
IDEAL = {**NO_NOISE, "simulator.communication_delay": 0.0}
DELAYED = {**NO_NOISE, "simulator.communication_delay": 0.01}  # [s] each way
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
    (hand,) = tuned(PANDA, IDEAL, "HandPosition")
    assert hand.bound is Bound.EFFORT
    assert hand.margin > 4.0
    assert hand.effort < 0.95
    kp, _, kd = hand.recommended
    assert hand.delay_margin > 0.0
    assert left_of_a_step(PANDA, IDEAL, hand.name, (kp, kd)) < 0.01
    assert left_of_a_step(PANDA, IDEAL, hand.name, beyond(hand.highest)) > 0.1


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
    stated = simulator.partition(":")[0]
    ideal = {key: value for key, value in IDEAL.items() if not key.endswith(stated)}
    (posture,) = tuned(pendulum(tmp_path, simulator=simulator, effort=effort), ideal)
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


def assumed(tuner):
    """Return overrides of a simulation as it was assumed."""
    return {f"robot_interface.{key}": value for key, value in tuner.assumed.items()}


@pytest.mark.parametrize("gains", ["kp: 25, kd: 10", "kp: 64, kd: 16", "kp: 400, kd: 12"])
@pytest.mark.parametrize("effort", [1e5, 100, 8])
def test_gains_of_a_pendulum_have_a_margin_of_delay_and_of_noise(tmp_path, gains, effort):
    file = pendulum(tmp_path, gains, effort=effort)
    tuner = Tuner(load_configuration(file), lambda _: None)
    assert tuner.assumed == ASSUMED
    assert tuner.dead_time == pytest.approx(2 * ASSUMED["communication_delay"] + 1.5 / 500)
    (posture,) = tuner.tune().tasks
    assert posture.delay_margin >= 0.99 * tuner.dead_time
    assert posture.recommended.delay_margin == pytest.approx(posture.delay_margin + tuner.dead_time)
    kp, _, kd = (float(gain.max()) for gain in posture.recommended)
    noise = np.hypot(kp * ASSUMED["position_noise"], kd * ASSUMED["velocity_noise"])
    assert posture.inertia * noise < 0.1 * effort
    left = left_of_a_step(file, assumed(tuner), "Posture", posture.recommended[::2])
    assert left < 1.0  # noise moves it


@needs_example_robots
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("dreamer/hands.yaml", "RightHandOrientation"),
        ("panda/reach.yaml", "HandPosition"),
        ("panda/reach.yaml", "Posture"),
        ("baxter/arms.yaml", "Posture"),
        ("tiago/hands.yaml", "Posture"),
        ("trikey/drive.yaml", "Posture"),
    ],
)
def test_shipped_files_get_gains_with_a_margin(file, name):
    path = REPOSITORY / "config" / file
    tuner = Tuner(load_configuration(path), lambda _: None)
    known = [task.name for task in tuner.stack.tasks.tasks if not objection(task)]
    (task,) = tuner.tune([name if name in known else known[0]]).tasks
    if task.recommended is None:
        assert task.highest is None or task.bound is Bound.EFFORT
        return
    assert task.delay_margin > 0.0
    kp, _, kd = task.recommended
    assert left_of_a_step(path, assumed(tuner), task.name, (kp, kd)) < 1.0


def test_what_is_stated_is_not_assumed(tmp_path):
    file = pendulum(tmp_path, simulator="communication_delay: 0.004")
    tuner = Tuner(load_configuration(file, {"simulator.velocity_noise": 0.0}), lambda _: None)
    assert tuner.assumed == {"position_noise": ASSUMED["position_noise"]}
    tuner = Tuner(load_configuration(pendulum(tmp_path), IDEAL), lambda _: None)
    assert tuner.assumed == {}
    assert tuner.dead_time == pytest.approx(1.5 / 500)


def test_a_round_trip_that_is_stated_is_simulated(tmp_path):
    file = pendulum(tmp_path)
    tuner = Tuner(load_configuration(file, {"round_trip_delay": 0.03}), lambda _: None)
    assert tuner.assumed["communication_delay"] == pytest.approx(0.015)
    assert tuner.dead_time == pytest.approx(0.033)


def test_each_trial_is_told(tmp_path):
    lines = []
    Tuner(load_configuration(pendulum(tmp_path)), lines.append).tune()
    assert len([line for line in lines if line.startswith("Posture: a step of ")]) >= 3
    assert lines[-1].startswith("Posture: limited by ")
