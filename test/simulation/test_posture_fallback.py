"""The safe state of a robot that must balance, in simulated time."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.base_vertical import UPRIGHT, BaseVertical

TALOS = REPOSITORY / "config" / "talos" / "stand.yaml"
SIDEWAYS = np.array([0.0, 0.06, 0.0])  # [m]
PUSH = 700.0  # [N] for 0.3 s
LEANING = 0.81  # [rad] of the base from upright: the watch takes 0.8 for a fall
FALLING = 5000  # [ms] meanwhile it leans so far
WATCHED = 100  # [ms]
LYING = 2500  # [ms] after the fall was noticed
MOST_SHARE = 0.2  # [-] of each effort limit, for a robot that has fallen
UNDER_FLOOR = -0.1  # [m] a hand without a shape sinks in by a part of its size
SETTLING, SHIFT, FAILING, STEP = 500, 2000, 1000, 10  # [ms], which are cycles
RESTING = 4000  # [ms] twice the first rest of `servo/rest.py`


class Failure:
    """A controller that computes a command that is not finite, or raises, while it fails."""

    def __init__(self, run, kind):
        self._compute, self._kind = run.stack.controller.compute_command, kind
        self.is_failing = False
        run.stack.controller.compute_command = self

    def __call__(self, model, tasks, command):
        self._compute(model, tasks, command)
        if self.is_failing and self._kind == "raises":
            raise ValueError("on purpose")
        if self.is_failing:
            command.effort[0] = np.nan


def play(fallback, kind, begin):
    """Let control fail for a second in the middle of a shift of the weight.

    Args:
        fallback: What happens meanwhile.
        kind: How it fails.
        begin: When, in the 2 s that the shift takes [ms].

    Return how far from where it was when that began the centre of mass went meanwhile, how far it
    is from its goal, which is then where it is, a second after control began again [m], and the
    state then.
    """
    run = SimulatedHands(TALOS, None, {"fallback": fallback})
    failure = Failure(run, kind)
    run.advance(SETTLING)
    task = run.tasks["CenterOfMass"]
    start = task.active.actual.copy()
    for now in range(0, begin, STEP):
        s = now / SHIFT
        task.goal.set(start + SIDEWAYS * s**3 * (10.0 - 15.0 * s + 6.0 * s**2))
        task.goal_velocity.set(SIDEWAYS * 30.0 * s**2 * (1.0 - s) ** 2 / (1e-3 * SHIFT))
        run.advance(STEP)
    then, moved = run.actual("CenterOfMass"), 0.0
    failure.is_failing = True
    for _ in range(0, FAILING, STEP):
        run.stack.clock.advance(STEP)
        moved = max(moved, float(np.linalg.norm(run.actual("CenterOfMass") - then)))
    assert run.coordinator.state is CoordinatorState.SAFE
    failure.is_failing = False
    goal = run.actual("CenterOfMass")
    task.goal.set(goal)
    task.goal_velocity.set(np.zeros(3))
    for _ in range(0, RESTING, STEP):  # how long depends on when it failed last, to a rounding
        run.stack.clock.advance(STEP)
        if run.coordinator.state is CoordinatorState.ACTIVE:
            break
    run.stack.clock.advance(1001)
    missing = float(np.linalg.norm(run.actual("CenterOfMass") - goal))
    return moved, missing, run.coordinator.state


def pushed_over(**settings):
    """Push a standing robot hard; return it when it lies."""
    run = SimulatedHands(TALOS, None, settings)
    run.advance(SETTLING)
    run.stack.robot_interface.simulation.push("torso_2_link", [0.0, PUSH, 0.0], 0.3)
    for _ in range(0, FALLING, STEP):
        run.stack.clock.advance(STEP)
        if BaseVertical.of(run.coordinator.robot_state).angle_to(UPRIGHT) > LEANING:
            return run
    raise AssertionError("the robot has not fallen")


def largest_efforts(run):
    """Return the largest effort of each of the next cycles [N m]."""
    efforts = []
    for _ in range(WATCHED):
        run.stack.clock.advance(1)
        efforts.append(float(np.abs(run.coordinator.command.effort).max()))
    return efforts


pytestmark = [pytest.mark.simulation, needs_example_robots]


@pytest.mark.parametrize("begin", [700, 1000, 1300])
@pytest.mark.parametrize("kind", ["raises", "not finite"])
def test_a_humanoid_that_shifts_its_weight_stands_through_a_failure(kind, begin):
    moved, missing, state = play("posture", kind, begin)
    assert state is CoordinatorState.ACTIVE
    assert moved < 0.01
    assert missing < 0.01


def test_a_humanoid_that_is_pushed_over_is_damped_and_stays_down():
    """Efforts brake, are a small and decreasing share of the limits, and control stays off."""
    run = pushed_over()
    coordinator, physics = run.coordinator, run.stack.robot_interface.simulation
    limits = JointLimits.of(run.stack.create_model().robot_model.description).effort
    drives = physics._drive_velocities
    shares, work = [], 0.0
    for _ in range(LYING):
        velocity = physics.data.qvel[drives].copy()
        run.stack.clock.advance(1)
        effort = physics.data.qfrc_actuator[drives]
        shares.append(np.abs(effort / limits).max())
        work = max(work, float(effort @ (velocity + physics.data.qvel[drives])))
        assert physics.data.xipos[1:, 2].min() > UNDER_FLOOR
    most = MOST_SHARE * np.exp(-np.arange(LYING) / 2000.0)
    assert (np.array(shares[2:]) <= most[:-2] + 1e-9).all()
    assert np.max(shares) > 0.5 * MOST_SHARE
    assert work < 1.0  # [W] nothing drives the robot
    assert np.abs(physics.data.qvel).max() < 0.5  # it lies still
    assert coordinator.state is CoordinatorState.SAFE
    assert "the robot has fallen" in "".join(run.complaints())
    coordinator.request_deactivation()
    run.stack.clock.advance(1)
    coordinator.request_activation()
    run.stack.clock.advance(5)
    assert coordinator.state is CoordinatorState.ACTIVE


def test_a_limit_of_zero_watches_no_fall():
    """What it does then differs from machine to machine; it is not damped."""
    run = pushed_over(fall_tilt=0.0)
    assert np.median(largest_efforts(run)) > 60.0
    assert "the robot has fallen" not in "".join(run.complaints())


def test_without_a_posture_to_keep_it_sags():
    moved, _, _ = play("hold", "raises", 1000)
    assert moved > 0.03
