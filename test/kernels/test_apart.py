"""Kernels that promise to write no memory which another of their arguments has keep the promise."""

from functools import cache, partial
from types import FunctionType

import numpy as np
import pytest
import test_followers
import test_prioritised_effort
import test_task_commands

from controlit_ros.kernels import remove_span
from controlit_ros.kernels.compile import apart
from controlit_ros.kernels.late_code import LateDispatcher
from controlit_ros.tasks import compound_task, task_set

CASES = 4


class Watch:
    """Runs kernels in Python, what they call included, and looks at every promise."""

    def __init__(self):
        self.kept = set()
        self.watched = cache(self._watched)

    def _watched(self, kernel):
        source = kernel.py_func
        names = {
            name: self.watched(value) if isinstance(value, LateDispatcher) else value
            for name, value in source.__globals__.items()
            if name in source.__code__.co_names
        }
        names["__builtins__"] = __builtins__
        function = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
        return self._keeping(function) if getattr(source, "is_apart", False) else function

    def _keeping(self, function):
        def call(*arguments):
            arrays = [a for a in arguments if isinstance(a, np.ndarray)]
            before = [a.copy() for a in arrays]
            result = function(*arguments)
            for i, array in enumerate(arrays):
                if array.tobytes() != before[i].tobytes():
                    for other in arrays[:i] + arrays[i + 1 :]:
                        assert not np.shares_memory(array, other), function.__name__
            self.kept.add(function.__name__)
            return result

        return call


@pytest.fixture
def watch(monkeypatch):
    watch = Watch()

    def replace(module, *names):
        for name in names:
            monkeypatch.setattr(module, name, watch.watched(getattr(module, name)))

    replace(test_prioritised_effort, "project", "prioritised_effort")
    replace(test_followers, "project_followers")
    return watch


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("damping", [0.0, 0.3])
@pytest.mark.filterwarnings("ignore:.*encountered in.*:RuntimeWarning")
def test_projection_and_recursion(watch, rng, is_weighted, damping):
    check = test_prioritised_effort.test_the_recursion_agrees.hypothesis.inner_test
    for _ in range(CASES):
        check(int(rng.integers(1 << 32)), [3, 4, 2, 6], 2, True, True, damping, is_weighted)
    test_prioritised_effort.test_a_base_held_weakly_counts_as_the_rule_says(rng, 1.0, 0)
    expected = {"map_rows", "_measure", "remove_span", "least_squares", "take", "_map_back"}
    assert expected <= watch.kept


def test_joints_that_follow(watch, rng):
    check = test_followers.test_projections_and_effort_are_those_of_the_law.hypothesis.inner_test
    for _ in range(CASES):
        check(int(rng.integers(1 << 32)), 7, 2, moves=True)
    assert {"project_followers", "_reduce", "_follow"} <= watch.kept


def test_task_commands_of_all_kinds(watch, rng, monkeypatch):
    monkeypatch.setattr(task_set, "bind", lambda k, *a: partial(watch.watched(k), *a))
    assert compound_task.TaskSet is task_set.TaskSet
    for limited in (False, True):
        test_task_commands.test_every_task_gets_what_it_would_compute_alone(rng, limited=limited)
    assert {"task_commands", "_stack_projected"} <= watch.kept


def test_a_promise_that_is_broken_is_seen():
    @LateDispatcher
    @apart
    def double(a, b):
        b[:] = 2.0 * a

    memory = np.ones(3)
    with pytest.raises(AssertionError, match="double"):
        Watch().watched(double)(memory, memory)
    basis = np.full((3, 3), 0.5)
    with pytest.raises(AssertionError, match="remove_span"):
        Watch().watched(remove_span)(basis[1:], basis, basis, 1, False)
