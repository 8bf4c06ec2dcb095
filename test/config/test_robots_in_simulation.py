"""Robots that are nothing but configuration reach goals in simulation, and come to rest there."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.servo import CoordinatorState
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.simulation

SETTLED = 1500  # [cycles] after the soft start
WAY = 4000  # [cycles]
REST = 500  # [cycles]
BOUND = 1e-3  # [m or rad] left of a step of ten centimetres or half a radian
STILL = 5e-3  # [rad/s or m/s]
SHAKEN = 0.02  # [rad/s or m/s] at most, by the noise of an inertial unit


class Step(NamedTuple):
    """Goals that jump; vectors are added to where the goal is, unless they replace it."""

    file: str
    moves: dict[str, tuple[float, ...]]
    replaced: dict[str, tuple[float, ...]]
    kept: tuple[str, ...]


STEPS = (
    Step(
        "panda/reach.yaml",
        {"HandPosition": (0.1, 0.15, -0.1)},
        {"HandOrientation": (math.cos(0.2), 0.0, math.sin(0.2), 0.0)},
        (),
    ),
    Step(
        "tiago/hands.yaml",
        {
            "RightHandPosition": (0.1, -0.05, 0.15),
            "LeftHandPosition": (0.05, 0.1, -0.05),
            "Torso": (0.0, 0.0, 0.1),
        },
        {"Gaze": (0.8, 0.6, 0.0)},
        ("RightHandOrientation", "LeftHandOrientation"),
    ),
    Step(
        "icub/stand.yaml",
        {"RightHandPosition": (0.05, -0.05, 0.1), "LeftHandPosition": (0.0, 0.05, 0.1)},
        {"Gaze": (0.96, 0.28, 0.0)},
        ("CenterOfMass", "Pelvis", "Chest"),
    ),
)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.file)
def test_reaches_its_goals_and_rests(step, request):
    stack = load_stack(REPOSITORY / "config" / step.file, IN_SIMULATED_TIME)
    tasks = {task.name: task for task in stack.tasks.tasks}
    transport = LocalTransport("servo", "/robot", domain=request.node.nodeid)
    with ServoNode(stack, transport) as node:
        advance = stack.clock.advance
        advance(SETTLED)
        goals = {tasks[name].goal: tasks[name].goal.value + by for name, by in step.moves.items()}
        goals |= {tasks[name].goal: list(goal) for name, goal in step.replaced.items()}
        node.mailbox.post(goals)
        advance(20)
        for name in (*step.moves, *step.replaced):
            assert tasks[name].error_norm.value > 10 * BOUND, f"{name}: no step"
        advance(WAY)
        fastest = 0.0
        for _ in range(REST):
            advance(1)
            for name in (*step.moves, *step.replaced, *step.kept):
                assert tasks[name].error_norm.value < BOUND, name
            fastest = max(fastest, np.abs(stack.robot_interface.simulation.data.qvel).max())
        assert fastest < (STILL if stack.estimator is None else SHAKEN)
        assert node.state is CoordinatorState.ACTIVE


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.file)
def test_what_stands_on_the_ground_stays(step, request):
    """Contacts hold their bodies while hands move; the base of iCub floats in the simulation."""
    stack = load_stack(REPOSITORY / "config" / step.file, IN_SIMULATED_TIME)
    tasks = {task.name: task for task in stack.tasks.tasks}
    bodies = [contact.body.value for contact in stack.constraints.contacts]
    transport = LocalTransport("servo", "/robot", domain=request.node.nodeid)
    with ServoNode(stack, transport) as node:
        stack.clock.advance(SETTLED)
        data = stack.robot_interface.simulation.data
        before = [data.body(body).xpos.copy() for body in bodies]
        node.mailbox.post(
            {tasks[name].goal: tasks[name].goal.value + by for name, by in step.moves.items()}
        )
        stack.clock.advance(WAY)
        for body, place in zip(bodies, before, strict=True):
            assert np.linalg.norm(data.body(body).xpos - place) < BOUND, body
