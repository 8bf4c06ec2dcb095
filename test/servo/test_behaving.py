"""Behaviours in the servo's cycle: when they begin, wait, and fail."""

from types import SimpleNamespace

import pytest

from controlit_ros.servo import CoordinatorState, NoticeBoard, NoticeLevel
from controlit_ros.servo.behaving import Behaving
from controlit_ros.servo.behaviour import Behaviour
from controlit_ros.servo.behaviours import ServoAccess
from controlit_ros.servo.cycle_faults import CycleFaults

MODEL = object()


class Leading(Behaviour):
    """Notes its turns."""

    def __init__(self):
        super().__init__("Leading", None)
        self.turns = []
        self.error = None

    def configure(self, parts):
        pass

    def begin(self, moment):
        self.turns.append(("begin", moment))

    def step(self, moment):
        self.turns.append(("step", moment))
        if self.error is not None:
            raise self.error


class World:
    """A behaviour, and what it is told of the servo."""

    def __init__(self):
        self.told = []
        self.rests = []
        self.faults = CycleFaults(NoticeBoard(SimpleNamespace(offer=self.told.append)))
        self.swap = SimpleNamespace(
            is_current=True,
            model=SimpleNamespace(robot_model=MODEL),
            updaters_rest=True,
            let_updaters_rest=lambda: self.rests.append(True),
        )
        self.leading = Leading()
        self.states = SimpleNamespace(state=None)
        self.servo = ServoAccess(self.swap, None, self.states, None, self.faults)
        self.behaving = Behaving([self.leading])

    def follow(self, now, *, is_active=True):
        states = CoordinatorState
        self.states.state = states.ACTIVE if is_active else states.SAFE
        self.behaving.act(now, self.servo)

    @property
    def turns(self):
        return [what for what, _ in self.leading.turns]


@pytest.fixture
def world():
    return World()


def test_it_begins_whenever_control_does(world):
    for now, is_active in enumerate((False, True, True, False, True)):
        world.follow(float(now), is_active=is_active)
    assert world.turns == ["begin", "step", "step", "begin", "step"]


def test_it_knows_the_cycle_it_is_in(world):
    world.swap.updaters_rest = False
    world.follow(3.0)
    moment = world.leading.turns[-1][1]
    assert (moment.now, moment.model, moment.may_switch) == (3.0, MODEL, False)


def test_without_a_model_it_has_no_turn(world):
    world.swap.is_current = False
    world.follow(1.0)
    assert world.turns == []


def test_updaters_get_no_new_work_while_it_waits(world):
    world.follow(1.0)
    assert not world.rests
    world.leading.waits = True
    world.follow(2.0)
    assert world.rests


def test_one_that_raises_is_a_fault_that_names_it(world):
    world.leading.error = ValueError("no ground")
    world.follow(1.0)
    assert world.faults.failed
    (notice,) = world.told
    assert notice.level is NoticeLevel.ERROR
    assert "'Leading'" in notice.text
    assert "no ground" in notice.text


def test_what_keeps_it_is_a_warning(world):
    world.leading.complaint = "the step is too far"
    world.follow(1.0)
    assert not world.faults.failed
    (notice,) = world.told
    assert notice.level is NoticeLevel.WARNING
    assert "too far" in notice.text
