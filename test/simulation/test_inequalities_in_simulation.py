"""Robots in MuJoCo that keep their distance, whatever their tasks ask for."""

import re

import coal
import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import EXAMPLE_ROBOTS, REPOSITORY, configuration, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState

pytestmark = [pytest.mark.simulation, needs_example_robots]

CONFIG = REPOSITORY / "config"
GIVEN_UP = 1e-3  # [m] of the margin, for what bodies that turn do between two cycles
EXACT_UNIT = {"robot_interface.imu_noise": 0.0, "robot_interface.imu_bias": [0.0] * 6}
ROUND = 10  # [cycles] between messages of who sees the ball


class Shapes:
    """Distances of a robot's bodies by a geometry of its own, meshes as they are."""

    def __init__(self, robot, links, others=()):
        self.robot = robot
        text = re.sub("package://example-robot-data", str(EXAMPLE_ROBOTS.parent), robot.urdf)
        self.geometry = pin.buildGeomFromUrdfString(
            robot.pinocchio, text, pin.GeometryType.COLLISION
        )
        self.model_data = robot.pinocchio.createData()
        self.first, self.second = (
            [
                i
                for i, shape in enumerate(self.geometry.geometryObjects)
                if self.link(shape) in names
            ]
            for names in (links, others)
        )

    def link(self, shape):
        return self.robot.pinocchio.frames[shape.parentFrame].name

    def place(self, state):
        q = configuration(self.robot, state)
        self.data = pin.GeometryData(self.geometry)
        pin.updateGeometryPlacements(
            self.robot.pinocchio, self.model_data, self.geometry, self.data, q
        )

    def distance(self, a, placement_a, b, placement_b):
        places = [coal.Transform3s(p.rotation, p.translation) for p in (placement_a, placement_b)]
        return coal.distance(
            a, places[0], b, places[1], coal.DistanceRequest(), coal.DistanceResult()
        )

    def to_ball(self, state, position, radius):
        self.place(state)
        shapes, at = self.geometry.geometryObjects, pin.SE3(np.eye(3), np.array(position))
        ball = coal.Sphere(radius)
        return min(
            self.distance(shapes[i].geometry, self.data.oMg[i], ball, at) for i in self.first
        )

    def apart(self, state):
        self.place(state)
        shapes = self.geometry.geometryObjects
        return min(
            self.distance(
                shapes[i].geometry, self.data.oMg[i], shapes[j].geometry, self.data.oMg[j]
            )
            for i in self.first
            for j in self.second
        )


class Ball:
    """A ball on its way, as a camera would tell it."""

    def __init__(self, run, position, velocity, *, tells_velocity=True):
        self.run, self.velocity, self.tells_velocity = run, np.array(velocity), tells_velocity
        self.position = np.array(position, dtype=float)
        (self.part,) = [p for p in run.stack.controller.inequalities if p.name == "Ball"]
        self.shapes = Shapes(run.stack.robot, self.part.bodies.value)
        self.told()

    def told(self):
        self.part.position.set(self.position)
        self.part.velocity.set(self.tells_velocity * self.velocity)

    def advance(self, cycles=ROUND):
        """Let the ball end a round, of so many cycles; return how far it is then from the robot."""
        self.run.advance(cycles)
        self.position += ROUND * 1e-3 * self.velocity
        self.told()
        return self.shapes.to_ball(
            self.run.coordinator.robot_state, self.position, self.part.size.value[0]
        )


def by_name(run):
    return {part.name: part for part in run.stack.controller.inequalities}


def test_an_arm_makes_way_for_a_ball_and_comes_back():
    run = SimulatedHands(CONFIG / "panda" / "obstacle.yaml")
    run.advance(100)
    hand = run.tasks["HandPosition"]
    start = hand.active.actual.copy()
    ball = Ball(run, start - [0.0, 0.35, 0.0], [0.0, 0.15, 0.0])
    distances, errors, efforts = [], [], []
    for _ in range(450):
        distances.append(ball.advance())
        errors.append(hand.error_norm.value)
        efforts.append(run.coordinator.command.effort.copy())
    assert min(distances) > ball.part.parameters["margin"].value - 2.0 * GIVEN_UP
    assert max(errors) > 0.1  # it was in the way
    assert errors[-1] < 2e-3  # and is back
    assert np.abs(np.diff(efforts, axis=0)).max() < 5.0  # [N m] in ten cycles
    assert run.complaints() == []


def test_efforts_do_not_follow_the_steps_in_which_a_ball_is_told():
    """Of one that tells no velocity, too, and comes no nearer for it."""
    run = SimulatedHands(CONFIG / "panda" / "obstacle.yaml")
    run.advance(100)
    start = run.tasks["HandPosition"].active.actual.copy()
    ball = Ball(run, start - [0.0, 0.3, 0.0], [0.0, 0.15, 0.0], tells_velocity=False)
    distances, changes = [], []
    for _ in range(200):
        before = run.coordinator.command.effort.copy()
        run.advance(1)
        changes.append(np.abs(run.coordinator.command.effort - before).max())
        distances.append(ball.advance(ROUND - 1))
    assert min(distances) < 0.05  # it was in the way
    assert min(distances) > ball.part.parameters["margin"].value - GIVEN_UP
    assert max(changes) < 0.5  # [N m] in the cycle of a message; 2 N m where it stands meanwhile


def test_a_goal_behind_a_ball_is_sought_around_it():
    """Of the same motion without the obstacle the ball would be passed through."""
    distances = {}
    for is_kept in (True, False):
        run = SimulatedHands(CONFIG / "panda" / "obstacle.yaml")
        run.advance(100)
        hand = run.tasks["HandPosition"]
        start = hand.active.actual.copy()
        ball = Ball(run, np.add(start, [0.1, 0.25, 0.0]), [0.0, 0.0, 0.0])
        ball.part.enabled.set(is_kept)
        hand.goal.set(np.add(start, [0.2, 0.5, 0.0]))
        distances[is_kept] = min(ball.advance() for _ in range(300))
        assert run.coordinator.state is CoordinatorState.ACTIVE
    assert distances[False] < 0.0
    assert distances[True] > ball.part.parameters["margin"].value - GIVEN_UP


def with_ceiling(data):
    """Add a plane above the hand, which gives way before all others."""
    data["inequalities"].append(
        {
            "name": "Ceiling",
            "type": "KeepOutPlane",
            "body": "panda_hand_tcp",
            "normal": [0.0, 0.0, -1.0],
            "plane_point": [0.0, 0.0, 0.55],
        }
    )


def test_between_planes_that_close_the_last_gives_way_and_control_goes_on():
    run = SimulatedHands(CONFIG / "panda" / "obstacle.yaml", with_ceiling)
    run.advance(100)
    parts, missed, efforts, heights = by_name(run), set(), [], []
    table, ceiling = parts["TableTop"], parts["Ceiling"]
    for floor in np.linspace(0.42, 0.58, 800):
        table.plane_point.set([0.0, 0.0, floor])
        run.advance(ROUND)
        missed |= {name for name, part in parts.items() if part.missing.value > 0.0}
        efforts.append(run.coordinator.command.effort.copy())
        heights.append(run.tasks["HandPosition"].active.actual[2] - floor)
    assert run.coordinator.state is CoordinatorState.ACTIVE
    assert missed == {"Ceiling"}
    assert ceiling.parameters["distance"].value < -0.04
    assert min(heights) > table.parameters["margin"].value - GIVEN_UP  # a plane says no velocity
    assert (np.abs(efforts) <= run.stack.controller.limits.effort).all()
    assert np.abs(np.diff(efforts, axis=0)).max() < 3.0  # [N m] in ten cycles
    told = [text for text in run.complaints() if "no effort keeps together" in text]
    assert told
    assert all("'Ceiling' by" in text for text in told)


def test_arms_whose_hands_change_sides_stay_apart():
    distances = {}
    for is_kept in (True, False):
        run = SimulatedHands(CONFIG / "baxter" / "arms.yaml")
        run.advance(100)
        arms = by_name(run)["Arms"]
        arms.enabled.set(is_kept)
        shapes = Shapes(run.stack.robot, arms.bodies.value, arms.others.value)
        for side, goal in (("Right", [0.5, 0.1, -0.35]), ("Left", [0.6, -0.1, -0.3])):
            run.tasks[f"{side}Hand"].goal.set(goal)
        found = []
        for _ in range(400):
            run.advance(ROUND)
            found.append(shapes.apart(run.coordinator.robot_state))
        distances[is_kept] = min(found)
        errors = [run.tasks[f"{side}Hand"].error_norm.value for side in ("Right", "Left")]
        if is_kept:
            assert run.coordinator.state is CoordinatorState.ACTIVE
            assert max(errors) < 0.02  # they have gone around each other
    assert distances[False] < 0.0
    assert distances[True] > arms.parameters["margin"].value - GIVEN_UP


def test_a_humanoid_leans_no_farther_than_it_can_stand():
    """Soles that neither slip nor tip do not keep it from falling; the polygon does."""
    heights, reached = {}, {}
    for is_kept in (True, False):
        run = SimulatedHands(CONFIG / "talos" / "balance.yaml", None, EXACT_UNIT)
        run.advance(300)
        balance, mass = by_name(run)["Balance"], run.tasks["CenterOfMass"]
        balance.enabled.set(is_kept)
        start = mass.active.actual.copy()
        mass.goal.set(np.add(start, [0.3, 0.0, 0.0]))
        least = np.inf
        for _ in range(170):
            run.stack.clock.advance(ROUND)
            least = min(least, balance.distance.value if is_kept else 0.0)
        heights[is_kept] = mass.active.actual[2] - start[2]
        reached[is_kept] = mass.active.actual[0] - start[0]
        if is_kept:
            assert run.coordinator.state is CoordinatorState.ACTIVE
            assert least > balance.margin.value - GIVEN_UP
            assert balance.missing.value == 0.0
    assert heights[False] < -0.2
    assert abs(heights[True]) < 0.01
    assert 0.04 < reached[True] < 0.1  # towards the goal, and not beyond the toes
