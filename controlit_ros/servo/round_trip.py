"""RoundTrip: how long a command takes to the joint controllers and its reflection back."""

import math
import time

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command

WINDOW = 4096  # [commands] four seconds at 1 kHz; what takes longer is a matter of timeouts


class RoundTrip:
    """Numbers commands and times the numbers that come back with the measurements.

    A robot reflects in each measurement the number of the newest command its joint controllers
    had (`RobotState.reflected_sequence`). The latency runs from the start of the cycle that wrote
    the command to the start of the cycle that first read its number, so what the cycle itself
    takes is in it, and it is a multiple of the servo period but for lateness.

    Numbers have 64 bits and begin at the monotonic clock's nanoseconds, so that a controller that
    was started again takes no reflection of its predecessor's commands for its own.

    Args:
        stated: Latency that counts until one is known; 0: unknown [s].
        window: Commands remembered.

    Attributes:
        latency: Of the newest command that came back [s]; not a number before the first.
        believed: `(1,)` the same, or what is stated [s]; always this memory.
        reflected: How many different numbers came back.
    """

    def __init__(self, stated: float = 0.0, window: int = WINDOW) -> None:
        self.believed: Array = np.zeros(1)
        self._stated = stated
        self._sent_at: Array = np.zeros(window)
        self._window = window
        self.begin()

    def begin(self) -> None:
        """Forget what is under way and number from anew."""
        self.latency = math.nan
        self.believed[0] = self._stated
        self.reflected = 0
        self._first = self._next = time.monotonic_ns()
        self._newest = 0

    def number(self, command: Command, now: float) -> None:
        """Give a command the next number and remember when it was sent."""
        command.sequence = self._next
        self._sent_at[self._next % self._window] = now
        self._next += 1

    def arrive(self, sequence: int, now: float) -> None:
        """Take note of the number a measurement reflects; 0 and unknown numbers are no matter."""
        if sequence <= self._newest or not self._first <= sequence < self._next:
            return
        self._newest = sequence
        if self._next - sequence <= self._window:
            self.latency = now - self._sent_at.item(sequence % self._window)
            self.believed[0] = self.latency
            self.reflected += 1
