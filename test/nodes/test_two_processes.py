"""TwoProcesses: calls, errors, the log and ends, in a program that may fork."""

import subprocess
import sys

import pytest
from patience import GENEROUS

pytestmark = pytest.mark.processes

PROGRAM = """
import ctypes, logging, os, signal, sys, threading, time
from controlit_ros.errors import ControlItError
from controlit_ros.nodes import two_processes
from controlit_ros.nodes.process_layout import ServoGoneError
from controlit_ros.nodes.two_processes import TwoProcesses

logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
count = [0]

def add(number):
    count[0] += number
    return os.getpid(), count[0]

def swallow():
    # told to end in places whose exceptions nobody sees
    @ctypes.CFUNCTYPE(None)
    def called_back():
        signal.raise_signal(signal.SIGTERM)
    called_back()
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1000.0)
    except BaseException:
        pass
    raise ValueError("half done")

def fail(kind):
    raise kind("no")

def tell():
    logging.getLogger("controlit.test").info("said by %s", "the servo")

two_processes.END_PATIENCE = 60.0  # [s] only bounds a failing test
servo = TwoProcesses()
add_there, fail_there, tell_there = servo.call(add), servo.call(fail), servo.call(tell)
sleep_there, swallow_there = servo.call(time.sleep), servo.call(swallow)
add_soon = servo.call(add, patience=0.5)
assert add_there(1) == (os.getpid(), 1)  # before parting everything is here
servo.part(lambda: fail(ValueError), lambda: None, lambda: print("ended", flush=True))
pid, total = add_there(number=2)
assert pid != os.getpid() and total == 3 and count == [1]
for kind, expected in ((ControlItError, ControlItError), (ValueError, RuntimeError)):
    try:
        fail_there(kind)
    except expected as error:
        assert "no" in str(error)
    else:
        raise AssertionError(kind)
tell_there()
how = sys.argv[1]
if how == "close":
    servo.close()
    assert servo.failure == ""
elif how == "kill":
    os.kill(pid, signal.SIGKILL)
    while not servo.failure:
        time.sleep(0.01)
    print(servo.failure)
elif how in ("stop", "stop in a call"):
    os.kill(pid, signal.SIGSTOP)
    def add_for_ever():
        try:
            add_there(1)
        except ServoGoneError:
            print("told")
    asking = threading.Thread(target=add_for_ever)
    if how == "stop in a call":
        asking.start()
        while not servo._calling.locked():
            time.sleep(0.01)
    try:
        add_soon(1)
    except ServoGoneError as error:
        print(error)
    if how == "stop in a call":
        asking.join()
    servo.close()
elif how == "stop and close":
    os.kill(pid, signal.SIGSTOP)
    two_processes.END_PATIENCE = 0.5
    servo.close()
    print(servo.failure)
elif how == "swallow":
    try:
        swallow_there()
    except ServoGoneError as error:
        print(error)
else:
    def interrupt(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, interrupt)
    begin = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        sleep_there(1000.0)
    except KeyboardInterrupt:
        servo.close()
    assert time.monotonic() - begin < 900.0
try:
    add_there(1)
except ServoGoneError:
    print("gone")
"""


def run(how):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how],
        capture_output=True,
        text=True,
        timeout=GENEROUS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Exception ignored" not in done.stderr
    return done.stdout


def test_good_bye_ends_it_in_order():
    out = run("close")
    assert "said by the servo" in out
    assert out.splitlines()[-2:] == ["ended", "gone"]


def test_a_killed_servo_is_noticed():
    out = run("kill")
    assert "ended by SIGKILL" in out
    assert out.splitlines()[-1] == "gone"


def test_an_interrupted_call_ends_it_in_order():
    assert run("interrupt").splitlines()[-2:] == ["ended", "gone"]


@pytest.mark.parametrize("how", ["stop", "stop in a call"])
def test_a_servo_that_stands_still_is_given_up(how):
    lines = run(how).splitlines()
    assert "the servo's process did not answer for 0.5 s and was killed" in lines
    assert ("told" in lines) == (how == "stop in a call")
    assert lines[-1] == "gone"


def test_a_servo_that_does_not_end_is_killed_and_that_is_told():
    lines = run("stop and close").splitlines()
    assert lines[-2:] == ["the servo's process did not end within 0.5 s and was killed", "gone"]


FORK = """
import logging, os, signal, threading
from controlit_ros.nodes.two_processes import TwoProcesses

os.register_at_fork(before=lambda: os.kill(os.getpid(), signal.SIGHUP))
def interrupt(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGHUP, interrupt)
servo = TwoProcesses()
add_there = servo.call(lambda number: number + 1, patience=60.0)
try:
    servo.part(lambda: None, lambda: None, lambda: None)
except KeyboardInterrupt:
    print("interrupted")
print(add_there(1))
thread = threading.Thread(target=lambda: print(logging.getLogger("any").name))
thread.start()
thread.join()
servo.close()
print(servo.failure or "ended")
"""


BEGIN = """
import os, time
from controlit_ros.nodes import two_processes
two_processes.END_PATIENCE = 60.0  # [s] only bounds a failing test
servo = two_processes.TwoProcesses()
has_begun, begins = os.pipe()
def start():
    os.write(begins, b".")
    time.sleep(1000.0)
servo.part(start, lambda: None, lambda: print("ended", flush=True))
os.read(has_begun, 1)
begin = time.monotonic()
servo.close()
print(servo.failure or "in order", time.monotonic() - begin < 30.0)
"""


def test_what_it_begins_with_need_not_come_to_an_end():
    done = subprocess.run(
        [sys.executable, "-c", BEGIN], capture_output=True, text=True, timeout=GENEROUS, check=False
    )
    assert done.stdout.splitlines() == ["ended", "in order True"], done.stderr


def test_a_signal_while_it_forks_is_taken_afterwards():
    """Within the fork Python would swallow it, and leave the lock of logging taken.

    The servo answers then, so that it can be ended at once.
    """
    done = subprocess.run(
        [sys.executable, "-c", FORK], capture_output=True, text=True, timeout=GENEROUS, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["interrupted", "2", "any", "ended"]


def test_an_order_to_end_that_is_swallowed_is_obeyed():
    out = run("swallow")
    assert "half done" not in out
    assert out.splitlines()[-3:] == ["ended", "the servo's process ended with exit code 0", "gone"]
