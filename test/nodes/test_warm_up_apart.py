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
    """Return the steps in the order taken, where some are refused so many times, or fail first."""

    def run(need_model=(), **refused):
        left, taken = dict(refused), []

        def step_of(name):
            def step(_stack, _model):
                if left.get(name, 0):
                    left[name] -= 1
                    raise BusyError
                if name in need_model and "_update" not in taken:
                    raise ZeroDivisionError
                taken.append(name)

            return step

        for name in STEPS:
            monkeypatch.setattr(module, name, step_of(name))
        monkeypatch.setattr(module, "PAUSE", 0.0)
        warm_up_apart(SimpleNamespace(create_model=lambda: None))
        return taken

    return run


def test_the_largest_comes_first(play):
    assert play() == list(STEPS)


def test_a_busy_one_comes_again_after_the_smallest_that_is_left(play):
    assert play(_update=1) == ["_compensate", "_update", "_command", "_command_tasks", STEPS[3]]
    assert play(_update=2)[:3] == ["_compensate", "_measure_tasks", "_update"]


def test_a_large_one_is_begun_instead_only_after_a_while(play):
    small = ["_compensate", "_measure_tasks"]
    assert play(_update=module.TRIES - 1) == [*small, "_update", "_command", "_command_tasks"]
    assert play(_update=module.TRIES)[:4] == [*small, "_command_tasks", "_update"]


def test_a_small_one_that_is_busy_keeps_no_large_one_waiting(play):
    busy = dict.fromkeys(("_measure_tasks", "_compensate"), module.TRIES)
    assert play(_update=3, **busy)[:3] == ["_update", "_command", "_command_tasks"]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20, 40])
def test_none_is_left_out_however_many_are_busy(play, count):
    assert sorted(play(**dict.fromkeys(STEPS, count))) == sorted(STEPS)


@pytest.mark.parametrize("error", [ControlItError("no such state"), ZeroDivisionError()])
def test_a_step_that_fails_is_over(monkeypatch, error):
    taken = []

    def failing(name):
        def fail(_stack, _model):
            taken.append(name)
            raise error

        return fail

    for name in STEPS:
        monkeypatch.setattr(module, name, failing(name))
    warm_up_apart(SimpleNamespace(create_model=lambda: None))
    assert taken == list(STEPS)


def test_a_step_that_fails_for_want_of_a_model_comes_again_after_that(play):
    """The mass of a model that was never computed is zero, and the centre of mass divides by it."""
    need = ("_measure_tasks",)
    assert play(need, _update=2)[:3] == ["_compensate", "_update", "_measure_tasks"]
    for count in (3, 4, 20, 40):
        assert sorted(play(need, _update=count)) == sorted(STEPS)
        assert sorted(play(STEPS[1:], _update=count)) == sorted(STEPS)


def test_no_step_takes_a_busy_kernel_for_a_failure():
    def update(_state):
        raise BusyError

    stack = SimpleNamespace(robot=SimpleNamespace(real_joints=("elbow",)))
    with pytest.raises(BusyError):
        module._update(stack, SimpleNamespace(update=update))
