"""Parts that block, leave or raise while the servo runs are named, with the line of their code."""

import threading

import pytest
from patience import GENEROUS
from rig import JointTask, Rig, SumController, describe

from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.behaving import Behaving
from controlit_ros.servo.behaviour import Behaviour
from controlit_ros.servo.failing_part import describe_failure, describe_thread
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.servo.steady_clock import SteadyClock

_, ACTIVE, SAFE = CoordinatorState
ERRORS = [ValueError("odd"), SystemExit(3), GeneratorExit(), KeyError("frame")]


@pytest.fixture(autouse=True)
def nobody_is_stuck():
    """Here somebody is."""


class Stepping(Behaviour):
    """Calls something in each step."""

    def __init__(self, act=lambda: None):
        super().__init__("Wave", None)
        self.act = act

    def configure(self, parts):
        pass

    def begin(self, moment):
        pass

    def step(self, moment):
        self.act()


class Asking(SumController):
    """A third party's controller that calls something."""

    act = staticmethod(lambda: None)

    def compute_command(self, model, tasks, command):
        self.act()
        super().compute_command(model, tasks, command)


class World:
    """A rig whose parts call `act` once a test sets it."""

    def __init__(self, **settings):
        self.behaviour = Stepping()
        self.rig = Rig(
            soft_start_time=0.0,
            behaviours=lambda tasks: [Behaving([self.behaviour], tasks)],
            **settings,
        )
        self.rig.controller.__class__ = Asking

    def set(self, place, act):
        task, models = self.rig.tasks[0], self.rig.models
        if place == "task update":
            task._update = _call_first(act, task._update)
        elif place == "task error":
            task._error = _call_first(act, task._error)
        elif place == "controller":
            self.rig.controller.act = act
        elif place == "behaviour":
            self.behaviour.act = act
        else:
            for model in (models.active, models.inactive):
                model.update_dynamics = _call_first(act, model.update_dynamics)


def _call_first(act, function):
    owner = function.__self__

    def call(*arguments):
        self = owner  # noqa: F841 - as in a method
        act()
        return function(*arguments)

    return call


def raise_(error):
    raise error


NAMES = {
    "task update": "task 'task'",
    "task error": "task 'task'",
    "controller": "whole-body controller 'whole_body_controller'",
    "behaviour": "behaviour 'Wave'",
}


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("is_inline", [False, True])
@pytest.mark.parametrize("place", NAMES)
def test_a_part_that_raises_or_leaves_is_named_with_its_line(place, is_inline, error):
    flags = {"single_threaded_tasks": is_inline, "single_threaded_model": is_inline}
    world = World(**flags)
    rig = world.rig
    rig.activate(50)
    world.set(place, lambda: raise_(type(error)(*error.args)))
    thread = threading.Thread(target=lambda: rig.run(10))  # not the one that may be left
    thread.start()
    thread.join()
    errors = rig.errors
    assert rig.state is SAFE
    (text,) = {text for text in errors if NAMES[place] in text}
    assert repr(error) in text
    assert f"({__file__}:" in text
    assert not any("task_updater" in text for text in errors if NAMES[place] not in text), errors


def test_the_innermost_part_is_named():
    task = JointTask("arm", describe(2))
    controller = SumController(describe(2))
    task.fail = lambda: raise_(ValueError("arm"))

    def outer(self):
        inner(task)

    def inner(self):
        self.fail()

    with pytest.raises(ValueError, match="arm") as caught:
        outer(controller)
    error = caught.value
    text = describe_failure(error, "computing the command failed")
    assert text.startswith("computing the command failed in task 'arm': ValueError('arm') (")
    assert error.__traceback__ is None  # no frames are kept


def test_no_part_is_named_where_none_was_called():
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0  # noqa: B018 - raises
    assert describe_failure(caught.value, "it failed").startswith("it failed: ZeroDivisionError(")
    assert describe_thread(threading.get_ident()) == ""
    assert describe_thread(None) == ""
    assert describe_thread(-1) == ""


def test_a_part_that_blocks_an_updater_is_named():
    world = World(updater_timeout=0.05)
    rig = world.rig
    rig.activate(50)
    blocked, release = threading.Event(), threading.Event()

    def block():
        if threading.current_thread() is not threading.main_thread():  # where the servo runs
            blocked.set()
            release.wait(GENEROUS)

    world.set("task update", block)
    for updater in rig.coordinator.updaters:
        updater.start()
    try:
        while not blocked.wait(0.002):
            rig.clock.advance()
        for _ in range(100):
            rig.clock.advance()
        errors = rig.errors
    finally:
        release.set()
        for updater in rig.coordinator.updaters:
            updater.stop()
    (text,) = [text for text in errors if "the thread task_updater has been" in text]
    assert f"it is in {NAMES['task update']} ({__file__}:" in text
    assert text.endswith(", in block)")


@pytest.mark.parametrize("place", ["task error", "controller", "behaviour"])
def test_a_part_that_blocks_the_servo_is_named(place, poll):
    world = World()
    coordinator = world.rig.coordinator
    release = threading.Event()
    clock = SteadyClock(200.0)
    coordinator.request_activation()
    liveliness = Liveliness(coordinator.status, clock, lambda: True)
    clock.start(coordinator)
    for thread in (liveliness, *coordinator.updaters):
        thread.start()
    try:
        poll(lambda: coordinator.status.state is ACTIVE)
        assert coordinator.status.call == ""
        world.set(place, lambda: release.wait(GENEROUS))
        poll(lambda: "it is in" in liveliness.complaint)
        assert f"it is in {NAMES[place]} ({__file__}:" in liveliness.complaint
        release.set()
        poll(lambda: not liveliness.complaint)
    finally:
        release.set()
        for thread in (liveliness, *coordinator.updaters):
            thread.stop()
        clock.stop()


def test_another_process_leaves_the_note_alone():
    world = World()
    status = world.rig.coordinator.status
    status._call[:4] = b"part"
    status._thread = None
    status.note_call()
    assert status.call == "part"
    status._thread = threading.get_ident()
    status.beat()
    status.note_call()
    assert status.call == ""
