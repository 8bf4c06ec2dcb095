"""Whatever breaks a cycle off, the next ones come, the robot is held and it is told."""

import threading

import numpy as np
import pytest
from rig import Rig, gravity, unlimited

from controlit_ros.errors import told
from controlit_ros.servo import CoordinatorState, Odometry

_, ACTIVE, SAFE = CoordinatorState
RECOVERY = 100  # [cycles] the default recovery time at 1 kHz


class Mute(Exception):  # noqa: N818 - a plugin's
    """An error that cannot even be written."""

    def __repr__(self):
        raise ValueError("no words")


ERRORS = (
    ValueError("broken"),
    KeyboardInterrupt(),
    *(
        pytest.param(error, marks=pytest.mark.thorough)
        for error in (SystemExit(3), GeneratorExit(), Mute())
    ),
)


def raising(error):
    def fail(*_arguments, **_named):
        raise error

    return fail


def with_broken_property(robot, error):
    """Return the class of a robot whose property `refused` raises."""
    broken = property(raising(error), lambda *_: None)
    return type("Broken", (type(robot),), {"refused": broken})


# Where a cycle calls something that may raise, and what raises there.
PLACES = {
    "robot.read": lambda rig: (rig.robot, "read"),
    "robot.write": lambda rig: (rig.robot, "write"),
    "odometry": lambda rig: (rig.coordinator.intake._base, "take_over"),
    "mailbox": lambda rig: (rig.mailbox, "next"),
    "controller": lambda rig: (rig.controller, "compute_command"),
    "task": lambda rig: (rig.coordinator.compound_task, "compute"),
    "staleness": lambda rig: (rig.coordinator.staleness, "is_passed"),
    "round trip": lambda rig: (rig.coordinator.round_trip, "number"),
    "shaping, active": lambda rig: (rig.coordinator._cycle.shaping._friction, "compensate"),
    "guard": lambda rig: (rig.guard._of_max_effort, "tell"),
    "finite": lambda rig: (rig.guard, "is_finite"),
    "event": lambda rig: (rig.events[0], "poll"),
    "outbox": lambda rig: (rig.outbox, "offer_all"),
    "swap": lambda rig: (rig.models, "try_swap"),
    "wake": lambda rig: (rig.models, "wake_if_due"),
}

DEAF = ("robot.write", "round trip", "guard")
"""Places after which the robot gets no command."""


def run_elsewhere(rig, cycles):
    """Play cycles on a thread that is not the main one, as clocks do; it must survive them."""
    done = []
    thread = threading.Thread(target=lambda: done.append(rig.run(cycles)))
    thread.start()
    thread.join()
    assert done, "the thread was killed"
    return done[0]


class Anywhere(Odometry):
    """Knows where the base is at any time."""

    def take_over(self, state, now):
        return ""


@pytest.fixture
def rig():
    warns = unlimited(2)._replace(max_effort=np.zeros(2))  # of each command
    rig = Rig(
        events=("task.error_norm > 1e9",),
        odometry=Anywhere(0.1),
        soft_start_time=0.1,
        guard=warns,
    )
    rig.activate(150)
    assert rig.state is ACTIVE
    assert rig.errors == []
    return rig


@pytest.mark.parametrize("error", ERRORS, ids=told)
@pytest.mark.parametrize("place", PLACES)
def test_the_servo_outlives_everything_and_comes_back(rig, place, error):
    owner, name = PLACES[place](rig)
    before = getattr(owner, name)
    setattr(owner, name, raising(error))
    efforts = run_elsewhere(rig, 20)
    assert np.isfinite(efforts).all()
    assert rig.coordinator.status.cycles == 170
    errors = rig.errors
    assert any(told(error) in text for text in errors), errors
    if place != "event" or not isinstance(error, Exception):  # a bad event stops nothing
        assert rig.state is SAFE
        assert place in DEAF or len(efforts) == 20
        assert not len(efforts) or (np.abs(efforts - gravity(rig.robot.position)) < 0.5).all()
    setattr(owner, name, before)
    rig.run(RECOVERY + 10)
    assert rig.state is ACTIVE
    assert rig.errors == []


@pytest.mark.parametrize("error", ERRORS, ids=told)
def test_a_property_of_the_robot_may_raise(error):
    rig = Rig(soft_start_time=0.0)
    rig.activate(50)
    kind = type(rig.robot)
    rig.robot.__class__ = with_broken_property(rig.robot, error)
    efforts = run_elsewhere(rig, 500)
    assert len(efforts) == 500
    assert rig.state is SAFE
    assert (np.abs(efforts - gravity(rig.robot.position)) < 0.5).all()
    texts = rig.errors
    assert texts[0].startswith(f"the servo's cycle broke off: {told(error)} ({__file__}:")
    assert len(texts) == 1  # throttled
    rig.robot.__class__ = kind
    rig.run(RECOVERY + 2)
    assert rig.state is ACTIVE


@pytest.mark.parametrize("found", ["many", None, float("nan"), [1]])
def test_a_property_of_the_robot_may_be_anything(found):
    rig = Rig()
    rig.activate(50)
    rig.robot.refused = found
    assert len(run_elsewhere(rig, 50)) == 50


def test_an_order_to_end_reaches_the_main_thread():
    rig = Rig()
    rig.activate(5)
    rig.robot.read = raising(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        rig.clock.advance()


def test_a_robot_that_takes_nothing_is_not_told_to_be_active(rig):
    rig.coordinator.states._fallback.update = raising(ValueError("no fallback"))
    rig.robot.__class__ = with_broken_property(rig.robot, ValueError())
    assert len(run_elsewhere(rig, 5)) == 0
    assert rig.state is SAFE
    assert rig.coordinator.status.state is SAFE
    assert any("no fallback" in text for text in rig.errors)


@pytest.mark.parametrize("which", ["model_updater", "task_updater"])
@pytest.mark.parametrize("error", [SystemExit(3), Mute()], ids=told)
def test_an_updater_outlives_a_plugin_that_wants_to_leave(which, error, poll):
    rig = Rig()
    rig.activate(50)
    updater = getattr(rig.coordinator, which)
    if which == "model_updater":
        rig.models.inactive.update_projections = raising(error)
        rig.models.active.update_projections = raising(error)
    else:
        rig.tasks[0]._update = raising(error)
    rig.clock.advance(3)  # makes requests and serves none
    updater.start()
    poll(lambda: updater.failure)
    assert told(error) in str(updater.failure)
    poll(lambda: updater.is_idle)
    assert updater._thread.is_alive()
    updater.stop()
    rig.clock.advance()
    assert rig.state is SAFE
