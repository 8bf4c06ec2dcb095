"""The real servo and updaters over instrumented memory, scheduled step by step in one thread.

The servo is one call stack; whenever it touches something shared it reaches a *point*, where a
scheduler may let the updaters take steps first. The updaters are the real generators `steps()`.
So every interleaving of shared accesses can be played, and the fakes behind the protocol notice
what must never happen. Nothing here knows the protocol: it only knows what a reader may see.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

from controlit_ros.controllers.command import Command
from controlit_ros.kernels.measurement_layout import STAMP_AT
from controlit_ros.model import RobotState
from controlit_ros.parameters import Mailbox, Parameter, Reader
from controlit_ros.servo import (
    Control,
    Coordinator,
    LatencyRecorder,
    ModelUpdater,
    NoticeBoard,
    Outbox,
    Queue,
    ServoPorts,
    ServoSettings,
    StalenessBound,
    TaskUpdater,
)
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.model_updater import ModelPhase
from controlit_ros.servo.plausibility import PlausibilitySettings
from controlit_ros.tasks import Task

JOINTS = ("joint",)
SmallRecorder = partial(LatencyRecorder, 8)  # two minutes of cycles take a while to allocate
NEVER_STALE = StalenessBound(distance=np.inf, age=np.inf)
COUNTED = PlausibilitySettings(jump=1e9)  # cycles are counted as positions
THREADED = ServoSettings(staleness=NEVER_STALE, reconfiguration_time=0.0, measurements=COUNTED)
NEVER, ALWAYS = float("inf"), 1
SERVO, MODEL, TASKS = "servo", "model updater", "task updater"


class Violation(BaseException):
    """Something happened that must never happen; no handler of the servo may swallow it."""


class Pruned(BaseException):
    """What follows was explored before."""


class Blocked(BaseException):
    """An updater waits for a lock."""


class WatchedLock:
    """Lock the servo may only try."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.is_held = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT001, FBT002 - as a lock has it
        world = self._world
        if world.role == SERVO:
            world.point("lock")
            if blocking:
                raise Violation("the servo blocks on a lock")
        if self.is_held:
            if blocking:
                raise Blocked
            return False
        self.is_held = True
        return True

    def release(self) -> None:
        self._world.point("unlock")
        self.is_held = False

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def watched(name: str, *, is_shared: bool = True) -> property:
    """Attribute whose every access is a point, but reading what only the servo writes."""
    slot, assigned = f"watched_{name}", f"{name} ="

    def get(self):
        if is_shared and self.world is not None:
            self.world.point(name)
        return getattr(self, slot)

    def put(self, value):
        if self.world is not None:
            self.world.point(assigned)
        setattr(self, slot, value)
        if self.world is not None:
            self.world.written(name, value)

    return property(get, put)


@cache
def watch_models(cls: type[ModelUpdater]) -> type[ModelUpdater]:
    attributes = {
        "world": None,
        "phase": watched("phase"),
        "active": watched("active", is_shared=False),
        "inactive": watched("inactive", is_shared=False),
    }
    return type("Watched", (cls,), attributes)


@cache
def watch_tasks(cls: type[TaskUpdater]) -> type[TaskUpdater]:
    return type("Watched", (cls,), {"world": None, "is_idle": watched("is_idle")})


class WatchedFlags(list):
    """The ready flags of the task updater; raising one completes the write of that state."""

    def __init__(self, world: "World", size: int) -> None:
        super().__init__([False] * size)
        self._world = world

    def __getitem__(self, index):
        self._world.point("ready")
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        self._world.point("ready =")
        super().__setitem__(index, value)
        if value:
            self._world.tasks[index].finish_update()


class WatchedParameter(Parameter):
    __slots__ = ("world",)

    def assign(self, value):
        world = getattr(self, "world", None)
        if world is not None:
            world.point("assign")
        super().assign(value)


class HalfState:
    """Robot state stored in a model, two halves."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.first = self.second = 0
        self.motion = RobotState(JOINTS).motion

    @property
    def stamp(self) -> float:
        return self.motion.item(STAMP_AT)

    @property
    def halves(self) -> tuple[int, int]:
        return self.first, self.second

    def copy_from(self, other) -> None:
        self._world.model_is_written(self)
        self.first = other.sequence
        self._world.point("store")
        self.second = other.sequence
        self.motion[STAMP_AT] = other.stamp


class HalfModel:
    """Model whose two halves are written by the two halves of the update."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.first = self.second = 0
        self.is_finished = False
        self.seen_parameter = 0.0
        self.bias_effort = np.zeros(len(JOINTS))
        self.Phi = np.eye(len(JOINTS))
        self.drift = np.zeros(len(JOINTS))
        self.constraints = SimpleNamespace(with_reactions=False, contacts=())
        description = SimpleNamespace(
            nv=len(JOINTS),
            real_joints=JOINTS,
            contacts=(),
            sensors=(),
            imu=None,
            create_state=lambda memory=bytearray: RobotState(JOINTS, memory),
            command_joints=JOINTS,
            command_indices=np.arange(len(JOINTS)),
            command_dofs=np.arange(len(JOINTS)),
            effort_limits=np.full(len(JOINTS), np.inf),
            velocity_limits=np.full(len(JOINTS), np.inf),
            is_sliding=np.zeros(len(JOINTS), dtype=bool),
            lower_limits=np.full(len(JOINTS), -np.inf),
            upper_limits=np.full(len(JOINTS), np.inf),
        )
        self.robot_model = SimpleNamespace(
            state=HalfState(world), description=description, owner=self
        )

    @property
    def is_one_call(self) -> bool:
        return self._world.cycles % self._world.one_call_every == 0

    def update(self, state, _then=None) -> None:
        self.robot_model.state.copy_from(state)
        self.update_dynamics(self.robot_model.state)
        self.update_projections()

    def update_dynamics(self, state) -> None:
        self._world.model_is_written(state)
        if state.first != state.second:
            raise Violation("the model updater reads a half-written robot state")
        self.seen_parameter = self._world.model_parameter.value
        self.first = state.first

    def update_projections(self) -> None:
        state = self.robot_model.state
        self._world.model_is_written(state)
        if state.first != self.first:
            raise Violation("the robot state changed during the model update")
        if self._world.model_parameter.value != self.seen_parameter:
            raise Violation("a parameter changed while the model updater ran")
        self.second = state.second


class HalfTaskState:
    def __init__(self) -> None:
        self.first = self.second = 0
        self.valid = True

    @property
    def halves(self) -> tuple[int, int]:
        return self.first, self.second


class HalfTask:
    """Task whose update writes one half; the other half is written when it is marked ready."""

    complaint = Task.complaint
    command_kind = None  # it has no goal that could swing

    def __init__(self, world: "World", name: str) -> None:
        self.operational_state = SimpleNamespace(value="enable")
        self._world = world
        self.name = name
        self.is_disabled = False
        self.active, self.inactive = HalfTaskState(), HalfTaskState()
        self.controller = SimpleNamespace(reset=lambda: None)
        self.is_led = False
        self.goal = SimpleNamespace(stated=True)
        self.is_finished = False
        self.written: HalfTaskState | None = None
        self._model: HalfModel | None = None

    def update(self, robot_model, state) -> None:
        world, model = self._world, robot_model.owner
        if self.is_finished:
            raise Violation(f"a finished update of {self.name} is overwritten")
        world.task_reads(model)
        self.written, self._model = state, model
        state.first = model.first
        if world.role == SERVO:
            self.finish_update()

    def finish_update(self) -> None:
        world, state = self._world, self.written
        if state is None or self._model is None:
            raise Violation(f"{self.name} is marked ready before its update")
        world.task_reads(self._model)
        if self.inactive is not state:
            raise Violation(f"{self.name} is swapped while it is written")
        state.second = self._model.second
        self.written, self.is_finished = None, True

    def swap(self) -> None:
        self._world.point("swap")
        if self.written is not None:
            raise Violation(f"{self.name} is swapped while it is written")
        if not self.is_finished:
            raise Violation(f"an old state of {self.name} becomes active")
        self.is_finished = False
        active = self.active
        self.active = self.inactive
        self._world.point("swapping")
        self.inactive = active


@dataclass
class Runner:
    """Plays an updater's thread, one step at a time."""

    world: "World"
    role: str
    updater: ModelUpdater | TaskUpdater
    generator: object = None
    steps: int = 0

    @property
    def is_runnable(self) -> bool:
        if self.generator is not None:
            return True
        if self.updater._wake.locked():
            return False
        # at its first step an updater takes its lock; while the servo has it there is none
        return not self.updater._lock.is_held

    def step(self) -> None:
        if self.generator is None:
            assert self.updater._wake.acquire(blocking=False)
            self.generator = self.updater.steps()
        self.world.role = self.role
        try:
            next(self.generator)
            self.steps += 1
        except StopIteration:
            self.generator = None
        finally:
            self.world.role = SERVO

    @property
    def where(self) -> tuple:
        token = (self.updater._wake.locked(), self.updater._wake_is_due)
        if self.generator is None:
            return token
        frame = self.generator.gi_frame
        return (frame.f_lineno, frame.f_locals.get("i"), *token)


@dataclass(frozen=True)
class Protocol:
    """The classes under test; a mutant replaces one of them."""

    swap: type[ModelSwap] = ModelSwap
    model_updater: type[ModelUpdater] = ModelUpdater
    task_updater: type[TaskUpdater] = TaskUpdater
    mailbox: type[Mailbox] = Mailbox

    def servo(self, **parts: Any) -> Coordinator:
        """Return a servo that swaps in this way."""
        with patch("controlit_ros.servo.coordinator.ModelSwap", self.swap):
            return Coordinator(**parts)


@dataclass
class World:
    """One servo with its updaters over fakes; `choose` picks who goes on at each point."""

    protocol: Protocol
    choose: Callable[["World", str, list[Runner]], Runner | None]
    settings: ServoSettings = THREADED
    task_count: int = 2
    one_call_every: float = NEVER  # [cycles] those in which an update of a model is one call
    role: str = "set-up"
    label: str = ""
    cycles: int = 0
    points: int = 0

    def __post_init__(self) -> None:
        protocol = self.protocol
        self.tasks = [HalfTask(self, f"task {i}") for i in range(self.task_count)]
        self.servo_parameter = self._parameter("servo", Reader.SERVO)
        self.model_parameter = self._parameter("model", Reader.MODEL_UPDATER)
        self.task_parameter = self._parameter("task", Reader.TASK_UPDATER)
        self.mailbox = protocol.mailbox()
        self.posted = 0
        self.posts_all = False
        self.models = watch_models(protocol.model_updater)(HalfModel(self), HalfModel(self))
        self.models._lock = WatchedLock(self)
        self.models.world = self
        outbox = Outbox()
        self.notices: list = []
        queue = outbox.add_queue(self.notices.append)
        self.task_updater = watch_tasks(protocol.task_updater)(self.tasks)
        self.task_updater.world = self
        self.task_updater._lock = WatchedLock(self)
        self.task_updater._ready = WatchedFlags(self, self.task_count)
        with (
            patch("controlit_ros.servo.servo_report.LatencyRecorder", SmallRecorder),
            patch("controlit_ros.servo.coordinator.TaskUpdater", lambda _: self.task_updater),
        ):
            self.coordinator = self._coordinator(outbox, queue)
        self.outbox = outbox
        self.runners = []
        if not self.settings.single_threaded_model:
            self.runners.append(Runner(self, MODEL, self.models))
        if not self.settings.single_threaded_tasks:
            self.runners.append(Runner(self, TASKS, self.task_updater))
        self._round: tuple[int, float] | None = None
        self._newest = [0] * (self.task_count + 1)
        self.coordinator.servo_init(0.0)
        choose, self.choose = self.choose, lambda *_: None
        self.cycle()
        self.choose = choose

    def _coordinator(self, outbox: Outbox, queue: Queue) -> Coordinator:
        return self.protocol.servo(
            robot=SimpleNamespace(
                read=self._read, write=lambda _: None, refused=0, senses_wrenches=True
            ),
            control=Control(
                self.models,
                SimpleNamespace(tasks=self.tasks, compute=self._compute_tasks, is_finite=True),
                SimpleNamespace(
                    create_command=lambda: Command(JOINTS),
                    compute=self._compute,
                    chosen=SimpleNamespace(name="controller", complaint=str),
                ),
            ),
            guard=SimpleNamespace(
                is_finite=lambda _: True,
                keeping_inside=lambda *_: (),
                enforcing=lambda *_: (),
                violations=0,
            ),
            events=(),
            ports=ServoPorts(outbox, self.mailbox, NoticeBoard(queue), queue),
            settings=self.settings,
        )

    def _parameter(self, name: str, reader: Reader) -> Parameter:
        parameter = WatchedParameter(name, 0.0, reader=reader)
        parameter.world = self
        return parameter

    def post(self, *readers: Reader) -> None:
        """Post a batch that changes the parameters of these readers together."""
        self.posted += 1
        self.posts_all = len(readers) == len(Reader)
        parameters = (self.servo_parameter, self.model_parameter, self.task_parameter)
        self.mailbox.post({p: float(self.posted) for p in parameters if p.reader in readers})

    def cycle(self) -> None:
        self.cycles += 1
        self.role = SERVO
        try:
            self.coordinator.servo_update(self.cycles * 1e-3)
            self.point("end")
        finally:
            self.role = "between cycles"
        for updater in (self.models, self.task_updater):
            if updater.failure is not None:
                raise Violation(f"an updater failed: {updater.failure}")
        self.outbox.deliver_all()
        for notice in self.notices:
            raise Violation(f"the servo complains: {notice.text}")

    def point(self, label: str) -> None:
        """Let updaters take steps before the servo goes on."""
        if self.role != SERVO:
            return
        self.label = label
        self.points += 1
        while True:
            runnable = [runner for runner in self.runners if runner.is_runnable]
            if not runnable:
                return
            runner = self.choose(self, label, runnable)
            if runner is None:
                return
            runner.step()

    def written(self, name: str, value: object) -> None:
        if self.role == "set-up":
            return
        if name == "phase" and value is ModelPhase.READY:
            self.models.watched_inactive.is_finished = True
        elif name == "active":
            value.is_finished = False
        elif value is ModelPhase.IDLE and sys._getframe(2).f_code.co_name == "update_inline":
            self.models.watched_inactive.is_finished = False  # a newer one takes its place

    def model_is_written(self, state: HalfState) -> None:
        active = self.models.watched_active
        if state is active.robot_model.state:
            raise Violation("the active model is written")
        inactive = self.models.watched_inactive
        if self.role == MODEL or self.models.watched_phase is ModelPhase.IDLE:
            if inactive.is_finished:
                raise Violation("a finished model update is overwritten")
        else:
            raise Violation("the servo writes the model that the updater works on")

    def task_reads(self, model: HalfModel) -> None:
        if model is not self.models.watched_active:
            raise Violation("the model is swapped while the task updater runs")
        if model.first != model.second:
            raise Violation("a task reads a half-written model")
        reading = (model.first, self.task_parameter.value)
        before = self._round
        if before is not None and before[0] == model.first and before != reading:
            raise Violation("a parameter changed while the task updater ran")
        self._round = reading

    def _read(self, state) -> bool:
        state.sequence = self.cycles
        state.stamp = self.cycles * 1e-3
        return True

    def _compute_tasks(self, _period: float) -> None:
        for i, task in enumerate(self.tasks):
            state = task.active
            first = state.first
            self.point("read task")
            self._check_reading(i, task.name, first, state.second)
        values = {self.servo_parameter.value, self.model_parameter.value}
        values.add(self.task_parameter.value)
        if self.posts_all and len(values) > 1:
            raise Violation("a batch is applied in part")

    def _compute(
        self, model: HalfModel, tasks: SimpleNamespace, period: float, _command: Command
    ) -> bool:
        tasks.compute(period)
        first = model.first
        self.point("read model")
        self._check_reading(-1, "the model", first, model.second)
        return True

    def _check_reading(self, index: int, name: str, first: int, second: int) -> None:
        if first != second:
            raise Violation(f"the servo reads {name} half-written")
        if first < self._newest[index]:
            raise Violation(f"{name} goes back in time")
        self._newest[index] = first

    @property
    def versions(self) -> tuple[int, ...]:
        """What the servo saw last: each task's version, then the model's."""
        return tuple(self._newest)

    def snapshot(self) -> tuple:
        """Everything that what follows depends on."""
        models = [
            (*(m.first, m.second, m.is_finished, m.seen_parameter), *m.robot_model.state.halves)
            for m in (self.models.watched_active, self.models.watched_inactive)
        ]
        tasks = [
            (*t.active.halves, *t.inactive.halves, t.is_finished, t.written is None)
            for t in self.tasks
        ]
        return (
            self.cycles,
            self.label,
            where_the_servo_is(),
            tuple(runner.where for runner in self.runners),
            tuple(models),
            tuple(tasks),
            self.models.watched_phase,
            self.models._lock.is_held,
            self.task_updater.watched_is_idle,
            tuple(list.__iter__(self.task_updater._ready)),
            self.task_parameter.value,
            self.model_parameter.value,
            self.servo_parameter.value,
            self._round,
            self.versions,
        )


def where_the_servo_is() -> tuple:
    """Return the lines the servo stands at and the locals that what follows depends on."""
    lines: list = []
    frame = sys._getframe(1)
    while frame.f_code.co_name != "servo_update":
        local = frame.f_locals
        lines.append((frame.f_lineno, local.get("i"), local.get("first"), local.get("taken")))
        frame = frame.f_back
        if frame is None:
            break
    else:
        lines.append(frame.f_lineno)
    return tuple(lines)


class Exploration:
    """Depth-first search over every schedule; states that were seen before are not entered."""

    def __init__(self) -> None:
        self.visited: set[int] = set()
        self.executions = 0
        self._path: list[list[int]] = []
        self._at = 0

    def choose(self, world: World, _label: str, runnable: list[Runner]) -> Runner | None:
        if self._at == len(self._path):
            key = hash(world.snapshot())
            if key in self.visited:
                raise Pruned
            self.visited.add(key)
            self._path.append([0, len(runnable) + 1])
        choice = self._path[self._at][0]
        self._at += 1
        return None if choice == 0 else runnable[choice - 1]

    def run(self, play: Callable[[Callable], object], budget: int = 1_000_000) -> str:
        """Play every schedule; return the first violation or an empty text."""
        while self.executions < budget:
            self.executions += 1
            self._at = 0
            try:
                play(self.choose)
            except Pruned:
                pass
            except Violation as violation:
                return str(violation)
            while self._path and self._path[-1][0] + 1 >= self._path[-1][1]:
                self._path.pop()
            if not self._path:
                return ""
            self._path[-1][0] += 1
        raise AssertionError(f"not exhausted after {budget} schedules")
