"""Parts of the cycle that act after mail: one that fails keeps no other from acting."""

from types import SimpleNamespace

import pytest

from controlit_ros.servo import NoticeBoard, NoticeLevel
from controlit_ros.servo.behaviours import Behaviours
from controlit_ros.servo.cycle_faults import CycleFaults


class Part:
    """Notes its turns, and raises where it is told to."""

    def __init__(self, name, *, begins=True, acts=True):
        self.name = name
        self.turns = []
        self._begins, self._acts = begins, acts

    def begin(self, now):
        self.turns.append(("begin", now))
        if not self._begins:
            raise RuntimeError("it has no beginning")

    def act(self, now, servo):
        self.turns.append((servo, now))
        if not self._acts:
            raise ZeroDivisionError("by nothing")


def behaviours(*parts):
    told = []
    faults = CycleFaults(NoticeBoard(SimpleNamespace(offer=told.append)))
    return Behaviours(parts, "servo", faults), faults, told


def test_all_act_in_the_order_in_which_they_stand():
    order = []
    parts = [Part("first"), Part("second")]
    for part in parts:
        part.act = lambda now, servo, name=part.name: order.append((name, now, servo))
    acting, faults, told = behaviours(*parts)
    acting.act(1.0)
    assert order == [("first", 1.0, "servo"), ("second", 1.0, "servo")]
    assert not faults.failed
    assert not told


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_one_that_raises_is_a_fault_and_the_others_act(failing):
    parts = [Part(f"part {i}", acts=i != failing) for i in range(3)]
    acting, faults, told = behaviours(*parts)
    acting.act(2.0)
    assert [part.turns for part in parts] == 3 * [[("servo", 2.0)]]
    assert faults.failed  # which leads to the safe state
    (notice,) = told
    assert notice.level is NoticeLevel.ERROR
    assert f"part {failing} failed" in notice.text
    assert "by nothing" in notice.text


def test_one_that_cannot_begin_is_a_fault_and_the_others_begin():
    parts = [Part("first", begins=False), Part("second")]
    beginning, faults, told = behaviours(*parts)
    beginning.begin(3.0)
    assert [part.turns for part in parts] == 2 * [[("begin", 3.0)]]
    assert faults.failed
    assert "first failed" in told[0].text


def test_one_that_failed_has_its_turn_again():
    parts = [Part("first", acts=False), Part("second")]
    acting, _faults, _told = behaviours(*parts)
    for now in (1.0, 2.0):
        acting.act(now)
    assert [len(part.turns) for part in parts] == [2, 2]
