"""Paths of goals: what a file may be, and what is left of one."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_console.console_error import ConsoleError
from controlit_console.goal_path import LONGEST_FILE, MOST, GoalPath, read_goal_path
from controlit_ros.paths.trajectory import PathKind, Trajectory

GOOD = {"task": "Hand", "times": [0.0, 0.5, 2.0], "goals": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}


def written(**changes):
    return json.dumps({**GOOD, **changes}).encode()


def test_a_file_is_read_as_it_was_written():
    path = read_goal_path(written())
    again = read_goal_path(path.text().encode())
    for read in (path, again):
        assert read.task == "Hand"
        assert read.times.tolist() == GOOD["times"]
        assert read.goals.tolist() == GOOD["goals"]
    assert path.duration == 2.0


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "expected an object with task, times, goals"),
        (b'{"task": "Hand"}', "expected an object with task, times, goals"),
        (written(task=7), "task: found 7"),
        (written(times=[0.0, 1.0]), "found 2 times and 3 goals"),
        (written(times=[], goals=[]), "times: expected|goals: expected|found 0 times"),
        (written(times=[0.0, 2.0, 1.0]), "increase"),
        (written(times=[0.0, 1.0, 1.0]), "increase"),
        (written(times=[-1.0, 1.0, 2.0]), "increase"),
        (written(goals=[[1.0], [2.0, 3.0], [4.0]]), "goals: expected"),
        (written(goals=[1.0, 2.0, 3.0]), "goals: expected"),
        (written(goals=[["x"], ["y"], ["z"]]), "goals: expected"),
        (written(goals=[[float("nan")]] * 3), "NaN"),
        (written(goals=[[1e999]] * 3), "Infinity"),
        (written().replace(b"5.0", b"1e999"), "goals: expected"),
        (b" " * (LONGEST_FILE + 1), "bytes"),
        (written(times=list(range(MOST + 1)), goals=[[0]] * (MOST + 1)), f"1 to {MOST}"),
    ],
)
def test_what_is_no_path_is_refused(content, told):
    with pytest.raises(ConsoleError, match=told):
        read_goal_path(content)


@given(st.lists(st.floats(0.001, 1.0), min_size=1, max_size=50), st.floats(0.01, 1.0))
def test_an_even_path_goes_the_same_way_in_equal_times(steps, gap):
    times = np.concatenate([[0.0], np.cumsum(steps)])
    path = GoalPath("Hand", times, times[:, np.newaxis])
    even = path.even(gap)
    assert (even.times[0], even.times[-1]) == (times[0], times[-1])
    np.testing.assert_allclose(np.diff(even.times), even.times[1] - even.times[0], rtol=1e-6)
    assert 0.0 < even.times[1] - even.times[0] <= gap * (1.0 + 2e-6)
    np.testing.assert_allclose(even.goals[:, 0], even.times)


def test_what_is_left_of_a_path_may_be_one_goal():
    path = GoalPath("Hand", np.array([2.0]), np.array([[1.0]]))
    assert path.even(0.1).goals.tolist() == [[1.0]]


def test_quaternions_do_not_go_through_nothing():
    half = np.sqrt(0.5)
    turns = np.array([[0.0, 0.0, half, half], [0.0, 0.0, -half, -half]])
    even = GoalPath("Heading", np.array([0.0, 1.0]), turns).even(0.5)
    np.testing.assert_allclose(np.linalg.norm(even.goals, axis=1), 1.0)


@given(
    st.lists(st.sampled_from([0.001, 0.1, 0.11, 1.0, 7.0]), min_size=2, max_size=60),
    st.floats(1.0, 60.0),
)
def test_a_path_taken_on_a_busy_machine_is_played_where_it_was(steps, lead):
    """Goals come in bursts there; the way to the first one may be long."""
    share = np.linspace(0.0, 1.0, len(steps) + 1)
    goals = 0.1 * np.stack([np.sin(2.0 * np.pi * share), share], axis=1)
    times = np.concatenate([[0.0], np.cumsum(steps)])
    even = GoalPath("Hand", times, goals).even(0.1)
    moments = [0.0, *(lead + even.times)]
    path = Trajectory(moments, [goals[0] - 1.0, *even.goals], [1], PathKind.MINIMUM_JERK)
    played = np.array([path.at(t).value for t in np.linspace(lead, moments[-1], 200)])
    assert np.abs(played - np.clip(played, -0.1, 0.1)).max() < 0.05


def test_what_is_left_begins_after_what_was_played():
    path = read_goal_path(written())
    assert path.rest(0.5).times.tolist() == [2.0]
    assert path.rest(0.4).goals.tolist() == [[3.0, 4.0], [5.0, 6.0]]
    assert path.rest(9.0).times.tolist() == [2.0]
