"""Mailbox: batches arrive whole, in order, bounded, and from any thread."""

import sys
import threading

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.parameters import (
    Access,
    Kind,
    Mailbox,
    Outcome,
    Parameter,
    ParameterError,
    Reader,
)


def drain(mailbox):
    batches = 0
    while mailbox.next() is not None:
        mailbox.apply_next()
        batches += 1
    return batches


def test_nothing_changes_before_it_is_applied():
    parameter = Parameter("kp", 1.0)
    mailbox = Mailbox()
    assert mailbox.next() is None
    mailbox.post({parameter: 2})
    assert parameter.value == 1.0
    batch = mailbox.next()
    assert batch is mailbox.next()
    assert parameter.value == 1.0
    mailbox.apply_next()
    assert parameter.value == 2.0
    assert mailbox.next() is None
    mailbox.apply_next()
    assert parameter.value == 2.0


def test_all_or_nothing():
    first, second = Parameter("first", 1.0), Parameter("second", 1.0)
    mailbox = Mailbox()
    with pytest.raises(ParameterError, match="second"):
        mailbox.post({first: 2.0, second: "wrong"})
    assert mailbox.next() is None


@pytest.mark.parametrize(
    ("access", "word"), [(Access.OUTPUT, "output"), (Access.CONFIGURATION, "configuration")]
)
def test_what_cannot_change_at_run_time_is_refused(access, word):
    parameter = Parameter("value", 1.0, access=access)
    with pytest.raises(ParameterError, match=f"run time: it is .*{word}"):
        Mailbox().post({parameter: 2.0})


def test_a_batch_names_its_readers():
    mailbox = Mailbox()
    mailbox.post(
        {
            Parameter("goal", 1.0): 2.0,
            Parameter("point", 1.0, reader=Reader.TASK_UPDATER): 2.0,
        }
    )
    assert mailbox.next().readers == {Reader.SERVO, Reader.TASK_UPDATER}


def test_the_oldest_gives_way_but_never_the_one_in_hand():
    parameter = Parameter("count", 0, kind=Kind.INTEGER)
    mailbox = Mailbox(capacity=2)
    mailbox.post({parameter: 1})
    in_hand = mailbox.next()
    for value in (2, 3, 4, 5):
        mailbox.post({parameter: value})
    assert mailbox.dropped == 2
    assert mailbox.next() is in_hand
    mailbox.apply_next()
    assert parameter.value == 1
    mailbox.next()
    mailbox.apply_next()
    assert parameter.value == 4
    assert drain(mailbox) == 1
    assert parameter.value == 5


def test_a_capacity_below_one_is_refused():
    with pytest.raises(ValueError, match="capacity 0"):
        Mailbox(0)


def test_maps_of_different_entries_do_not_undo_each_other():
    goal = Parameter("goal", [0, 0], shape=(2,), labels=("elbow", "wrist"))
    mailbox = Mailbox()
    mailbox.post({goal: {"elbow": 1}})
    mailbox.post({goal: {"wrist": 2}})
    assert drain(mailbox) == 2
    assert goal.snapshot() == [1.0, 2.0]


def test_later_changes_of_the_poster_do_not_reach_the_queue():
    goal = Parameter("goal", [0, 0], shape=(2,))
    source = np.ones(2)
    mailbox = Mailbox()
    mailbox.post({goal: source})
    source[:] = 9
    drain(mailbox)
    assert goal.snapshot() == [1.0, 1.0]


def test_many_posters_one_servo():
    posters, posts = 4, 500
    x, y = Parameter("x", 0.0), Parameter("y", 0.0)
    mailbox = Mailbox(capacity=16)
    torn = []
    applied = 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [
            threading.Thread(
                target=lambda k=k: [mailbox.post({x: k + i, y: -k - i}) for i in range(posts)]
            )
            for k in range(posters)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            if mailbox.next() is not None:
                mailbox.apply_next()
                applied += 1
                if x.value != -y.value:
                    torn.append((x.value, y.value))
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    applied += drain(mailbox)
    assert not torn
    assert applied + mailbox.dropped == posters * posts


def test_a_receipt_tells_when_values_are_applied():
    parameter = Parameter("kp", 1.0)
    mailbox = Mailbox()
    receipt = mailbox.post({parameter: 2.0})
    assert receipt.outcome is Outcome.PENDING
    servo = threading.Timer(0.02, lambda: drain(mailbox))
    servo.start()
    assert receipt.settle(20.0) is Outcome.APPLIED
    assert parameter.value == 2.0
    servo.join()


def test_what_nobody_applies_is_taken_back():
    parameter = Parameter("kp", 1.0)
    mailbox = Mailbox()
    assert mailbox.post({parameter: 2.0}).settle(0.0) is Outcome.WITHDRAWN
    mailbox.post({parameter: 3.0})
    assert drain(mailbox) == 2
    assert parameter.value == 3.0
    mailbox.post({parameter: 4.0}).settle(0.0)
    drain(mailbox)
    assert parameter.value == 3.0


def test_a_batch_in_hand_can_be_taken_back():
    """The servo may hold a batch for as long as an updater reads its parameters."""
    parameter = Parameter("kp", 1.0)
    mailbox = Mailbox()
    receipt = mailbox.post({parameter: 2.0})
    assert mailbox.next() is not None
    assert receipt.settle(0.0) is Outcome.WITHDRAWN
    mailbox.apply_next()
    assert parameter.value == 1.0
    assert mailbox.next() is None


def test_what_gave_way_says_so():
    parameter = Parameter("kp", 1.0)
    mailbox = Mailbox(capacity=1)
    first = mailbox.post({parameter: 2.0})
    second = mailbox.post({parameter: 3.0})
    assert first.settle(20.0) is Outcome.DROPPED
    drain(mailbox)
    assert second.settle(20.0) is Outcome.APPLIED


def test_applied_or_taken_back_never_both():
    """Poster and servo race for each batch; what the receipt says is what happened."""
    parameter = Parameter("count", 0, kind=Kind.INTEGER)
    mailbox = Mailbox()
    stop = threading.Event()
    applied = []

    def serve():
        while not stop.is_set():
            if mailbox.next() is not None:
                mailbox.apply_next()
                applied.append(parameter.value)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    servo = threading.Thread(target=serve)
    servo.start()
    try:
        outcomes = [mailbox.post({parameter: i}).settle(0.0) for i in range(1, 500)]
    finally:
        stop.set()
        servo.join()
        sys.setswitchinterval(interval)
    told = [i for i, outcome in enumerate(outcomes, 1) if outcome is Outcome.APPLIED]
    assert told == sorted(set(applied) - {0})


def test_values_reach_heirs_whenever_they_are_posted():
    grandparent, former, heir = (Parameter(name, 0.0) for name in ("a", "b", "c"))
    mailbox = Mailbox()
    mailbox.prepare_heirs({grandparent: former})()
    mailbox.post({grandparent: 1.0})
    drain(mailbox)
    assert (grandparent.value, former.value) == (0.0, 1.0)
    hand_over = mailbox.prepare_heirs({former: heir})
    mailbox.post({heir: 2.0})
    drain(mailbox)
    assert (former.value, heir.value) == (2.0, 0.0)  # it takes over what there is
    mailbox.post({heir: 3.0})
    mailbox.post({former: 4.0})
    hand_over()
    mailbox.next()
    mailbox.apply_next()
    assert (former.value, heir.value) == (2.0, 3.0)
    drain(mailbox)
    assert (former.value, heir.value) == (2.0, 4.0)
    mailbox.post({former: 5.0})
    drain(mailbox)
    assert (former.value, heir.value) == (2.0, 5.0)
    mailbox.dismiss([heir])
    mailbox.post({former: 6.0})
    drain(mailbox)
    assert (former.value, heir.value) == (6.0, 5.0)


def test_a_batch_waits_for_those_who_read_the_heir():
    former, heir = Parameter("kp", 0.0), Parameter("kp", 0.0, reader=Reader.TASK_UPDATER)
    mailbox = Mailbox()
    mailbox.prepare_heirs({former: heir})()
    mailbox.post({former: 1.0})
    assert Reader.TASK_UPDATER in mailbox.next().readers


def test_a_batch_that_fails_says_so():
    def fail(_assignments):
        raise ArithmeticError

    mailbox = Mailbox()
    mailbox.admits = fail
    receipt = mailbox.post({Parameter("kp", 1.0): 2.0})
    mailbox.next()
    with pytest.raises(ArithmeticError):
        mailbox.apply_next()
    assert receipt.settle(GENEROUS) is Outcome.FAILED
    assert mailbox.next() is None
