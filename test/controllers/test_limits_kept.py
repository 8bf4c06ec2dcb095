"""No effort, cone or centre of pressure is passed, whatever the goals are.

As a script for as many cycles as it takes, `PYTHONPATH=test:test/controllers .venv/bin/python
test/controllers/test_limits_kept.py 100000 talos`; what is found is printed.
"""

import sys
import time
from collections import Counter

import numpy as np
import pinocchio as pin
import pytest
from contact_oracles import solve
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import edited

from controlit_ros.model import RobotState
from controlit_ros.nodes.building import load_stack
from controlit_ros.solvers import QPError
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition

pytestmark = [pytest.mark.thorough, needs_example_robots]

PERIOD = 1e-3  # [s]
HELD = 150  # [cycles] between two sets of goals
LIVES = 600  # [cycles] after which a robot begins anew
REACHES = (0.05, 0.5, 5.0)  # [m] of goals; the last is out of any reach
HARD = 1e-6
SIDES, MARGIN = 8, 0.05
TALOS = REPOSITORY / "config" / "talos" / "stand_qp.yaml"
ICUB = REPOSITORY / "config" / "icub" / "stand.yaml"
FILES = {"talos": TALOS, "icub": ICUB}
JOINTS = {"name": "Joints", "type": "JointBounds", "acceleration": 60.0, "margin": 0.02}
BALANCE = {"name": "Balance", "type": "SupportPolygon", "margin": 0.02}
HANDS = ["arm_left_7_link", "arm_right_7_link"]
BALL = {"name": "Ball", "type": "Obstacle", "shape": "sphere", "size": [0.1], "bodies": HANDS}
BODIES = {"name": "Bodies", "type": "SelfCollision", "bodies": HANDS, "others": ["torso_2_link"]}
INEQUALITIES = {
    "talos": [JOINTS, BALANCE, BODIES, {**BALL, "position": [0.4, 0.0, 1.1]}],
    "icub": [JOINTS, BALANCE],
}


def content(robot, prioritisation, horizon, inequalities=()):
    """Return a robot's file, by quadratic programs that know what its soles bear."""

    def edit(data):
        data["parameters"]["whole_body_controller_type"] = "WholeBodyQP"
        data["parameters"]["prioritisation_type"] = prioritisation
        data["simulator"]["scene"] = str(FILES[robot].parent / "floor.xml")
        data["whole_body_controller"] = {
            "level_weight": 100.0,
            "regularisation": 1e-6,
            "limit_horizon": horizon,
        }
        data["inequalities"] = list(inequalities)
        for contact in data["constraints"]:
            contact["friction"] = 0.5

    return edited(FILES[robot], edit)


class Life:
    """A robot that moves as its model says, and what of its limits was passed."""

    def __init__(self, robot, prioritisation="Weighted", horizon=0.0, seed=0, inequalities=()):
        self.stack = load_stack(content(robot, prioritisation, horizon, inequalities))
        self.model = self.stack.create_model()
        self.controller = self.stack.controller.chosen
        self.command = self.controller.create_command()
        self.rng = np.random.default_rng(seed)
        self.counts = Counter()
        self.worst = Counter()
        self.horizon = horizon
        self.inequalities = self.controller.inequalities
        self.begin()

    def begin(self):
        robot = self.stack.robot
        self.state = RobotState(
            robot.real_joints, sensors=len(robot.sensors), contacts=len(robot.contacts)
        )
        self.state.copy_from(self.stack.start)
        self.state.position[:] = np.clip(
            self.state.position, robot.lower_limits + 1e-3, robot.upper_limits - 1e-3
        )
        self.age = 0
        self.kept, self.free = {}, set()

    def goals(self):
        """Send the robot somewhere."""
        reach = self.rng.choice(REACHES)
        for task in self.stack.tasks.tasks:
            if isinstance(task, CartesianPosition | CenterOfMass):
                actual = task.active.actual
                task.goal.assign(actual + reach * self.rng.normal(size=actual.shape))
            elif isinstance(task, JointPosition):
                task.goal.assign(self.rng.uniform(-3.0, 3.0, task.goal.value.shape))
            else:
                way = self.rng.normal(size=task.goal.value.shape)
                task.goal.assign(way / np.linalg.norm(way))

    def play(self, cycles):
        for _ in range(cycles):
            self.cycle()

    def cycle(self):
        self.model.update(self.state)
        for task in self.stack.tasks.tasks:
            task.update(self.model.robot_model, task.inactive)
            task.swap()
        if self.age % HELD == 0:
            self.goals()
        self.stack.tasks.compute(PERIOD)
        self.counts["cycles"] += 1
        self.age += 1
        try:
            self.controller.compute_command(self.model, self.stack.tasks, self.command)
        except QPError:
            self.counts["limits that exclude each other"] += 1
            self.begin()
            return
        missing = self.controller.missing_contact_force.value
        self.counts["contacts that miss force"] += missing > 0.0
        acceleration, reactions = solve(self.model, self.command.effort)
        self.judge(acceleration, reactions, missing)
        self.move(acceleration)
        if missing > 0.0 or self.age >= LIVES:
            self.begin()

    def judge(self, acceleration, reactions, missing):
        """Note by how much limits are passed."""
        limits, effort = self.controller.limits, self.command.effort
        self.note("effort [N m]", np.max(np.abs(effort) - limits.effort))
        self.note("dynamics [N m]", self.residual(acceleration, reactions))
        first = 0
        for contact in self.model.constraints.contacts:
            axes = contact.axes(self.model.robot_model)
            wrench = (reactions[first : first + 6].reshape(2, 3) @ axes).ravel()
            first += 6
            beyond = contact.hold().cone(SIDES, MARGIN).beyond(wrench)
            self.note("cone [N]", beyond - missing * (1.0 + 1e-6))
            if wrench[2] > 1.0 and not missing:
                center = np.abs([wrench[4], wrench[3]]) / wrench[2]
                self.note("centre of pressure [m]", np.max(center - contact.half_size.value))
        if self.horizon:
            q, v = (
                x[self.stack.robot.command_indices]
                for x in (self.state.position, self.state.velocity)
            )
            self.note("position [rad]", max(np.max(q - limits.upper), np.max(limits.lower - q)))
            self.note("velocity [rad/s]", np.max(np.abs(v) - limits.velocity))
        self.judge_inequalities()

    def judge_inequalities(self):
        """Note by how much what shall be kept is passed, from when it is for the first time."""
        robot, q = self.stack.robot, self.state.position
        for each in self.inequalities:
            kind, name = type(each).__name__, each.name
            if each.missing.value > 0.0:
                self.counts[f"{name} given way to"] += 1
                self.free.add(name)
            if kind == "JointBounds":
                unit = "rad"
                gap = min(np.min(robot.upper_limits - q), np.min(q - robot.lower_limits))
            else:
                unit = "m"
                gap = each.parameter("distance").value - each.parameter("margin").value
            self.kept[name] = is_kept = self.kept.get(name, False) or gap > 0.0
            if is_kept and name not in self.free:
                self.note(f"{name} [{unit}]", -gap)

    def residual(self, acceleration, reactions):
        robot = self.model.robot_model
        given = self.model.Jc.T @ reactions - robot.BG
        given[robot.description.command_dofs] += self.command.effort
        return np.abs(robot.A @ acceleration - given).max()

    def note(self, what, amount):
        self.worst[what] = max(self.worst.get(what, -np.inf), float(amount))

    def move(self, acceleration):
        """Let a cycle pass."""
        robot, state = self.model.robot_model, self.state
        v = robot.v + PERIOD * acceleration
        pinocchio = self.stack.robot.pinocchio
        q = pin.integrate(pinocchio, robot.q, PERIOD * v)
        state.base_position[:], state.base_orientation[:] = q[:3], q[3:7]
        state.base_velocity[:], state.velocity[:] = v[:6], v[6:]
        state.position += PERIOD * v[6:]


@pytest.mark.parametrize("prioritisation", ["Weighted", "Hierarchical"])
@pytest.mark.parametrize("robot", FILES)
def test_no_limit_is_passed(robot, prioritisation):
    life = Life(robot, prioritisation)
    life.play(600)
    assert life.counts["cycles"] == 600
    assert not life.counts["limits that exclude each other"]
    assert max(life.worst.values()) <= HARD
    assert life.worst["cone [N]"] > -1e-3  # or nothing was asked of them


def main():
    cycles, robots = int(sys.argv[1]), sys.argv[2:] or FILES
    for robot in robots:
        for prioritisation, horizon, inequalities in (
            ("Weighted", 0.0, ()),
            ("Weighted", 0.1, ()),
            ("Hierarchical", 0.0, ()),
            ("Weighted", 0.0, INEQUALITIES[robot]),
            ("Hierarchical", 0.0, INEQUALITIES[robot]),
        ):
            life = Life(robot, prioritisation, horizon, inequalities=inequalities)
            began = time.perf_counter()
            life.play(cycles)
            print(robot, prioritisation, horizon, len(inequalities), dict(life.counts), flush=True)
            print(
                {k: f"{v:.3g}" for k, v in life.worst.items()},
                f"{time.perf_counter() - began:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
