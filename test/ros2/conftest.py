"""Tools of ROS 2 itself, against nodes of ours in other processes."""

import importlib.util
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from ros2_commands import Running, run, start, stop

MISSING = "ROS 2 is missing: rclpy not importable"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this directory, and skip it where there is no ROS 2."""
    without_ros = importlib.util.find_spec("rclpy") is None
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.processes)
            item.add_marker(pytest.mark.ros)
            if without_ros:
                item.add_marker(pytest.mark.skip(reason=MISSING))


@dataclass(frozen=True)
class Arm:
    """A running `peers/arm.py`."""

    transport: str
    process: "subprocess.Popen[str]"
    namespace: str

    @property
    def node(self) -> str:
        """Absolute name of the node."""
        return f"{self.namespace}/arm"


@pytest.fixture(scope="session", autouse=True)
def no_daemon_stays() -> Iterator[None]:
    """End the process that commands of ROS 2 leave behind for the next command."""
    yield
    run("daemon", "stop")


@pytest.fixture(scope="session", params=["dds", "rclpy"])
def arm(request: pytest.FixtureRequest) -> Iterator[Arm]:
    """A node on each transport that speaks ROS 2's wire."""
    namespace = f"/on_{request.param}"
    process = start("arm.py", request.param, "arm", namespace)
    assert process.stdout.readline() == "ready\n"
    yield Arm(request.param, process, namespace)
    stop(process)


@pytest.fixture
def launched() -> Iterator[Callable[..., Running]]:
    """Start launch files; kill what is left of them."""
    made: list[Running] = []

    def launch(*arguments: object) -> Running:
        made.append(Running("launch", *map(str, arguments)))
        return made[-1]

    yield launch
    for one in made:
        one.close()


@pytest.fixture
def eventually() -> Callable[..., str]:
    """Repeat a command of ROS 2 until its output matches: discovery takes its time."""

    def repeat(pattern: str, *arguments: str, attempts: int = 5) -> str:
        output = ""
        for _ in range(attempts):
            done = run(*arguments)
            output = done.stdout + done.stderr
            if done.returncode == 0 and re.search(pattern, output):
                return output
        pytest.fail(f"{pattern!r} is not in what ros2 {' '.join(arguments)} says: {output}")

    return repeat
