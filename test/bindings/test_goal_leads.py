"""Which leads of a goal end when another takes over."""

import numpy as np
import pytest

from controlit_ros.bindings.goal_leads import TAKEN_OVER, GoalLeads
from controlit_ros.paths.trajectory import TrajectorySample

TASK, SIZE = "Posture", 4


class Lead:
    """A lead whose goal is a number in every component."""

    def __init__(self, number):
        self.number, self.ends = float(number), []

    def sample(self, _task, _now):
        return TrajectorySample.at_rest(np.full(SIZE, self.number))

    def give_way(self, task, _now, why):
        assert task == TASK
        self.ends.append(why)


@pytest.mark.parametrize(
    ("takes", "ended", "goal"),
    [
        ([(1, {0, 1}), (2, {2})], [], [1, 1, 2, 1]),
        ([(1, {0, 1}), (2, {1, 2})], [1], [2, 2, 2, 2]),
        ([(1, {0}), (2, {1}), (3, {0, 1})], [1, 2], [3, 3, 3, 3]),
        ([(1, {0, 1}), (2, None)], [1], [2, 2, 2, 2]),
        ([(1, None), (2, {3})], [1], [2, 2, 2, 2]),
        ([(1, {0}), (2, {1}), (1, {2})], [1], [2, 2, 1, 2]),  # a lead has one goal at a time
        ([(1, None), (1, None)], [1], [1, 1, 1, 1]),
    ],
)
def test_a_new_goal_ends_those_it_overlaps_and_the_former_one_of_its_lead(takes, ended, goal):
    leads, made = GoalLeads(), {number: Lead(number) for number in (1, 2, 3)}
    last = {}
    for number, part in takes:
        leads.take(TASK, made[number], 0.0, part)
        last[number] = part
    assert [number for number in made for _ in made[number].ends] == ended
    assert all(end == TAKEN_OVER.format(task=TASK) for lead in made.values() for end in lead.ends)
    np.testing.assert_array_equal(leads.present(TASK, 0.0).value, goal)
    still = {n: part for n, part in last.items() if n not in ended or n == takes[-1][0]}
    assert leads.parts(TASK) == set().union(*(part or () for part in still.values()))
