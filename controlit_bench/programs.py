"""Whole cycles by quadratic programs beside those by projections: same robot, tasks and motion."""

import math
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from controlit_bench.cycle import TimedCycle
from controlit_bench.problems import dreamer_content, example_robot, stack_of
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles, Work, best, interleaved
from controlit_ros.arrays import Array
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.errors import ControlItError

TALOS = "talos_data/robots/talos_reduced_corrected.urdf"
SOLES = ("right_sole_link", "left_sole_link")
HALF_SIZE, FRICTION = (0.105, 0.065), 0.7
HALF_SITTING = {
    f"{limb}_{side}_{joint}_joint": sign * angle if joint in mirrored else angle
    for side, sign in (("left", 1.0), ("right", -1.0))
    for limb, mirrored, angles in (
        ("leg", (), {3: -0.411354, 4: 0.859395, 5: -0.448041}),
        ("arm", (1, 2), {1: 0.3, 2: 0.3, 4: -1.3, 7: 0.1}),
    )
    for joint, angle in angles.items()
}
TASKS: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("CenterOfMass", "CenterOfMass", 3, {}),
    ("Pelvis", "Orientation3D", 2, {"body": "base_link"}),
    ("Chest", "Orientation3D", 2, {"body": "torso_2_link"}),
    ("Head", "Orientation3D", 1, {"body": "head_2_link", "axes": ["y", "z"]}),
    ("LeftHand", "CartesianPosition", 1, {"body": "arm_left_7_link"}),
    ("RightHand", "CartesianPosition", 1, {"body": "arm_right_7_link"}),
    ("LeftPalm", "Orientation3D", 1, {"body": "arm_left_7_link"}),
    ("RightPalm", "Orientation3D", 1, {"body": "arm_right_7_link"}),
    ("LeftElbow", "CartesianPosition", 0, {"body": "arm_left_4_link"}),
    ("RightElbow", "CartesianPosition", 0, {"body": "arm_right_4_link"}),
    ("LeftKnee", "CartesianPosition", 0, {"body": "leg_left_4_link"}),
    ("RightKnee", "CartesianPosition", 0, {"body": "leg_right_4_link"}),
    ("LeftShoulder", "CartesianPosition", 0, {"body": "arm_left_2_link"}),
    ("RightShoulder", "CartesianPosition", 0, {"body": "arm_right_2_link"}),
    ("Posture", "JointPosition", 0, {}),
)
"""Name, type, priority and what else each of Talos's tasks has."""
LAWS = {
    "WBOSC": {},
    "Weighted": {"prioritisation_type": "Weighted"},
    "Hierarchical": {"prioritisation_type": "Hierarchical"},
}
WEIGHTS = {"level_weight": 100.0, "regularisation": 1e-6}
SWAY, FREQUENCY, PERIOD = 0.02, 0.5, 1e-3
"""Joints move by so much [rad], so often [Hz], a cycle every so often [s]."""
OFF = {"near": 0.0, "far": 0.1}
"""How far off the goal of a balance or of the first point is [m]."""


def measure_programs(*, quick: bool) -> Section:
    """Measure Dreamer with five tasks, and Talos on two feet with fifteen, moving, in turns."""
    remarks = []
    cycles: dict[tuple[str, str, str], TimedCycle] = {}
    with tempfile.TemporaryDirectory() as name:
        contents = {"Dreamer, 5 tasks": dreamer_content(single_threaded=True)}
        try:
            contents["Talos, 15 tasks"] = talos_content(example_robot(TALOS))
        except ControlItError as error:
            remarks.append(f"Talos: not installed: {error}")
        for robot, content in contents.items():
            for law in LAWS:
                for goals, off in OFF.items() if robot.startswith("Talos") else [("near", 0.0)]:
                    cycle = TimedCycle(stack_of(by_law(content, law), Path(name)))
                    lead_away(cycle, off)
                    cycles[robot, goals, law] = cycle
    works = {key: swaying(cycle) for key, cycle in cycles.items()}
    times = interleaved(works, rounds=20 if quick else 400, calls=5)
    least = best(times)
    rows = []
    for key, turns in times.items():
        robot, goals, _ = key
        beside = least[key] / least[robot, goals, "WBOSC"]
        p50 = Quantiles.of(turns).p50
        rows.append((*key, _met(cycles[key]), 1e6 * least[key], 1e6 * p50, beside))
    return Section(
        name="programs",
        title="Whole cycle by projections and by quadratic programs, hot, without robot",
        columns=(
            "robot",
            "goals",
            "law",
            "limits met [-]",
            "best turn [µs]",
            "p50 [µs]",
            "best/WBOSC [-]",
        ),
        rows=tuple(rows),
        remarks=tuple(remarks),
    )


def talos_content(urdf: Path) -> dict[str, Any]:
    """Return a controller of Talos on two feet with friction: fifteen tasks on four levels."""
    return {
        "name": "benchmark_controller",
        "robot_description": str(urdf),
        "parameters": {
            "robot_interface_type": "Benchmark",
            "default_bindings": False,
            "single_threaded_model": True,
            "single_threaded_tasks": True,
        },
        "robot_interface": {"posture": HALF_SITTING},
        "tasks": [
            {"name": name, "type": kind, "kp": 64, "kd": 16, **given}
            for name, kind, _, given in TASKS
        ],
        "constraints": [
            {
                "name": body,
                "type": "FlatContact",
                "body": body,
                "half_size": list(HALF_SIZE),
                "friction": FRICTION,
            }
            for body in SOLES
        ],
        "compound_task": [{"name": name, "priority": priority} for name, _, priority, _ in TASKS],
        "constraint_set": [{"name": body} for body in SOLES],
    }


def lead_away(cycle: TimedCycle, distance: float) -> None:
    """Put the goal of the first task aside, in each direction by a distance."""
    goal = cycle.stack.tasks.tasks[0].goal
    goal.assign(np.asarray(goal.value) + distance)


def swaying(cycle: TimedCycle) -> Work:
    """Return what computes one cycle after the other of a robot that moves as time goes on."""
    start = cycle.state.position.copy()
    begin = phases(len(start))
    angular, times = 2.0 * math.pi * FREQUENCY, count()

    def work() -> None:
        angle = begin + angular * PERIOD * next(times)
        cycle.state.position[:] = start + SWAY * np.sin(angle)
        cycle.state.velocity[:] = SWAY * angular * np.cos(angle)
        cycle.compute()

    return work


def phases(joints: int) -> Array:
    """Return where in its swing each joint begins, `(joints,)` [rad]."""
    return np.random.default_rng(0).uniform(0.0, 2.0 * math.pi, joints)


def by_law(content: Mapping[str, Any], law: str) -> dict[str, Any]:
    """Return a configuration with another law."""
    if law == "WBOSC":
        parameters = content["parameters"]
    else:
        parameters = content["parameters"] | {"whole_body_controller_type": "WholeBodyQP"}
        content = {**content, "whole_body_controller": WEIGHTS}
    return {**content, "parameters": parameters | LAWS[law]}


def _met(cycle: TimedCycle) -> int:
    """Return how many limits the last command meets, as a quadratic program counts them."""
    controller = cycle.stack.controller.chosen
    if not isinstance(controller, WholeBodyQP):
        return 0
    return int(np.count_nonzero(controller.prioritisation.multipliers))
