"""StepTrial: a controller in simulation whose goals step a little, once, with given gains."""

import math
from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.configuration import Configuration, changed
from controlit_ros.errors import ControlItError
from controlit_ros.model import quaternion
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.nodes.simulated_time import in_simulated_time
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.servo import CoordinatorState, OscillationSettings
from controlit_ros.tasks import Task
from controlit_ros.tuning.task_gains import TaskGains

STEP = 0.01  # [m, rad] of each component of a goal
CALM = 1e-3  # [rad/s, m/s] a robot whose joints are slower is at rest
CALM_BEGIN = 0.01  # [rad/s, m/s] from which a step may begin
LONGEST_WAIT = 1.0  # [s] for that: feet sink into a floor
LOOK = 0.1  # [s]
FADED = 0.1  # [-] of the fastest motion, below which what is left at the end has faded
TAIL = 0.25  # [-] of the time watched, at its end
ERRORS = 500  # [1/s] how often errors are kept for a picture
TRIED = "gains are tried in simulation"
QUIET = {"soft_start_time": 0.0, "default_bindings": False, "log_level": "ERROR"}


class Course(Enum):
    """What became of a step."""

    FADES = "fades"
    RINGS = "rings"
    """It goes on swinging, or efforts chatter (`chatter_limit`)."""
    DIVERGES = "diverges"
    """Control ended, or the physics did."""


class StepRecord(NamedTuple):
    """What a trial found.

    Attributes:
        course: What became of the step.
        times: `(n,)` since the step [s].
        errors: `(n, tasks)` error norms of the tasks in the order of the file.
        effort: Largest effort, as a share of its joint's limit [-].
        resting: The same before the step [-].
        left: Fastest joint at the end, as a share of the fastest of all; 0: at rest [-].
        chatter: Mean deviation of the effort that alternates most at the end, as a share [-].
    """

    course: Course
    times: Array
    errors: Array
    effort: float
    resting: float
    left: float
    chatter: float


class StepTrial:
    """Tries gains of a controller, each time from its start, in simulated time.

    Args:
        configuration: Of the controller.

    Raises:
        ControlItError: Its robot is not simulated by MuJoCo.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = changed(in_simulated_time(configuration, TRIED), QUIET)

    def run(
        self,
        gains: Mapping[str, TaskGains],
        stepped: Collection[str],
        duration: float,
        *,
        step: float = STEP,
        changes: Mapping[str, Any] | None = None,
    ) -> StepRecord:
        """Let goals step and watch what comes of it.

        Args:
            gains: By task, in place of those of the file.
            stepped: Tasks whose goals step.
            duration: How long to watch [s].
            step: By how much [m, rad].
            changes: Values that replace those of the configuration.

        Raises:
            ControlItError: It cannot be simulated, or control does not begin.
        """
        controller = SimulatedController(self._configuration, changes)
        for name, values in gains.items():
            values.assign_to(controller.task(name))
        with controller:
            watch = _StepWatch(controller)
            watch.settle()
            for name in stepped:
                displace(controller.task(name), step)
            return watch.record(duration)


class _StepWatch:
    """Looks at a controller cycle by cycle."""

    def __init__(self, controller: SimulatedController) -> None:
        stack = controller.stack
        assert isinstance(stack.robot_interface, MuJoCo)
        self._controller, self._stack = controller, stack
        self._frequency = stack.servo.frequency
        simulation, names = stack.robot_interface.simulation, stack.robot.real_joints
        joints = [simulation.model.joint(name).id for name in names]
        self._velocities, self._dofs = simulation.data.qvel, simulation.model.jnt_dofadr[joints]
        limits = stack.robot.effort_limits[stack.robot.command_indices]
        self._limits = np.where(limits > 0.0, limits, np.inf)
        self._tasks = tuple(stack.tasks.tasks)
        noise = stack.robot_interface.parameters["velocity_noise"].value
        self._calm = max(CALM, noise)  # nobody sees whether a joint is slower
        self._bearable_chatter = stack.servo.oscillations.chatter or OscillationSettings().chatter

    def settle(self) -> None:
        """Wait for rest, and let all tasks hold what is there."""
        until = self._controller.time + LONGEST_WAIT
        self._controller.advance(LOOK)
        while self._speed() > CALM_BEGIN and self._controller.time < until and self._is_active():
            self._controller.advance(LOOK)
        for task in self._tasks:
            if not task.is_disabled and task.latches:
                task.latch_goal()

    def record(self, duration: float) -> StepRecord:
        """Watch for a time [s], or until control ends."""
        cycles, resting = round(duration * self._frequency), float(np.abs(self._efforts()).max())
        every = max(1, round(self._frequency / ERRORS))
        speeds, efforts = np.zeros(cycles), np.zeros((cycles, len(self._limits)))
        times, errors = [], []
        course = None
        for cycle in range(cycles):
            if not self._goes_on():
                course = Course.DIVERGES
                break
            speeds[cycle], efforts[cycle] = self._speed(), self._efforts()
            if cycle % every == 0:
                times.append(cycle / self._frequency)
                errors.append([task.error_norm.value for task in self._tasks])
                self._controller.node.outbox.deliver_all()
        tail = max(2, round(TAIL * cycles))
        left = _left(speeds, tail, self._calm)
        chatter = float(0.5 * np.abs(np.diff(efforts[-tail:], axis=0)).mean(axis=0).max())
        if course is None:
            has_faded = left <= FADED and chatter <= self._bearable_chatter
            course = Course.FADES if has_faded else Course.RINGS
        return StepRecord(
            course,
            np.array(times),
            np.array(errors),
            max(resting, float(np.abs(efforts).max())),
            resting,
            left,
            chatter,
        )

    def _goes_on(self) -> bool:
        """Run a cycle; return whether control and physics are still there."""
        try:
            self._stack.clock.advance(1)
        except ControlItError:  # the physics diverged
            return False
        return self._is_active() and math.isfinite(self._speed())

    def _efforts(self) -> Array:
        """Return efforts as shares of their limits [-]."""
        shares: Array = self._controller.node.coordinator.command.effort / self._limits
        return shares

    def _is_active(self) -> bool:
        return self._controller.state is CoordinatorState.ACTIVE

    def _speed(self) -> float:
        """Return the true speed of the fastest joint, whatever is measured."""
        return float(np.abs(self._velocities[self._dofs]).max())


def _left(speeds: Array, tail: int, calm: float) -> float:
    """Return the fastest joint at the end as a share of the fastest of all, 0 at rest [-]."""
    end = float(speeds[-tail:].max())
    return 0.0 if end <= calm else end / float(speeds.max())


def displace(task: Task, step: float) -> None:
    """Move the goal of a task that holds what is there.

    Args:
        task: Its goal is latched.
        step: By how much, in every component it acts on [m, rad].
    """
    goal, here = task.goal, task.goal.value
    if goal.unit_length:
        turn = _turn(step)
        moved = (
            quaternion.multiply(turn, here) if len(here) == len(turn)
            else quaternion.rotate(turn, here)
        )  # fmt: skip
    else:
        change = np.full(here.shape, step)
        task.project(change)
        moved = here + change * _inwards(task)
    goal.assign(goal.validate(moved))


def _turn(angle: float) -> Array:
    """Return a rotation about an axis that is none of the body's, xyzw."""
    axis = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    return np.array([*(np.sin(0.5 * angle) * axis), np.cos(0.5 * angle)])


def _inwards(task: Task) -> Array:
    """Return signs that lead joints towards the middle of their ranges; ones where none are."""
    robot, goal = task.robot, task.goal
    if not set(goal.labels) <= set(robot.real_joints) or not goal.labels:
        return np.ones(goal.value.shape)
    indices = robot.indices(goal.labels)
    middle = 0.5 * (robot.lower_limits[indices] + robot.upper_limits[indices])
    return np.where(np.nan_to_num(middle) < goal.value, -1.0, 1.0)
