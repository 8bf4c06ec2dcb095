"""A controller that dies or is held up while all kinds of calls are under way: none hangs."""

import os
import random
import signal
import threading
import time

import numpy as np
import pytest
from patience import GENEROUS
from test_in_other_processes import NAME, end_at_once, run, transport  # noqa: F401 - fixtures

from controlit_bench.usage import process_with_servo
from controlit_ros.client import ControllerLostError, connect

pytestmark = pytest.mark.processes

EXTRA = "{{name: {0}, type: CartesianPosition, body: left_wrist_yaw, kp: 25, kd: 10}}"


def calls(robot, events):
    """Return what programs ask for, over and over; each has a bound that no test waits for."""
    hand, posture = robot.task("RightHandPosition"), robot.task("Posture")
    robot.add_task(EXTRA.format("Sensed"), priority=2)
    sensed = robot.task("Sensed")  # nobody moves it: that is refused while it is not enabled

    def add_and_remove():
        robot.add_task(EXTRA.format("Extra"), priority=2)
        robot.remove_task("Extra")

    def move_and_cancel():
        motion = hand.move_to(hand.goal + np.array([0.0, 0.0, 0.001]), duration=GENEROUS)
        motion.cancel()
        motion.wait(GENEROUS)

    return {
        "state": lambda: robot.state,
        "wait_until": lambda: robot.wait_until("safe", GENEROUS),
        "wait_for": lambda: robot.wait_for("Fast", timeout=GENEROUS),
        "events": lambda: next(events),
        "joints": lambda: robot.joints,
        "frame": lambda: robot.frame("right_wrist_yaw"),
        "actual": lambda: hand.actual,
        "goal": lambda: hand.goal,
        "error": lambda: hand.error_norm,
        "parameter": lambda: robot.parameters["Posture.kp"],
        "set": lambda: robot.set({"Posture.kp": 64.0}),
        "preview": lambda: robot.preview({"Posture.kp": 65.0}),
        "explain": robot.explain,
        "sense": lambda: (sensed.sense(), sensed.enable()),
        "controller": lambda: setattr(robot, "controller", "Exact"),
        "add and remove": add_and_remove,
        "motion": lambda: posture.move_to(posture.goal, duration=GENEROUS).wait(GENEROUS),
        "cancel": move_and_cancel,
    }


def ask_until_it_fails(call, failures, name):
    """Ask over and over until a call raises, and keep what it raised."""
    while True:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - it is what the test looks at
            failures[name] = error
            return


def end_servo(process):
    """Kill the servo's process; the front goes on for a while."""
    os.kill(process_with_servo(process.pid), signal.SIGKILL)


def hold_up(process):
    """Stop a controller with all that belongs to it, as a debugger does."""
    os.killpg(process.pid, signal.SIGSTOP)


@pytest.mark.parametrize("fate", [end_at_once, end_servo, hold_up])
def test_every_call_ends_with_the_reason(fate, run, transport, monkeypatch):  # noqa: F811
    # on a busy machine it may take long to see that a controller is lost
    monkeypatch.setattr("controlit_ros.client.topic_value.PATIENCE", GENEROUS)
    process, failures = run(), {}
    with connect(NAME, timeout=GENEROUS, transport=transport) as robot, robot.events() as events:
        asking = [
            threading.Thread(target=ask_until_it_fails, args=(call, failures, name), daemon=True)
            for name, call in calls(robot, events).items()
        ]
        for thread in asking:
            thread.start()
        time.sleep(random.uniform(0.0, 1.0))  # each call is somewhere else then
        fate(process)
        for thread in asking:
            thread.join(GENEROUS / 2.0)  # half of the bounds that the calls have
        hanging = [thread for thread in asking if thread.is_alive()]
    if fate is hold_up:
        os.killpg(process.pid, signal.SIGCONT)
    assert not hanging, failures
    wrong = {name: e for name, e in failures.items() if not isinstance(e, ControllerLostError)}
    assert not wrong
    if fate is end_servo:  # the front says so, and ends
        assert process.wait(GENEROUS) == 1
