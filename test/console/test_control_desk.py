"""ControlDesk: one page has control, motion is armed, and nothing of it outlives the page."""

import pytest

from controlit_console.control_desk import IDLE, ControlDesk

FIRST, SECOND, THIRD = 1, 2, 3


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(clock):
    desk = ControlDesk(clock)
    for page in (FIRST, SECOND, THIRD):
        desk.enter(page)
    return desk


def test_the_first_that_asks_has_control(desk):
    assert desk.ask(FIRST)
    assert desk.has(FIRST)
    assert not desk.has(SECOND)


def test_others_wait_until_it_is_handed_over(desk):
    desk.ask(FIRST)
    assert not desk.ask(SECOND)
    assert not desk.ask(THIRD)
    assert desk.asking == (SECOND, THIRD)
    desk.hand_over(SECOND)  # who has not got it cannot give it
    assert desk.owner == FIRST
    desk.hand_over(FIRST)
    assert desk.owner == SECOND
    assert desk.asking == (THIRD,)


def test_asking_twice_waits_once(desk):
    desk.ask(FIRST)
    desk.ask(SECOND)
    desk.ask(SECOND)
    assert desk.asking == (SECOND,)


def test_motion_needs_control_and_an_arm(desk):
    assert not desk.may_move(FIRST)
    desk.arm(FIRST, armed=True)  # without control
    assert not desk.is_armed
    desk.ask(FIRST)
    assert not desk.may_move(FIRST)
    desk.arm(FIRST, armed=True)
    assert desk.may_move(FIRST)
    assert not desk.may_move(SECOND)


def test_it_is_disarmed_when_control_changes_hands(desk):
    desk.ask(FIRST)
    desk.ask(SECOND)
    desk.arm(FIRST, armed=True)
    desk.hand_over(FIRST)
    assert not desk.may_move(SECOND)


def test_it_is_disarmed_when_nothing_moves_for_long(desk, clock):
    desk.ask(FIRST)
    desk.arm(FIRST, armed=True)
    clock.now = IDLE - 1.0
    assert desk.may_move(FIRST)  # which begins the time anew
    clock.now += IDLE - 1.0
    assert desk.may_move(FIRST)
    clock.now += IDLE + 1.0
    assert not desk.may_move(FIRST)


def test_a_page_that_is_gone_holds_nothing(desk):
    desk.ask(FIRST)
    desk.ask(SECOND)
    desk.ask(THIRD)
    desk.arm(FIRST, armed=True)
    assert not desk.leave(SECOND)
    assert desk.leave(FIRST)  # it had motion armed
    assert desk.owner == THIRD
    assert not desk.is_armed


def test_a_wish_that_comes_after_its_page_has_gone_changes_nothing(desk):
    desk.leave(FIRST)
    assert not desk.ask(FIRST)
    assert desk.owner is None
    assert desk.ask(SECOND)
    assert not desk.ask(FIRST)
    assert desk.asking == ()


def test_read_only_gives_control_to_nobody(clock):
    desk = ControlDesk(clock, is_read_only=True)
    desk.enter(FIRST)
    assert not desk.ask(FIRST)
    assert desk.owner is None
    assert desk.asking == ()
