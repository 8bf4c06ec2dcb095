"""Networks to test on, and helpers that wait without sleeping for a fixed time."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dds_isolation import domain_environment

from controlit_bench.free_domain import free_domain
from controlit_ros.transport import Transport

DOMAIN = str(free_domain())
PEERS = Path(__file__).parent / "peers"


@pytest.fixture
def domain_id() -> str:
    """ROS_DOMAIN_ID of all DDS tests of this run, so that runs side by side do not mix."""
    return DOMAIN


class Network:
    """Opens transports of one kind in one domain and closes them after the test."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._open: list[Transport] = []

    def open(self, node_name: str, namespace: str = "/") -> Transport:
        transport = self._make(node_name, namespace)
        self._open.append(transport)
        return transport

    def close(self) -> None:
        for transport in self._open:
            transport.close()

    def _make(self, node_name: str, namespace: str) -> Transport:
        module = importlib.import_module(f"controlit_ros.transport.{self.kind}")
        transport: Transport
        if self.kind == "local":
            transport = module.LocalTransport(node_name, namespace, domain=DOMAIN)
        elif self.kind == "ros2":
            transport = module.RclpyTransport(
                node_name, namespace, arguments=[], domain_id=int(DOMAIN)
            )
        else:
            settings = module.DdsSettings.from_environment(domain_environment(DOMAIN))
            transport = module.DdsTransport(node_name, namespace, settings=settings)
        return transport


def kinds() -> list[Any]:
    missing = importlib.util.find_spec("cyclonedds") is None
    without_ros = importlib.util.find_spec("rclpy") is None
    return [
        "local",
        pytest.param("dds", marks=pytest.mark.skipif(missing, reason="cyclonedds is missing")),
        pytest.param(
            "ros2",
            marks=[
                pytest.mark.ros,
                pytest.mark.skipif(without_ros, reason="ROS 2 is missing: rclpy not importable"),
            ],
        ),
    ]


@pytest.fixture(params=kinds())
def network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    if request.param == "ros2":
        if "ros" not in request.config.getoption("markexpr").split():
            pytest.skip("two versions of Cyclone must not meet: test/ros2 runs this on its own")
        monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    made = Network(request.param)
    yield made
    made.close()


@pytest.fixture
def dds() -> Iterator[Network]:
    pytest.importorskip("cyclonedds")
    made = Network("dds")
    yield made
    made.close()


@pytest.fixture
def peer() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Start scripts of `peers/` in processes of their own; what still runs later is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(script: str, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("ROS_", "CYCLONEDDS_", "CONTROLIT_"))
        }
        process = subprocess.Popen(
            [sys.executable, str(PEERS / script), *arguments],
            env={**environment, **domain_environment(DOMAIN), **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
