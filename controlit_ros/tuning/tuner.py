"""Tuner: the highest gains of each task that a simulated robot bears."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.configuration import Configuration, changed
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.checks.delays import ENOUGH, task_dead_time
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.offline import Latch, start_of, update_tasks
from controlit_ros.nodes.simulated_time import in_simulated_time
from controlit_ros.tasks import Task
from controlit_ros.tuning.step_trial import STEP, TRIED, Course, StepRecord, StepTrial
from controlit_ros.tuning.task_gains import TaskGains, objection

LARGEST_FACTOR, LEAST_FACTOR = 256.0, 1.0 / 32.0  # [-] of the present speed of a task
STRIDE = 1.5  # [-] from one factor tried to the next while both ends are not known
EXACT = 1.06  # [-] between the highest factor that fades and the lowest that does not
SMALLER = 0.1  # [-] of a step, which no limit of effort notices
SHARE = 0.9  # [-] of what efforts at rest leave of their limits, which a step may take
SLOWER, MUCH_SLOWER = 0.8, 0.6  # [-] what takes too much effort is made slower by
TRIES = 12  # [-]
SHORTEST_WATCH, LONGEST_WATCH = 1.5, 8.0  # [s]
SETTLINGS = 2.0  # [-] times the settling time of the slowest task, for which a step is watched
NOISES = ("position_noise", "velocity_noise", "wrench_noise")
DELAY = "communication_delay"

# Of drives on a field bus with encoders whose positions are differentiated.
ASSUMED = {DELAY: 0.001, "position_noise": 1e-4, "velocity_noise": 0.01}  # [s each way, rad, rad/s]

Tell = Callable[[str], None]


class Bound(Enum):
    """What keeps gains from being higher."""

    DELAY = "delay"
    SAMPLE_TIME = "sample time"
    EFFORT = "effort"
    NOISE = "noise"
    NOTHING = "nothing that was tried"


class TaskTuning(NamedTuple):
    """What was found of a task.

    Attributes:
        name: Of the task.
        present: Its gains in the file.
        highest: The highest gains whose step fades; `None`: none that were tried.
        beyond: The lowest gains whose step does not; `None`: none that were tried.
        recommended: Gains with a margin below these.
        bound: What keeps them from being higher.
        inertia: The least the robot weighs against the task, at its start [kg, kg m²].
        dead_time: From a measurement to what answers it [s].
        effort: Largest effort of a step at the recommended gains, as a share of its limit [-].
        records: Of the recommended, the highest gains and those beyond, as far as there are any.
    """

    name: str
    present: TaskGains
    highest: TaskGains | None
    beyond: TaskGains | None
    recommended: TaskGains | None
    bound: Bound
    inertia: float
    dead_time: float
    effort: float
    records: Mapping[str, StepRecord]

    @property
    def margin(self) -> float:
        """How much faster the task may become than recommended until it swings [-]."""
        if self.highest is None or self.recommended is None:
            return math.nan
        return float(np.sqrt(self.highest.kp.max() / self.recommended.kp.max()))

    @property
    def delay_margin(self) -> float:
        """Dead time that recommended gains bear beside what there is, by linear theory [s]."""
        if self.recommended is None:
            return math.nan
        return self.recommended.delay_margin - self.dead_time

    @property
    def factor(self) -> float:
        """How much faster than present the task is with the recommended gains [-]."""
        if self.recommended is None:
            return math.nan
        return float(np.sqrt(self.recommended.kp.max() / self.present.kp.max()))


class Tuning(NamedTuple):
    """What was found of a controller.

    Attributes:
        tasks: Those that were tuned, in the order of the file.
        left_out: Why the others were not, by name.
        together: Whether all recommended gains at once were tried, and all steps faded.
    """

    tasks: tuple[TaskTuning, ...]
    left_out: Mapping[str, str]
    together: bool


class _Found(NamedTuple):
    factor: float
    record: StepRecord


class Tuner:
    """Tries faster and slower gains of one task after the other, the others as they are.

    Gains keep their proportions: made faster by s they are `s² kp`, `s³ ki`, `s kd`. A trial steps
    the goal of the task and looks whether all joints come to rest again. Half of the highest speed
    is recommended, as `controlit check` warns of less margin; less where a step would take more
    effort than there is, or where linear theory sees less margin than the simulation does.

    No robot is without delay and noise: what the configuration does not state is `ASSUMED`.

    Args:
        configuration: Of the controller.
        tell: Takes a line on each trial, and on each task as it is done.

    Attributes:
        assumed: Parameters of the robot interface that are assumed, with their values.
        stack: The controller at its start.
        dead_time: From a measurement to what answers it, as `controlit check` counts [s].

    Raises:
        ControlItError: The configuration is wrong, or its robot is not simulated by MuJoCo.
    """

    def __init__(self, configuration: Configuration, tell: Tell) -> None:
        self._tell = tell
        self.assumed = _assumptions(build_stack(in_simulated_time(configuration, TRIED)))
        overrides = {f"robot_interface.{key}": value for key, value in self.assumed.items()}
        configuration = changed(configuration, overrides)
        self.stack = build_stack(in_simulated_time(configuration, TRIED))
        self._trial = StepTrial(configuration)
        self.dead_time = task_dead_time(self.stack.servo)
        self._inertia = reflected_inertia(self.stack)
        self._present = {
            task.name: TaskGains.of(task) for task in self.stack.tasks.tasks if not objection(task)
        }

    def tune(self, names: Sequence[str] = ()) -> Tuning:
        """Tune tasks, by default all that can be.

        Raises:
            ControlItError: One of them cannot be.
        """
        known = {task.name: objection(task) for task in self.stack.tasks.tasks}
        for name in names:
            if name not in known:
                raise ControlItError(f"there is no task {name!r}{did_you_mean(name, known)}")
            if known[name]:
                raise ControlItError(f"{name} cannot be tuned: {known[name]}")
        chosen = [name for name in known if not known[name] and (not names or name in names)]
        found = tuple(self._tune(name) for name in chosen)
        return self._together(found, {name: why for name, why in known.items() if why})

    def _tune(self, name: str) -> TaskTuning:
        present = self._present[name]
        limit = present.delay_margin / self.dead_time
        good, bad = self._search(name, limit)
        records, recommended, effort = {}, None, math.nan
        bound = Bound.NOTHING if bad is None else self._bound(name, bad.factor)
        if good is not None:
            records["highest"] = good.record
            if limit < good.factor:
                bound = Bound.DELAY if self._has_delay else Bound.SAMPLE_TIME
            highest = min(limit, good.factor)
            chosen = self._with_margin(name, highest)
            if chosen is not None:
                recommended, effort = present.faster(chosen.factor), chosen.record.effort
                records["recommended"] = chosen.record
                if chosen.factor < ENOUGH * highest:
                    bound = Bound.EFFORT
        if bad is not None:
            records["beyond"] = bad.record
        self._tell(f"{name}: limited by {bound.value}")
        return TaskTuning(
            name,
            present,
            None if good is None else present.faster(good.factor),
            None if bad is None else present.faster(bad.factor),
            recommended,
            bound,
            self._inertia[name],
            self.dead_time,
            effort,
            records,
        )

    @property
    def _has_delay(self) -> bool:
        return bool(np.any(self.stack.robot_interface.parameters[DELAY].value))

    def _search(self, name: str, limit: float) -> tuple[_Found | None, _Found | None]:
        """Return the highest factor whose step fades and the lowest whose does not, as found.

        Args:
            name: Of the task.
            limit: Factor at which linear theory sees the end; where the search begins.
        """
        good: _Found | None = None
        bad: _Found | None = None
        factor = min(max(limit, LEAST_FACTOR), LARGEST_FACTOR) if math.isfinite(limit) else 1.0
        while LEAST_FACTOR <= factor <= LARGEST_FACTOR:
            record = self._try(name, factor)
            if record.course is Course.FADES:
                good = _Found(factor, record)
            else:
                bad = _Found(factor, record)
            if good is not None and bad is not None:
                if bad.factor < EXACT * good.factor:
                    break
                factor = math.sqrt(good.factor * bad.factor)
            else:
                factor *= STRIDE if bad is None else 1.0 / STRIDE
        return good, bad

    def _with_margin(self, name: str, highest: float) -> _Found | None:
        """Return a factor that leaves a margin, and effort."""
        factor = ENOUGH * highest
        for _ in range(TRIES):
            record = self._try(name, factor)
            room = record.resting + SHARE * (1.0 - record.resting)
            if record.course is Course.FADES and record.effort <= room:
                return _Found(factor, record)
            factor *= MUCH_SLOWER if record.effort >= 1.0 else SLOWER
        return None

    def _bound(self, name: str, factor: float) -> Bound:
        """Return what a task would need to bear a factor that it does not."""
        interface = self.stack.robot_interface.parameters
        if self._fades(name, factor, {}, step=SMALLER * STEP):
            return Bound.EFFORT
        noises = [key for key in NOISES if np.any(interface[key].value)]
        if noises and self._fades(name, factor, {f"robot_interface.{key}": 0.0 for key in noises}):
            return Bound.NOISE
        without = {f"robot_interface.{DELAY}": 0.0}
        if self._has_delay and self._fades(name, factor, without):
            return Bound.DELAY
        return Bound.SAMPLE_TIME

    def _fades(
        self, name: str, factor: float, changes: Mapping[str, Any], *, step: float = STEP
    ) -> bool:
        return self._try(name, factor, changes, step=step).course is Course.FADES

    def _try(
        self,
        name: str,
        factor: float,
        changes: Mapping[str, Any] | None = None,
        *,
        step: float = STEP,
    ) -> StepRecord:
        gains = {name: self._present[name].faster(factor)}
        duration = self._watch({**self._present, **gains})
        record = self._trial.run(gains, [name], duration, step=step, changes=changes)
        without = (
            f" without {', '.join(key.rpartition('.')[2] for key in changes)}" if changes else ""
        )
        kp = float(gains[name].kp.max())
        self._tell(f"{name}: a step of {step:g} at kp {kp:.3g}{without} {record.course.value}")
        return record

    def _watch(self, gains: Mapping[str, TaskGains]) -> float:
        slowest = max(values.settling_time for values in gains.values())
        return min(max(SHORTEST_WATCH, SETTLINGS * slowest), LONGEST_WATCH)

    def _together(self, found: tuple[TaskTuning, ...], left_out: Mapping[str, str]) -> Tuning:
        """Try what is recommended at once, and make it slower until all steps fade."""
        chosen = {task.name: task.recommended for task in found if task.recommended is not None}
        for number in range(TRIES if chosen else 0):
            gains = {name: values.faster(SLOWER**number) for name, values in chosen.items()}
            duration = self._watch({**self._present, **gains})
            record = self._trial.run(gains, list(gains), duration)
            if record.course is Course.FADES:
                tasks = tuple(t._replace(recommended=gains.get(t.name)) for t in found)
                return Tuning(tasks, left_out, together=True)
            self._tell("all recommended gains together swing: slower")
        return Tuning(found, left_out, together=False)


def _assumptions(stack: ControllerStack) -> dict[str, float]:
    """Return parameters of the robot interface that must be assumed, as they are not stated."""
    interface, round_trip = stack.robot_interface.parameters, stack.servo.round_trip_delay
    values = {key: value for key, value in ASSUMED.items() if not interface[key].stated}
    if DELAY in values and round_trip > 0.0:
        values[DELAY] = 0.5 * round_trip
    return values


def reflected_inertia(stack: ControllerStack) -> dict[str, float]:
    """Return by task the least inertia a robot has against it, at its start [kg, kg m²].

    That is one over the largest eigenvalue of `J* Φ J*ᵀ`, with `J* = J UNc̄` of the task alone:
    what a unit of effort moves most easily.
    """
    model = update_tasks(stack, start_of(stack), Latch.START)
    found = {}
    for task in stack.tasks.tasks:
        if not task.is_disabled and task.rows:
            motion = _rows(task) @ model.UNc_bar
            mobility = float(np.linalg.eigvalsh(motion @ model.Phi @ motion.T)[-1])
            found[task.name] = 1.0 / mobility if mobility > 0.0 else math.inf
    return found


def _rows(task: Task) -> Array:
    jacobian = task.active.jacobian
    return jacobian if task.projection is None else task.projection @ jacobian
