"""The servo in a process of its own with everything on, seen from this one."""

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controlit_ros.applications.servo_process import ServoProcess
from controlit_ros.benchmarking.problems import dreamer_content, write_content
from controlit_ros.benchmarking.section import Section
from controlit_ros.benchmarking.timing import Quantiles
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new, to_dict
from controlit_ros.transport import TopicInfo, Transport, open_transport
from controlit_ros.transport.qos import SENSOR_STATE

NAMESPACE = "/benchmark_controller"
TASK = "RightHandPosition"
COMMANDED = "commanded"
"""Topic that carries the command of the task after every cycle."""
DOMAIN_VARIABLE = "ROS_DOMAIN_ID"
HIGHEST_DOMAIN = 101  # [-] ports of higher domains may be in use on Linux
START_TIMEOUT = 30.0  # [s] of the servo, a cold compilation included
SETTLE = 1.0  # [s] for discovery and the servo's warm-up
ANSWER_TIMEOUT = 2.0  # [s] for one message or answer
PAUSE = 0.02  # [s] between two trials
POLL = 0.05  # [s]

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Usage:
    """Processor time and memory of another process, by Linux's proc."""

    def __init__(self, pid: int) -> None:
        self._folder = Path("/proc") / str(pid)
        self._begin = (self._cpu(), time.monotonic())

    def processor(self) -> float:
        """Return the share of one core since this was made."""
        cpu, begin = self._begin
        return (self._cpu() - cpu) / (time.monotonic() - begin)

    def memory(self) -> float:
        """Return the resident memory [MB]."""
        pages = int((self._folder / "statm").read_text(encoding="utf-8").split()[1])
        return pages * _PAGE / 1e6

    def _cpu(self) -> float:
        fields = (self._folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def servo_and_network(duration: float) -> Iterator[tuple[ServoProcess, Transport]]:
    """Run a servo on a robot that costs nothing, and join its network.

    Raises:
        ControlItError: It does not start.
    """
    content = dreamer_content()
    content["parameters"]["default_bindings"] = True
    content["bindings"] = [
        {"parameter": f"{TASK}.command", "direction": "output", "topic": COMMANDED}
    ]
    domain = str(random.randint(1, HIGHEST_DOMAIN))  # noqa: S311 - apart from other runs
    before = os.environ.get(DOMAIN_VARIABLE)
    os.environ[DOMAIN_VARIABLE] = domain
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            path = write_content(content, folder / "controller.yaml")
            limit = duration + START_TIMEOUT + 60.0
            servo = ServoProcess(path, folder, duration=limit, transport="dds")
            with servo, open_transport("_benchmark", name="dds") as network:
                _await_servo(servo, network)
                yield servo, network
    finally:
        if before is None:
            del os.environ[DOMAIN_VARIABLE]
        else:
            os.environ[DOMAIN_VARIABLE] = before


def measure_lateness(*, duration: float) -> Section:
    """Run the servo with a subscriber for each of its topics; report it and its process."""
    counts: dict[str, int] = {}

    def counter(topic: str) -> Callable[[Message], None]:
        def count(_message: Message) -> None:
            counts[topic] = counts.get(topic, 0) + 1

        return count

    with servo_and_network(duration) as (servo, network):
        for topic in network.graph().topics:
            if topic.publisher_count and topic.types and topic.name.startswith(NAMESPACE):
                network.subscribe(topic.name, topic.types[0], counter(topic.name), SENSOR_STATE)
        time.sleep(SETTLE)
        assert servo.pid is not None
        usage = Usage(servo.pid)
        received = sum(counts.values())
        time.sleep(duration)
        processor, memory = usage.processor(), usage.memory()
        received = sum(counts.values()) - received
        servo.stop()
        summary = servo.summary()
    if summary is None:
        raise ControlItError(f"the servo left no summary:\n{servo.log_tail()}")
    lateness = Quantiles(*summary["lateness"])
    total = Quantiles(*summary["phases"]["total"])
    rows: list[tuple[Any, ...]] = [
        ("lateness p50", 1e3 * lateness.p50, "ms", None),
        ("lateness p99", 1e3 * lateness.p99, "ms", 0.2),
        ("lateness p99.9", 1e3 * lateness.p999, "ms", None),
        ("total p50", 1e3 * total.p50, "ms", 0.06),
        ("total p99", 1e3 * total.p99, "ms", 0.15),
        ("overruns", 1e4 * summary["overruns"] / max(summary["cycles"], 1), "in 10 000", 1.0),
        ("processor", 1e2 * processor, "% of a core", 25.0),
        ("resident memory", memory, "MB", 200.0),
    ]
    return Section(
        name="lateness",
        title=f"Servo with transport on for {duration:g} s",
        columns=("what", "measured [-]", "unit", "target [-]"),
        rows=tuple(rows),
        remarks=(f"{len(counts)} topics subscribed, {received / duration:.0f} messages a second",),
    )


def measure_latency(*, quick: bool) -> Section:
    """Measure how long messages and service calls take between two processes."""
    trials = 10 if quick else 150
    with servo_and_network(10.0) as (_servo, network):
        rows = [
            ("state to subscriber", _state(network, trials), 1.0),
            ("goal on a topic to changed command", _goal(network, trials), 3.0),
            ("task switched to confirmed", _switch(network, trials), 5.0),
            ("service call", _service(network, trials), None),
        ]
    return Section(
        name="latency",
        title="Between the servo's process and this one",
        columns=("what", "p50 [ms]", "p99 [ms]", "max [ms]", "target p50 [ms]", "trials [-]"),
        rows=tuple(
            (what, 1e3 * times.p50, 1e3 * times.p99, 1e3 * times.highest, target, trials)
            for what, times, target in rows
        ),
    )


def _await_servo(servo: ServoProcess, network: Transport) -> None:
    end = time.monotonic() + START_TIMEOUT
    while network.graph().topic(f"{NAMESPACE}/joint_states") is None:
        servo.check()
        if time.monotonic() > end:
            raise ControlItError(f"the servo did not start:\n{servo.log_tail()}")
        time.sleep(POLL)
    time.sleep(SETTLE)


def _state(network: Transport, trials: int) -> Quantiles:
    """Time from a cycle's beginning, which stamps the state, to the callback."""
    ages: list[float] = []
    done = threading.Event()

    def receive(message: Message) -> None:
        stamp = message.header.stamp
        ages.append(time.time() - stamp.sec - 1e-9 * stamp.nanosec)
        if len(ages) >= 2 * trials:
            done.set()

    topic = f"{NAMESPACE}/joint_states"
    subscription = network.subscribe(topic, "sensor_msgs/msg/JointState", receive, SENSOR_STATE)
    done.wait(START_TIMEOUT)
    subscription.close()
    return Quantiles.of(ages[len(ages) // 2 :])


def _goal(network: Transport, trials: int) -> Quantiles:
    """Time from publishing a goal to the first command that differs, as this process sees it."""
    changed = threading.Event()
    last: list[object] = [None]

    def receive(message: Message) -> None:
        command = to_dict(message)
        if last[0] not in (None, command):
            changed.set()
        last[0] = command

    commanded = _topic(network, COMMANDED)
    subscription = network.subscribe(commanded.name, commanded.types[0], receive, SENSOR_STATE)
    goal_topic = _topic(network, f"{TASK}/goal_position")
    publisher = network.publisher(goal_topic.name, goal_topic.types[0])
    time.sleep(SETTLE)
    times = []
    for trial in range(trials):
        changed.clear()
        begin = time.perf_counter()
        goal = (0.3 + 0.01 * (trial % 2), -0.3, 0.9)
        publisher.publish(_vector(goal_topic.types[0], goal))
        if changed.wait(ANSWER_TIMEOUT):
            times.append(time.perf_counter() - begin)
        time.sleep(PAUSE)
    publisher.close()
    subscription.close()
    return _or_error(times, "no goal changed the command")


def _topic(network: Transport, name: str) -> TopicInfo:
    topic = network.graph().topic(f"{NAMESPACE}/{name}")
    if topic is None:
        raise ControlItError(f"the servo has no topic {name!r}")
    return topic


def _vector(kind: str, values: tuple[float, float, float]) -> Message:
    if kind.endswith("MultiArray"):
        return new(kind, data=list(values))
    return new(kind, **dict(zip("xyz", values, strict=True)))


def _switch(network: Transport, trials: int) -> Quantiles:
    """Time of setting a task's operational state, which returns after the servo took it over."""
    kind = "rcl_interfaces/srv/SetParameters"
    client = network.client(f"{NAMESPACE}/servo/set_parameters", kind)
    times = []
    for trial in range(trials):
        state = ("disable", "enable")[trial % 2]
        parameter = {
            "name": f"{TASK}.operational_state",
            "value": {"type": 4, "string_value": state},
        }
        begin = time.perf_counter()
        client.call(new(f"{kind}_Request", parameters=[parameter]), ANSWER_TIMEOUT)
        times.append(time.perf_counter() - begin)
        time.sleep(PAUSE)
    return _or_error(times, "no switch was confirmed")


def _service(network: Transport, trials: int) -> Quantiles:
    """Time of a call that the servo's process answers without its servo thread."""
    info = network.graph().service(f"{NAMESPACE}/diagnostics/getCmdJointIndices")
    if info is None:
        raise ControlItError("the servo has no service getCmdJointIndices")
    client = network.client(info.name, info.types[0])
    times = []
    for _ in range(trials):
        begin = time.perf_counter()
        client.call(new(f"{info.types[0]}_Request"), ANSWER_TIMEOUT)
        times.append(time.perf_counter() - begin)
        time.sleep(PAUSE)
    return _or_error(times, "no call was answered")


def _or_error(times: list[float], text: str) -> Quantiles:
    if not times:
        raise ControlItError(text)
    return Quantiles.of(times)
