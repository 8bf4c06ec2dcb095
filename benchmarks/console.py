"""What the operator's screen costs the servo, and how fast it is: `docs/console.md`.

PYTHONPATH=test python benchmarks/console.py            # some minutes of an idle machine
PYTHONPATH=test python benchmarks/console.py --trial    # a minute: does it work at all?

Pages are clients of the page's protocol that draw nothing: browsers run on another computer.
Windows with nothing, with the console and no page, and with the console and three pages alternate
in one run. Ends with 1 where something is not as it is expected.
"""

import argparse
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
from typing import Any, NamedTuple

import numpy as np
from headless_page import HeadlessPage
from websockets.exceptions import WebSocketException

from controlit_bench.machine import describe_machine
from controlit_ros.cli import output
from controlit_ros.client import ClientError, ControllerLostError, Robot, connect
from controlit_ros.transport import SENSOR_STATE

COMMAND = Path(sys.executable).parent / "controlit"
HANDS, STANDING = "config/dreamer/hands.yaml", "config/talos/balance.yaml"
# on a busy machine
PATIENT = ("overrun_limit=1000000", "pause_limit=10", "state_timeout=10", "updater_timeout=60")
HAND = "RightHandPosition"
PORTS = itertools.count(8870)  # one for each start
PAGES = 3  # [#]
PICTURES = "pictures of Talos a second, each page"
NOTHING, BARE, SHOWN = "nothing", "console", f"console and {PAGES} pages"
REST = 0.5  # [s] between two
STEP = np.array([0.0, 0.0, 0.03])  # [m] of a drag, up and down
CHANGED = 0.3  # [N m] of any joint: more than it trembles
ENOUGH = 120.0  # [s]
SWAY = 0.02  # [m] of the centre of mass
ALIKE = 1.1  # [-] of two p99 of one run that are not worse than each other
LONGEST_DRAG, FEWEST_PICTURES, LONGEST_START = 0.030, 20.0, 2.0  # [s], [1/s], [s]


class Size(NamedTuple):
    """How much is measured.

    Attributes:
        windows: Of each kind.
        window: How long each is [s].
        drags: How many.
    """

    windows: int
    window: float
    drags: int


WHOLE, TRIAL = Size(5, 8.0, 60), Size(1, 3.0, 6)


class Finding(NamedTuple):
    """A row of the table.

    Attributes:
        what: Was measured.
        expected: In words; empty: nothing.
        found: In words.
        is_met: Whether it is as it is expected.
    """

    what: str
    expected: str
    found: str
    is_met: bool = True


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

    def window(self, duration: float) -> tuple[list[float], int]:
        """Watch for a while [s]; return durations [s] and the number of overruns."""
        self.totals, before = [], self.overruns
        time.sleep(duration)
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
    name = f"{Path(file).parent.name}_controller"  # the one before may still be known
    with running("run", file, *settings), wait(lambda: _connect(name)) as robot:
        yield robot


def _connect(name: str) -> Robot | None:
    with contextlib.suppress(ControllerLostError):  # it has only begun
        return connect(name, timeout=ENOUGH)
    return None


@contextlib.contextmanager
def console(number: int = PAGES) -> Iterator[tuple[list[CountingPage], float]]:
    """Serve; yield so many pages, and after how long the first was usable [s]."""
    port, begin = next(PORTS), time.monotonic()
    with running("console", "--port", str(port)), contextlib.ExitStack() as opened:
        first = wait(lambda: _try(port))
        usable = time.monotonic() - begin
        pages = [first, *(CountingPage(port) for _ in range(number - 1))][:number]
        if not number:
            first.close()
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


def costs(size: Size) -> Iterator[Finding]:
    """Measure what the console costs the servo, when the page is usable, and drags."""
    found: dict[str, tuple[list[float], int]] = {NOTHING: ([], 0), BARE: ([], 0), SHOWN: ([], 0)}
    usable: list[float] = []
    with servo(HANDS) as robot:
        watched = Watched(robot)
        wait(lambda: watched.totals)
        for kind in (NOTHING, BARE, SHOWN) * size.windows:
            with _beside(kind) as after:
                totals, overruns = watched.window(size.window)
            usable += after
            found[kind] = found[kind][0] + totals, found[kind][1] + overruns
        yield from _compared(found)
        typical, worst = float(np.median(usable)), max(usable)
        told = f"median {typical:.2f} s, worst {worst:.2f} s"
        expected = f"at most {LONGEST_START:g} s"
        yield Finding("page usable after its start", expected, told, typical <= LONGEST_START)
        with console() as (pages, _):
            yield drags(robot, watched, pages[0], size.drags)


@contextlib.contextmanager
def _beside(kind: str) -> Iterator[list[float]]:
    """Have something beside the servo; yield after how long a page was usable [s], if one was."""
    if kind == NOTHING:
        yield []
        return
    with console(PAGES if kind == SHOWN else 0) as (_, after):
        yield [after]


def _compared(found: dict[str, tuple[list[float], int]]) -> Iterator[Finding]:
    """Tell of the servo's cycles beside each kind, and of each beside nothing."""
    p99s = {}
    for kind, (totals, overruns) in found.items():
        p50, p99s[kind] = np.percentile(totals, [50, 99])
        told = f"p50 {1e6 * p50:.0f} us, p99 {1e6 * p99s[kind]:.0f} us, {overruns} overruns"
        yield Finding(f"cycle of the servo beside {kind}", "", f"{told}, {len(totals)} samples")
    for kind in (BARE, SHOWN):
        ratio = float(p99s[kind] / p99s[NOTHING])
        what = f"p99 beside {kind}, over beside nothing"
        yield Finding(what, f"at most {ALIKE:g}", f"{ratio:.2f}", ratio <= ALIKE)
        more = found[kind][1] - found[NOTHING][1]
        bound = 2.0 * np.sqrt(found[NOTHING][1] + 1.0)  # what chance makes of a count, twice
        what = f"overruns beside {kind}, less beside nothing"
        yield Finding(what, f"at most {bound:.0f}", str(more), more <= bound)


def drags(robot: Robot, watched: Watched, page: CountingPage, number: int) -> Finding:
    """Measure how long it takes from a drag on a page to a command that is another."""
    page.wait_for("nobody has control")
    page.click("Take control")
    page.wait_for("(this one) has control")
    page.set("Arm motion", True)
    name = wait(lambda: next((name for name in page.handles if HAND in name), None))
    wait(lambda: name in page.turns)
    place, took = robot.task(HAND).goal.copy(), []
    page.drag("DragStart", name)
    for i in range(number):
        time.sleep(REST)
        before, begin = watched.efforts, time.monotonic()
        there = place + STEP * (i % 2)
        page.drag("Update", name, wxyz=page.turns[name], position=there.tolist())
        with contextlib.suppress(TimeoutError):
            wait(lambda known=before: np.abs(watched.efforts - known).max() > CHANGED, REST)
            took.append(time.monotonic() - begin)
    page.drag("DragEnd", name)
    expected = f"p50 at most {1e3 * LONGEST_DRAG:.0f} ms"
    what = f"drag to another command, {len(took[1:])} of {number - 1} seen"
    if not took[1:]:
        return Finding(what, expected, "none", is_met=False)
    p50, p90 = np.percentile(took[1:], [50, 90])
    told = f"p50 {1e3 * p50:.1f} ms, p90 {1e3 * p90:.1f} ms"
    return Finding(what, expected, told, bool(p50 <= LONGEST_DRAG))


def pictures(size: Size) -> Iterator[Finding]:
    """Measure how often a page moves Talos with its meshes while he sways."""
    with servo(STANDING) as robot, console() as (pages, _):
        name = next(n for n, task in robot.tasks.items() if task.type == "CenterOfMass")
        centre, goal = robot.task(name), robot.task(name).goal.copy()
        time.sleep(size.window)  # meshes come one by one
        for page in pages:
            page.moved.clear()
        begin = time.monotonic()
        try:
            for i in range(4):
                centre.move_to(goal + np.array([0.0, SWAY * (-1) ** i, 0.0]), duration=2.0).wait()
        except ClientError as error:  # he fell: the machine was too busy for his servo
            yield Finding(PICTURES, f"{FEWEST_PICTURES:g} or more", str(error), is_met=False)
            return
        passed = time.monotonic() - begin
        rates = [max(page.moved.values(), default=0) / passed for page in pages]
    told = ", ".join(f"{rate:.1f}" for rate in rates)
    is_met = min(rates) >= FEWEST_PICTURES
    yield Finding(PICTURES, f"{FEWEST_PICTURES:g} or more", told, is_met)


def main() -> int:
    """Measure, print the table; return 1 where something is not as it is expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trial", action="store_true", help="little of everything")
    size = TRIAL if parser.parse_args().trial else WHOLE
    findings = [*costs(size), *pictures(size)]
    rows = [(f.what, f.expected, f.found + ("" if f.is_met else "  ✗")) for f in findings]
    table = output.table(("", "expected", "found"), rows, "The operator's screen")
    output.rendered(str(describe_machine()), "", table)
    return 0 if all(finding.is_met for finding in findings) else 1


if __name__ == "__main__":
    os.environ.setdefault("CONTROLIT_TRANSPORT", "dds")
    sys.exit(main())
