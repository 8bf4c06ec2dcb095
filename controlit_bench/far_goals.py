"""Goals out of reach: first files of every robot of example-robot-data, and the shipped files."""

import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin
from scipy.optimize import least_squares

from controlit_bench.at_rest import robots
from controlit_bench.section import Section
from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.resource import ROBOTS_PACKAGE, resolve_resource
from controlit_ros.servo import CoordinatorState
from controlit_ros.share import share_directory
from controlit_ros.starters.first_configuration import first_configuration
from controlit_ros.tasks import Task
from controlit_ros.tasks.reach import PointTask, leads_to_world_point

CONTROLLERS = ("WBOSC", "WholeBodyQP")
GOALS = 20  # for each file and controller
DURATION = 10.0  # [s]
NEAREST, FARTHEST = 1.0, 4.0  # [m] from where the body is at the start
AT_REST = 0.01  # [rad/s, m/s]
LAST = 1.0  # [s] in which the robot must be at rest
STARTS = 12  # [-] postures from which the nearest reachable point is searched
NAN = float("nan")


class FarGoal(NamedTuple):
    """Result of one run with a goal out of reach.

    Attributes:
        task: The one that was given the goal; empty: the file has none that leads a point.
        speed: Largest joint velocity in the last second [rad/s, m/s].
        left_at: When control left the state active [s]; NaN: never.
        error: Error of the task at the end [m].
        nearest: Distance of the goal from the nearest point that any posture reaches [m]; NaN where
            the base moves, joints are coupled, or a task of the same level also acts.
    """

    task: str
    speed: float = NAN
    left_at: float = NAN
    error: float = NAN
    nearest: float = NAN

    @property
    def passes(self) -> bool:
        """Whether control stayed active and the robot came to rest."""
        return not self.task or (np.isnan(self.left_at) and self.speed < AT_REST)


def first_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write the first file of every robot into a folder; yield name and path of each."""
    root = resolve_resource(f"package://{ROBOTS_PACKAGE}/robots", Path())
    for urdf in robots():
        name = f"{urdf.relative_to(root).parts[0].removesuffix('_description')}/{urdf.stem}"
        path = folder / f"{name.replace('/', '_')}.yaml"
        try:
            path.write_text(first_configuration(str(urdf), "first", folder), encoding="utf-8")
        except ControlItError:
            continue
        yield name, path


def shipped_files() -> Iterator[tuple[str, Path]]:
    """Yield name and path of the controllers in `config`."""
    root = share_directory() / "config"
    for path in sorted(root.rglob("*.yaml")):
        if "tasks:" in path.read_text(encoding="utf-8"):
            yield path.relative_to(root).as_posix(), path


def run_far_goal(
    path: Path, controller: str, seed: int, overrides: Mapping[str, Any] | None = None
) -> FarGoal:
    """Lead a point of a simulated robot to a goal out of reach for `DURATION`.

    Args:
        path: The controller file.
        controller: Type of the whole-body controller.
        seed: Of the goal, and which task leads to it.
        overrides: More values of the file.

    Raises:
        ControlItError: The file cannot be run with this controller.
    """
    rng = np.random.default_rng([zlib.crc32(path.name.encode()), seed])
    values = {"whole_body_controller_type": controller, **(overrides or {})}
    with SimulatedController(path, values) as run:
        run.advance(0.1)
        tasks = [t for t in run.stack.tasks.tasks if leads_to_world_point(t)]
        if not tasks:
            return FarGoal("")
        task = tasks[seed % len(tasks)]
        goal: Array = task.goal.value.copy()
        direction = rng.normal(size=3)
        goal[:3] += direction / np.linalg.norm(direction) * rng.uniform(NEAREST, FARTHEST)
        run.set(task.goal.full_name, goal)
        speed, left_at, step = 0.0, NAN, 0.05
        for i in range(round(DURATION / step)):
            run.advance(step)
            if run.state is not CoordinatorState.ACTIVE and np.isnan(left_at):
                left_at = round(i * step, 2)
            if i * step >= DURATION - LAST:
                speed = max(speed, *(abs(v) for v in run.velocity.values()))
        error = float(np.linalg.norm(task.error.value[:3]))
        return FarGoal(task.name, speed, left_at, error, _nearest(run, task, goal[:3]))


def _nearest(run: SimulatedController, task: PointTask, goal: Array) -> float:
    """Return how far the goal is from the nearest point in reach, by search over postures."""
    robot, constraints = run.stack.robot, run.stack.configuration.constraints
    rivals = [t for t in run.stack.tasks.tasks if t is not task and _is_rival(t, task)]
    if rivals or len(constraints) != 1 or task.projection is not None:
        return NAN
    model, state = robot.pinocchio, run.node.coordinator.robot_state
    data, frame = model.createData(), robot.frame_id(task.body.value)
    q = pin.neutral(model)
    q[:3], q[3:7] = state.base_position, state.base_orientation
    joints = [model.joints[model.getJointId(name)] for name in state.joint_names]
    lower = np.maximum(robot.lower_limits, -2.0 * np.pi)
    upper = np.minimum(robot.upper_limits, 2.0 * np.pi)

    def missing(positions: Array) -> Array:
        for joint, p in zip(joints, positions, strict=True):
            q[joint.idx_q : joint.idx_q + joint.nq] = (
                [p] if joint.nq == 1 else [np.cos(p), np.sin(p)]
            )
        pin.framesForwardKinematics(model, data, q)
        point: Array = data.oMf[frame].act(np.asarray(task.control_point.value))
        return point - goal

    rng = np.random.default_rng(0)
    inside = upper - lower > 1e-6
    if not inside.all():
        return NAN
    starts = [np.clip(state.position, lower + 1e-9, upper - 1e-9)]
    starts += [rng.uniform(lower, upper) for _ in range(STARTS)]
    found = (least_squares(missing, start, bounds=(lower, upper)) for start in starts)
    return float(np.sqrt(2.0 * min(result.cost for result in found)))


def _is_rival(other: Task, task: Task) -> bool:
    return bool(other.priority.value >= task.priority.value)


def measure_far_goals(goals: int) -> list[Section]:
    """Run all files with both controllers."""
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(os.cpu_count()) as pool:
        return [
            _section(title, files, goals, pool)
            for title, files in (
                ("First files", list(first_files(Path(folder)))),
                ("Shipped files", list(shipped_files())),
            )
        ]


def _section(
    title: str, files: list[tuple[str, Path]], goals: int, pool: ProcessPoolExecutor
) -> Section:
    cases = [(name, path, controller) for name, path in files for controller in CONTROLLERS]
    results = pool.map(partial(_run_all, goals=goals), cases)
    rows = tuple(row for row in results if row is not None)
    at_rest = sum(row[3] == row[5] == 0 for row in rows)
    return Section(
        name=title.lower().replace(" ", "_"),
        title=title,
        columns=(
            "file", "controller", "goals [-]", "left active [-]", "speed at the end [rad/s]",
            "not at rest [-]", "beyond the nearest point [mm]", "remark",
        ),
        rows=rows,
        remarks=(f"{at_rest} of {len(rows)} rows stay active and come to rest with every goal",),
    )  # fmt: skip


def _run_all(case: tuple[str, Path, str], goals: int) -> tuple[Any, ...] | None:
    name, path, controller = case
    try:
        found = [run_far_goal(path, controller, seed) for seed in range(goals)]
    except ControlItError as error:
        return (name, controller, 0, None, None, None, None, str(error).split("\n")[0][:120])
    if not any(result.task for result in found):
        return None
    left = sum(not np.isnan(result.left_at) for result in found)
    slow = sum(not result.speed < AT_REST for result in found)
    beyond = [1e3 * (r.error - r.nearest) for r in found if not np.isnan(r.nearest)]
    most = max(beyond) if beyond else None
    return (name, controller, goals, left, max(r.speed for r in found), slow, most, "")
