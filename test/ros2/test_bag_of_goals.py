"""rosbag2 records goals and plays them to another controller, whose hand goes the same way."""

import os
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from installed_console import installed_console
from patience import GENEROUS, HOLDS_ON
from ros2_commands import ENVIRONMENT, ros2, start, stop
from rosbags.highlevel import AnyReader

pytest.importorskip("ros2bag", reason="rosbag2 is missing: no `ros2 bag`")

HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
TASK = "RightHandPosition"
GOALS = ((0.30, -0.30, 1.00), (0.35, -0.30, 1.05))
SIMULATED = (  # one motion however busy the machine is: time passes with the cycles
    *("--set", "servo_clock_type=Simulated", "--set", "robot_interface.mode=in_process"),
    *("--set", "single_threaded_model=true", "--set", "single_threaded_tasks=true"),
)
LISTENERS = 2  # of a goal: controller and recorder
SLOWLY = "0.2"  # rate of the player: at each goal the hand rests, also where that takes longer
NEAR, SAME, AWAY = 2e-4, 1e-3, 2e-2  # [m] of a goal; of another run; before it moves
WHOLE = "{reliability: reliable, history: keep_all}"
"""How a recorder listens to fast simulated time: by itself it keeps 10 messages, a few ms."""
MANY = 1000  # [-] messages kept by the publisher
LOOKS, LOOK_PERIOD = 5, 0.05  # [-], [s] at a recorder that may have a backlog


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
    place = f"qos_overrides./{name}/{TASK}/actual_position.publisher.depth:={MANY}"
    settings = ("--set", f"name={name}", *SIMULATED, *HOLDS_ON, "--ros-args", "-p", place)
    with process(*command, *settings) as servo:
        await_line(servo, "control is active")
        peer = start("hand.py", f"/{name}/{TASK}", str(LISTENERS))
        try:
            await_line(peer, "ready")
            yield Leader(peer, servo.pid)
        finally:
            stop(peer)
        servo.send_signal(signal.SIGCONT)
        servo.send_signal(signal.SIGINT)
        servo.communicate(timeout=GENEROUS)


class Leader:
    """Sends goals and knows where the hand is."""

    def __init__(self, peer, servo):
        self._peer = peer
        self._servo = servo

    def freeze(self):
        """Let simulated time stand still, so that who listens catches up."""
        os.kill(self._servo, signal.SIGSTOP)

    def where(self, goal=()):
        print(*goal, file=self._peer.stdin, flush=True)
        return np.array(self._peer.stdout.readline().split(), dtype=float)

    def is_at(self, place, distance):
        here = self.where()
        return len(here) == 3 and float(np.linalg.norm(here - place)) < distance


@contextmanager
def recording(bag, storage, *topics):
    """Record topics with rosbag2, every message of them."""
    quality = bag.with_suffix(".yaml")
    quality.write_text("".join(f"{topic}: {WHOLE}\n" for topic in topics), encoding="utf-8")
    options = ("-s", storage, "-o", str(bag), "--qos-profile-overrides-path", str(quality))
    with process("ros2", "bag", "record", *options, *topics) as recorder:
        for _ in topics:
            await_line(recorder, "Subscribed to topic")
        yield recorder.pid
        recorder.send_signal(signal.SIGINT)
        recorder.communicate(timeout=GENEROUS)


def is_idle(process):
    """Return whether no thread of a process had anything to do for a while."""
    for _ in range(LOOKS):
        for stat in Path(f"/proc/{process}/task").glob("*/stat"):
            if stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "S":
                return False
        time.sleep(LOOK_PERIOD)
    return True


def way(bag, goal, place):
    """Return where the hand was after the first goal `(n, 3)` [m]."""
    with AnyReader([bag]) as reader:
        told = [
            (connection.topic, reader.deserialize(data, connection.msgtype))
            for connection, _, data in reader.messages()
        ]
    begin = [topic for topic, _ in told].index(goal)
    return np.array([(p.x, p.y, p.z) for topic, p in told[begin:] if topic == place])


def farthest(points, line):
    """Return the largest distance of points from a line through other ones [m]."""
    steps = np.diff(line, axis=0)
    offsets = points[:, None] - line[:-1]
    squares = np.maximum(np.sum(steps**2, axis=1), np.finfo(float).tiny)
    along = np.clip(np.sum(offsets * steps, axis=2) / squares, 0.0, 1.0)
    return np.linalg.norm(offsets - along[..., None] * steps, axis=2).min(axis=1).max()


@pytest.mark.parametrize(("transport", "storage"), [("dds", "mcap"), ("rclpy", "sqlite3")])
def test_goals_are_recorded_and_played_to_another_controller(transport, storage, tmp_path, poll):
    name = f"bagged_{transport}_{storage}"
    topics = goal, place = f"/{name}/{TASK}/goal_position", f"/{name}/{TASK}/actual_position"
    bags = first, second = tmp_path / "first", tmp_path / "second"
    with controller(transport, name) as hand, recording(first, storage, *topics) as recorder:
        for point in GOALS:
            hand.where(point)
            poll(lambda point=point: hand.is_at(point, NEAR))
        rest = hand.where()
        hand.freeze()
        poll(lambda: is_idle(recorder))
    info = " ".join(ros2("bag", "info", str(first)).split())
    assert f"Topic: {goal} | Type: geometry_msgs/msg/Point | Count: {len(GOALS)}" in info
    with controller(transport, name) as hand:
        poll(lambda: len(hand.where()))
        assert not hand.is_at(rest, AWAY)
        with recording(second, storage, *topics) as recorder:
            ros2(
                *("bag", "play", "--disable-keyboard-controls", "--delay", "4", "--rate", SLOWLY),
                *("--topics", goal, "--", str(first)),
            )
            poll(lambda: hand.is_at(rest, SAME))
            hand.freeze()
            poll(lambda: is_idle(recorder))
    ways = [way(bag, goal, place) for bag in bags]
    assert min(map(len, ways)) > 100
    assert farthest(*ways) < SAME
    assert farthest(*ways[::-1]) < SAME
