"""Gains that delays or drives do not bear are told before anything runs."""

import re

import numpy as np
import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.checks.delays import delay_warnings
from controlit_ros.tasks.centroidal_momentum import CentroidalMomentum

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
IMPEDANCE = {"whole_body_controller_type": "WBOSCImpedance"}


def warnings(**settings):
    return load_stack(HANDS, settings).warnings


def told(found, word):
    return [text for text in found if word in text]


@pytest.mark.parametrize(
    ("delay", "effect"),
    [(0.0, None), (0.002, None), (0.010, "rings"), (0.020, "swings ever more")],
)
def test_the_round_trip_of_the_simulator_is_held_against_each_task(delay, effect):
    found = warnings(**{"simulator.communication_delay": delay})
    told_of = told(found, "RightHandOrientation")
    assert len(told_of) == (effect is not None)
    assert effect is None or (effect in told_of[0] and "kp 400, kd 28" in told_of[0])


def test_lower_gains_bear_more():
    found = warnings(**{"simulator.communication_delay": 0.020})
    assert told(found, "swings ever more") == told(found, "Orientation")
    assert told(found, "Posture with kp 64, kd 16 rings")


@pytest.mark.parametrize("interface", ["MuJoCo", "UDP"])
def test_a_stated_delay_counts_on_any_robot(interface):
    settings = {"robot_interface_type": interface, "simulator.communication_delay": 0.02}
    assert warnings(**settings)
    assert warnings(**settings, round_trip_delay=0.0) == ()
    assert warnings(round_trip_delay=0.04, robot_interface_type=interface)


def test_the_place_of_the_task_is_told():
    found = told(warnings(round_trip_delay=0.04), "LeftHandOrientation")[0]
    line = int(found.split(":")[0])
    assert "LeftHandOrientation" in HANDS.read_text().splitlines()[line - 1]


@pytest.mark.parametrize(("kp", "effect"), [(100.0, None), (300.0, "rings"), (900.0, "swings")])
def test_the_loop_of_a_momentum_is_of_first_order(kp, effect):
    """`L = kp e^(−sT) / s` bears T up to π / (2 kp)."""
    stack = load_stack(HANDS, {"round_trip_delay": 0.002})
    task = CentroidalMomentum("Momentum", stack.robot)
    task.controller.kp.set(kp)
    found = [text for _, text in delay_warnings([task], stack.servo)]
    assert bool(found) == (effect is not None)
    if effect is not None:
        assert effect in found[0]
        assert f"bear {500.0 * np.pi / kp:.3g} ms" in found[0]


def test_the_default_drives_are_too_strong_for_the_wrists():
    (text,) = warnings(**IMPEDANCE)
    assert "damping · dt / inertia is" in text
    assert "grow with every step" in text


@pytest.mark.parametrize("timestep", [1e-3, 2.5e-4])
def test_what_the_warning_says_is_enough(timestep):
    settings = {**IMPEDANCE, "simulator.timestep": timestep, "whole_body_controller.damping": 50.0}
    (text,) = warnings(**settings)
    found = float(re.search(r"inertia is ([\d.e+]+)", text)[1])
    calm = {**settings, "whole_body_controller.damping": 50.0 / found * 0.99}
    assert warnings(**calm) == ()
    rough = {**settings, "whole_body_controller.damping": 50.0 / found * 1.01}
    assert len(warnings(**rough)) == 1


def test_drives_swing_where_it_is_told_and_nowhere_else():
    """One joint's velocity under its drive alone, in MuJoCo, against the number that is told."""
    stack = load_stack(HANDS, {**IMPEDANCE, "robot_interface.mode": "in_process"})
    (text,) = stack.warnings
    ratio = float(re.search(r"inertia is ([\d.e+]+)", text)[1])
    for scale, swings in ((2.3, True), (1.7, False)):
        simulation = load_stack(
            HANDS, {**IMPEDANCE, "robot_interface.mode": "in_process", "world_gravity": [0, 0, 0]}
        ).robot_interface.simulation
        command = stack.controller.create_command()
        command.damping[:] = 10.0 * scale / ratio
        joint = simulation.model.joint("right_wrist_yaw").dofadr[0]
        start = 1e-3
        simulation.data.qvel[:] = start
        sizes = []
        for _ in range(200):
            simulation.apply(command)
            simulation.step()
            sizes.append(np.abs(simulation.data.qvel).max())
        assert (sizes[-1] > start) == swings, (joint, scale)
