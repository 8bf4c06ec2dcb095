"""A thread that does what others hand it: settling waits for all of that, and for nothing else."""

import threading

import pytest

from controlit_ros.transport.local.worker import Worker


@pytest.fixture
def worker():
    worker = Worker("worker")
    yield worker
    worker.close()


def test_settling_waits_for_what_was_submitted_and_what_that_submits(worker):
    done = []

    def again(depth):
        done.append(depth)
        if depth < 50:
            worker.submit(lambda: again(depth + 1))

    worker.submit(lambda: again(0))
    worker.settle()
    assert done == list(range(51))


def test_what_others_submit_meanwhile_is_done_in_their_order(worker):
    done = []

    def submit(name):
        for number in range(200):
            worker.submit(lambda number=number: done.append((name, number)))

    threads = [threading.Thread(target=submit, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    worker.settle()
    for name in "abc":
        assert [number for other, number in done if other == name] == list(range(200))


def test_settling_an_idle_one_wakes_and_awaits_nobody(worker, monkeypatch):
    worker.submit(lambda: None)
    worker.settle()
    monkeypatch.setattr(worker._changed, "wait", lambda _: pytest.fail("it waits"))
    worker.settle()
    assert worker._actions.empty()


def test_an_action_that_fails_is_done(worker, caplog):
    worker.submit(lambda: 1 / 0)
    worker.settle()
    assert "an action failed" in caplog.text


def test_settling_after_the_end_returns(worker):
    worker.close()
    worker.submit(lambda: None)
    worker.settle()
