"""Time that passes only for those who wait for it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from controlit_ros import awaited
from controlit_ros.awaited import are_cycles_awaited, awaiting, step_until_done
from controlit_ros.parameters.receipt import Outcome, Receipt


@pytest.fixture
def pool():
    with ThreadPoolExecutor(1) as made:
        yield made


def test_what_others_compute_takes_no_time(pool):
    """The answer waits for the wall twice, for the servo once between."""
    receipt, steps = Receipt(), []

    def answer():
        threading.Event().wait(0.05)
        outcome = receipt.settle(600.0)
        threading.Event().wait(0.05)
        return outcome

    def step():
        steps.append(receipt.outcome)
        receipt.outcome = Outcome.APPLIED

    answered = pool.submit(answer)
    step_until_done(answered, step)
    assert answered.result() is Outcome.APPLIED
    assert steps == [Outcome.PENDING]
    assert not are_cycles_awaited()


def test_time_passes_for_who_does_not_say_that_he_waits(pool, monkeypatch):
    monkeypatch.setattr(awaited, "LONGEST", 0.01)
    came = threading.Event()
    answered = pool.submit(came.wait, 600.0)
    step_until_done(answered, came.set)
    assert answered.result()


def test_who_gives_up_waits_no_more():
    def fails():
        with awaiting(lambda: False):
            assert are_cycles_awaited()
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert not are_cycles_awaited()
