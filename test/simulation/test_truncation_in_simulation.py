"""Where gravity takes nearly all of a joint's effort, a robot is told of, held, or made safe."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

START = {"shoulder": -0.4, "elbow": 1.0, "wrist": -0.3}
BODIES = (("upper", 2.0, 0.2, 0.4), ("lower", 2.0, 0.15, 0.3), ("hand", 0.5, 0.05, 0.0))
SHARE = 0.96  # [-] of the shoulder's effort, as gravity takes of Baxter's

INERTIAL = """<link name="{}"><inertial><origin xyz="{} 0 0"/><mass value="{}"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/>
<origin xyz="{} 0 0"/><axis xyz="0 1 0"/>
<limit lower="-2.5" upper="2.5" effort="{}" velocity="1.5"/></joint>"""
FILE = """
name: arm_controller
robot_description: {urdf}
parameters: {{default_bindings: false, on_truncation: {follows}}}
simulator: {{initial_position: {start}}}
whole_body_controller: {{singularity_handling: truncate}} # or nothing is thrown
tasks:
  - {{name: Hand, type: CartesianPosition, body: hand, kp: 64, kd: 16}}
  - {{name: Posture, type: JointPosition, kp: 25, kd: 10}}
constraints: [{{name: Base, type: FlatContact, body: base}}]
compound_task: [{{name: Hand, priority: 1}}, {{name: Posture, priority: 0}}]
constraint_set: [{{name: Base}}]
"""


def load():
    """Return the weights' moment about the shoulder at the start, by hand [N m]."""
    along = angle = moment = 0.0
    for (_, mass, centre, length), turn in zip(BODIES, START.values(), strict=True):
        angle += turn
        moment += 9.81 * mass * (along + centre * np.cos(angle))
        along += length * np.cos(angle)
    return moment


def arm(folder, follows):
    """Return a run of an arm in a vertical plane, calm at the start."""
    parts = [INERTIAL.format("base", 0.0, 5.0)]
    parts += [INERTIAL.format(name, centre, mass) for name, mass, centre, _ in BODIES]
    parent, place = "base", 0.0
    efforts = (load() / SHARE, 30.0, 10.0)
    for joint, (body, _, _, length), effort in zip(START, BODIES, efforts, strict=True):
        parts.append(JOINT.format(joint, parent, body, place, effort))
        parent, place = body, length
    urdf = folder / "arm.urdf"
    urdf.write_text(f'<robot name="arm">{"".join(parts)}</robot>')
    path = folder / "arm.yaml"
    path.write_text(FILE.format(urdf=urdf, follows=follows, start=START))
    run = SimulatedHands(path)
    run.advance(1100)
    return run


@pytest.mark.parametrize("follows", ["warn", "hold", "safe"])
def test_a_goal_that_gravity_leaves_no_effort_for(tmp_path, follows):
    run = arm(tmp_path, follows)
    assert run.complaints() == []
    hand = run.tasks["Hand"]
    goal = hand.active.actual + np.array([0.1, 0.0, 0.0])
    run.mailbox.post({hand.goal: goal})
    states, speeds, farthest = set(), [], 0.0
    for _ in range(350):
        run.stack.clock.advance(10)
        states.add(run.coordinator.state)
        speeds.append(np.abs(run.velocity).max())
        farthest = max(farthest, np.linalg.norm(hand.active.actual - goal))
    texts = [text for text in run.complaints() if "hold back" in text]
    assert any("shoulder" in text and "limit 17.22" in text for text in texts)
    share = float(texts[0].rpartition("(")[2].partition(" %")[0])  # of gravity, when that began
    assert share == pytest.approx(100.0, abs=8.0)
    if follows == "warn":
        assert farthest > 0.5
        np.testing.assert_array_equal(hand.goal.value, goal)
        return
    assert max(speeds[-50:]) < 0.05
    assert (CoordinatorState.SAFE in states) == (follows == "safe")
    run.stack.clock.advance(1000)
    assert run.coordinator.state is CoordinatorState.ACTIVE
    assert np.linalg.norm(hand.goal.value - goal) > 0.1
    np.testing.assert_allclose(hand.active.actual, hand.goal.value, atol=0.02)


@pytest.mark.parametrize("file", ["dreamer/hands.yaml", "dreamer/hands_qp.yaml"])
def test_a_motion_within_the_limits_is_nothing(file):
    run = SimulatedHands(REPOSITORY / "config" / file)
    run.advance(100)
    task = run.tasks["RightHandPosition"]
    task.goal.set(task.active.actual + np.array([0.05, 0.0, 0.1]))
    run.advance(1900)
    assert not any("hold back" in text for text in run.complaints())
