"""How long messages and service calls take between the servo's process and this one."""

import threading
import time

from controlit_bench.network import (
    COMMANDED,
    NAMESPACE,
    SETTLE,
    START_TIMEOUT,
    TASK,
    servo_and_network,
)
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new, to_dict
from controlit_ros.transport import TopicInfo, Transport
from controlit_ros.transport.qos import SENSOR_STATE

ANSWER_TIMEOUT = 10.0  # [s] for one message or answer
PAUSE = 0.02  # [s] between two trials
MODES = ("work", "hold")
SECTIONS = {
    "modes": {
        "initial": MODES[0],
        "states": [{"name": MODES[0]}, {"name": MODES[1], "latch": [TASK]}],
        "transitions": [{"out_of": [mode], "into": other} for mode, other in (MODES, MODES[::-1])],
    }
}


def measure_latency(*, quick: bool) -> Section:
    """Measure how long messages and service calls take between two processes."""
    trials = 10 if quick else 150
    with servo_and_network(10.0, sections=SECTIONS) as (_servo, network):
        rows = [
            ("state to subscriber", _state(network, trials), 1.0),
            ("goal on a topic to changed command", _goal(network, trials), 3.0),
            ("task switched to confirmed", _switch(network, trials), 5.0),
            ("mode asked for to confirmed", _mode(network, trials), 5.0),
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


def _mode(network: Transport, trials: int) -> Quantiles:
    """Time of asking for a mode, which is answered once tasks act as it says."""
    kind = "controlit/srv/SetMode"
    client = network.client(f"{NAMESPACE}/control/setMode", kind)
    times = []
    for trial in range(trials):
        mode = MODES[1 - trial % 2]
        begin = time.perf_counter()
        answer = client.call(new(f"{kind}_Request", mode=mode), ANSWER_TIMEOUT)
        if not answer.success:
            raise ControlItError(f"mode {mode} is refused: {answer.message}")
        times.append(time.perf_counter() - begin)
        time.sleep(PAUSE)
    return _or_error(times, "no mode was confirmed")


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
