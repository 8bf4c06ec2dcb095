"""Quadrupeds whose feet end in balls: the model rolls as MuJoCo's balls do."""

from typing import NamedTuple

import numpy as np
import pytest
from robots_for_tests import needs_example_robots
from simulated_hands import SimulatedHands

pytestmark = [pytest.mark.simulation, needs_example_robots]

ENOUGH = 2e-4  # [m]
SETTLE = 800  # [cycles]
PERIOD, STEP = 1.0, 0.005  # [s] of a swing, between two goals


class Quadruped(NamedTuple):
    """A robot on four balls.

    Attributes:
        urdf: In the folder of the robots.
        root: The link of the base.
        feet: The links that carry the balls.
        center: Of a ball, in the foot's frame [m].
        radius: Of a ball [m].
        posture: In which it stands [rad].
        way: Where the base is led [m].
    """

    urdf: str
    root: str
    feet: tuple[str, ...]
    center: tuple[float, float, float]
    radius: float
    posture: dict[str, float]
    way: tuple[float, float, float]


ANYMAL = Quadruped(
    "anymal_b_simple_description/robots/anymal.urdf", "base", ("LF", "RF", "LH", "RH"),
    (0.0, 0.0, 0.02325), 0.031,
    {f"{leg}_{joint}": sign * angle for leg, sign in (("LF", 1), ("RF", 1), ("LH", -1), ("RH", -1))
     for joint, angle in (("HFE", 0.7), ("KFE", -1.0))},
    (0.04, 0.02, -0.02),
)  # fmt: skip
SOLO = Quadruped(
    "solo_description/robots/solo12.urdf", "base_link", ("FL", "FR", "HL", "HR"),
    (0.0, 0.0, 0.0), 0.0165,
    {f"{leg}_{joint}": sign * angle for leg, sign in (("FL", 1), ("FR", 1), ("HL", -1), ("HR", -1))
     for joint, angle in (("HFE", 0.7), ("KFE", -1.4))},
    (0.02, 0.01, -0.01),
)  # fmt: skip


def controller(robot):
    """Return a configuration: base first, then posture, on four balls."""
    postures = ", ".join(f"{joint}: {angle:.4f}" for joint, angle in robot.posture.items())
    contacts = "\n".join(
        f"  - {{name: {leg}, type: PointContact, body: {leg}_FOOT, "
        f"contact_point: {list(robot.center)}, radius: {robot.radius}}}"
        for leg in robot.feet
    )
    return f"""
name: quadruped
robot_description: package://example-robot-data/robots/{robot.urdf}
parameters:
  servo_frequency: 1000
  rotor_inertia: 0.01
  robot_interface_type: MuJoCo
  soft_start_time: 0
simulator: {{floor: true, place_on_floor: true, initial_position: &start {{{postures}}}}}
tasks:
  - {{name: Base, type: CartesianPosition, body: {robot.root}, kp: 64, kd: 16}}
  - {{name: Level, type: Orientation3D, body: {robot.root}, kp: 64, kd: 16}}
  - {{name: Posture, type: JointPosition, goal_position: *start, kp: 25, kd: 10}}
constraints:
{contacts}
compound_task:
  - {{name: Base, priority: 2}}
  - {{name: Level, priority: 1}}
  - {{name: Posture, priority: 0}}
constraint_set: [{", ".join(f"{{name: {leg}}}" for leg in robot.feet)}]
"""


def settled(robot, *, rolls):
    """Return a robot at rest, and the task that leads its base."""
    run = SimulatedHands(controller(robot))
    for contact in run.stack.constraints.contacts:
        if not rolls:
            contact._site = contact.site._replace(radius=0.0)
    run.advance(SETTLE)
    return run, run.tasks["Base"]


def errors(robot, *, rolls):
    """Return how far the base is off at rest, and after it was led elsewhere [m]."""
    run, base = settled(robot, rolls=rolls)
    at_rest = float(base.error_norm.value)
    start = base.goal.value.copy()
    for look in range(50):
        phase = (look + 1) / 50
        way = phase**3 * (10.0 - 15.0 * phase + 6.0 * phase**2)
        base.goal.set(start + way * np.array(robot.way))
        run.advance(10)
    run.advance(SETTLE)
    return at_rest, float(base.error_norm.value)


@pytest.mark.parametrize("robot", [ANYMAL, SOLO], ids=["anymal", "solo"])
def test_a_quadruped_on_balls_stands_where_it_shall(robot):
    at_rest, elsewhere = errors(robot, rolls=True)
    assert at_rest < 2e-5
    assert elsewhere < ENOUGH


def test_held_by_the_centre_of_its_feet_it_does_not():
    """What the forces at the bottom of the balls do then, nothing makes up for."""
    at_rest, elsewhere = errors(SOLO, rolls=False)
    assert min(at_rest, elsewhere) > 5e-4


def constant_error(robot, *, rolls):
    """Return the mean error of the base over two swings, led with speed and acceleration [m]."""
    run, base = settled(robot, rolls=rolls)
    start, way, rate = base.goal.value.copy(), np.array(robot.way), 2.0 * np.pi / PERIOD
    seen = []
    for time in np.arange(0.0, 4.0 * PERIOD, STEP):
        share = min(1.0, time / PERIOD)
        base.goal.set(start + share * np.sin(rate * time) * way)
        base.goal_velocity.set(share * rate * np.cos(rate * time) * way)
        base.goal_acceleration.set(-share * rate**2 * np.sin(rate * time) * way)
        run.advance(round(1000 * STEP))
        if time >= 2.0 * PERIOD:
            seen.append(base.error.value.copy())
    return float(np.linalg.norm(np.mean(seen, axis=0)))


@pytest.mark.parametrize("robot", [ANYMAL, SOLO], ids=["anymal", "solo"])
def test_in_motion_it_holds_no_constant_error(robot):
    assert constant_error(robot, rolls=True) < 2e-5
    assert constant_error(robot, rolls=False) > 5e-4
