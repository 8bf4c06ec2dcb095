"""The swap protocol under every schedule: nothing torn, nothing lost, nobody starved or blocked."""

import itertools
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from swap_world import (
    ALWAYS,
    MODEL,
    NEVER,
    TASKS,
    THREADED,
    Exploration,
    Protocol,
    Violation,
    World,
)
from tries import tries

from controlit_ros.parameters import Mailbox, Reader
from controlit_ros.servo import ModelUpdater, StalenessBound, TaskUpdater
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.model_updater import ModelPhase

pytestmark = pytest.mark.simulation

EVERYBODY = (Reader.SERVO, Reader.MODEL_UPDATER, Reader.TASK_UPDATER)
BEHIND = 20  # [cycles] each updater takes a step a cycle at least; a round of both has 11
THREADS = THREADED
STALE = THREADED._replace(staleness=StalenessBound(age=1.5e-3))  # [s] one cycle is well, two not
REAL = Protocol()


def explore(
    protocol=REAL,
    *,
    cycles=2,
    tasks=1,
    mail=(),
    threads=THREADS,
    one_call_every=NEVER,
    budget=200_000,
):
    """Return the first violation over every schedule and how many schedules there were."""
    exploration = Exploration()

    def play(choose):
        world = World(
            protocol, choose, settings=threads, task_count=tasks, one_call_every=one_call_every
        )
        for cycle in range(cycles):
            if mail and cycle == 1:
                world.post(*mail)
            world.cycle()

    return exploration.run(play, budget), exploration


class Rhythm:
    """Fair schedule: steps by point as `steps` says, and at least one a cycle for each updater."""

    def __init__(self, steps):
        self._steps = steps
        self._point = -1
        self._cycle = -1
        self._left = {}
        self._stepped = {}

    def __call__(self, world, label, runnable):
        if world.points != self._point:
            self._point = world.points
            self._left = dict(self._steps(world.points, label))
        if world.cycles != self._cycle:
            self._cycle = world.cycles
            self._stepped = {}
        for runner in runnable:
            if self._left.get(runner.role, 0) > 0:
                self._left[runner.role] -= 1
            elif label != "end" or self._stepped.get(runner.role):
                continue
            self._stepped[runner.role] = True
            return runner
        return None


def starved(protocol, steps, *, cycles=30, tasks=2, mail=(), threads=THREADS):
    """Return who did not get on under a fair schedule, or a violation, or nothing."""
    try:
        world = World(protocol, Rhythm(steps), settings=threads, task_count=tasks)
        history = [world.versions]
        for cycle in range(cycles):
            if mail:
                world.post(*mail)
            world.cycle()
            history.append(world.versions)
            if cycle >= BEHIND:
                for name, new, old in zip(
                    ("task 0", "task 1", "the model"),
                    world.versions,
                    history[-BEHIND - 1],
                    strict=False,
                ):
                    if new <= old:
                        return f"{name} starves"
                missing = world.posted - world.task_parameter.value
                if Reader.TASK_UPDATER in mail and missing > BEHIND:
                    return "mail starves"
    except Violation as violation:
        return str(violation)
    return ""


def periodic(pattern):
    return lambda point, _label: pattern[point % len(pattern)]


def at_labels(model_label, task_label, count):
    def steps(_point, label):
        return {MODEL: count * (label == model_label), TASKS: count * (label == task_label)}

    return steps


LABELS = "is_idle", "ready", "ready =", "phase", "phase =", "lock", "store", "swap", "read task"
CHOICES = ({}, {MODEL: 1}, {TASKS: 1}, {TASKS: 9}, {MODEL: 9, TASKS: 2})
RHYTHMS = [
    *(periodic(word) for n in (1, 2) for word in itertools.product(CHOICES, repeat=n)),
    *(at_labels(a, b, n) for a in LABELS for b in LABELS for n in (1, 9)),
]


@pytest.mark.parametrize(
    ("cycles", "tasks", "mail"),
    [
        (3, 2, ()),
        (3, 2, EVERYBODY),
        (4, 1, (Reader.TASK_UPDATER,)),
        (4, 1, (Reader.MODEL_UPDATER, Reader.SERVO)),
    ],
)
def test_no_schedule_breaks_the_protocol(cycles, tasks, mail):
    violation, exploration = explore(cycles=cycles, tasks=tasks, mail=mail)
    assert violation == ""
    assert len(exploration.visited) > 1000


@pytest.mark.parametrize("one_call_every", [ALWAYS, 2, 3])
@pytest.mark.parametrize("mail", [(), EVERYBODY], ids=len)
def test_no_schedule_breaks_the_protocol_where_a_model_is_one_call(one_call_every, mail):
    violation, exploration = explore(cycles=4, tasks=1, mail=mail, one_call_every=one_call_every)
    assert violation == ""
    assert len(exploration.visited) > 100


def test_a_model_that_is_one_call_needs_no_thread():
    world = World(REAL, lambda *_: None, task_count=0, one_call_every=ALWAYS)
    for _ in range(5):
        world.cycle()
        assert world.versions[-1] == world.cycles - 1
        assert world.models._wake.locked()  # nobody woke it
    assert world.coordinator.staleness.inline_updates == 0


@pytest.mark.parametrize("threads", [(True, False), (False, True)])
def test_no_schedule_breaks_the_protocol_half_threaded(threads):
    flags = THREADS._replace(single_threaded_model=threads[0], single_threaded_tasks=threads[1])
    violation, exploration = explore(cycles=3, tasks=2, mail=EVERYBODY, threads=flags)
    assert violation == ""
    assert len(exploration.visited) > 100


@pytest.mark.parametrize(
    ("cycles", "tasks", "mail"), [(3, 2, ()), (4, 1, ()), (3, 1, EVERYBODY), (4, 1, EVERYBODY)]
)
def test_no_schedule_breaks_the_protocol_while_the_servo_catches_up(cycles, tasks, mail):
    caught_up = []

    def play(choose):
        world = World(REAL, choose, settings=STALE, task_count=tasks)
        for cycle in range(cycles):
            if mail and cycle == 1:
                world.post(*mail)
            world.cycle()
        caught_up.append(world.coordinator.staleness.inline_updates)

    exploration = Exploration()
    assert exploration.run(play, 400_000) == ""
    assert len(exploration.visited) > 1000
    assert max(caught_up) > 0


def test_no_schedule_breaks_the_protocol_while_the_servo_catches_up_on_threaded_tasks():
    flags = STALE._replace(single_threaded_model=True)
    violation, exploration = explore(cycles=4, tasks=2, mail=EVERYBODY, threads=flags)
    assert violation == ""
    assert len(exploration.visited) > 100


@pytest.mark.parametrize("mail", [(), EVERYBODY], ids=len)
def test_a_model_whose_threads_never_run_is_never_older_than_the_bound(mail):
    world = World(REAL, lambda *_: None, settings=STALE, task_count=2)
    for cycle in range(12):
        if mail:
            world.post(*mail)
        world.cycle()
        assert min(world.versions) >= world.cycles - 1, cycle
    assert world.coordinator.staleness.inline_updates > 4


@pytest.mark.parametrize(
    "mail", [(), EVERYBODY, (Reader.TASK_UPDATER,), (Reader.MODEL_UPDATER,)], ids=len
)
def test_nobody_starves_under_fair_schedules(mail):
    for steps in RHYTHMS:
        assert starved(REAL, steps, mail=mail) == ""


STEPS = st.fixed_dictionaries({MODEL: st.integers(0, 4), TASKS: st.integers(0, 8)})


@settings(max_examples=tries(12), deadline=None)
@given(
    pattern=st.lists(STEPS, min_size=1, max_size=30),
    tasks=st.integers(1, 2),
    mail=st.lists(st.sampled_from(EVERYBODY), unique=True),
)
def test_random_schedules_are_safe_and_fair(pattern, tasks, mail):
    assert starved(REAL, periodic(pattern), mail=mail, tasks=tasks) == ""


def test_single_threaded_cycles_are_up_to_date_at_once():
    flags = THREADS._replace(single_threaded_model=True, single_threaded_tasks=True)
    world = World(REAL, lambda *_: None, settings=flags)
    for _ in range(5):
        world.post(*EVERYBODY)
        world.cycle()
        assert world.versions == (world.cycles,) * 3
        assert world.task_parameter.value == world.posted


# ---- mutants: each breaks one rule of the protocol, and the checker must see it


class OneLook(ModelSwap):
    def _check_for_updates(self):
        tasks = self.tasks
        tasks.take_ready()
        if tasks.is_idle and not self._mail_waits and self.models.try_swap():
            self._start_tasks()


class SwapsWhileTasksRun(ModelSwap):
    def _check_for_updates(self):
        self.tasks.take_ready()
        swapped = not self._mail_waits and self.models.try_swap()
        if self.tasks.is_idle:
            self.tasks.take_ready()
            if swapped:
                self._start_tasks()


class StartsTasksWhileTheyRun(ModelSwap):
    def _start_tasks(self):
        self.tasks.request(self.models.active)

    def _check_for_updates(self):
        super()._check_for_updates()
        if not self.tasks.is_idle:
            self._start_tasks()


class NeverStartsTasks(ModelSwap):
    def _start_tasks(self):
        pass


class NeverTakesMail(ModelSwap):
    def apply_mail(self):
        self._mail_waits = self._mailbox.next() is not None


class AppliesMailAtOnce(ModelSwap):
    def apply_mail(self):
        while self._mailbox.next() is not None:
            self._mailbox.apply_next()


class IgnoresTheTaskUpdaterForMail(ModelSwap):
    def apply_mail(self):
        batch = self._mailbox.next()
        while batch is not None:
            if Reader.MODEL_UPDATER in batch.readers and not self.models.is_idle:
                return
            self._mailbox.apply_next()
            batch = self._mailbox.next()


class MailWaitsPolitely(ModelSwap):
    """Does not hold the updaters back while mail waits."""

    def apply_mail(self):
        super().apply_mail()
        self._mail_waits = False


class MailStopsEverything(ModelSwap):
    def apply_mail(self):
        waited = self._mail_waits
        super().apply_mail()
        self._mail_waits = waited or self._mail_waits


class HalfMailbox(Mailbox):
    """Applies the first assignment of a batch now and the rest when it is asked again."""

    def next(self):
        if self._head is not None and len(self._head.assignments) == 2:
            head, self._head = self._head, None
            self._queue.appendleft(head)
            return None
        return super().next()

    def apply_next(self):
        if self._head is not None and len(self._head.assignments) == 3:
            (parameter, value), *rest = self._head.assignments
            parameter.assign(value)
            self._head = self._head._replace(assignments=tuple(rest))
        else:
            super().apply_next()


class BlockingSwap(ModelUpdater):
    def try_swap(self):
        with self._lock:
            if self.phase is not ModelPhase.READY:
                return False
            self.active, self.inactive = self.inactive, self.active
            self.phase = ModelPhase.IDLE
            return True


class LeaksTheLock(ModelUpdater):
    """As the published program: a swap that comes too early keeps the mutex."""

    def try_swap(self):
        if not self._lock.acquire(blocking=False):
            return False
        if self.phase is not ModelPhase.READY:
            return False
        self.active, self.inactive = self.inactive, self.active
        self.phase = ModelPhase.IDLE
        self._lock.release()
        return True


class SwapsUnfinishedModels(ModelUpdater):
    def try_swap(self):
        if self.phase is ModelPhase.IDLE:
            return False
        self.active, self.inactive = self.inactive, self.active
        self.phase = ModelPhase.IDLE
        return True


class OverwritesReadyModels(ModelUpdater):
    def try_request(self, state):
        if self.phase is ModelPhase.REQUESTED or not self._lock.acquire(blocking=False):
            return False
        self.inactive.robot_model.state.copy_from(state)
        self.phase = ModelPhase.REQUESTED
        self._lock.release()
        self.wake()
        return True


class RequestsWithoutTheLock(ModelUpdater):
    def try_request(self, state):
        if self.phase is ModelPhase.READY:
            return False
        self.phase = ModelPhase.REQUESTED
        self.wake()
        self.inactive.robot_model.state.copy_from(state)
        return True


class AlwaysIdleModel(ModelUpdater):
    is_idle = True


class ReadyTooEarly(ModelUpdater):
    def steps(self):
        with self._lock:
            if self.phase is not ModelPhase.REQUESTED:
                return
            self.inactive.update_dynamics(self.inactive.robot_model.state)
            self.phase = ModelPhase.READY
        yield
        self.inactive.update_projections()


class SwapsBeforeWakingForgets(ModelUpdater):
    """Forgets to wake the thread."""

    def wake(self):
        pass


class MarksReadyFirst(TaskUpdater):
    def steps(self):
        if self.is_idle:
            return
        for i, task in enumerate(self.tasks):
            self._ready[i] = True
            yield
            self._update(task, self._model)
            yield
        self.is_idle = True


class RestsTooEarly(TaskUpdater):
    def steps(self):
        if self.is_idle:
            return
        last = len(self.tasks) - 1
        for i, task in enumerate(self.tasks):
            if i == last:
                self.is_idle = True
            self._update(task, self._model)
            yield
            self._ready[i] = True
            yield


class TakesBackWhatIsBegun(TaskUpdater):
    def take_back(self):
        self.is_idle = True
        return True


class TakesBackAModelBegun(ModelUpdater):
    def take_back(self):
        self.phase = ModelPhase.IDLE
        return True


class KeepsTheLockTakingBack(TaskUpdater):
    def take_back(self):
        return self.is_idle or self._lock.acquire(blocking=False)


class WaitsForTheThread(ModelUpdater):
    def take_back(self):
        with self._lock:
            return self.is_idle


class WorksAheadAnyhow(ModelUpdater):
    """Looks for one of the phases in which it may not."""

    refused: ModelPhase

    def work_ahead(self, state):
        if self.phase is self.refused or not self.inactive.is_one_call:
            return False
        self.inactive.update(state)
        self.phase = ModelPhase.READY
        return True


class WorksAheadOverARequest(WorksAheadAnyhow):
    refused = ModelPhase.READY


class WorksAheadOverAFinishedModel(WorksAheadAnyhow):
    refused = ModelPhase.REQUESTED


class CatchesUpOverReadyStates(ModelSwap):
    def _update_everything(self, state):
        tasks, models = self.tasks, self.models
        return (
            tasks.take_back()
            and models.take_back()
            and models.update_inline(state)
            and tasks.update_inline(models.active)
        )


class CatchesUpWhileTasksRun(ModelSwap):
    def _update_everything(self, state):
        models = self.models
        return models.take_back() and models.update_inline(state)


CATCHING_UP = [
    *(Protocol(swap=mutant) for mutant in (CatchesUpOverReadyStates, CatchesUpWhileTasksRun)),
    *(Protocol(model_updater=mutant) for mutant in (TakesBackAModelBegun, WaitsForTheThread)),
    *(Protocol(task_updater=mutant) for mutant in (TakesBackWhatIsBegun, KeepsTheLockTakingBack)),
]


class NeverRests(TaskUpdater):
    def steps(self):
        for _ in super().steps():
            yield
            if self.is_idle:
                self.is_idle = False


class TakesOnlyTheFirst(TaskUpdater):
    def take_ready(self):
        if self._ready[0]:
            self._ready[0] = False
            self.tasks[0].swap()
        return 1


class SwapsWhatIsNotReady(TaskUpdater):
    def take_ready(self):
        for i, task in enumerate(self.tasks):
            self._ready[i] = False
            task.swap()
        return len(self.tasks)


class ForgetsToLowerTheFlag(TaskUpdater):
    def take_ready(self):
        for i, task in enumerate(self.tasks):
            if self._ready[i]:
                task.swap()
        return 0


MUTANTS = [
    *(
        Protocol(swap=mutant)
        for mutant in (
            OneLook,
            SwapsWhileTasksRun,
            StartsTasksWhileTheyRun,
            NeverStartsTasks,
            NeverTakesMail,
            AppliesMailAtOnce,
            IgnoresTheTaskUpdaterForMail,
            MailWaitsPolitely,
            MailStopsEverything,
        )
    ),
    *(
        Protocol(model_updater=mutant)
        for mutant in (
            BlockingSwap,
            LeaksTheLock,
            SwapsUnfinishedModels,
            OverwritesReadyModels,
            RequestsWithoutTheLock,
            AlwaysIdleModel,
            ReadyTooEarly,
            SwapsBeforeWakingForgets,
        )
    ),
    *(
        Protocol(task_updater=mutant)
        for mutant in (
            MarksReadyFirst,
            RestsTooEarly,
            NeverRests,
            TakesOnlyTheFirst,
            SwapsWhatIsNotReady,
            ForgetsToLowerTheFlag,
        )
    ),
    Protocol(mailbox=HalfMailbox),
]


def mutant_name(protocol):
    changed = [
        cls
        for cls, real in zip(vars(protocol).values(), vars(REAL).values(), strict=True)
        if cls is not real
    ]
    return changed[0].__name__


def find_fault(protocol):
    """Look for a violation schedule by schedule, the cheap ones first."""
    searches = [
        partial(starved, protocol, steps, mail=mail)
        for mail in ((), EVERYBODY)
        for steps in (*RHYTHMS[:30], *RHYTHMS[-len(LABELS) * 3 :])
    ]
    for search in searches:
        if found := search():
            return found
    for tasks, mail in ((1, ()), (2, ()), (1, EVERYBODY)):
        found, _ = explore(protocol, cycles=4, tasks=tasks, mail=mail)
        if found:
            return found
    return ""


@pytest.mark.parametrize("protocol", MUTANTS, ids=mutant_name)
def test_each_mutant_is_found(protocol):
    assert find_fault(protocol) != ""


@pytest.mark.parametrize("protocol", CATCHING_UP, ids=mutant_name)
def test_each_mutant_that_catches_up_is_found(protocol):
    rhythms = (starved(protocol, steps, threads=STALE) for steps in RHYTHMS[:30])
    schedules = (explore(protocol, cycles=cycles, threads=STALE)[0] for cycles in (3, 4))
    assert any(itertools.chain(rhythms, schedules))


@pytest.mark.parametrize("mutant", [WorksAheadOverARequest, WorksAheadOverAFinishedModel])
def test_each_mutant_that_works_ahead_is_found(mutant):
    protocol = Protocol(model_updater=mutant)
    assert any(explore(protocol, cycles=4, one_call_every=every)[0] for every in (ALWAYS, 2, 3))


@pytest.mark.parametrize(
    ("mutant", "mail", "expected"),
    [
        (Protocol(swap=OneLook), (), "a finished update of task 0 is overwritten"),
        (Protocol(swap=SwapsWhileTasksRun), (), "the model is swapped while"),
        (
            Protocol(swap=AppliesMailAtOnce),
            (Reader.MODEL_UPDATER,),
            "a parameter changed while",
        ),
        (Protocol(model_updater=BlockingSwap), (), "the servo blocks on a lock"),
        (
            Protocol(model_updater=AlwaysIdleModel),
            (Reader.MODEL_UPDATER,),
            "changed while the model updater ran",
        ),
        (Protocol(task_updater=MarksReadyFirst), (), "is marked ready before its update"),
    ],
    ids=lambda value: mutant_name(value) if isinstance(value, Protocol) else "",
)
def test_exhaustive_search_names_the_fault(mutant, mail, expected):
    found, _ = explore(mutant, cycles=3, tasks=1, mail=mail)
    assert expected in found


def test_a_full_mailbox_does_not_keep_the_servo():
    world = World(Protocol(mailbox=partial(Mailbox, 1000)), lambda *_: None)
    for _ in range(300):
        world.post(Reader.SERVO)
    world.cycle()
    assert 0 < world.servo_parameter.value < 300
    for _ in range(10):
        world.cycle()
    assert world.servo_parameter.value == 300
