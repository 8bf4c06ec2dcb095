"""A servo starts while the demonstration itself is put together, and never outlives it."""

from types import SimpleNamespace

import pytest

from controlit_demos.hands.demo import HandsDemo
from controlit_demos.running import demo as module
from controlit_demos.running.demo import LONGEST
from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.errors import ControlItError


class Child:
    """Stands for a process."""

    name = "servo"

    def __init__(self, *_arguments, duration, **_options):
        self.duration = duration

    def __enter__(self):
        told.append(f"{self.name} for {self.duration:g} s")
        return self

    def __exit__(self, *_error):
        told.append(f"{self.name} ends")


class Simulator(Child):
    """Stands for the process of a simulated robot."""

    name = "simulator"


told: list[str] = []


@pytest.fixture
def prepare(tmp_path, monkeypatch):
    """Return what prepares a run whose program lasts so long, and what was told of it."""
    told.clear()
    monkeypatch.setattr(module, "ServoProcess", Child)
    monkeypatch.setattr(module, "RobotProcess", Simulator)

    def run(lasts, **options):
        def program(_demo, _stack, _seed):
            told.append("program")
            return SimpleNamespace(duration=lasts)

        monkeypatch.setattr(HandsDemo, "program", program)
        demo = HandsDemo(DemoOptions(folder=tmp_path, quiet=True, **options))
        with pytest.raises(ControlItError) as found:
            demo._run(0, tmp_path)
        return str(found.value)

    return run


@pytest.fixture
def no_stack(monkeypatch):
    """Let nothing be built."""

    def build(_configuration):
        told.append("stack is built")
        raise DemoError("no stack")

    monkeypatch.setattr(module, "build_stack", build)


def test_it_starts_before_anything_else_is_built_and_ends_with_it(prepare, no_stack):
    assert prepare(1.0, duration=5.0) == "no stack"
    assert told == ["servo for 365 s", "stack is built", "servo ends"]


def test_it_starts_after_a_simulator_and_ends_before(prepare):
    prepare(LONGEST, duration=1e9, interface="SharedMemory")
    lasts = f"for {LONGEST + 360.0:g} s"
    begins = [f"simulator {lasts}", f"servo {lasts}", "program"]
    assert told == [*begins, "servo ends", "simulator ends"]


def test_what_no_simulator_can_be_at_the_other_end_of_is_refused_and_starts_nothing(prepare):
    assert "nothing else can be simulated" in prepare(1.0, interface="Benchmark")
    assert told == []


@pytest.mark.parametrize("duration", [None, 1e9])
def test_a_program_that_it_would_not_live_to_see_is_refused(prepare, duration):
    assert f"at most {LONGEST:g} s" in prepare(LONGEST, duration=duration)
    assert told == [f"servo for {LONGEST + 360.0:g} s", "program", "servo ends"]
