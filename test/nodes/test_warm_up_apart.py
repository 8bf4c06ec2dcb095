"""The second compiler's warm-up: what somebody else compiles is not waited for, nor left out."""

from types import SimpleNamespace

import pytest

from controlit_ros.errors import ControlItError
from controlit_ros.kernels.compiler_lock import BusyError
from controlit_ros.nodes import warm_up as module
from controlit_ros.nodes.warm_up import warm_up_apart

STEPS = ("_update", "_command", "_command_tasks", "_measure_tasks", "_compensate")


@pytest.fixture
def play(monkeypatch):
    """Return what took the steps, in order, where some are refused so many times."""

    def run(**refused):
        left, taken = dict(refused), []

        def step_of(name):
            def step(_stack, _model):
                if left.get(name, 0):
                    left[name] -= 1
                    raise BusyError
                taken.append(name)

            return step

        for name in STEPS:
            monkeypatch.setattr(module, name, step_of(name))
        monkeypatch.setattr(module, "PATIENCE", 0.0)
        warm_up_apart(SimpleNamespace(create_model=lambda: None))
        return taken

    return run


def test_the_largest_comes_first(play):
    assert play() == list(STEPS)


def test_a_busy_one_comes_again_after_the_smallest_that_is_left(play):
    assert play(_update=1) == ["_compensate", "_update", "_command", "_command_tasks", STEPS[3]]
    assert play(_update=2)[:3] == ["_compensate", "_measure_tasks", "_update"]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_none_is_left_out_however_many_are_busy(play, count):
    assert sorted(play(**dict.fromkeys(STEPS, count))) == sorted(STEPS)


def test_a_step_that_fails_is_over(monkeypatch):
    taken = []

    def fail(_stack, _model):
        taken.append("failed")
        raise ControlItError("no such state")

    for name in STEPS:
        monkeypatch.setattr(module, name, fail)
    warm_up_apart(SimpleNamespace(create_model=lambda: None))
    assert len(taken) == len(STEPS)


def test_no_step_takes_a_busy_kernel_for_a_failure():
    def update(_state):
        raise BusyError

    stack = SimpleNamespace(robot=SimpleNamespace(real_joints=("elbow",)))
    with pytest.raises(BusyError):
        module._update(stack, SimpleNamespace(update=update))
