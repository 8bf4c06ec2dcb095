"""SharedMailbox: posted in one process, applied in another, all or nothing, or taken back."""

import time

import numpy as np
import pytest
from forked import forked
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
from controlit_ros.servo.shared_mailbox import SharedMailbox
from controlit_ros.servo.shared_memory import shared_memory

pytestmark = pytest.mark.processes


def parameters():
    return (
        Parameter("vector", 0.0, shape=(3,), broadcast=True, labels=("a", "b", "c")),
        Parameter("number", 0.0, reader=Reader.MODEL_UPDATER),
        Parameter("count", 0, kind=Kind.INTEGER),
        Parameter("flag", False, kind=Kind.BOOLEAN),
        Parameter("text", "", kind=Kind.TEXT, reader=Reader.TASK_UPDATER),
        Parameter("list", (), shape=(None,)),
        Parameter("fixed", 0.0, access=Access.CONFIGURATION),
    )


POSTS = (
    {"vector": [1.0, 2.0, 3.0]},
    {"vector": {"c": 5.0, "a": -1.0}, "number": 4},
    {"count": 2**40, "flag": True, "text": "grüße", "list": [1.0, 2.0]},
    {"vector": 7.0, "list": []},
)


def settle(mailbox, posted):
    end = time.monotonic() + GENEROUS
    while mailbox.settled < posted:
        assert time.monotonic() < end
        time.sleep(0.001)


def apply_all(mailbox, count):
    applied = 0
    while applied < count:
        if mailbox.next() is None:
            time.sleep(0.0)
        else:
            mailbox.apply_next()
            applied += 1


def test_the_servo_gets_what_a_mailbox_within_a_process_gives_it():
    here, there = parameters(), parameters()
    shared, plain = SharedMailbox(here), Mailbox()
    named = {p.name: p for p in there}
    expected = shared_memory(8 * 32).cast("d")

    def serve():
        apply_all(shared, len(POSTS))
        vector, number, count, flag, text, entries, _ = here
        values = [*vector.value, number.value, count.value, flag.value, len(entries.value)]
        expected[: len(values)] = np.array(values, dtype=float).data
        assert text.value == "grüße"
        assert vector.stated

    with forked(serve):
        for post in POSTS:
            receipt = shared.post({p: post[p.name] for p in here if p.name in post})
            plain.post({named[name]: value for name, value in post.items()})
            assert receipt.settle(GENEROUS) is Outcome.APPLIED
    apply_all(plain, len(POSTS))
    vector, number, count, flag, _, entries, _ = there
    wanted = [*vector.value, number.value, count.value, flag.value, len(entries.value)]
    assert list(expected[: len(wanted)]) == wanted
    assert [p.snapshot() for p in here] == [p.snapshot() for p in there]  # the mirror


def test_readers_are_told():
    here = parameters()
    mailbox = SharedMailbox(here)
    mailbox.post({here[0]: 1.0, here[1]: 1.0, here[4]: "x"})
    assert mailbox.next().readers == {Reader.SERVO, Reader.MODEL_UPDATER, Reader.TASK_UPDATER}


def test_what_does_not_fit_is_refused_at_once():
    here = parameters()
    mailbox = SharedMailbox(here)
    for values in ({here[0]: [1.0]}, {here[6]: 1.0}, {here[1]: 1.0, here[2]: "two"}):
        with pytest.raises(ParameterError):
            mailbox.post(values)
    with pytest.raises(ParameterError, match="not a parameter of this controller"):
        mailbox.post({Parameter("stranger", 0.0): 1.0})
    assert mailbox.next() is None
    assert here[1].value == 0.0


def test_a_full_mailbox_refuses_and_counts():
    here = parameters()
    mailbox = SharedMailbox(here, capacity=4)
    outcomes = [mailbox.post({here[1]: i}).outcome for i in range(6)]
    assert outcomes == [Outcome.PENDING] * 4 + [Outcome.DROPPED] * 2
    assert mailbox.dropped == 2
    assert here[1].value == 3.0
    apply_all(mailbox, 4)
    assert mailbox.next() is None
    assert mailbox.post({here[1]: 9.0}).outcome is Outcome.PENDING


def test_a_batch_larger_than_the_memory_is_refused():
    here = (Parameter("long", (), shape=(None,)),)
    mailbox = SharedMailbox(here, capacity=2)
    assert mailbox.post({here[0]: [0.5] * 10_000}).outcome is Outcome.DROPPED


def test_what_is_taken_back_is_not_applied():
    here = parameters()
    mailbox = SharedMailbox(here)
    first, second = mailbox.post({here[1]: 1.0}), mailbox.post({here[2]: 5})
    assert here[1].value == 1.0
    assert first.settle(0.0) is Outcome.WITHDRAWN
    assert here[1].value == 0.0
    assert here[2].value == 5
    apply_all(mailbox, 2)
    assert here[1].value == 0.0
    assert second.outcome is Outcome.APPLIED
    assert first.outcome is Outcome.WITHDRAWN


def test_what_fails_is_told_and_the_poster_knows_the_value_that_holds():
    def fail(_assignments):
        raise ArithmeticError

    here = parameters()
    mailbox = SharedMailbox(here)
    admits, mailbox.admits = mailbox.admits, fail
    failing, fine = mailbox.post({here[1]: 1.0}), mailbox.post({here[2]: 5})
    mailbox.next()
    with pytest.raises(ArithmeticError):
        mailbox.apply_next()
    mailbox.admits = admits
    apply_all(mailbox, 1)
    assert failing.settle(GENEROUS) is Outcome.FAILED
    assert here[1].value == 0.0
    assert fine.settle(GENEROUS) is Outcome.APPLIED


def test_taking_back_against_a_servo_that_applies():
    """Whoever wins the race, both sides agree about every batch."""
    here = (Parameter("number", 0, kind=Kind.INTEGER),)
    mailbox = SharedMailbox(here, capacity=64)
    count = 3000
    seen = shared_memory(count)

    def serve():
        for _ in range(count):
            while mailbox.next() is None:
                time.sleep(0.0)
            before = here[0].revision
            mailbox.apply_next()
            if here[0].revision != before:
                seen[here[0].value] = 1

    outcomes = []
    with forked(serve):
        for number in range(count):
            receipt = mailbox.post({here[0]: number})
            end = time.monotonic() + GENEROUS
            while receipt.outcome is Outcome.DROPPED and time.monotonic() < end:
                time.sleep(0.0)
                receipt = mailbox.post({here[0]: number})
            for _ in range(number % 40):  # from long before to long after the servo has it
                pass
            outcomes.append(receipt.settle(-1.0))
        settle(mailbox, count)
    assert set(outcomes) <= {Outcome.APPLIED, Outcome.WITHDRAWN}
    assert [bool(flag) for flag in seen] == [o is Outcome.APPLIED for o in outcomes]


def test_a_servo_that_is_long_over_a_batch_has_the_last_word():
    here = (Parameter("number", 0, kind=Kind.INTEGER),)
    mailbox = SharedMailbox(here)
    begun = shared_memory(1)
    assign = Parameter.assign

    def assign_late(parameter, value):
        begun[0] = 1
        time.sleep(0.3)  # the load, not a synchronisation
        assign(parameter, value)

    def serve():
        Parameter.assign = assign_late  # in this process alone
        apply_all(mailbox, 1)
        assert here[0].value == 5

    with forked(serve):
        receipt = mailbox.post({here[0]: 5})
        end = time.monotonic() + GENEROUS
        while not begun[0] and time.monotonic() < end:
            time.sleep(0.001)
        assert receipt.settle(-1.0) is Outcome.APPLIED


def test_a_reported_value_does_not_undo_a_later_post():
    here = parameters()
    mailbox = SharedMailbox(here)
    asked = mailbox.posted
    mailbox.post({here[1]: 2.0})
    mailbox.adopt(1, 1.0, asked)
    assert here[1].value == 2.0
    mailbox.adopt(2, 7, asked)
    assert here[2].value == 7
    mailbox.adopt(1, 3.0, mailbox.posted)
    assert here[1].value == 3.0


def test_at_rest_the_oldest_give_way():
    here = parameters()
    mailbox = SharedMailbox(here, capacity=8)
    receipts = [mailbox.post({here[1]: i}) for i in range(7)]
    mailbox.make_room()
    assert [r.outcome for r in receipts] == [Outcome.DROPPED] * 3 + [Outcome.PENDING] * 4
    mailbox.make_room()
    assert mailbox.dropped == 3
    apply_all(mailbox, 4)
    assert mailbox.next() is None
    assert here[1].value == 6.0


def test_values_reach_heirs_that_only_one_process_knows_yet():
    """The poster has an heir before the servo's process has; both have it from one change on."""
    former, heir = Parameter("kp", 0.0), Parameter("kp", 0.0)
    mailbox = SharedMailbox([former])
    asked, made = shared_memory(1), shared_memory(1)

    def servo():
        while not asked[0]:
            time.sleep(0.0)
        apply_all(mailbox, 1)
        assert former.value == 2.0
        mailbox.enroll([heir], 1)
        hand_over = mailbox.prepare_heirs({former: heir})
        heir.assign(former.value)
        hand_over()
        made[0] = 1
        apply_all(mailbox, 3)
        assert (former.value, heir.value) == (2.0, 5.0)

    with forked(servo):
        assert mailbox.enroll([heir]) == 1
        hand_over = mailbox.prepare_heirs({former: heir})
        receipts = [mailbox.post({heir: 2.0})]
        asked[0] = 1
        settle(mailbox, 1)
        while not made[0]:
            time.sleep(0.001)
        receipts.append(mailbox.post({heir: 3.0}))  # the poster has not handed over
        settle(mailbox, 2)
        hand_over()
        heir.assign(former.value)
        receipts.append(mailbox.post({former: 4.0}))
        receipts.append(mailbox.post({heir: 5.0}))
    assert all(receipt.settle(GENEROUS) is Outcome.APPLIED for receipt in receipts)
    assert heir.value == 5.0
