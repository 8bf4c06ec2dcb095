"""Friction that is found from a motion, against that which the simulator was given."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.recording.friction_fit import fit_friction
from controlit_ros.recording.series import Track

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"


@pytest.mark.simulation
def test_the_friction_of_the_simulator_is_found():
    rng = np.random.default_rng(3)
    joints = SimulatedHands(HANDS).stack.robot.real_joints
    dry = dict(zip(joints, rng.uniform(0.2, 1.0, len(joints)).tolist(), strict=True))
    viscous = dict(zip(joints, rng.uniform(0.1, 0.4, len(joints)).tolist(), strict=True))
    run = SimulatedHands(
        HANDS,
        None,
        {
            "simulator.joint_friction": dry,
            "simulator.joint_damping": viscous,
            "simulator.velocity_noise": 0.003,
            "tasks.Posture.kp": 900,
            "tasks.Posture.kd": 60,
            "tasks.Posture.max_velocity": 0,
        },
    )
    robot, posture = run.stack.robot, run.tasks["Posture"]
    run.advance(1100)
    for name, task in run.tasks.items():
        if name != "Posture":
            task.operational_state.set("disable")
    start, rows = posture.active.actual.copy(), []
    phase, rate = rng.uniform(0.0, 2.0 * np.pi, len(start)), 2.0 * np.pi * 0.4
    room = np.minimum(start - robot.lower_limits, robot.upper_limits - start)
    size = np.minimum(0.7 * robot.velocity_limits / rate, 0.8 * room)
    for k in range(12_000):
        angle, grown = rate * 1e-3 * k + phase, min(1.0, k / 2000)
        posture.goal.set(start + grown * size * np.sin(angle))
        posture.goal_velocity.set(grown * rate * size * np.cos(angle))
        run.advance(1)
        if k % 10:
            continue
        state = run.coordinator.robot_state
        rows.append((state.position.copy(), state.velocity.copy(), state.effort.copy()))
    times = 0.01 * np.arange(len(rows))
    tracks = [Track(times, np.array([row[i] for row in rows])) for i in range(3)]
    fits = fit_friction(run.stack, *tracks)
    speeds = np.sqrt((tracks[1].values ** 2).mean(axis=0)).tolist()
    fast = dict(zip(robot.real_joints, speeds, strict=True))
    checked = [joint for joint in fits if fast[joint] > 0.1]  # slower ones creep in MuJoCo
    assert len(checked) >= 8
    for joint in checked:
        fit, speed = fits[joint], fast[joint]
        expected = dry[joint] + viscous[joint] * speed
        found = fit.coulomb + fit.viscous * speed
        assert abs(found - expected) < 0.06 * expected + 2.0 * fit.error, (joint, fit)
