"""A ramp lets a contact bear less before it leaves and more once it is there."""

import math

import numpy as np
import pytest
from contact_oracles import biped_in_contact

from controlit_ros.servo.contact_ramp import ContactRamp
from controlit_ros.tasks import DISABLE, ENABLE

STEPS = 100


def ramp():
    _, constraints, _ = biped_in_contact(friction=0.5)
    return ContactRamp(constraints.contacts[0])


def limit(moved):
    return moved.contact.normal_force_limit.value


def switch(moved, state):
    moved.contact.operational_state.set(state)


def test_it_falls_evenly_from_what_is_borne_and_then_leaves():
    moved = ramp()
    assert moved.is_idle
    switch(moved, DISABLE)
    assert moved.leaves
    found, gone = [], False
    while not gone:
        gone = moved.leave(1.0 / STEPS, borne=250.0)
        assert moved.contact.is_enabled
        assert moved.contact.state == "leaving"
        found.append(limit(moved))
    assert len(found) == STEPS
    np.testing.assert_allclose(np.diff(found[:-1]), -250.0 / STEPS)
    assert found[-1] == moved.contact.negligible_force
    moved.settle()
    assert not moved.contact.is_enabled
    assert moved.contact.state == DISABLE
    assert moved.is_idle


def test_it_rises_from_nothing_to_no_limit():
    moved = ramp()
    switch(moved, DISABLE)
    moved.settle()
    switch(moved, ENABLE)
    found = []
    while not moved.is_idle:
        moved.arrive(1.0 / STEPS)
        found.append(limit(moved))
    assert found[0] < 2.0 * moved.contact.weight / STEPS
    assert (np.diff(found) > 0.0).all()
    assert found[-1] == math.inf
    assert len(found) == pytest.approx(STEPS, abs=1)
    assert moved.contact.state == ENABLE


def test_wherever_it_turns_the_limit_does_not_jump():
    moved = ramp()
    switch(moved, DISABLE)
    for _ in range(STEPS // 2):
        moved.leave(1.0 / STEPS, borne=250.0)
    for turn in (moved.wait, moved.arrive):
        before = limit(moved)
        turn(1.0 / STEPS)
        assert before < limit(moved) < before + 10.0
    before = limit(moved)
    moved.leave(1.0 / STEPS, borne=before + 50.0)  # it bears no more than it may
    moved.wait(1.0 / STEPS)
    assert moved.contact.state == "waiting"
    moved.leave(1.0 / STEPS, borne=30.0)
    assert limit(moved) == pytest.approx(30.0, rel=0.02)


def test_one_that_turned_to_arrive_leaves_within_a_ramp_all_the_same():
    moved = ramp()
    switch(moved, DISABLE)
    for _ in range(STEPS // 2):
        moved.leave(1.0 / STEPS, borne=250.0)
    switch(moved, ENABLE)
    for _ in range(STEPS // 2):
        moved.arrive(1.0 / STEPS)
    risen = limit(moved)
    assert 500.0 < risen < math.inf
    switch(moved, DISABLE)
    gone = [moved.leave(1.0 / STEPS, borne=2.0 * risen) for _ in range(STEPS + 1)]
    assert gone[-1]
    assert not gone[STEPS - 5]


def test_every_change_of_the_constraints_is_seen():
    moved = ramp()
    switch(moved, DISABLE)
    revisions = [moved.contact.revision]
    moved.leave(1.0, borne=1.0)
    revisions.append(moved.contact.revision)
    moved.settle()
    revisions.append(moved.contact.revision)
    assert len(set(revisions)) == len(revisions)
