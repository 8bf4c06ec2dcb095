"""Limits of joints on simulated robots: they hold, and they leave alone what is far from them."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.controllers.acceleration_limits import RANGE_MARGIN

pytestmark = pytest.mark.simulation

CONFIG = REPOSITORY / "config"
SIDEWAYS = np.array([0.0, 0.05, 0.0])  # [m]
SHIFT_TIME = 1.0  # [s]
GOAL_CYCLES = 10  # goals at 100 Hz


def smooth(phase):
    """Go from 0 to 1 and stop there, with minimum jerk."""
    x = min(phase, 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)


class HeldBack:
    """Watches how far limits change the effort of each joint."""

    def __init__(self, run):
        self.coordinator = run.coordinator
        shaping = run.coordinator._cycle.shaping
        self.shape = shaping.shape
        shaping.shape = self
        self.most = np.zeros(len(run.stack.robot.command_joints))

    def __call__(self, *arguments):
        self.shape(*arguments)
        asked, sent = self.coordinator.watch.asked, self.coordinator.command.effort
        np.maximum(self.most, np.abs(sent - asked), out=self.most)


@needs_example_robots
def test_a_humanoid_that_shifts_its_weight_is_left_alone():
    """In a closed chain efforts beyond the bias carry the robot; they tell nothing of limits."""
    run = SimulatedHands(CONFIG / "talos" / "stand.yaml")
    assert run.stack.guard.enforce_position.all()
    assert run.stack.guard.enforce_velocity.all()
    held_back = HeldBack(run)
    run.advance(1)
    task = run.tasks["CenterOfMass"]
    start = task.active.actual.copy()
    for number in range(200):
        task.goal.set(start + smooth(number / (100 * SHIFT_TIME)) * SIDEWAYS)
        run.advance(GOAL_CYCLES)
    np.testing.assert_allclose(task.active.actual, start + SIDEWAYS, atol=2e-3)
    robot = run.stack.robot
    at_end = np.minimum(robot.upper_limits - run.position, run.position - robot.lower_limits)
    names = np.array(robot.real_joints)[at_end < RANGE_MARGIN]
    assert set(names) == {"gripper_left_joint", "gripper_right_joint"}  # they begin at their end
    held = np.array(robot.command_joints)[held_back.most > 0.0]
    assert set(held) <= set(names)
    assert run.complaints() == []


@pytest.mark.parametrize(("joint", "angle"), [("right_elbow", 3.0), ("right_wrist_pitch", -1.5)])
class TestEndOfTheRange:
    """A joint of Dreamer without the stops MuJoCo would give it, and a goal beyond its end."""

    def play(self, joint, angle, *, enforce):
        def only_posture(data):
            for entry in data["compound_task"]:
                if entry["name"] != "Posture":
                    entry["operational_state"] = "disable"

        flags = {"enforce_position_limits": enforce, "enforce_velocity_limits": enforce}
        run = SimulatedHands(CONFIG / "dreamer" / "hands.yaml", only_posture, flags)
        run.stack.robot_interface.simulation.model.jnt_limited[:] = 0
        run.advance(1100)
        posture, robot = run.tasks["Posture"], run.stack.robot
        index = robot.joint_index(joint)
        goal = posture.goal.value.copy()
        goal[index] = angle
        posture.goal.set(goal)
        path = []
        for _ in range(550):
            run.advance(10)
            path.append(run.position[index])
        end = robot.upper_limits[index] if angle > 0.0 else robot.lower_limits[index]
        return run, np.array(path) * np.sign(angle), end

    def test_it_stops_there(self, joint, angle):
        run, path, end = self.play(joint, angle, enforce=True)
        assert path.max() < abs(end) + 1e-3
        np.testing.assert_allclose(path[-20:], abs(end), atol=1e-3)
        texts = [text for text in run.complaints() if text.startswith("position limit")]
        assert texts
        assert all(f"{joint}: held back at" in t and t.endswith(f"limit {end:.4g}") for t in texts)

    def test_without_enforcement_it_goes_on(self, joint, angle):
        _, path, end = self.play(joint, angle, enforce=False)
        assert path[-1] > abs(end) + 0.1


SPEED_PART = 1.05  # of the limit, the most any input may make of it
UNTOLD_PART = 1.07, 1.15  # likewise, where friction is not known and late; with noise
ATTACKED = 300  # [cycles]


class Thrown:
    """A simulated robot without stops in its joints, under inputs that would throw it."""

    def __init__(self, path, edit=None, **overrides):
        overrides = {"soft_start_time": 0.0, **overrides}
        self.run = SimulatedHands(path, edit, overrides)
        self.run.stack.robot_interface.simulation.model.jnt_limited[:] = 0
        self.run.advance(20)
        self.rng = np.random.default_rng(1)
        robot, joints = self.run.stack.robot, self.run.stack.robot.command_indices
        self.joints, self.speed = joints, robot.velocity_limits[joints]
        self.effort = robot.effort_limits[joints]
        self.lower, self.upper = robot.lower_limits[joints], robot.upper_limits[joints]
        self.fastest = self.strongest = 0.0
        self.allowed = SPEED_PART
        self.out = -np.inf

    def watch(self, throw):
        for cycle in range(ATTACKED):
            throw(cycle)
            self.run.stack.clock.advance(1)  # it may end in the safe state
            velocity, position = self.run.velocity[self.joints], self.run.position[self.joints]
            effort = np.abs(self.run.coordinator.command.effort)
            self.fastest = max(self.fastest, (np.abs(velocity) / self.speed).max())
            self.strongest = max(self.strongest, (effort / self.effort).max())
            self.out = max(self.out, (position - self.upper).max(), (self.lower - position).max())
        assert self.fastest <= self.allowed
        assert self.strongest <= 1.0
        assert self.out <= 0.01

    def feed_forward(self, task, size):
        """Hold huge velocities and accelerations in one direction, then in others."""

        def throw(cycle):
            if cycle % 100 == 0:
                direction = self.rng.choice([-1.0, 1.0], task.dimension)
                task.goal_velocity.set(size * direction)
                task.goal_acceleration.set(size * 30.0 * direction)

        self.watch(throw)

    def drive_gains(self, task):
        """Turn the gains of the drives up, by orders of magnitude, while goals jump."""
        controller = self.run.stack.controller

        def throw(cycle):
            if cycle % 60 == 0:
                for name in ("stiffness", "damping"):
                    controller.parameters[name].set(10.0 ** self.rng.uniform(0.0, 6.0))
                task.goal.set(self.rng.uniform(-3.0, 3.0, task.dimension))

        self.watch(throw)

    def gains(self, task, goals):
        """Turn the gains up as far as they go and let goals jump."""
        task.controller.max_velocity.assign(0.0 * task.controller.max_velocity.value)
        task.controller.kp.set(1e6)

        def throw(cycle):
            if cycle % 20 == 0:
                task.goal.set(goals())

        self.watch(throw)


ROBOTS = [
    CONFIG / "dreamer" / "hands.yaml",
    pytest.param(
        CONFIG / "panda" / "reach.yaml",
        marks=needs_example_robots,
    ),
]


@pytest.mark.parametrize("path", ROBOTS, ids=["Dreamer", "Panda"])
class TestThrown:
    """No input makes a joint faster than its limit or leave its range, nor an effort larger."""

    @pytest.mark.parametrize("size", [10.0, 1e6, 1e20])
    def test_by_feed_forwards_of_the_posture(self, path, size):
        thrown = Thrown(path)
        thrown.feed_forward(thrown.run.tasks["Posture"], size)

    def test_by_feed_forwards_of_a_hand(self, path):
        thrown = Thrown(path)
        hands = [name for name in thrown.run.tasks if name.endswith("HandPosition")]
        thrown.feed_forward(thrown.run.tasks[hands[0]], 1e3)

    def test_by_gains_and_goals(self, path):
        self.by_goals_of_the_posture(Thrown(path))

    def test_through_drives_with_gains_of_their_own(self, path):
        thrown = Thrown(path, whole_body_controller_type="WBOSCImpedance")
        thrown.feed_forward(thrown.run.tasks["Posture"], 1e6)

    @pytest.mark.parametrize("frequency", [250.0, 1000.0])
    def test_by_the_gains_of_drives(self, path, frequency):
        controller = {"whole_body_controller_type": "WBOSCImpedance"}
        thrown = Thrown(path, **controller, servo_frequency=frequency)
        thrown.drive_gains(thrown.run.tasks["Posture"])

    def test_at_a_low_rate(self, path):
        thrown = Thrown(path, servo_frequency=250.0)
        thrown.feed_forward(thrown.run.tasks["Posture"], 1e6)

    def test_with_a_limited_rate_of_effort(self, path):
        thrown = Thrown(path, max_effort_rate=300.0)
        thrown.feed_forward(thrown.run.tasks["Posture"], 1e6)

    def test_during_the_soft_start(self, path):
        thrown = Thrown(path, soft_start_time=0.5)
        thrown.feed_forward(thrown.run.tasks["Posture"], 1e6)

    @pytest.mark.parametrize("noise", [0.0, 1.0])
    @pytest.mark.parametrize("seed", [2, 7])
    def test_with_friction_nobody_told_of_and_a_delay(self, path, seed, noise):
        """Dry friction of a joint pushes its neighbours when it changes sides."""
        simulator = {
            "joint_friction": 0.5,
            "communication_delay": 0.002,
            "position_noise": 1e-4 * noise,
            "velocity_noise": 1e-2 * noise,
        }
        simulator = {f"simulator.{name}": value for name, value in simulator.items()}
        for attack in (self.by_feed_forward, self.by_goals_of_the_posture):
            thrown = Thrown(path, **simulator)
            thrown.allowed = UNTOLD_PART[noise > 0.0]
            thrown.rng = np.random.default_rng(seed)
            attack(thrown)

    def by_feed_forward(self, thrown):
        hands = [name for name in thrown.run.tasks if name.endswith("HandPosition")]
        thrown.feed_forward(thrown.run.tasks[hands[0]], 10.0 ** thrown.rng.uniform(1.0, 5.0))

    def by_goals_of_the_posture(self, thrown):
        posture = thrown.run.tasks["Posture"]
        thrown.gains(posture, lambda: thrown.rng.uniform(-3.0, 3.0, posture.dimension))
