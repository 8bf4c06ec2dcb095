"""The swap protocol with real threads: torn reads, old states, parts of batches."""

import sys
import threading
import time
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from own_threads import threads_named
from patience import GENEROUS
from rig import Rig, describe
from swap_world import NEVER_STALE, Protocol

from controlit_ros.constraints import ConstraintSet
from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.parameters import Mailbox, Parameter, Reader
from controlit_ros.servo import (
    Control,
    ModelUpdater,
    NoticeBoard,
    NoticeLevel,
    Outbox,
    ServoPorts,
    ServoSettings,
    StalenessBound,
)
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.model_updater import ModelPhase
from controlit_ros.servo.plausibility import PlausibilitySettings
from controlit_ros.tasks import Task

pytestmark = pytest.mark.processes

REAL = Protocol()
SIZE = 12
DURATION = 0.8  # [s]
ADVANCES, MAIL = 5, 2  # [-] to be passed before the readers count as not starved
SOON_STALE = StalenessBound(distance=4.5)  # [rad] the robot moves one a cycle


def give_way(i):
    """Offer the interpreter to the other threads in the middle of a write."""
    if i % 3 == 0:
        time.sleep(0)


class StripedModel:
    """Model whose entries are written one by one, so that a reader can catch it half-way."""

    is_one_call = False  # but by its thread

    def __init__(self, robot, parameter):
        state = RobotState(robot.real_joints)
        self.robot_model = SimpleNamespace(state=state, description=robot, owner=self)
        self.values = [0.0] * SIZE
        self.bias_effort = np.zeros(robot.nv)
        self.Phi = np.eye(robot.nv)
        self.drift = np.zeros(robot.nv)
        self.constraints = ConstraintSet([])
        self.parameter = parameter

    def update(self, state, _then=None):
        self.robot_model.state.copy_from(state)
        self.update_dynamics(self.robot_model.state)
        self.update_projections()

    def update_dynamics(self, state):
        before = self.parameter.value
        for i in range(SIZE // 2):
            give_way(i)
            self.values[i] = state.position[i % 2]
        assert self.parameter.value == before

    def update_projections(self):
        before = self.parameter.value
        for i in range(SIZE // 2, SIZE):
            give_way(i)
            self.values[i] = self.robot_model.state.position[i % 2]
        assert self.parameter.value == before


class StripedTask:
    complaint = Task.complaint
    is_disabled = False
    is_led = False
    command_kind = None  # it has no goal that could swing

    def __init__(self, name, parameter):
        self.name = name
        self.operational_state = SimpleNamespace(value="enable")
        self.active = SimpleNamespace(values=[0.0] * SIZE, valid=True)
        self.inactive = SimpleNamespace(values=[0.0] * SIZE, valid=True)
        self.restart = lambda: None
        self.goal = SimpleNamespace(stated=True)
        self.parameter = parameter

    def update(self, model, state):
        before = self.parameter.value
        for i in range(SIZE):
            give_way(i)
            state.values[i] = model.owner.values[i]
        assert len(set(state.values)) == 1, "a task read a torn model"
        assert self.parameter.value == before, "a parameter changed meanwhile"

    def swap(self):
        self.active, self.inactive = self.inactive, self.active


class Reading:
    """What the servo saw, checked as it sees it."""

    def __init__(self, tasks):
        self.tasks = tasks
        self.newest = {}
        self.faults = []

    def look(self, name, values):
        seen = set(values)
        if len(seen) != 1:
            self.faults.append(f"{name} is torn")
        value = seen.pop()
        if value < self.newest.get(name, 0.0):
            self.faults.append(f"{name} goes back")
        self.newest[name] = value

    def compute(self, _period):
        for task in self.tasks:
            self.look(task.name, task.active.values)

    def command(self, model, tasks, period, _command):
        tasks.compute(period)
        self.look("model", model.values)
        return True


class Outcome(NamedTuple):
    """What a run showed: what went wrong, and how often every reader got on."""

    faults: list
    advances: int
    mail: float
    inline_updates: int


def run(task_count, *, protocol=REAL, duration=DURATION, patience=0.0, staleness=NEVER_STALE):
    """Run servo, updaters and a poster of batches, all as fast as they can.

    A busy machine gets until `patience` [s] to let every reader get on.
    """
    robot = describe(2)
    parameters = [Parameter(reader.value, 0.0, reader=reader) for reader in Reader]
    by_reader = dict(zip(Reader, parameters, strict=True))
    tasks = [StripedTask(f"task {i}", by_reader[Reader.TASK_UPDATER]) for i in range(task_count)]
    models = protocol.model_updater(
        *(StripedModel(robot, by_reader[Reader.MODEL_UPDATER]) for _ in range(2))
    )
    reading, cycles = Reading(tasks), [0]

    def read(state):
        cycles[0] += 1
        state.position.fill(float(cycles[0]))
        return True

    mailbox, outbox, notices = Mailbox(), Outbox(), []
    queue = outbox.add_queue(notices.append)
    coordinator = protocol.servo(
        robot=SimpleNamespace(read=read, write=lambda _: None, refused=0, senses_wrenches=True),
        control=Control(
            models,
            SimpleNamespace(tasks=tasks, compute=reading.compute, is_finite=True),
            SimpleNamespace(
                create_command=lambda: Command(robot.command_joints),
                compute=reading.command,
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
        ports=ServoPorts(outbox, mailbox, NoticeBoard(queue), queue),
        settings=ServoSettings(
            staleness=staleness,
            updater_timeout=np.inf,
            reconfiguration_time=0.0,
            measurements=PlausibilitySettings(jump=1e9),  # cycles are counted as positions
        ),
    )
    is_over = threading.Event()
    posted = [0]

    def post():
        pause = threading.Event()
        while not is_over.is_set():
            posted[0] += 1
            mailbox.post(dict.fromkeys(parameters, float(posted[0])))
            pause.wait(0.001)

    poster = threading.Thread(target=post)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    progress = []

    def has_seen_enough():
        mail = by_reader[Reader.TASK_UPDATER].value
        has_helped = staleness is NEVER_STALE or coordinator.staleness.inline_updates > 0
        return len(set(progress)) > ADVANCES and mail > MAIL and has_helped

    try:
        for updater in coordinator.updaters:
            updater.start()
        poster.start()
        coordinator.servo_init(0.0)
        begin = time.monotonic()
        while (elapsed := time.monotonic() - begin) < duration or (
            elapsed < patience and not has_seen_enough()
        ):
            coordinator.servo_update(cycles[0] * 1e-3)
            outbox.deliver_all()
            values = {parameter.value for parameter in parameters}
            if len(values) != 1:
                reading.faults.append("a batch is applied in part")
            progress.append(min(reading.newest.values(), default=0.0))
    finally:
        is_over.set()
        poster.join()
        for updater in coordinator.updaters:
            updater.stop()
        sys.setswitchinterval(interval)
    errors = [n.text for n in notices if n.level is NoticeLevel.ERROR]
    mail = by_reader[Reader.TASK_UPDATER].value
    inline = coordinator.staleness.inline_updates
    return Outcome(reading.faults + errors, len(set(progress)), mail, inline)


@pytest.mark.parametrize("task_count", [1, 4])
@pytest.mark.parametrize("staleness", [NEVER_STALE, SOON_STALE], ids=["patient", "impatient"])
def test_threads_never_tear_nor_starve(task_count, staleness):
    outcome = run(task_count, staleness=staleness, patience=GENEROUS)
    assert outcome.faults == []
    assert outcome.advances > ADVANCES
    assert outcome.mail > MAIL
    assert (outcome.inline_updates > 0) == (staleness is SOON_STALE)


class ReadyTooEarly(ModelUpdater):
    def steps(self):
        if self.phase is not ModelPhase.REQUESTED:
            return
        model = self.inactive
        model.update_dynamics(model.robot_model.state)
        self.phase = ModelPhase.READY
        yield
        for _ in range(100):  # until the servo has taken it: no matter of chance on a busy machine
            if self.phase is ModelPhase.READY:
                time.sleep(0.001)
        model.update_projections()


class AppliesMailAtOnce(ModelSwap):
    def apply_mail(self):
        while self._mailbox.next() is not None:
            self._mailbox.apply_next()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(
    "protocol",
    [Protocol(model_updater=ReadyTooEarly), Protocol(swap=AppliesMailAtOnce)],
    ids=["ready too early", "mail at once"],
)
def test_the_detector_detects(protocol):
    runs = (run(1, protocol=protocol, duration=0.2, patience=2.0) for _ in range(100))
    assert any(outcome.faults for outcome in runs)


def settle(rig, poll):
    """Wait until both updaters rest and have let go of what they made."""
    updaters = rig.coordinator.updaters
    poll(lambda: all(u.is_idle and not u._lock.locked() for u in updaters))


def test_updaters_stop_and_start_again_without_losing_a_request(poll):
    rig = Rig()
    rig.coordinator.request_activation()
    rig.clock.advance(2)
    names = [updater.name for updater in rig.coordinator.updaters]
    before = threads_named(*names)
    for _ in range(30):
        for updater in rig.coordinator.updaters:
            updater.start()
            updater.start()
        assert threads_named(*names) == before + 2
        rig.clock.advance(3)
        for updater in rig.coordinator.updaters:
            updater.stop()
            updater.stop()
        assert threads_named(*names) == before
        rig.clock.advance(2)  # requests that find nobody
    for updater in rig.coordinator.updaters:
        updater.start()
    for _ in range(20):
        settle(rig, poll)
        rig.clock.advance(1)
    for updater in rig.coordinator.updaters:
        updater.stop()
    newest = rig.coordinator.robot_state.sequence
    assert newest - rig.models.active.robot_model.state.sequence < 6
    assert rig.errors == []


def test_waking_twice_is_waking_once():
    rig = Rig()
    updater = rig.models
    updater.wake()
    updater.wake()
    assert updater._wake.acquire(blocking=False)
    assert not updater._wake.acquire(blocking=False)
    assert list(updater.steps()) in ([], [None])
    assert list(rig.coordinator.task_updater.steps()) == []
