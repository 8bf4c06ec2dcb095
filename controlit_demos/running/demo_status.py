"""DemoStatus: what a running demo shows."""

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

REFRESH_RATE = 8.0  # [Hz] smooth for the eye, nothing for the processor
LINE_PERIOD = 5.0  # [s] between two lines where there is no terminal
POSITION_SCALE = 1.0  # [cm] a full bar
ORIENTATION_SCALE = 4.0  # [degree] a full bar
CALM, UNEASY = 0.33, 0.66  # [-] of a full bar: where its colour changes


class HandError(NamedTuple):
    """Present error of one task.

    Attributes:
        name: Of hand and error.
        error: In the unit.
        unit: cm or °.
    """

    name: str
    error: float
    unit: str


class Snapshot(NamedTuple):
    """A demo at one moment.

    Attributes:
        time: Since the first goal [s].
        duration: Of the demo [s].
        phase: What the hands do.
        servo: What the servo does.
        errors: Of the hands.
        frequency: Of the servo [Hz], `None` while unknown.
        latency: Duration of a servo cycle [ms], `None` while unknown.
        note: Last event or complaint.
    """

    time: float
    duration: float
    phase: str
    servo: str
    errors: tuple[HandError, ...]
    frequency: float | None
    latency: float | None
    note: str


class DemoStatus(Protocol):
    """Shows snapshots; a context manager."""

    def show(self, snapshot: Snapshot) -> None:
        """Show one."""

    def __enter__(self) -> "DemoStatus":  # noqa: PYI034 - typing.Self needs Python 3.11
        """Begin."""

    def __exit__(self, *_error: object) -> None:
        """End."""


def demo_status(console: Console, *, quiet: bool) -> DemoStatus:
    """Return a live display on a terminal, lines elsewhere, nothing if quiet."""
    if quiet:
        return LineStatus(lambda _: None)
    if console.is_terminal:
        return LiveStatus(console)
    return LineStatus(lambda line: console.print(Text(line), soft_wrap=True))


class LiveStatus:
    """A display that changes in place."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, refresh_per_second=REFRESH_RATE, transient=True)

    def show(self, snapshot: Snapshot) -> None:
        """Redraw."""
        self._live.update(_panel(snapshot))

    def __enter__(self) -> "LiveStatus":  # noqa: PYI034 - typing.Self needs Python 3.11
        self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._live.stop()


class LineStatus:
    """A line now and then, for logs and pipes.

    Args:
        write: Takes each line.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._due = 0.0
        self._servo = ""
        self._line = ""

    def show(self, snapshot: Snapshot) -> None:
        """Write a line if it is time for another one or the servo does something else."""
        now = time.monotonic()
        if now < self._due and snapshot.servo == self._servo:
            return
        self._due = now + LINE_PERIOD
        self._servo = snapshot.servo
        parts = [f"{snapshot.time:5.1f} of {snapshot.duration:.1f} s", snapshot.servo]
        if snapshot.phase:
            parts.append(snapshot.phase)
        parts += [f"{e.name} {e.error:.2f} {e.unit}" for e in snapshot.errors]
        line = ", ".join(parts)
        if line != self._line:
            self._line = line
            self._write(line)

    def __enter__(self) -> "LineStatus":  # noqa: PYI034 - typing.Self needs Python 3.11
        return self

    def __exit__(self, *_error: object) -> None:
        pass


def _panel(snapshot: Snapshot) -> Group:
    head = Table.grid(padding=(0, 2))
    head.add_row(
        ProgressBar(total=max(snapshot.duration, 1e-9), completed=snapshot.time, width=30),
        f"{snapshot.time:4.1f} of {snapshot.duration:.1f} s",
        Text(snapshot.phase, style="bold"),
    )
    hands = Table.grid(padding=(0, 2))
    for name, error, unit in snapshot.errors:
        scale = POSITION_SCALE if unit == "cm" else ORIENTATION_SCALE
        part = error / scale
        colour = "green" if part < CALM else "yellow" if part < UNEASY else "red"
        bar = ProgressBar(
            total=scale,
            completed=min(error, scale),
            width=30,
            complete_style=colour,
            finished_style=colour,
        )
        hands.add_row(Text(name), bar, f"{error:6.2f} {unit}")
    servo = [f"servo {snapshot.servo}"]
    if snapshot.frequency is not None:
        servo.append(f"{snapshot.frequency:6.0f} Hz")
    if snapshot.latency is not None:
        servo.append(f"{snapshot.latency:.3f} ms a cycle")
    if snapshot.note:
        servo.append(snapshot.note)
    return Group(head, Text(), hands, Text(), Text("   ".join(servo), overflow="ellipsis"))
