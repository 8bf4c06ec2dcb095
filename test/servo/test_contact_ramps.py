"""Contacts come and go while the threads rest that read them, and wait where they are needed."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from contact_oracles import biped_in_contact, standing

from controlit_ros.servo import NoticeBoard, Outbox
from controlit_ros.servo.contact_ramps import LONGEST_CYCLE, PATIENCE, ContactRamps
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.tasks import DISABLE, ENABLE

PERIOD, RAMP = 0.01, 0.1  # [s]
LEFT = 0


class Rig:
    """A biped whose feet bear 150 N each, and a controller that says what it is told to."""

    def __init__(self):
        description, self.constraints, model = biped_in_contact(friction=0.5)
        model.update(standing(description))
        self.models = SimpleNamespace(active=model, is_idle=True)
        self.asked = []
        self.unborne = 0.0
        chosen = SimpleNamespace(contact_ramp=RAMP, unborne=self._unborne)
        self.controller = chosen
        self.outbox, self.told = Outbox(), []
        board = NoticeBoard(self.outbox.add_queue(self.told.append))
        wrenches = np.tile([0.0, 0.0, 150.0, 0.0, 0.0, 0.0], (2, 1))
        self.ramps = ContactRamps(
            self.models, SimpleNamespace(chosen=chosen), None, wrenches, CycleFaults(board)
        )
        self.now = 0.0
        self.foot = self.constraints.contacts[LEFT]

    def _unborne(self, _model, _tasks, without):
        self.asked.append(without.tolist())
        return self.unborne

    def pass_time(self, duration, *, is_active=True):
        for _ in range(round(duration / PERIOD)):
            self.now += PERIOD
            self.ramps.follow(self.now, is_active=is_active)

    def switch(self, state):
        self.foot.operational_state.set(state)

    def complaints(self):
        self.outbox.deliver_all()
        return [notice.text for notice in self.told]


def test_nothing_is_asked_while_nothing_changes():
    rig = Rig()
    rig.pass_time(1.0)
    assert rig.asked == []
    assert all(math.isinf(contact.bearable) for contact in rig.constraints.contacts)


def test_it_leaves_after_the_ramp_and_while_the_models_rest():
    rig = Rig()
    rig.switch(DISABLE)
    rig.pass_time(RAMP / 2)
    assert rig.foot.bearable == pytest.approx(75.0)
    rig.models.is_idle = False
    rig.pass_time(1.0)
    assert rig.foot.is_enabled
    assert rig.foot.bearable == rig.foot.negligible_force
    rig.models.is_idle = True
    rig.pass_time(PERIOD)
    assert not rig.foot.is_enabled
    assert rig.asked[0] == [True, False]
    assert rig.complaints() == []


@pytest.mark.parametrize(
    ("missing", "words"), [(50.0, "miss 50 N without it"), (math.inf, "nothing else holds")]
)
def test_it_waits_while_it_is_needed_and_says_so(missing, words):
    rig = Rig()
    rig.unborne = missing
    rig.switch(DISABLE)
    rig.pass_time(1.0)
    assert rig.foot.state == "waiting"
    assert math.isinf(rig.foot.bearable)
    (told,) = set(rig.complaints())
    assert "left_sole shall leave" in told
    assert words in told
    assert len(rig.asked) <= 1.0 / PATIENCE + 1
    rig.unborne = 0.0
    rig.pass_time(PATIENCE + 2 * RAMP)
    assert rig.foot.state == DISABLE


def test_it_bears_again_when_it_is_needed_in_the_middle():
    rig = Rig()
    rig.switch(DISABLE)
    rig.pass_time(RAMP / 2)
    before = rig.foot.bearable
    rig.unborne = 50.0
    rig.pass_time(3 * PERIOD)
    assert rig.foot.state == "waiting"
    assert rig.foot.bearable > before


@pytest.mark.parametrize(
    ("passed", "counted"), [(0.05, 0.05), (0.3, LONGEST_CYCLE), (1e6, LONGEST_CYCLE), (-1.0, 0.0)]
)
@pytest.mark.parametrize("state", [DISABLE, ENABLE])
def test_a_servo_that_stood_still_skips_no_ramp(passed, counted, state):
    rig = Rig()
    rig.controller.contact_ramp = 1.0
    if state is ENABLE:
        rig.switch(DISABLE)
        rig.pass_time(1.1)
        assert not rig.foot.is_enabled
    rig.switch(state)
    rig.pass_time(0.25)
    rig.now += passed
    rig.ramps.follow(rig.now, is_active=True)
    share = 0.25 + counted
    falls, rises = 150.0 * (1.0 - share), rig.foot.weight * share / (1.0 - share)
    assert rig.foot.bearable == pytest.approx(falls if state is DISABLE else rises, rel=0.02)


@pytest.mark.parametrize("how", ["inactive", "without ramps"])
def test_at_once_where_nobody_limits_forces(how):
    rig = Rig()
    if how == "without ramps":
        rig.controller.contact_ramp = 0.0
    for state, is_there in ((DISABLE, False), (ENABLE, True)):
        rig.switch(state)
        rig.models.is_idle = False
        rig.pass_time(PERIOD, is_active=how != "inactive")
        rig.models.is_idle = True
        rig.pass_time(PERIOD, is_active=how != "inactive")
        assert rig.foot.is_enabled == is_there
        assert rig.foot.state == state
    assert math.isinf(rig.foot.bearable)
    assert rig.asked == []


def test_what_is_under_way_ends_when_time_begins_anew_and_control_does():
    rig = Rig()
    rig.switch(DISABLE)
    rig.pass_time(RAMP / 2)
    rig.ramps.begin(0.0)
    assert rig.foot.is_enabled  # a thread may read it just now
    rig.now = 0.0
    rig.pass_time(PERIOD, is_active=False)
    assert not rig.foot.is_enabled
