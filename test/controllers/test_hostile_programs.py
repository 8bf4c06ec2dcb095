"""What a stranger may set: the efforts stay finite and within their limits, and control goes on."""

import functools

import numpy as np
import pytest
from prioritisations import each_prioritisation
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import edited

from controlit_ros.model import RobotState
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import start_of
from controlit_ros.parameters import ParameterError

pytestmark = [pytest.mark.thorough, needs_example_robots]

CONFIG = REPOSITORY / "config"
STATES = 4
TURN, SPEED = 0.3, 0.5  # [rad] and [rad/s] off the start
OF_PANDA = {
    "nothing": {},
    "inside of an obstacle": {"Whale.enabled": True},
    "between planes that leave nothing": {"Above.enabled": True, "Below.enabled": True},
    "planes and obstacle at once": {
        "Whale.enabled": True,
        "Above.enabled": True,
        "Below.enabled": True,
    },
    "a range that margins close": {"Joints.margin": 1e3},
    "no acceleration and hardly a change of efforts": {
        "Joints.acceleration": 1e-3,
        "Drives.rate": 1e-3,
    },
    "accelerations without end": {"Joints.acceleration": 1e30, "Ball.deceleration": 1e30},
    "a margin without end": {"Ball.margin": 1e30},
    "tasks that weigh least": {"HandPosition.weight": 1e-6, "Posture.weight": 1e-6},
    "tasks that weigh much and little": {"HandPosition.weight": 1e6, "Posture.weight": 1e-6},
    "gains beyond any use": {"HandPosition.kp": 1e9, "Posture.kd": 1e9},
}
OF_TALOS = {
    "nothing": {},
    "floors without friction": {"RightSole.friction": 0.0, "LeftSole.friction": 0.0},
    "frictions without end": {"RightSole.friction": 1e30, "LeftSole.friction": 1e30},
    "soles that bear nothing": {
        "RightSole.greatest_normal_force": 0.0,
        "LeftSole.greatest_normal_force": 0.0,
    },
    "soles that bear more than there is": {
        "RightSole.least_normal_force": 1e5,
        "LeftSole.least_normal_force": 1e5,
    },
    "no twist": {"RightSole.torsional_friction": 0.0, "LeftSole.torsional_friction": 0.0},
    "efforts that cost nothing": {"whole_body_controller.regularisation": 1e-12},
    "levels that weigh alike": {"whole_body_controller.level_weight": 1.0},
    "a task that weighs least": {"Posture.weight": 1e-6},
    "a polygon without a place": {"Standing.margin": 10.0, "Standing.enabled": True},
}


def surround(data):
    """Add what shuts Panda in, each disabled."""
    plane = {"type": "KeepOutPlane", "body": "panda_hand_tcp", "enabled": False}
    data["inequalities"] += [
        {
            "name": "Whale",
            "type": "Obstacle",
            "shape": "sphere",
            "size": [10.0],
            "bodies": ["panda_link4", "panda_hand"],
            "enabled": False,
        },
        {"name": "Above", **plane, "plane_point": [0, 0, 0.9], "normal": [0, 0, 1]},
        {"name": "Below", **plane, "plane_point": [0, 0, 0.1], "normal": [0, 0, -1]},
    ]


def stand(data):
    data["simulator"]["scene"] = str(CONFIG / "talos" / "floor.xml")
    data["inequalities"] = [{"name": "Standing", "type": "SupportPolygon", "enabled": False}]


FILES = {
    "panda": (CONFIG / "panda" / "obstacle.yaml", surround, OF_PANDA),
    "talos": (CONFIG / "talos" / "stand_qp.yaml", stand, OF_TALOS),
}


class Mistreated:
    """A controller, and states to compute its command in."""

    def __init__(self, robot, prioritisation):
        path, edit, _ = FILES[robot]
        self.stack = load_stack(edited(path, edit), {"prioritisation_type": prioritisation})
        self.model = self.stack.create_model()
        self.controller = self.stack.controller.chosen
        self.command = self.controller.create_command()
        self.start = start_of(self.stack)
        owners = (
            *self.stack.tasks.tasks,
            *self.model.constraints.constraints,
            *self.controller.inequalities,
            self.controller,
        )
        self.parameters = {
            each.full_name: each for owner in owners for each in owner.parameters.values()
        }

    def commands(self, values):
        """Return (effort, controller) in one state after the other, with parameters set."""
        before = {name: np.copy(self.parameters[name].value) for name in values}
        for name, value in values.items():
            parameter = self.parameters[name]
            whole = np.full(np.shape(parameter.value), value)
            parameter.set(whole if whole.shape else value)
        try:
            return [self.effort(seed) for seed in range(STATES)]
        finally:
            for name, value in before.items():
                self.parameters[name].set(value if value.shape else value.item())

    def effort(self, seed):
        rng, state = np.random.default_rng(seed), RobotState(self.stack.robot.real_joints)
        state.copy_from(self.start)
        count = len(state.position)
        state.position += TURN * rng.uniform(-1.0, 1.0, count)
        state.velocity[:] = SPEED * rng.uniform(-1.0, 1.0, count)
        self.controller.restart()
        self.model.update(state)
        for task in self.stack.tasks.tasks:
            task.update(self.model.robot_model, task.inactive)
            task.swap()
        for _ in range(2):  # from the second on it begins with what gave way
            self.stack.tasks.compute(1e-3)
            self.controller.compute_command(self.model, self.stack.tasks, self.command)
        return self.command.effort.copy()


mistreated = functools.cache(Mistreated)


@each_prioritisation
@pytest.mark.parametrize(
    ("robot", "case"), [(robot, case) for robot, (_, _, cases) in FILES.items() for case in cases]
)
def test_efforts_stay_within_their_limits(prioritisation, robot, case):
    _, _, cases = FILES[robot]
    subject = mistreated(robot, prioritisation.__name__)
    for effort in subject.commands(cases[case]):
        assert np.isfinite(effort).all()
        assert (np.abs(effort) <= subject.controller.limits.effort).all()


@pytest.mark.parametrize("value", [0.0, -1.0, 1e30, np.nan, np.inf])
def test_weights_that_drown_others_are_refused(value):
    weight = mistreated("panda", "Weighted").parameters["Posture.weight"]
    with pytest.raises(ParameterError, match=r"Posture\.weight"):
        weight.set(np.full(weight.value.shape, value))
