"""Every robot of example-robot-data with the file that `controlit new robot` writes of it."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

import numpy as np

from controlit_bench.at_rest import BASE, KINDS, robots, running
from controlit_bench.section import Section
from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.assembly import assemble
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.resource import ROBOTS_PACKAGE, resolve_resource
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.starters.first_configuration import first_configuration

FULL_DURATION, QUICK_DURATION = 5.0, 0.2  # [s]
LEAST_JOINTS = 3  # [-]
LONGEST = 200  # [characters] of a remark
BEYOND = 1e-3  # [rad, m] a position may be beyond its limit by what stops it
EXCESS = 1.02  # [-] of a velocity limit
NAN = float("nan")
ENDED, ERROR = "control ended", "error"


class FirstFile(NamedTuple):
    """What came of the first controller file of a robot.

    Attributes:
        robot: Its description.
        joints: Joints that move, as the file has them.
        stands: On what.
        tasks: How many the file has.
        check: `ok`, how many warnings, or `error`.
        position: How far a joint was beyond a position limit, negative: within [rad, m].
        velocity: Largest velocity, as a share of its limit [-].
        effort: Largest effort, as a share of its limit [-].
        moved: How far the joint went that went farthest [rad, m].
        remark: What is to be said: warnings, why it does not hold.
    """

    robot: str
    joints: int
    stands: str
    tasks: int
    check: str
    position: float
    velocity: float
    effort: float
    moved: float
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Whether the file is right, and the run stayed finite, active and within limits."""
        within = self.position <= BEYOND and self.velocity <= EXCESS and self.effort <= 1.0 + 1e-9
        return self.check != ERROR and within and ENDED not in self.remark


def measure_first_files(*, quick: bool) -> Section:
    """Measure all robots with at least three joints."""
    duration = QUICK_DURATION if quick else FULL_DURATION
    with ProcessPoolExecutor(os.cpu_count()) as pool:  # nothing here is a time
        rows = list(pool.map(partial(first_file, duration=duration), robots()))
    found = [row for row in rows if row is not None]
    holding = sum(row.holds for row in found)
    return Section(
        name="first_files",
        title=f"{duration:g} s in simulation",
        columns=(
            "robot", "joints [-]", "stands on", "tasks [-]", "check", "beyond [rad]",
            "velocity [%]", "effort [%]", "moved [rad]", "remark",
        ),
        rows=tuple(_cells(row) for row in found),
        remarks=(f"{holding} of {len(found)} pass, stay finite, active and within limits",),
    )  # fmt: skip


def first_file(urdf: Path, duration: float) -> FirstFile | None:
    """Write the first file of a robot, check it and let it run.

    Returns:
        `None` if the robot has fewer than three joints, or is no robot.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "first.yaml"
        try:
            text = first_configuration(str(urdf), "first", path.parent)
        except ControlItError:
            return None
        path.write_text(text, encoding="utf-8")
        try:
            stack = load_stack(path, IN_SIMULATED_TIME)
            assemble(load_stack(path))
        except ControlItError as error:
            return FirstFile(_name(urdf), 0, "", 0, ERROR, NAN, NAN, NAN, NAN, str(error))
    return _run(_name(urdf), stack, duration) if _joints(stack) >= LEAST_JOINTS else None


def _name(urdf: Path) -> str:
    """Return the package and file of a robot, which is not unique by its file alone."""
    root = resolve_resource(f"package://{ROBOTS_PACKAGE}/robots", Path())
    return f"{urdf.relative_to(root).parts[0].removesuffix('_description')}/{urdf.stem}"


def _joints(stack: ControllerStack) -> int:
    return len(stack.robot.real_joints)


def _run(name: str, stack: ControllerStack, duration: float) -> FirstFile:
    watch = _LimitWatch(stack)
    remarks = [warning.split(": ", 1)[-1] for warning in stack.warnings]
    with running(stack) as coordinator:
        assert isinstance(stack.clock, SimulatedClock)
        try:
            for _ in range(round(duration * stack.servo.frequency)):
                stack.clock.advance(1)
                watch.look(coordinator.command.effort)
                if coordinator.state is not CoordinatorState.ACTIVE:
                    remarks.append(f"{ENDED} at {stack.clock.now:.2f} s")
                    break
        except ControlItError as error:
            remarks.append(f"{ENDED}: {error}")
    return FirstFile(
        name,
        _joints(stack),
        _stands(stack),
        len(stack.tasks.tasks),
        "ok" if not stack.warnings else f"{len(stack.warnings)} warnings",
        watch.beyond,
        watch.velocity,
        watch.effort,
        watch.moved,
        "; ".join(remarks),
    )


class _LimitWatch:
    """Largest values of a run, of the true joints."""

    def __init__(self, stack: ControllerStack) -> None:
        robot = stack.robot
        assert isinstance(stack.robot_interface, MuJoCo)
        self._simulation = stack.robot_interface.simulation
        self._low, self._high = robot.lower_limits, robot.upper_limits
        self._fastest = _limits(robot.velocity_limits)
        self._strongest = _limits(robot.effort_limits[robot.command_indices])
        assert stack.start is not None
        self._begin = stack.start.position.copy()
        self.beyond = -np.inf
        self.velocity = self.effort = self.moved = 0.0

    def look(self, effort: Array) -> None:
        """Look at the robot as it is now."""
        state = self._simulation.latest()
        position, velocity = state.position, state.velocity
        beyond = np.maximum(self._low - position, position - self._high)
        self.beyond = _larger(self.beyond, beyond)
        self.velocity = _larger(self.velocity, np.abs(velocity) / self._fastest)
        self.effort = _larger(self.effort, np.abs(effort) / self._strongest)
        self.moved = _larger(self.moved, np.abs(position - self._begin))


def _larger(before: float, values: Array) -> float:
    """Return the larger one; what is no number stays in sight."""
    return float(np.maximum(before, values.max()))


def _limits(limits: Array) -> Array:
    """Return limits, none where a description gives none or zero."""
    return np.where(limits > 0.0, limits, np.inf)


def _stands(stack: ControllerStack) -> str:
    contacts = [c for c in stack.configuration.constraints if c.type in KINDS and c.name != BASE]
    if not contacts:
        return "bolted"
    return f"{len(contacts)} {' and '.join(sorted({KINDS[c.type] for c in contacts}))}"


def _cells(row: FirstFile) -> tuple[object, ...]:
    """Return a row with shares in percent."""
    return (
        *row[:5],
        row.position,
        100.0 * row.velocity,
        100.0 * row.effort,
        row.moved,
        shorten(row.remark.replace("|", "/"), LONGEST, placeholder=" ..."),
    )
