"""Drive a robot by keys: it goes while a key is held, and stops when that is let go."""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import numpy as np
import typer

from controlit_ros.arrays import Array
from controlit_ros.cli import output
from controlit_ros.cli.held_keys import HeldKeys
from controlit_ros.cli.interruption import interruptible
from controlit_ros.cli.options import TransportOption
from controlit_ros.client.network import PATIENCE, connect, find_topic, wait_for
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import DEFAULT, Publisher

TWIST = "geometry_msgs/msg/Twist"
PERIOD = 0.05  # [s] between two messages
STOPS = 3  # messages of zero in the end: one may be lost
HELP = "w s or arrows: forward, back · a d or arrows: turn · q e: aside · any other: stop · x: end"


def command(
    topic: Annotated[
        str, typer.Argument(metavar="TOPIC", help="Name, or its end where that is unique.")
    ] = "cmd_vel",
    *,
    speed: Annotated[
        float, typer.Option(min=0.0, metavar="M/S", help="Forward and back [m/s].")
    ] = 0.3,
    aside: Annotated[float, typer.Option(min=0.0, metavar="M/S", help="To a side [m/s].")] = 0.1,
    turning: Annotated[
        float, typer.Option(min=0.0, metavar="RAD/S", help="Turning [rad/s].")
    ] = 0.3,
    wait: Annotated[
        float, typer.Option(min=0.0, metavar="S", help="Wait so long for a subscriber [s].")
    ] = PATIENCE,
    transport: TransportOption = None,
) -> None:
    """Drive a robot by keys: it goes while a key is held, and stops when that is let go."""
    if not sys.stdin.isatty():
        raise ControlItError("standard input: found no terminal, expected one that sends keys")
    keys = HeldKeys(np.array([speed, aside, turning]))
    with interruptible(), connect(transport) as network:
        name = find_topic(network, topic).name
        publisher = network.publisher(name, TWIST, DEFAULT)
        if not wait_for(lambda: publisher.subscriber_count() > 0, wait):
            raise ControlItError(f"nobody subscribed to {name} within {wait:g} s")
        output.note(f"driving on {name}; {HELP}")
        with key_by_key(sys.stdin.fileno()):
            drive(keys, publisher, sys.stdin.fileno())


def drive(keys: HeldKeys, publisher: Publisher, terminal: int) -> None:
    """Publish velocities until the end is asked for or the terminal closes, then stop.

    While no key is held nothing is sent but that once: others may drive, too.

    Args:
        keys: Turns keys into a velocity.
        publisher: Of `geometry_msgs/Twist`.
        terminal: Where keys come from.
    """
    moving = False
    try:
        while not keys.ended:
            text = _read(terminal)
            if text is None:
                return
            now = time.monotonic()
            keys.take(text, now)
            velocity = keys.velocity(now)
            if velocity.any() or moving:
                publisher.publish(twist(velocity))
            moving = bool(velocity.any())
    finally:
        for _ in range(STOPS):
            publisher.publish(twist(np.zeros(3)))
            time.sleep(PERIOD)


def twist(velocity: Array) -> Message:
    """Return a velocity, forward, to the left and turning, as a message."""
    x, y, turning = velocity.tolist()
    return new(TWIST, linear={"x": x, "y": y}, angular={"z": turning})


@contextmanager
def key_by_key(terminal: int) -> Iterator[None]:
    """Let a terminal send every key at once, and show none; Ctrl-C still interrupts."""
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read(terminal: int) -> str | None:
    """Return what keys came within a period; `None`: the terminal is closed."""
    ready, _, _ = select.select([terminal], [], [], PERIOD)
    if not ready:
        return ""
    try:
        data = os.read(terminal, 1024)
    except OSError:  # a pseudo terminal whose other end has closed
        return None
    return data.decode(errors="replace") if data else None
