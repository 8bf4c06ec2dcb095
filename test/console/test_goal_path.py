"""Paths of goals: what a file may be, and what is left of one."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_console.console_error import ConsoleError
from controlit_console.goal_path import LONGEST_FILE, MOST, GoalPath, read_goal_path

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


@given(st.lists(st.floats(0.001, 1.0), min_size=1, max_size=50), st.floats(0.0, 1.0))
def test_a_thinned_path_keeps_its_ends_and_order(steps, gap):
    times = np.concatenate([[0.0], np.cumsum(steps)])
    path = GoalPath("Hand", times, times[:, np.newaxis])
    thin = path.thinned(gap)
    assert (thin.times[0], thin.times[-1]) == (times[0], times[-1])
    assert (np.diff(thin.times) > 0.0).all()
    assert (thin.goals[:, 0] == thin.times).all()
    assert len(thin.times) <= 2 or np.diff(thin.times).min() >= gap - 1e-12


def test_what_is_left_begins_after_what_was_played():
    path = read_goal_path(written())
    assert path.rest(0.5).times.tolist() == [2.0]
    assert path.rest(0.4).goals.tolist() == [[3.0, 4.0], [5.0, 6.0]]
    assert path.rest(9.0).times.tolist() == [2.0]
