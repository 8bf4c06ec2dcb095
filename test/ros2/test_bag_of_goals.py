"""rosbag2 records goals and plays them to another controller, whose hand goes to the same place."""

import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from installed_console import installed_console
from patience import GENEROUS, HOLDS_ON
from ros2_commands import ENVIRONMENT, ros2, start, stop

pytest.importorskip("ros2bag", reason="rosbag2 is missing: no `ros2 bag`")

HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
TASK = "RightHandPosition"
GOALS = ((0.30, -0.30, 1.00), (0.35, -0.30, 1.05))
NEAR, SAME, AWAY = 2e-4, 1e-3, 2e-2  # [m] of a goal; of another run; before it moves


@contextmanager
def process(*command):
    """Run a command, and kill what is left of it."""
    with subprocess.Popen(
        command,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def await_line(started, text):
    assert any(text in line for line in iter(started.stdout.readline, ""))


@contextmanager
def controller(transport, name):
    """Run a controller, and a process that leads its hand."""
    command = (installed_console(), "run", str(HAND), "--transport", transport, "--quiet")
    with process(*command, "--set", f"name={name}", *HOLDS_ON) as servo:
        await_line(servo, "control is active")
        peer = start("hand.py", f"/{name}/{TASK}")
        try:
            await_line(peer, "ready")
            yield Leader(peer)
        finally:
            stop(peer)
        servo.send_signal(signal.SIGINT)
        servo.communicate(timeout=GENEROUS)


class Leader:
    """Sends goals and knows where the hand is."""

    def __init__(self, peer):
        self._peer = peer

    def where(self, goal=()):
        print(*goal, file=self._peer.stdin, flush=True)
        return np.array(self._peer.stdout.readline().split(), dtype=float)

    def is_at(self, place, distance):
        here = self.where()
        return len(here) == 3 and float(np.linalg.norm(here - place)) < distance


@pytest.mark.parametrize(("transport", "storage"), [("dds", "mcap"), ("rclpy", "sqlite3")])
def test_goals_are_recorded_and_played_to_another_controller(transport, storage, tmp_path, poll):
    name, bag = f"bagged_{transport}_{storage}", str(tmp_path / "bag")
    topic = f"/{name}/{TASK}/goal_position"
    with controller(transport, name) as hand:
        with process("ros2", "bag", "record", "-s", storage, "-o", bag, topic) as recorder:
            await_line(recorder, "Subscribed to topic")
            for goal in GOALS:
                hand.where(goal)
                poll(lambda goal=goal: hand.is_at(goal, NEAR))
            recorder.send_signal(signal.SIGINT)
            recorder.communicate(timeout=GENEROUS)
        rest = hand.where()
    info = " ".join(ros2("bag", "info", bag).split())
    assert f"Topic: {topic} | Type: geometry_msgs/msg/Point | Count: {len(GOALS)}" in info
    with controller(transport, name) as hand:
        poll(lambda: len(hand.where()))
        assert not hand.is_at(rest, AWAY)
        ros2("bag", "play", "--disable-keyboard-controls", "--delay", "2", bag)
        poll(lambda: hand.is_at(rest, SAME))
