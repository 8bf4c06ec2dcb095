"""Inequalities of a controller that runs: memory, saved files, what the command line shows."""

import gc
import sys

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.describe import describe
from controlit_ros.nodes.offline import start_of
from controlit_ros.nodes.running_configuration import running_text
from controlit_ros.nodes.simulated_controller import SimulatedController

pytestmark = [pytest.mark.processes, needs_example_robots]

PANDA = REPOSITORY / "config" / "panda" / "obstacle.yaml"
POINT = "geometry_msgs/msg/Point"
BLOCKS = 60  # [-] of memory, whatever the number of cycles


def test_memory_stays_flat():
    """A ball about the hand makes rows active and inactive, and sometimes exclude each other."""
    stack = load_stack(PANDA)
    model = stack.create_model()
    model.update(start_of(stack))
    for task in stack.tasks.tasks:
        task.update(model.robot_model, task.active)
    stack.tasks.compute(1e-3)
    ball = next(part for part in stack.controller.inequalities if part.name == "Ball")
    place = np.array([0.3, 0.0, 0.6])
    command, missed = stack.controller.create_command(), 0

    def play(cycles):
        nonlocal missed
        for cycle in range(cycles):
            place[1] = -0.3 + 0.002 * (cycle % 300)
            ball.position.assign(place)
            stack.controller.compute_command(model, stack.tasks, command)
            missed += ball.missing.value > 0.0

    play(300)
    gc.collect()
    gc.disable()
    try:
        play(900)
        before = sys.getallocatedblocks()
        play(1800)
        assert sys.getallocatedblocks() - before < BLOCKS
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert missed


def test_a_ball_is_moved_and_told_of_by_topics():
    with SimulatedController(PANDA) as controller:
        sender = controller.transport.publisher("ball/position", POINT)
        told = []
        controller.transport.subscribe(
            "ball/distance", "std_msgs/msg/Float64", lambda message: told.append(message.data)
        )
        hand = controller.task("HandPosition").actual.value.copy()
        controller.advance(0.2)
        sender.publish(new(POINT, x=hand[0], y=hand[1] - 0.3, z=hand[2]))
        controller.advance(0.2)
    assert told[-1] < told[0] - 0.1
    ball = next(p for p in controller.stack.controller.inequalities if p.name == "Ball")
    assert ball.position.value == pytest.approx(hand - [0.0, 0.3, 0.0], abs=1e-9)


def test_what_was_set_meanwhile_is_saved():
    stack = load_stack(PANDA)
    names = {part.name: part for part in stack.controller.inequalities}
    names["Ball"].position.set([0.1, 0.2, 0.3])
    names["TableTop"].enabled.set(False)
    again = build_stack(load_configuration(running_text(stack)))
    found = {part.name: part for part in again.controller.inequalities}
    assert list(found) == list(names)
    assert found["Ball"].position.value.tolist() == [0.1, 0.2, 0.3]
    assert not found["TableTop"].enabled.value
    shown = describe(stack)["inequalities"]["TableTop"]
    assert (shown["type"], shown["rows"], shown["parameters"]["enabled"]) == (
        "KeepOutPlane",
        1,
        False,
    )


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "type: JointBounds",
            "type: JointBuonds",
            r"found 'JointBuonds'.*inequality type.*JointBo",
        ),
        ("name: TableTop", "name: Posture", r"the name 'Posture' is taken by tasks"),
        ("size: [0.1]", "sise: [0.1]", r"Ball has no parameter 'sise'.*size"),
        ("acceleration: 20", "acceleration: -1", r"Joints.acceleration: found -1"),
    ],
)
def test_mistakes_are_told_at_their_line(before, after, message):
    text = PANDA.read_text(encoding="utf-8")
    assert before in text
    with pytest.raises(ConfigurationError, match=message):
        build_stack(load_configuration(text.replace(before, after)))
