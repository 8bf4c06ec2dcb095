"""cyclictest: how late a thread of another program wakes on this machine, where it is installed."""

import re
import shutil
import subprocess
from bisect import bisect_right
from typing import NamedTuple

from controlit_ros.errors import ControlItError
from controlit_ros.servo import LATENESS_EDGES

PROGRAM = "cyclictest"
PACKAGE = "rt-tests"  # of Debian and its children
PRIORITY, PERIOD = 50, 1000  # [-], [µs] as the servo's defaults
LONGEST = 10_000  # [µs] what is later is only counted
GRACE = 30.0  # [s] for its start and its end
_EDGES = [round(1e6 * edge) for edge in LATENESS_EDGES]  # [µs]
_COUNTS = re.compile(r"^[ \t]*(\d+)((?:[ \t]+\d+)+)[ \t\r]*$", re.MULTILINE)
_BEYOND = re.compile(r"^# Histogram Overflows:((?:[ \t]+\d+)+)[ \t\r]*$", re.MULTILINE)
_LARGEST = re.compile(r"^# Max Latencies:((?:[ \t]+\d+)+)[ \t\r]*$", re.MULTILINE)


class WakeUps(NamedTuple):
    """How late a thread woke that does nothing else.

    Attributes:
        late: Wake-ups in each class of lateness, as in `LatencySummary`.
        largest: The latest one [s].
    """

    late: tuple[int, ...]
    largest: float


def run_cyclictest(duration: float) -> WakeUps:
    """Run it with priority and period of the servo.

    Args:
        duration: How long [s]; whole seconds, one at least.

    Raises:
        ControlItError: It is not installed, or refuses.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise ControlItError(f"{PROGRAM}: not installed (Debian: apt install {PACKAGE})")
    seconds = max(1, round(duration))
    arguments = ["-q", "-m", "-p", str(PRIORITY), "-i", str(PERIOD), "-D", str(seconds)]
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system
            [program, *arguments, "-h", str(LONGEST)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=seconds + GRACE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ControlItError(f"{PROGRAM}: {error}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).split("\n")
        first = next((line.strip() for line in said if line.strip()), "no reason told")
        raise ControlItError(f"{PROGRAM} of {PACKAGE} refused: {first}")
    return read_histogram(done.stdout)


def read_histogram(text: str) -> WakeUps:
    """Return what it printed, threads together.

    It cuts microseconds: its 4 is from 4 to 5, which is at most 5.

    Raises:
        ControlItError: There is no histogram.
    """
    late = [0] * (len(_EDGES) + 1)
    largest = 0
    for found in _COUNTS.finditer(text):
        microseconds, count = int(found[1]), _sum(found[2])
        late[bisect_right(_EDGES, microseconds)] += count
        largest = max(largest, microseconds if count else 0)
    if beyond := _BEYOND.search(text):
        late[-1] += _sum(beyond[1])
    if told := _LARGEST.search(text):
        largest = max(largest, *map(int, told[1].split()))
    if not any(late):
        raise ControlItError(f"{PROGRAM} of {PACKAGE} printed no histogram")
    return WakeUps(tuple(late), 1e-6 * largest)


def _sum(numbers: str) -> int:
    return sum(map(int, numbers.split()))
