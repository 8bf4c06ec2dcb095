"""The campaign in short, and that it sees what it looks for."""

import logging

import numpy as np
import pytest
from campaign import CLASSES, run_campaign, run_class
from hostile import has_only_finite_numbers, hostile_message
from measurement_trials import InProcessTrials
from message_trials import MessageTrials
from trial import TrialClass
from watched_robot import IN_PROCESS, Unsafe, WatchedRobot

from controlit_ros.robots.datagram import DatagramReader
from controlit_ros.robots.link import Link
from controlit_ros.servo import CommandGuard

pytestmark = [pytest.mark.simulation, pytest.mark.processes]


@pytest.fixture(autouse=True)
def silence():
    """Let what is refused be told to nobody, as in the campaign itself."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


SEED = 5000  # others than those of `make campaign`


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.name)
def test_nothing_comes_of_it(kind):
    outcome = run_class(kind, kind.least, SEED)
    assert outcome.trials == kind.least
    assert outcome.failures == []


def test_failures_are_counted_with_the_seed_that_repeats_them(capsys):
    class Odd(TrialClass):
        name, share, least = "odd", 10_000, 1

        def run(self, rng):
            return "it broke" if rng.integers(2) else None

    (outcome,) = run_campaign(20, 100, [Odd])
    assert outcome.trials == 20
    for seed, _ in outcome.failures:
        assert np.random.default_rng(seed).integers(2)
    assert 0 < len(outcome.failures) < 20
    assert f"seed {outcome.failures[0][0]}: it broke" in capsys.readouterr().out


def test_what_escapes_is_a_failure():
    class Raising(TrialClass):
        name, share, least = "raising", 1, 1

        def run(self, rng):
            raise RuntimeError("loose")

    assert run_class(Raising, 1, 0).failures == [(0, "RuntimeError: loose")]


@pytest.fixture
def unguarded(monkeypatch):
    """Servos are put together without a guard."""
    for duties in ("enforcing", "keeping_inside"):
        monkeypatch.setattr(CommandGuard, duties, lambda *_: ())


@pytest.mark.usefixtures("unguarded")
def test_it_sees_a_servo_without_a_guard():
    robot = WatchedRobot(MessageTrials()._file(), IN_PROCESS)
    try:
        posture = next(t for t in robot.stack.tasks.tasks if t.name == "Posture")
        robot.node.mailbox.post({posture.goal: np.full(posture.goal.value.shape, 100.0)})
        robot.node.mailbox.post({posture.controller.kp: 1e6})
        with pytest.raises(Unsafe, match="expected at most"):
            robot.advance(500)
    finally:
        robot.close()


@pytest.mark.usefixtures("unguarded")
def test_it_sees_a_lie_that_is_believed():
    robot = WatchedRobot(MessageTrials()._file(), IN_PROCESS)
    try:
        trials = InProcessTrials()
        rng = np.random.default_rng(SEED)
        data = robot.simulation.data
        data.qvel[robot._drives] = 10.0  # as a servo that believed a lie would have it
        with pytest.raises(Exception, match="expected at most"):
            trials.mistreat(robot, rng)
    finally:
        robot.close()


def test_it_sees_a_link_that_takes_anything(monkeypatch):
    monkeypatch.setattr(DatagramReader, "_fault", lambda *_: None)
    monkeypatch.setattr(Link, "receive", lambda self, vector: self._take(vector))
    kind = next(kind for kind in CLASSES if kind.name == "datagrams")
    assert run_class(kind, 50, SEED).failures


def test_hostile_messages_can_be_sent_and_are_hostile(rng):
    finite = [
        has_only_finite_numbers(hostile_message(rng, "geometry_msgs/msg/Point")) for _ in range(200)
    ]
    assert 20 < sum(finite) < 180
