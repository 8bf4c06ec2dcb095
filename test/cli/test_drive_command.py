"""Keys of a terminal as messages; the terminal is a pseudo one."""

import os
import pty
import termios
from contextlib import suppress
from threading import Thread

import numpy as np
import pytest

from controlit_ros.cli.drive_command import STOPS, drive, key_by_key
from controlit_ros.cli.held_keys import HeldKeys

pytestmark = pytest.mark.processes  # a thread that waits for what a terminal sends


class Heard:
    """Keeps what is published."""

    def __init__(self):
        self.velocities = []

    def publish(self, message):
        self.velocities.append((message.linear.x, message.linear.y, message.angular.z))


@pytest.fixture
def terminal():
    keyboard, end = pty.openpty()
    yield keyboard, end
    for number in (keyboard, end):
        with suppress(OSError):  # the test has closed it
            os.close(number)


def test_a_held_key_drives_and_the_end_stops(terminal):
    keyboard, end = terminal
    heard = Heard()
    with key_by_key(end):
        thread = Thread(target=drive, args=(HeldKeys(np.array([0.3, 0.1, 0.5])), heard, end))
        thread.start()
        os.write(keyboard, b"w")
        while not heard.velocities:
            pass
        os.write(keyboard, b"x")
        thread.join()
    assert heard.velocities[0] == (0.3, 0.0, 0.0)
    assert heard.velocities[-STOPS:] == [(0.0, 0.0, 0.0)] * STOPS


def test_a_terminal_that_closes_stops_it(terminal):
    keyboard, end = terminal
    heard = Heard()
    os.close(keyboard)
    drive(HeldKeys(np.ones(3)), heard, end)
    assert heard.velocities == [(0.0, 0.0, 0.0)] * STOPS


def test_the_terminal_is_as_it_was_before(terminal):
    _, end = terminal
    before = termios.tcgetattr(end)
    with key_by_key(end):
        assert not termios.tcgetattr(end)[3] & (termios.ICANON | termios.ECHO)
    assert termios.tcgetattr(end) == before
