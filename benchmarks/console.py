"""What the operator's screen costs the servo, and how fast it is: `docs/console.md`.

PYTHONPATH=test python benchmarks/console.py

Pages are clients of the page's protocol that draw nothing: browsers run on another computer.
Windows with the console and three pages alternate with windows without.
"""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from headless_page import HeadlessPage
from websockets.exceptions import WebSocketException

from controlit_ros.client import ControllerLostError, Robot, connect
from controlit_ros.transport import SENSOR_STATE

COMMAND = Path(sys.executable).parent / "controlit"
HANDS, STANDING = "config/dreamer/hands.yaml", "config/talos/balance.yaml"
# on a busy machine
PATIENT = ("overrun_limit=1000000", "pause_limit=10", "state_timeout=10", "updater_timeout=60")
HAND = "RightHandPosition"
PORTS = itertools.count(8870)  # one for each start
PAGES = 3  # [#]
WINDOWS = 3  # [#] of each kind
WINDOW = 8.0  # [s]
DRAGS = 60  # [#]
REST = 0.5  # [s] between two
STEP = np.array([0.0, 0.0, 0.03])  # [m] of a drag, up and down
CHANGED = 0.3  # [N m] of any joint: more than it trembles
ENOUGH = 120.0  # [s]
SWAY = 0.02  # [m] of the centre of mass


class CountingPage(HeadlessPage):
    """A page that counts how often each node of the scene is moved.

    Attributes:
        moved: By its name.
    """

    def __init__(self, port: int) -> None:
        self.moved: Counter[tuple[str, str]] = Counter()
        super().__init__(port, wait)

    def _take(self, message: Any) -> None:
        super()._take(message)
        if message["type"] in ("SetPositionMessage", "SetOrientationMessage"):
            self.moved[message["type"], message["name"]] += 1


class Watched:
    """What a servo tells of its cycles.

    Args:
        robot: The servo's.

    Attributes:
        totals: Durations of cycles [s].
        overruns: Cycles that were too late, all so far.
        efforts: Of the newest command, `(n,)` [N m].
    """

    def __init__(self, robot: Robot) -> None:
        self.totals: list[float] = []
        self.overruns, self.efforts = 0, np.zeros(1)
        link = robot.session.link
        for topic, kind, take in (
            ("diagnostics/servoComputeLatency", "controlit/msg/ServoComputeLatency", self._time),
            ("diagnostics/command", "sensor_msgs/msg/JointState", self._command),
            ("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", self._diagnose),
        ):
            link.transport.subscribe(link.topic(topic), kind, take, SENSOR_STATE)

    def window(self) -> tuple[list[float], int]:
        """Watch for a while; return durations [s] and the number of overruns."""
        self.totals, before = [], self.overruns
        time.sleep(WINDOW)
        return list(self.totals), self.overruns - before

    def _time(self, message: Any) -> None:
        self.totals.append(float(message.total))

    def _command(self, message: Any) -> None:
        self.efforts = np.array(message.effort)

    def _diagnose(self, message: Any) -> None:
        told = [pair for status in message.status for pair in status.values]
        self.overruns = max([self.overruns, *(int(p.value) for p in told if p.key == "overruns")])


def wait(condition: Callable[[], Any], within: float = ENOUGH) -> Any:
    """Wait until something is found; return it."""
    end = time.monotonic() + within
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.001)
    return found


@contextlib.contextmanager
def running(*arguments: str) -> Iterator[None]:
    """Run `controlit` beside this program."""
    process = subprocess.Popen([COMMAND, *arguments], stdout=sys.stderr)  # noqa: S603
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(ENOUGH)


@contextlib.contextmanager
def servo(file: str) -> Iterator[Robot]:
    """Run a controller in real time."""
    settings = [word for setting in PATIENT for word in ("--set", setting)]
    with running("run", file, *settings), wait(_connect) as robot:
        yield robot


def _connect() -> Robot | None:
    with contextlib.suppress(ControllerLostError):  # it has only begun
        return connect(timeout=ENOUGH)
    return None


@contextlib.contextmanager
def console() -> Iterator[tuple[list[CountingPage], float]]:
    """Serve; yield pages, and after how long the first was usable [s]."""
    port, begin = next(PORTS), time.monotonic()
    with running("console", "--port", str(port)), contextlib.ExitStack() as opened:
        first = wait(lambda: _try(port))
        usable = time.monotonic() - begin
        pages = [first, *(CountingPage(port) for _ in range(PAGES - 1))]
        for page in pages:
            opened.callback(page.close)
        yield pages, usable


def _try(port: int) -> CountingPage | None:
    """Return a page that shows the controller; `None` where the console is not so far.

    One that comes while viser begins is hung up on, and comes again, as browsers do.
    """
    try:
        page = CountingPage(port)
    except (OSError, WebSocketException):
        return None
    wait(lambda: page.shows(">active<") or not page.is_open)
    return page if page.is_open else None


def costs() -> None:
    """Print what the console costs the servo, and when the page is usable."""
    found: dict[bool, tuple[list[float], int]] = {False: ([], 0), True: ([], 0)}
    usable: list[float] = []
    with servo(HANDS) as robot:
        watched = Watched(robot)
        for shown in (False, True) * WINDOWS:
            with console() if shown else contextlib.nullcontext(([], 0.0)) as (_, after):
                totals, overruns = watched.window()
            usable += [after] * shown
            found[shown] = found[shown][0] + totals, found[shown][1] + overruns
        _tell(found, usable)
        with console() as (pages, _):
            drags(robot, watched, pages[0])


def _tell(found: dict[bool, tuple[list[float], int]], usable: list[float]) -> None:
    for shown, (totals, overruns) in found.items():
        p50, p99 = np.percentile(totals, [50, 99])
        told = f"p50 {1e6 * p50:.0f} us, p99 {1e6 * p99:.0f} us, {overruns} overruns"
        print(f"{'with' if shown else 'without'} console and {PAGES} pages: {told}")
    p99s = [np.percentile(found[shown][0], 99) for shown in (True, False)]
    print(f"p99 with over without: {p99s[0] / p99s[1]:.2f}")
    print(f"page usable after: median {np.median(usable):.2f} s, worst {max(usable):.2f} s")


def drags(robot: Robot, watched: Watched, page: CountingPage) -> None:
    """Print how long it takes from a drag on a page to a command that is another."""
    page.wait_for("nobody has control")
    page.click("Take control")
    page.wait_for("(this one) has control")
    page.set("Arm motion", True)
    name = wait(lambda: next((name for name in page.handles if HAND in name), None))
    wait(lambda: name in page.turns)
    place, took = robot.task(HAND).goal.copy(), []
    page.drag("DragStart", name)
    for i in range(DRAGS):
        time.sleep(REST)
        before, begin = watched.efforts, time.monotonic()
        there = place + STEP * (i % 2)
        page.drag("Update", name, wxyz=page.turns[name], position=there.tolist())
        with contextlib.suppress(TimeoutError):
            wait(lambda known=before: np.abs(watched.efforts - known).max() > CHANGED, REST)
            took.append(time.monotonic() - begin)
    page.drag("DragEnd", name)
    told = ", ".join(f"p{p} {1e3 * np.percentile(took[1:], p):.1f} ms" for p in (50, 90))
    print(f"drag to changed command, {len(took) - 1} of {DRAGS}: {told}")


def pictures() -> None:
    """Print how often a page moves Talos with its meshes while he sways."""
    with servo(STANDING) as robot, console() as (pages, _):
        name = next(n for n, task in robot.tasks.items() if task.type == "CenterOfMass")
        centre, goal = robot.task(name), robot.task(name).goal.copy()
        time.sleep(WINDOW)  # meshes come one by one
        for page in pages:
            page.moved.clear()
        begin = time.monotonic()
        for i in range(4):
            centre.move_to(goal + np.array([0.0, SWAY * (-1) ** i, 0.0]), duration=2.0).wait()
        passed = time.monotonic() - begin
        rates = [max(page.moved.values(), default=0) / passed for page in pages]
    print(f"pictures of Talos a second, each page: {', '.join(f'{r:.1f}' for r in rates)}")


if __name__ == "__main__":
    os.environ.setdefault("CONTROLIT_TRANSPORT", "dds")
    costs()
    pictures()
