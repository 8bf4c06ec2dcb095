"""Keeping processors awake: held while the servo runs, let go afterwards, refused in words."""

import struct
import sys
from pathlib import Path

import pytest
from recorder import Recorder

from controlit_ros.servo import wakefulness
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings
from controlit_ros.servo.ros_time_clock import RosTimeClock
from controlit_ros.servo.steady_clock import SteadyClock
from controlit_ros.servo.wakefulness import processors_awake

AWAKE = RealTimeSettings(priority=0, affinity=(), awake=True)


@pytest.fixture
def device(tmp_path, monkeypatch):
    path = tmp_path / "cpu_dma_latency"
    path.touch()
    monkeypatch.setattr(wakefulness, "LATENCY_DEVICE", path)
    return path


def holders(path):
    """Return how often this process has a file open."""
    links = (link.resolve() for link in Path("/proc/self/fd").iterdir())
    return sum(link == path.resolve() for link in links)


def test_no_latency_is_asked_for_while_it_is_held(device):
    with processors_awake(wanted=True) as refused:
        assert refused == ()
        assert device.read_bytes() == struct.pack("i", 0)
        assert holders(device) == 1
    assert holders(device) == 0


def test_nobody_asked_and_nothing_is_held(device):
    with processors_awake(wanted=False) as refused:
        assert refused == ()
    assert device.read_bytes() == b""


def test_a_machine_without_the_device_is_a_warning(device):
    device.unlink()
    with processors_awake(wanted=True) as (text,):
        assert text == f"keeping processors awake: {device}: No such file or directory"


def test_a_write_that_is_refused_is_a_warning_and_leaves_nothing_open(device, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(wakefulness.os, "write", refuse)
        with processors_awake(wanted=True) as (text,):
            assert text.endswith(": Operation not permitted")
    assert holders(device) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("kind", [SteadyClock, RosTimeClock])
def test_a_servo_keeps_processors_awake_while_it_runs(device, kind):
    clock = kind(1000.0, AWAKE)
    for _ in range(2):
        clock.start(Recorder())
        assert clock.warnings == ()
        assert holders(device) == 1
        clock.stop()
        assert holders(device) == 0


def test_a_servo_that_may_not_tells_so(device):
    device.unlink()
    clock = SteadyClock(1000.0, AWAKE)
    clock.start(Recorder())
    clock.stop()
    assert len(clock.warnings) == 1


def test_a_servo_that_is_not_asked_leaves_the_machine_alone(device):
    clock = SteadyClock(1000.0, NOT_REAL_TIME)
    clock.start(Recorder())
    assert holders(device) == 0
    clock.stop()
    assert device.read_bytes() == b""
