"""Programs that come, add and remove tasks and go, while Talos moves in real time."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from controlit_bench.live_talos import NAME, Counted, LiveTalos, ServoCounts, live_talos
from controlit_bench.section import Section
from controlit_bench.usage import Usage, process_with_servo
from controlit_ros.client import Robot
from controlit_ros.errors import ControlItError

BASE = "base_link"
AT_ONCE = 10  # [-] clients
IN_TURN = 100  # [-] clients
ENTRY = "{{name: {0}, type: CartesianPosition, body: arm_left_4_link, kp: 25, kd: 10}}"
PACE = 0.1  # [s] between two changes, which ramp for 0.2 s
REST = 0.2  # [s] between two looks at the time


class Amount(NamedTuple):
    """How much is done.

    Attributes:
        in_turn: Clients, one after the other.
        rounds: Additions and removals of each of them.
        rounds_at_once: The same for each of those that are there at once.
        windows: In each state of the interleaved ones.
        seconds: Of a window, as the servo tells the time [s].
    """

    in_turn: int
    rounds: int
    rounds_at_once: int
    windows: int
    seconds: int


FULL = Amount(in_turn=IN_TURN, rounds=5, rounds_at_once=50, windows=30, seconds=2)
QUICK = Amount(in_turn=3, rounds=1, rounds_at_once=1, windows=2, seconds=1)


class Held(NamedTuple):
    """What a controller holds, in all that it might leak.

    Attributes:
        front: Memory of the process that answers [MB].
        servo: Memory of the process of the servo [MB].
        threads: Of both.
        descriptors: Open files of both.
        endpoints: Publishers, subscriptions and servers that the network has of it.
    """

    front: float
    servo: float
    threads: int
    descriptors: int
    endpoints: int


def measure_clients(*, quick: bool, frequency: float) -> list[Section]:
    """Let clients come, change tasks and go; tell what stays and how late the servo is.

    Args:
        quick: Few of all.
        frequency: Of the servo [Hz].
    """
    amount = QUICK if quick else FULL
    with live_talos(frequency) as live, live.connected() as robot:
        _round_trips(robot, "Warm", 3)
        total = amount.in_turn * amount.rounds, AT_ONCE * amount.rounds_at_once
        failures: list[str] = []

        def visits(begin: Callable[[LiveTalos, Amount], list[str]]) -> int:
            found = begin(live, amount)
            failures.extend(found)
            return len(found)

        rows = (
            _lived(f"{amount.in_turn} in turn", total[0], live, robot, lambda: visits(_turns)),
            _lived(f"{AT_ONCE} at once", total[1], live, robot, lambda: visits(_at_once)),
        )
        windows = _windows(live, robot, amount, frequency)
    columns = (
        "clients", "additions and removals [-]", "seconds [s]", "errors [-]", "front more [MB]",
        "servo more [MB]", "threads more [-]", "descriptors more [-]", "endpoints more [-]",
        "tasks as before", "base moved [mm]", "state",
    )  # fmt: skip
    return [
        Section(
            name="clients",
            title=f"Programs at a Talos of {frequency:g} Hz over dds",
            columns=columns,
            rows=rows,
            remarks=tuple(failures),
        ),
        windows,
    ]


def _lived(
    who: str, changes: int, live: LiveTalos, robot: Robot, live_on: Callable[[], int]
) -> tuple[object, ...]:
    """Return the row of a table: what clients did and left."""
    names, place = list(robot.tasks), robot.frame(BASE).position
    before, begin = _held(live), time.monotonic()
    errors = live_on()
    duration = time.monotonic() - begin
    time.sleep(1.0)  # who left is forgotten
    after = _held(live)
    moved = 1e3 * float(np.linalg.norm(robot.frame(BASE).position - place))
    more = (now - then for now, then in zip(after, before, strict=True))
    is_same = "yes" if list(robot.tasks) == names else "no"
    return (who, changes, duration, errors, *more, is_same, moved, robot.state)


def _turns(live: LiveTalos, amount: Amount) -> list[str]:
    return [
        failure
        for number in range(amount.in_turn)
        for failure in _visit(live, f"Extra{number}", amount.rounds)
    ]


def _at_once(live: LiveTalos, amount: Amount) -> list[str]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        visits = [
            pool.submit(_visit, live, f"Extra{number}", amount.rounds_at_once)
            for number in range(AT_ONCE)
        ]
        return [failure for visit in visits for failure in visit.result()]


def _visit(live: LiveTalos, name: str, rounds: int) -> list[str]:
    """Connect, change and leave; return why that failed."""
    try:
        with live.connected() as robot:
            _round_trips(robot, name, rounds)
    except ControlItError as error:
        return [f"{name}: {error}"]
    return []


def _round_trips(robot: Robot, name: str, rounds: int) -> None:
    for _ in range(rounds):
        robot.add_task(ENTRY.format(name), priority=1)
        robot.remove_task(name)


def _held(live: LiveTalos) -> Held:
    assert live.process.pid is not None
    front, servo = live.process.pid, process_with_servo(live.process.pid)
    nodes = (node for node in live.network.graph().nodes if node.namespace == f"/{NAME}")
    return Held(
        front=Usage(front).memory(),
        servo=Usage(servo).memory(),
        threads=_entries(front, "task") + _entries(servo, "task"),
        descriptors=_entries(front, "fd") + _entries(servo, "fd"),
        endpoints=sum(
            len(node.publishers) + len(node.subscriptions) + len(node.services) for node in nodes
        ),
    )


def _entries(pid: int, folder: str) -> int:
    return len(list((Path("/proc") / str(pid) / folder).iterdir()))


def _windows(live: LiveTalos, robot: Robot, amount: Amount, frequency: float) -> Section:
    """Return how often the servo is late at rest, when it is asked, and when tasks change."""

    def rest() -> None:
        time.sleep(REST)

    def ask() -> None:
        for _ in range(4):  # what a client asks in a round of changes
            robot.session.refresh()
            time.sleep(PACE / 2.0)

    def change() -> None:
        robot.add_task(ENTRY.format("Extra"), priority=1)
        time.sleep(PACE)
        robot.remove_task("Extra")
        time.sleep(PACE)

    works = {"at rest": rest, "asked": ask, "tasks come and go": change}
    found: dict[str, list[Counted]] = {name: [] for name in works}
    with ServoCounts(live.network) as counts:
        for _ in range(amount.windows):
            for name, work in works.items():
                looks = [counts.next(work) for _ in range(amount.seconds + 1)]
                begin, end = looks[0], looks[-1]
                assert all(then.cycles <= now.cycles for then, now in pairwise(looks))
                found[name].append(end.since(begin))
    columns = (
        "window", "windows [-]", "cycles [-]", "missed [-]", "too long [-]",
        "missed in 10 000, median [-]", "lower quartile [-]", "upper quartile [-]",
        "too long in 10 000, median [-]",
    )  # fmt: skip
    return Section(
        name="windows",
        title=f"Late cycles at {frequency:g} Hz, windows in turns",
        columns=columns,
        rows=tuple(_late(name, counted) for name, counted in found.items()),
    )


def _late(name: str, counted: list[Counted]) -> tuple[object, ...]:
    missed = [1e4 * one.missed / one.cycles for one in counted]
    long = [1e4 * one.overruns / one.cycles for one in counted]
    quarter, median, three_quarters = (float(q) for q in np.percentile(missed, (25, 50, 75)))
    total = Counted(*(sum(column) for column in zip(*counted, strict=True)))
    quartiles = (median, quarter, three_quarters, float(np.median(long)))
    return (name, len(counted), *total, *quartiles)
