"""Margins of obstacles and of the robot's own bodies are kept in MuJoCo, not nearly kept."""

import coal
import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import REPOSITORY, configuration, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.model import quaternion
from controlit_ros.model.body_shapes import BodyShapes

pytestmark = [pytest.mark.simulation, needs_example_robots]

CONFIG = REPOSITORY / "config"
NUMERICAL = 5e-5  # [m]
SOFT_START = 1100  # [cycles] until the command is all that the controller asks for
CLEAR = 0.05  # [m] beyond the margin, where a trial begins
SIZES = {"sphere": (0.1,), "capsule": (0.06, 0.2), "box": (0.1, 0.16, 0.12)}


class Truth:
    """Distances of convex hulls at the state of the physics."""

    def __init__(self, run, links, others=(), obstacle=None):
        self.run, self.robot = run, run.stack.robot
        shapes = BodyShapes(self.robot)
        self.geometry = shapes._geometry  # hulls; placed and compared apart from the servo's
        self.data, self.obstacle = self.robot.pinocchio.createData(), obstacle
        self.first, self.second = shapes.shapes_of(links), shapes.shapes_of(others)

    def least(self):
        state = self.run.coordinator.robot_state
        self.run.stack.robot_interface.read(state)
        placed = pin.GeometryData(self.geometry)
        pin.updateGeometryPlacements(
            self.robot.pinocchio, self.data, self.geometry, placed,
            configuration(self.robot, state),
        )  # fmt: skip
        others = [(self.geometry.geometryObjects[j].geometry, placed.oMg[j]) for j in self.second]
        if self.obstacle is not None:
            others.append(self.obstacle)
        return min(
            coal.distance(
                self.geometry.geometryObjects[i].geometry,
                coal.Transform3s(placed.oMg[i].rotation, placed.oMg[i].translation),
                shape,
                coal.Transform3s(place.rotation, place.translation),
                coal.DistanceRequest(),
                coal.DistanceResult(),
            )
            for i in self.first
            for shape, place in others
        )


def part(run, name):
    return next(p for p in run.stack.controller.inequalities if p.name == name)


def turned(rng, start, most):
    """Return an orientation turned from another one."""
    axis, angle = rng.normal(size=3), rng.uniform(0.0, most)
    axis /= np.linalg.norm(axis)
    return quaternion.multiply(np.append(np.sin(angle / 2.0) * axis, np.cos(angle / 2.0)), start)


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_a_hand_led_through_an_obstacle_keeps_its_margin(shape, seed):
    """The goal is behind it, and the hand turns on the way, so that nearest points slide."""
    size = SIZES[shape]

    def edit(data):
        ball = next(entry for entry in data["inequalities"] if entry["name"] == "Ball")
        ball.update(shape=shape, size=list(size))

    run = SimulatedHands(CONFIG / "panda" / "obstacle.yaml", edit)
    run.advance(SOFT_START)
    ball, hand = part(run, "Ball"), run.tasks["HandPosition"]
    turn, margin = run.tasks["HandOrientation"], ball.parameters["margin"].value
    rng, start = np.random.default_rng(seed), hand.active.actual.copy()
    solid = {"sphere": coal.Sphere, "capsule": coal.Capsule, "box": coal.Box}[shape](*size)
    for _ in range(100):
        centre = start + rng.uniform([-0.1, -0.4, -0.2], [0.3, 0.4, 0.3])
        attitude = turned(rng, np.array([0.0, 0.0, 0.0, 1.0]), np.pi)
        place = pin.SE3(pin.Quaternion(attitude), centre)
        truth = Truth(run, ball.bodies.value, obstacle=(solid, place))
        if truth.least() > margin + CLEAR:
            break
    ball.position.set(centre)
    ball.orientation.set(attitude)
    hand.goal.set(2.0 * centre - start)
    turn.goal.set(turned(rng, turn.active.actual, 2.0))
    found = []
    for _ in range(2000):
        run.advance(1)
        if ball.parameters["distance"].value < margin + 0.002:
            found.append(truth.least())
    assert found  # it was in the way
    assert min(found) > margin - NUMERICAL


@pytest.mark.parametrize(
    "goals",
    [
        {"Right": [0.5, 0.1, -0.35], "Left": [0.6, -0.1, -0.3]},
        {"Right": [0.7, 0.3, 0.1], "Left": [0.7, -0.2, 0.2]},
        {"Right": [0.6, 0.4, 0.3], "Left": [0.5, -0.3, -0.1]},
    ],
)
def test_arms_that_change_sides_keep_their_margin(goals):
    run = SimulatedHands(CONFIG / "baxter" / "arms.yaml")
    run.advance(SOFT_START)
    arms = part(run, "Arms")
    margin = arms.parameters["margin"].value
    truth = Truth(run, arms.bodies.value, arms.others.value)
    for side, goal in goals.items():
        run.tasks[f"{side}Hand"].goal.set(goal)
    found = []
    for _ in range(3000):
        run.advance(1)
        if arms.parameters["distance"].value < margin + 0.002:
            found.append(truth.least())
    assert found
    assert min(found) > margin - NUMERICAL
