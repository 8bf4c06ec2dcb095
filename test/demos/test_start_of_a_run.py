"""A servo starts while the demonstration itself is put together, and never outlives it."""

from types import SimpleNamespace

import pytest

from controlit_demos.hands.demo import HandsDemo
from controlit_demos.running import demo as module
from controlit_demos.running.demo import LONGEST
from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.errors import ControlItError


class Servo:
    """Stands for the process of a servo."""

    def __init__(self, *_arguments, duration, **_options):
        told.append(f"until {duration:g} s")

    def __enter__(self):
        told.append("servo starts")
        return self

    def __exit__(self, *_error):
        told.append("servo ends")


told: list[str] = []


@pytest.fixture
def prepare(tmp_path, monkeypatch):
    """Return what prepares a run whose program lasts so long, and what was told of it."""
    told.clear()
    monkeypatch.setattr(module, "ServoProcess", Servo)

    def run(lasts, **options):
        program = SimpleNamespace(duration=lasts)
        monkeypatch.setattr(HandsDemo, "program", lambda _demo, _stack, _seed: program)
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
    assert told == ["until 365 s", "servo starts", "stack is built", "servo ends"]


def test_beside_a_simulator_of_its_own_it_starts_after_that(prepare, no_stack):
    prepare(1.0, interface="SharedMemory")
    assert told[1:] == ["stack is built"]


def test_a_program_that_it_would_not_live_to_see_is_refused(prepare):
    assert f"at most {LONGEST:g} s" in prepare(LONGEST)
    assert told[-2:] == ["servo starts", "servo ends"]
