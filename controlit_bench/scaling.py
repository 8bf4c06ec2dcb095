"""Cost of a cycle over degrees of freedom and over tasks."""

import tempfile
from pathlib import Path

import numpy as np

from controlit_bench.cycle import TimedCycle
from controlit_bench.problems import (
    example_robot,
    generated_robot,
    robot_content,
    stack_of,
)
from controlit_bench.section import Section
from controlit_bench.timing import best, interleaved
from controlit_ros.errors import ControlItError

JOINTS = (7, 16, 22, 32, 60)
TASKS = (1, 3, 5, 10, 15)
JOINTS_FOR_TASKS = 32
TALOS = "talos_data/robots/talos_reduced.urdf"
TALOS_BODIES = (
    "arm_left_7_link", "arm_right_7_link", "leg_left_6_link", "leg_right_6_link", "head_2_link",
    "torso_2_link", "arm_left_4_link", "arm_right_4_link", "leg_left_4_link", "leg_right_4_link",
    "arm_left_2_link", "arm_right_2_link", "arm_left_5_link", "arm_right_5_link",
)  # fmt: skip


def fitted_exponent(points: list[tuple[float, float]]) -> float:
    """Return p of the best `y = c xᵖ`, least squares on logarithms."""
    x, y = np.log(np.array(points)).T
    return float(np.polyfit(x, y, 1)[0])


def measure_scaling(*, quick: bool) -> Section:
    """Measure generated trees, bolted to the world, with points and a posture; and Talos."""
    rounds, calls = (3, 3) if quick else (15, 20)
    rows: list[tuple[object, ...]] = []
    over_joints, over_tasks = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cycles = {
            f"tree of {joints} joints, 3 tasks": _tree(joints, 3, folder)
            for joints in (JOINTS[:3] if quick else JOINTS)
        }
        by_tasks = {
            f"tree of {JOINTS_FOR_TASKS} joints, {tasks} tasks": _tree(
                JOINTS_FOR_TASKS, tasks, folder
            )
            for tasks in (TASKS[:2] if quick else TASKS)
        }
        talos = _talos(folder)
        works = {label: cycle.compute for label, cycle in {**cycles, **by_tasks, **talos}.items()}
        times = best(interleaved(works, rounds=rounds, calls=calls))
    for label, cycle in {**cycles, **by_tasks, **talos}.items():
        joints, tasks = len(cycle.stack.robot.real_joints), len(cycle.stack.tasks.tasks)
        rows.append((label, joints, tasks, 1e6 * times[label]))
        if label in cycles:
            over_joints.append((float(joints), 1e6 * times[label]))
        if label in by_tasks:
            over_tasks.append((float(tasks), 1e6 * times[label]))
    remarks = [
        f"cost grows with the joints to the power {fitted_exponent(over_joints):.2f}",
        f"cost grows with the tasks to the power {fitted_exponent(over_tasks):.2f}",
    ]
    if not talos:
        remarks.append("Talos: not installed: example-robot-data")
    return Section(
        name="scaling",
        title="Whole single-threaded cycle, hot, without robot",
        columns=("robot", "joints [-]", "tasks [-]", "cycle [µs]"),
        rows=tuple(rows),
        remarks=tuple(remarks),
        curves={"joints": over_joints, "tasks": over_tasks},
    )


def _tree(joints: int, tasks: int, folder: Path) -> TimedCycle:
    """Return the cycle of a tree with points spread over its links and the posture."""
    urdf = folder / f"tree_{joints}.urdf"
    urdf.write_text(generated_robot(joints), encoding="utf-8")
    links = [f"link_{i}" for i in np.linspace(joints, 2, tasks - 1).astype(int)]
    return TimedCycle(stack_of(robot_content(urdf, "base_link", links), folder))


def talos_cycle(folder: Path) -> TimedCycle:
    """Return the cycle of Talos, bolted to the world, with 14 points and the posture.

    Raises:
        ControlItError: `example-robot-data` is not installed.
    """
    content = robot_content(example_robot(TALOS), "base_link", list(TALOS_BODIES))
    return TimedCycle(stack_of(content, folder))


def _talos(folder: Path) -> dict[str, TimedCycle]:
    try:
        return {"Talos, 15 tasks": talos_cycle(folder)}
    except ControlItError:
        return {}
